// The log of a company as somebody has read it at the end, and since when it tells of leads and calls.
import type { Exchange } from '../observed.ts'
import { endedAt, type Known } from './known.ts'

export type Event = {
  readonly type: string
  readonly timestamp: string
  // biome-ignore lint/suspicious/noExplicitAny: of each type its own
  readonly data: any
}

export type Log = {
  readonly events: readonly Event[]
  /** Of its company, that were answered before its last page was asked for. */
  readonly exchanges: readonly Exchange[]
  /** The moments at which somebody has first read it, and at which its last page was asked for. */
  readonly since: number
  readonly until: number
}

/** Null: the request has not read the log to its end. */
export function logOf({ who, operation, company, answer, sentAt }: Exchange, known: Known): Log | null {
  if (who !== 'inspector' || operation !== 'listEvents' || answer?.status !== 200) return null
  // The last page is empty.
  if (known.restored.has(company) || answer.body.data.events.length > 0) return null
  const exchanges = known.exchanges.filter((one) => one.company === company && endedAt(one) <= sentAt)
  const reads = exchanges.filter(
    (one) => /^(?:listEvents|createWebhook)$/.test(one.operation) && (one.answer?.status ?? 500) < 300,
  )
  const events = reads
    .filter((one) => one.who === 'inspector')
    .flatMap((one): Event[] => one.answer?.body?.data?.events ?? [])
  return { events, exchanges, since: Math.min(...reads.map(endedAt)), until: sentAt }
}

/** Of the scope of a request, while that was under way. */
export const tells = (
  { events }: Log,
  of: string,
  { sentMs, answeredMs, body }: Exchange,
  { jumpedMs }: Known,
): boolean =>
  events.some(({ type, data, timestamp }) => {
    const atMs = Date.parse(timestamp)
    const isMeanwhile = jumpedMs > 0 || (atMs >= sentMs && atMs <= (answeredMs ?? 0))
    return type === of && data.campaignId === (body?.campaignId ?? null) && isMeanwhile
  })

/** Its report has put a phone on the list. Of an erased person the list may have the hash alone. */
export const listsNumbers = ({ operation, company, commits }: Exchange, { erased }: Known): boolean =>
  operation === 'reportCalls' &&
  commits.some(({ changed }) => changed.some(({ table }) => table === 'suppressions')) &&
  !erased.some((one) => one.company === company)
