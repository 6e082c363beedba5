// D1 bindings that watch, fail, hang, or lose an answer. One wrapper stands around the real database; what it
// does with a round trip is decided by a function. Nothing here knows which statements the service sends.
import { companyDb } from './store.ts'

export type Statement = { readonly sql: string; readonly params: readonly unknown[] }

/** One call to the database: a batch, or a statement of its own. */
export type RoundTrip = {
  readonly statements: readonly Statement[]
  /** Of each statement, once the database has answered. */
  results: D1Result[]
}

type Behaviour = (run: () => Promise<unknown>, trip: RoundTrip) => Promise<unknown>

export type WatchedDatabase = { readonly DB: D1Database; readonly trips: RoundTrip[] }

/** Runs everything, and notes it. */
export function watchedDatabase(db?: D1Database): WatchedDatabase {
  return databaseThat((run) => run(), db)
}

/** Fails every call with this message, and runs nothing. */
export function databaseFailing(message: string): WatchedDatabase {
  return databaseThat(() => Promise.reject(new Error(message)))
}

/** Never answers, and runs nothing. */
export function hangingDatabase(): WatchedDatabase {
  return databaseThat(() => new Promise(() => {}))
}

/** Fails the first calls with this message before it runs them, then works. */
export function databaseFailingTimes(times: number, message: string): WatchedDatabase {
  let failures = 0
  return databaseThat((run) => (++failures <= times ? Promise.reject(new Error(message)) : run()))
}

/** Commits the first writes but loses their answers, then works. */
export function databaseLosingAnswers(times: number): WatchedDatabase {
  let lost = 0
  return databaseThat(async (run, trip) => {
    const answer = await run()
    if (!trip.statements.some(({ sql }) => /^\s*insert/i.test(sql)) || ++lost > times) return answer
    throw new Error('D1_ERROR: Network connection lost.')
  })
}

/** The real database behind a function that decides what becomes of each round trip. */
export function databaseThat(behave: Behaviour, db: D1Database = companyDb): WatchedDatabase {
  const trips: RoundTrip[] = []
  const wrapped = new WeakMap<D1PreparedStatement, { real: D1PreparedStatement; statement: Statement }>()

  async function roundTrip<T>(statements: readonly Statement[], run: () => Promise<T>): Promise<T> {
    const trip: RoundTrip = { statements, results: [] }
    trips.push(trip)
    const noting = async () => {
      const answer = await run()
      trip.results = (Array.isArray(answer) ? answer : [answer]) as D1Result[]
      return answer
    }
    return (await behave(noting, trip)) as T
  }

  function wrap(real: D1PreparedStatement, statement: Statement): D1PreparedStatement {
    const alone =
      <Name extends 'first' | 'run' | 'all' | 'raw'>(name: Name) =>
      (...args: unknown[]) =>
        roundTrip([statement], () =>
          (real[name] as (...args: unknown[]) => Promise<unknown>).apply(real, args),
        )
    const outside = {
      bind: (...params: unknown[]) => wrap(real.bind(...params), { ...statement, params }),
      first: alone('first'),
      run: alone('run'),
      all: alone('all'),
      raw: alone('raw'),
    } as D1PreparedStatement
    wrapped.set(outside, { real, statement })
    return outside
  }

  const inside = (outside: D1PreparedStatement) => {
    const found = wrapped.get(outside)
    if (found === undefined) throw new Error('a statement of another database')
    return found
  }
  const DB = {
    prepare: (sql: string) => wrap(db.prepare(sql), { sql, params: [] }),
    batch: (statements: D1PreparedStatement[]) =>
      roundTrip(
        statements.map((each) => inside(each).statement),
        () => db.batch(statements.map((each) => inside(each).real)),
      ),
    exec: (sql: string) => roundTrip([{ sql, params: [] }], () => db.exec(sql)),
    withSession: () => {
      throw new Error('a read replica may lag behind: the service reads from the primary')
    },
  } as unknown as D1Database
  return { DB, trips }
}

/** Of all that was asked. */
export const rowsOf = (trips: readonly RoundTrip[], what: 'rows_read' | 'rows_written') =>
  trips.flatMap((trip) => trip.results).reduce((sum, { meta }) => sum + meta[what], 0)

/** Its query plan, line by line. */
export async function planOf({ sql, params }: Statement): Promise<string[]> {
  const { results } = await companyDb
    .prepare(`explain query plan ${sql}`)
    .bind(...params)
    .all<{ detail: string }>()
  return results.map(({ detail }) => detail)
}
