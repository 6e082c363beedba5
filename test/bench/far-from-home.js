// Puts a Worker far from its Durable Objects and its database: every call waits before it leaves, and a batch waits once.
// A company's own store is a Durable Object as far away as D1. Counts the calls, the rows that D1 and such stores say they
// have read and written, and what is sent to them. A header of the answer has what
// was counted before it; `/far/last` has all of the last request, and the rows that its limiter has written in its life.
// Runs inside workerd, around a built Worker (runtime.ts), so it is JavaScript.

const objectHopMs = 20
const databaseHopMs = 80

const none = { objects: 0, database: 0, rowsRead: 0, rowsWritten: 0, statements: 0, sqlBytes: 0 }
let last = none
/** Of a namespace: an object that a request has got belongs to it. */
let lastLimiter

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export function farFromHome(worker) {
  return {
    ...worker,
    async fetch(request, env, ctx) {
      if (new URL(request.url).pathname === '/far/last')
        return Response.json({ ...last, limiterRows: await lastLimiter(env.RATE_LIMITER).rowsWritten() })
      const trips = { ...none }
      last = trips
      const far = Object.entries(env).map(([name, binding]) => [name, farBinding(name, binding, trips)])
      const answer = await worker.fetch(request, Object.fromEntries(far), ctx)
      const marked = new Response(answer.body, answer)
      marked.headers.set('x-bench-trips', JSON.stringify(trips))
      return marked
    },
  }
}

/** The limiter's class, which can also say how many rows its database has ever changed, its key-value storage's included. */
export const counting = (Limiter) =>
  class extends Limiter {
    rowsWritten() {
      return Number(this.ctx.storage.sql.exec('select total_changes() as n').one().n)
    }
  }

function farBinding(name, binding, trips) {
  if (typeof binding?.batch === 'function') return farDatabase(binding, trips)
  return typeof binding?.getByName === 'function' ? farNamespace(name, binding, trips) : binding
}

function farDatabase(db, trips) {
  const near = new WeakMap()
  async function hop(sent, call) {
    trips.database++
    return batchFrom(sent, trips, call)
  }
  function farStatement(statement, bytes) {
    const far = new Proxy(statement, {
      get(target, name) {
        if (name === 'bind') return (...values) => farStatement(target.bind(...values), bytes)
        return (...args) => hop([bytes], () => target[name](...args))
      },
    })
    near.set(far, { statement, bytes })
    return far
  }
  return {
    prepare: (sql) => farStatement(db.prepare(sql), bytesOf(sql)),
    batch(statements) {
      const sent = statements.map((statement) => near.get(statement))
      return hop(
        sent.map(({ bytes }) => bytes),
        () => db.batch(sent.map(({ statement }) => statement)),
      )
    },
  }
}

/** `sent`: the bytes of each statement's text. */
async function batchFrom(sent, trips, call) {
  trips.statements += sent.length
  for (const bytes of sent) trips.sqlBytes += bytes
  await wait(databaseHopMs)
  const result = await call()
  for (const { meta } of [result].flat()) {
    trips.rowsRead += meta?.rows_read ?? 0
    trips.rowsWritten += meta?.rows_written ?? 0
  }
  return result
}

const bytesOf = (sql) => new TextEncoder().encode(sql).length

function farNamespace(name, namespace, trips) {
  const farStub = (find) => {
    if (name === 'RATE_LIMITER') lastLimiter = find
    return new Proxy(find(namespace), {
      get(target, method) {
        if (typeof method === 'symbol' || method === 'then') return undefined
        return async (...args) => {
          trips.objects++
          const call = () => target[method](...args)
          if (name === 'COMPANY_STORES')
            return batchFrom(
              args[0].map(([sql]) => bytesOf(sql)),
              trips,
              call,
            )
          await wait(objectHopMs)
          return call()
        }
      },
    })
  }
  return {
    getByName: (id, options) => farStub((of) => of.getByName(id, options)),
    idFromName: (id) => namespace.idFromName(id),
    get: (id) => farStub((of) => of.get(id)),
  }
}
