// The health check: the service answers and the database runs a simple query on a table. Deliberately checks no other
// part of the platform.
import { version } from '../package.json'
import { noCompany } from './base/access/store/companies.ts'
import { DatabaseUnavailable, pingDatabase } from './base/database/database.ts'
import { type Answer, failure, success } from './base/http/envelope.ts'
import { timed } from './base/http/request-record.ts'
import type { Exchange } from './base/http/respond.ts'
import { waits } from './base/limits.ts'
import { formatTimestamp } from './base/timestamp.ts'

export async function checkHealth(x: Exchange): Promise<Answer> {
  const startedAtMs = Date.now()
  const failed = await timed(x.record, 'databaseMs', ping(x.env.DB))
  const status = failed === null ? 'ok' : 'error'
  const data = {
    status,
    timestamp: formatTimestamp(startedAtMs),
    version,
    checks: { database: { status, latencyMs: Date.now() - startedAtMs } },
  }
  if (failed === null) return success(data)
  x.record.problems.push(`database ${failed.reason}`)
  return failure({ kind: 'service_unavailable' }, data)
}

async function ping(db: D1Database): Promise<DatabaseUnavailable | null> {
  try {
    await pingDatabase(noCompany(db, {}), waits.healthCheckMs)
    return null
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return error
    throw error
  }
}
