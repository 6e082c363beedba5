// Puts a Worker far from its Durable Objects and its database: every call waits before it leaves, and a batch
// waits once. Counts the calls and the rows that D1 says it has read and written, and prints
// them in a header.

export const limiterHopMs = 20
export const databaseHopMs = 80

type Fetch = (request: Request, env: never, ctx: ExecutionContext) => Response | Promise<Response>
export type Trips = { limiter: number; database: number; rowsRead: number; rowsWritten: number }

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export function farFromHome(fetch: Fetch) {
  return {
    async fetch(request: Request, env: Record<string, unknown>, ctx: ExecutionContext): Promise<Response> {
      const trips: Trips = { limiter: 0, database: 0, rowsRead: 0, rowsWritten: 0 }
      const far = {
        ...env,
        DB: farDatabase(env.DB as D1Database, trips),
        RATE_LIMITER: farNamespace(env.RATE_LIMITER as DurableObjectNamespace, trips),
      }
      const answer = await fetch(request, far as never, ctx)
      const marked = new Response(answer.body, answer)
      marked.headers.set('x-bench-trips', JSON.stringify(trips))
      return marked
    },
  }
}

function farDatabase(db: D1Database, trips: Trips): D1Database {
  const near = new WeakMap<object, D1PreparedStatement>()
  async function hop<T>(call: () => Promise<T>): Promise<T> {
    trips.database++
    await wait(databaseHopMs)
    const result = await call()
    for (const one of [result].flat()) {
      const meta = (one as { meta?: D1Meta } | null)?.meta
      trips.rowsRead += meta?.rows_read ?? 0
      trips.rowsWritten += meta?.rows_written ?? 0
    }
    return result
  }
  function farStatement(statement: D1PreparedStatement): D1PreparedStatement {
    const far = new Proxy(statement, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => farStatement(target.bind(...values))
        const method = target[name as keyof D1PreparedStatement] as (...args: unknown[]) => Promise<unknown>
        return (...args: unknown[]) => hop(() => method.apply(target, args))
      },
    })
    near.set(far, statement)
    return far
  }
  return {
    prepare: (sql: string) => farStatement(db.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) =>
      hop(() => db.batch(statements.map((statement) => near.get(statement) ?? statement))),
  } as D1Database
}

function farNamespace(namespace: DurableObjectNamespace, trips: Trips): DurableObjectNamespace {
  const farStub = (stub: object) =>
    new Proxy(stub, {
      get(target, name) {
        if (typeof name === 'symbol' || name === 'then') return undefined
        return async (...args: unknown[]) => {
          trips.limiter++
          await wait(limiterHopMs)
          return (target as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args)
        }
      },
    })
  return {
    getByName: (name: string) => farStub(namespace.getByName(name)),
    idFromName: (name: string) => namespace.idFromName(name),
    get: (id: DurableObjectId) => farStub(namespace.get(id)),
  } as unknown as DurableObjectNamespace
}
