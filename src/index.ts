// The Worker as a reading table: what runs, in which order, for every path. The only place that answers errors,
// but for health's 503, which carries data.
import { type Context, Hono } from 'hono'
import { version } from '../package.json'
import { authenticate, type KeyVariables, limitKey, recheckKey } from './access/authenticate.ts'
import { DatabaseUnavailable } from './database/database.ts'
import { health } from './health.ts'
import { failure } from './http/envelope.ts'
import { ApiError, describeProblem, type Problem } from './http/errors.ts'
import { logRequest, type RecordVariables } from './http/request-log.ts'
import { leadList } from './leads/list.ts'
import { leads } from './leads/routes.ts'
import { hourlyPerKey, limitAddress, unknownPerAddress } from './rate-limits/rate-limit.ts'

export { RateLimiter } from './rate-limits/rate-limiter.ts'

type App = { Bindings: Env; Variables: RecordVariables & Partial<KeyVariables> }

const app = new Hono<App>()

app.use(logRequest)
app.use(async function neverCached(c, next) {
  c.header('Cache-Control', 'no-store')
  c.header('X-Content-Type-Options', 'nosniff')
  await next()
})
app.use('/api/*', async function tellVersion(c, next) {
  c.header('X-Api-Version', version)
  await next()
})
app.route('/api/health', health)
app.use('/api/v1/*', authenticate)
app.route('/api/v1/leads', leadList)
app.route('/api/v1/leads', leads)
app.all('/api/v1/*', limitKey(hourlyPerKey), () => {
  throw new ApiError({ kind: 'not_found' })
})
app.all('/api/*', limitAddress(unknownPerAddress), (c) => answer(c, { kind: 'not_found' }))

// The page itself is a static asset (src/docs). Other methods find nothing here, as on any other path.
app.get('/', (c) => c.redirect('/docs'))
app.notFound((c) => answer(c, { kind: 'not_found' }))

app.onError(async (thrown, c) => {
  const error = await recheckKey(c, thrown)
  if (error instanceof ApiError) return answer(c, error.problem)
  if (error instanceof DatabaseUnavailable) {
    c.get('record').faults.push(`database ${error.reason}`)
    return answer(c, { kind: 'service_unavailable' })
  }
  // The name only: a message may quote what the client sent.
  c.get('record').faults.push(`unexpected ${(error as Error).name}`)
  return answer(c, { kind: 'internal_error' })
})

function answer(c: Pick<Context<App>, 'json'>, problem: Problem): Response {
  const { status, error, code, headers } = describeProblem(problem)
  return c.json(failure(error), status, { ...headers, 'X-Error-Code': code })
}

export default app
