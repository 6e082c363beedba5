// Counts a Worker's calls of Durable Objects and of its database, the rows that D1 and companies' own stores say they
// have read and written, and what is sent to them. A header of the answer has what was counted before it;
// `/counted/last` has all of the last request, and the rows that its limiter has written in its life. Runs inside
// workerd, around a built Worker (runtime.ts), so it is JavaScript.

const none = { objects: 0, database: 0, rowsRead: 0, rowsWritten: 0, statements: 0, sqlBytes: 0 }
let last = none
/** Of a namespace: an object that a request has got belongs to it. */
let lastLimiter

export function countTrips(worker) {
  return {
    ...worker,
    async fetch(request, env, ctx) {
      if (new URL(request.url).pathname === '/counted/last')
        return Response.json({ ...last, limiterRows: await lastLimiter(env.RATE_LIMITER).rowsWritten() })
      const trips = { ...none }
      last = trips
      const counted = Object.entries(env).map(([name, binding]) => [
        name,
        countedBinding(name, binding, trips),
      ])
      const answer = await worker.fetch(request, Object.fromEntries(counted), ctx)
      const marked = new Response(answer.body, answer)
      marked.headers.set('x-bench-trips', JSON.stringify(trips))
      return marked
    },
  }
}

/**
 * The limiter's class, which can also say how many rows its database has ever changed, its key-value storage's
 * included.
 */
export const counting = (Limiter) =>
  class extends Limiter {
    rowsWritten() {
      return Number(this.ctx.storage.sql.exec('select total_changes() as n').one().n)
    }
  }

function countedBinding(name, binding, trips) {
  if (typeof binding?.batch === 'function') return countedDatabase(binding, trips)
  return typeof binding?.getByName === 'function' ? countedNamespace(name, binding, trips) : binding
}

function countedDatabase(db, trips) {
  const plain = new WeakMap()
  async function count(sent, call) {
    trips.database++
    return batchFrom(sent, trips, call)
  }
  function countedStatement(statement, bytes) {
    const counted = new Proxy(statement, {
      get(target, name) {
        if (name === 'bind') return (...values) => countedStatement(target.bind(...values), bytes)
        return (...args) => count([bytes], () => target[name](...args))
      },
    })
    plain.set(counted, { statement, bytes })
    return counted
  }
  return {
    prepare: (sql) => countedStatement(db.prepare(sql), bytesOf(sql)),
    batch(statements) {
      const sent = statements.map((statement) => plain.get(statement))
      return count(
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
  const result = await call()
  for (const { meta } of [result].flat()) {
    trips.rowsRead += meta?.rows_read ?? 0
    trips.rowsWritten += meta?.rows_written ?? 0
  }
  return result
}

const bytesOf = (sql) => new TextEncoder().encode(sql).length

function countedNamespace(name, namespace, trips) {
  const countedStub = (find) => {
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
          return call()
        }
      },
    })
  }
  return {
    getByName: (id, options) => countedStub((of) => of.getByName(id, options)),
    idFromName: (id) => namespace.idFromName(id),
    get: (id) => countedStub((of) => of.get(id)),
  }
}
