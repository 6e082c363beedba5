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
