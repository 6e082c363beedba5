// A request's record as one line for a terminal. Only the local server logs it (`npm start` sets LOG_FORMAT); a
// deployed Worker logs the record itself, whose fields are indexed.
import type { Entry } from './request-record.ts'

/** The setting is the local server's only, so it is no binding of wrangler.toml. */
export const isLogOfLines = (env: Env): boolean =>
  (env as { readonly LOG_FORMAT?: string }).LOG_FORMAT === 'line'

/** `POST /api/v1/leads 201, 12 ms (limiter 3, database 8), demo, 1 created, key_..., <request id>` */
export function requestLine(entry: Entry): string {
  const { limiterMs, databaseMs, waitedMs, problems } = entry
  const { leadsCreated, leadsSkipped, callsClaimed, callsReported } = entry
  const parts = [
    `${entry.method} ${entry.route} ${entry.status}`,
    entry.errorCode,
    `${entry.durationMs} ms (limiter ${limiterMs}, database ${databaseMs})`,
    waitedMs !== undefined && `${waitedMs} ms waited`,
    entry.companyId,
    entry.campaignId,
    leadsCreated !== undefined && `${leadsCreated} created`,
    leadsSkipped !== undefined && `${leadsSkipped} skipped`,
    callsClaimed !== undefined && `${callsClaimed} claimed`,
    callsReported !== undefined && `${callsReported} reported`,
    problems && `PROBLEM ${problems.join(' and ')}`,
    entry.keyId,
    entry.requestId,
  ]
  return parts.filter(Boolean).join(', ')
}
