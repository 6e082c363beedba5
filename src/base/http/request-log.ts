// Writes one structured record per request to the log and to Analytics Engine. No field may hold a key, a phone number
// or metadata; a campaign only after the store has confirmed it, because before that it is any text of a client.
import type { Context } from 'hono'
import type { Answer } from './envelope.ts'
import { isLogOfLines, requestLine } from './request-line.ts'
import type { Entry, RequestRecord } from './request-record.ts'

/** The part of an Exchange (respond.ts) that is logged. */
type Logged = {
  readonly c: Context
  readonly env: Env
  readonly route: string
  readonly requestId: string
  readonly startedAtMs: number
  readonly record: RequestRecord
}

/** Never throws. */
export function logExchange(x: Logged, { status, headers }: Answer): void {
  const { problems } = x.record
  const cf = x.c.req.raw.cf
  const entry: Entry = {
    event: 'request',
    requestId: x.requestId,
    method: x.c.req.method,
    route: x.route,
    status,
    errorCode: headers['X-Error-Code'],
    durationMs: Date.now() - x.startedAtMs - (x.record.waitedMs ?? 0),
    ...x.record,
    problems: problems.length > 0 ? problems : undefined,
    colo: cf?.colo,
    country: cf?.country,
  }
  console.log(isLogOfLines(x.env) ? requestLine(entry) : entry)
  try {
    writeMetrics(x.env.METRICS, entry)
  } catch {
    // The lead is stored: a lost data point must not turn the answer into 500.
    console.warn({ event: 'metrics_refused', requestId: x.requestId })
  }
}

/** Queries name these columns by position (src/admin/operations/observe.md): add at the end, never reorder. */
function writeMetrics(metrics: AnalyticsEngineDataset, entry: Entry): void {
  metrics.writeDataPoint({
    indexes: [entry.keyId ?? 'none'],
    blobs: [
      entry.method,
      entry.route,
      entry.errorCode ?? '',
      entry.keyId ?? '',
      entry.campaignId ?? '',
      text(entry.colo),
      text(entry.country),
    ],
    doubles: [
      entry.status,
      entry.durationMs,
      entry.limiterMs,
      entry.databaseMs,
      entry.leadsCreated ?? 0,
      entry.leadsSkipped ?? 0,
      entry.callsClaimed ?? 0,
      entry.callsReported ?? 0,
      entry.waitedMs ?? 0,
    ],
  })
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
