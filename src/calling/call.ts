// The id of a call, which is lease, attempt and idempotency key in one. Made like a lead's id of a time, the lead's
// place and the claim's token, so that a call is found by its key, and nobody guesses one. Pure.
import { type LeadKey, leadIdOf, leadIdPattern, parseLeadId } from '../leads/lead.ts'

/** What an id is made of. */
export type CallKey = { readonly claimedAtMs: number; readonly seq: number; readonly token: string }

export const callIdPattern = leadIdPattern

export function callIdOf({ claimedAtMs, seq, token }: CallKey): string {
  return leadIdOf({ createdAtMs: claimedAtMs, seq, token } satisfies LeadKey)
}

/** What is in an id, or null when it cannot be one. */
export function parseCallId(id: string): CallKey | null {
  const key = parseLeadId(id)
  return key && { claimedAtMs: key.createdAtMs, seq: key.seq, token: key.token }
}
