// Stands before the Worker in a test's server and counts what it asks of the database and of the rate limiters.
// `GET /counts` returns, and resets them. No part of what is deployed.
import worker from './worker.js'

export { RateLimiter, WebhookSender } from './worker.js'

let counts = start()

export default {
  fetch(request, env, ctx) {
    if (new URL(request.url).pathname === '/counts') {
      const { subjects, ...others } = counts
      counts = start()
      return Response.json({ ...others, limiterObjects: subjects.size })
    }
    const DB = {
      prepare: (sql) => env.DB.prepare(sql),
      batch(statements) {
        counts.databaseTrips++
        return env.DB.batch(statements)
      },
    }
    const RATE_LIMITER = {
      getByName(name) {
        counts.limiterCalls++
        counts.subjects.add(name)
        return env.RATE_LIMITER.getByName(name)
      },
    }
    return worker.fetch(request, { ...env, DB, RATE_LIMITER }, ctx)
  },
}

function start() {
  return { databaseTrips: 0, limiterCalls: 0, subjects: new Set() }
}
