// The id of a call, which is lease, attempt and idempotency key in one. Like a lead's id it consists of a time, the
// lead's place and the claim's token, so that it leads to the call's row and cannot be guessed. Pure.
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

/** Who rang whom. */
export const directionOf = ({ isInbound }: { readonly isInbound: number }) =>
  isInbound === 1 ? 'inbound' : 'outbound'

/** So long a lead is not called whose person rang when a dialer was about to call. */
export const stoppedDelaySeconds = 60
