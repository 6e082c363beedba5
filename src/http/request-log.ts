// One structured record per request, to the log and to Analytics Engine, and the request's id. Middleware and
// handlers add what they know to `c.get('record')`. No field may hold a key, a phone number or metadata; a campaign
// only once the store has confirmed it, since before that it is any text a client cared to send.
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { requestLine } from './request-line.ts'
import type { Entry, RequestRecord } from './request-record.ts'

export type RecordVariables = { requestId: string; record: RequestRecord }

/** 1 to 128 visible ASCII characters: nothing that could break out of a header or a log line (D31). */
const requestIdPattern = /^[\x21-\x7e]{1,128}$/

export const logRequest = createMiddleware<{ Bindings: Env; Variables: RecordVariables }>(
  async function logRequest(c, next) {
    const startedAtMs = Date.now()
    const sentId = c.req.header('x-request-id')
    const requestId = sentId !== undefined && requestIdPattern.test(sentId) ? sentId : crypto.randomUUID()
    const record: RequestRecord = { limiterMs: 0, databaseMs: 0, faults: [] }
    c.set('requestId', requestId)
    c.set('record', record)
    c.header('X-Request-Id', requestId)

    await next()

    const cf = c.req.raw.cf
    const entry: Entry = {
      event: 'request',
      requestId,
      method: c.req.method,
      route: routePath(c),
      status: c.res.status,
      errorCode: c.res.headers.get('x-error-code') ?? undefined,
      durationMs: Date.now() - startedAtMs,
      ...record,
      faults: record.faults.length > 0 ? record.faults : undefined,
      colo: cf?.colo,
      country: cf?.country,
    }
    console.log((c.env as LogSettings).LOG_FORMAT === 'line' ? requestLine(entry) : entry)
    try {
      writeMetrics(c.env.METRICS, entry)
    } catch {
      // The work is done by now: a data point is not worth answering 500 for a lead that was stored.
      console.warn({ event: 'metrics_refused', requestId })
    }
  },
)

/** Set on the local server alone, so it is no binding of wrangler.toml. */
type LogSettings = { readonly LOG_FORMAT?: string }

/** The README's queries name these columns by their place: add at the end, never reorder. */
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
    ],
  })
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Awaits the work and adds its time to the record. */
export async function timed<T>(
  record: RequestRecord,
  part: 'limiterMs' | 'databaseMs',
  work: Promise<T>,
): Promise<T> {
  const startedAtMs = Date.now()
  try {
    return await work
  } finally {
    record[part] += Date.now() - startedAtMs
  }
}
