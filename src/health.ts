// Availability: the service answers, the database is reachable, and a simple query runs. What else the platform
// offers is deliberately not checked.
import { Hono } from 'hono'
import { version } from '../package.json'
import { DatabaseUnavailable, pingDatabase } from './database/database.ts'
import { failure, success } from './http/envelope.ts'
import { ApiError, describeProblem } from './http/errors.ts'
import { type RecordVariables, timed } from './http/request-log.ts'
import { healthPerAddress, limitAddress } from './rate-limits/rate-limit.ts'

export const health = new Hono<{ Bindings: Env; Variables: RecordVariables }>()

/** A monitor wants an answer, not patience. */
const checkTimeoutMs = 2_000

health.get('/', limitAddress(healthPerAddress), async (c) => {
  const startedAtMs = Date.now()
  let failed: DatabaseUnavailable | undefined
  try {
    await timed(c.get('record'), 'databaseMs', pingDatabase(c.env.DB, checkTimeoutMs))
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    failed = error
  }
  const status = failed === undefined ? 'ok' : 'error'
  const latencyMs = Date.now() - startedAtMs
  const data = {
    status,
    timestamp: new Date().toISOString(),
    version,
    checks: { database: { status, latencyMs } },
  }
  if (failed === undefined) return c.json(success(data))
  c.get('record').faults.push(`database ${failed.reason}`)
  const { status: httpStatus, error, headers, code } = describeProblem({ kind: 'service_unavailable' })
  return c.json(failure(error, data), httpStatus, { ...headers, 'X-Error-Code': code })
})

health.all('/', limitAddress(healthPerAddress), () => {
  throw new ApiError({ kind: 'method_not_allowed', allow: ['GET', 'HEAD'] })
})
