// A lead of a list or a search: its JSON, and what calling says of it. Pure.
import { formatTimestamp } from '../timestamp.ts'

/** How its last call ended, and from when on it can be called. Nulls: no call has ended, and not in the queue or leased. */
export type CallingOfLead = { readonly lastOutcome: string | null; readonly dueAtMs: number | null }

/** `json`: as the API has a lead, with the metadata as it was sent. `isListed`: its number is on the do-not-call list. */
export type LeadWithCalling = CallingOfLead & { readonly json: string; readonly isListed: number }

/** The lead's JSON with these members. */
export function jsonWithCalling({ json, lastOutcome, dueAtMs, isListed }: LeadWithCalling): string {
  const suppressed = isListed === 1 && { suppressed: true }
  const members = { lastOutcome, dueAt: formatTimestamp(dueAtMs), ...suppressed }
  return `${json.slice(0, -1)},${JSON.stringify(members).slice(1)}`
}
