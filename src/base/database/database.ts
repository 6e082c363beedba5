// How the stores use D1: statements rendered once, each call under a time limit, and safe retries. A `cross join` in a
// statement fixes SQLite's join order: the left table is read first.
import { type Column, is, Placeholder, type SQL, sql } from 'drizzle-orm'
import type { CasingCache } from 'drizzle-orm/casing'
import { waits } from '../limits.ts'
import { withTimeLimit } from '../time-limit.ts'

/** D1 failed or did not answer. The reason holds no data, so it may be logged; what `cause` says may hold some. */
export class DatabaseUnavailable extends Error {
  readonly reason: string

  constructor(reason: string, cause?: unknown) {
    super(`Database unavailable: ${reason}`, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

/** What may be logged of an error: a message may quote client data. */
export const problemOf = (error: unknown): string =>
  error instanceof DatabaseUnavailable ? `database ${error.reason}` : (error as Error).name

/** A placeholder of a statement, by name. */
export const param = sql.placeholder

/** A number of the code in a statement, as it stands. */
export const number = (value: number): SQL => sql.raw(`${value}`)

/** D1 takes so many terms in one union. */
const termsOfUnion = 5

/** A select with the rows of all of these. More terms than D1 takes are nested. */
export function unionAll(terms: readonly SQL[]): SQL {
  if (terms.length <= termsOfUnion) return sql.join([...terms], sql` union all `)
  const groups = Array.from({ length: Math.ceil(terms.length / termsOfUnion) }, (_, i) =>
    unionAll(terms.slice(i * termsOfUnion, (i + 1) * termsOfUnion)),
  )
  return unionAll(groups.map((group) => sql`select * from (${group})`))
}

export type Value = string | number | null

/** Binds a value to each of a statement's placeholders: a missing or misspelled one does not compile. */
export type Bind<Name extends string = never> = (
  db: D1Database,
  values: Readonly<Record<Name, Value>>,
) => D1PreparedStatement

/**
 * How names and values are written: without quotes around names, since no table or column of the schema is a keyword,
 * and each quote in a statement costs an escape whenever it is sent and read. Drizzle's dialect would bring its query
 * builder into the Worker, which no statement uses.
 */
const notation = {
  casing: { getColumnCasing: ({ name }: Column) => name } as CasingCache,
  escapeName: (name: string) => name,
  escapeParam: () => '?',
  escapeString: (text: string) => `'${text.replaceAll("'", "''")}'`,
}

/** Spaces outside texts. */
const spaces = /('[^']*')|\s+/g

/** A query's text, and the names of its placeholders in the order of their values. */
type Rendered = readonly [text: string, names: readonly string[]]

/** Those that are not rendered yet. */
const unrendered = new Set<() => Rendered>()

let made = 0

/** Each is made once, when its module loads: a database prepares again what has another text. */
export const statementCount = () => made

/**
 * Renders a query once, when it is first used, or after an answer: renderSome. Drizzle's query building costs more than
 * the rest of a statement, and rendering all of them when the module loads was half of a start. Placeholders are bound
 * by name, each value once (`?1`) however often it is used, which halves the time to bind a long statement. That a
 * statement has the declared names is held by test/unit/typed-statements.test.ts. A function makes the query when it is
 * first used, and not after an answer.
 */
export function statement<Name extends string = never>(query: SQL | (() => SQL)): Bind<Name> {
  made++
  let rendered: Rendered | undefined
  const render = () => {
    unrendered.delete(render)
    rendered = renderQuery(typeof query === 'function' ? query() : query)
    return rendered
  }
  if (typeof query !== 'function') unrendered.add(render)
  const bind: Bind<string> = (db, values) => {
    const [text, names] = rendered ?? render()
    return db.prepare(text).bind(...names.map((name) => values[name]))
  }
  return bind
}

function renderQuery(query: SQL): Rendered {
  const { sql: text, params } = query.toQuery(notation)
  const names = [...new Set(params.map(placeholderName))]
  const numbers = new Map(names.map((name, index) => [name, index + 1]))
  let place = 0
  const numbered = text
    .replace(spaces, (_, literal) => literal ?? ' ')
    .trim()
    .replaceAll('?', () => `?${numbers.get(placeholderName(params[place++]))}`)
  return [numbered, names]
}

export const hasUnrendered = () => unrendered.size > 0

/** So many that they take a request's processor time little: the free plan gives it 10 ms in all. */
const renderedPerAnswer = 8

/** Renders some statements that were not used yet: after twenty answers or so, an isolate has all. */
export function renderSome(): void {
  for (const render of [...unrendered].slice(0, renderedPerAnswer)) render()
}

function placeholderName(param: unknown): string {
  if (is(param, Placeholder)) return param.name
  throw new Error('A statement binds named placeholders only')
}

const maxTries = 3
const backoffBaseMs = 50

// Failures of D1 for which Cloudflare documents a retry: it repeats reads itself, never writes. Those of a company's
// own store say themselves whether they may be tried again (isRetryable).
const transient = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'Cannot resolve D1 DB due to transient issue on remote node',
  'Durable Object instance is no longer active',
  'exceeded its CPU time limit and was reset',
  'Currently processing a long-running export',
]
/** The company is in another store by now; or is being copied to one, and nothing may be written. */
export const storeMoved = 'store moved'
export const storeFrozen = 'store frozen'
/** Returns the error of a store that its company has left, and throws any other. */
export function expectMoved(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable && error.reason === storeMoved) return error
  throw error
}
/** A company's own store is restored to a time, or writes again what the restore must not take back. */
export const storeRestoring = 'store restoring'
/** A company's own store could not apply a migration. */
export const storeNotMigrated = 'store not migrated'
/** It has not applied the last migration of the Worker that asks: its object still runs the version before. */
export const storeBehind = 'store behind'

/** The source of a post is not as it was when it was read: it is read again. */
export const sourceChanged = 'source changed'

const noSuchTable = 'no such table'
/** Its reason says what to do. */
const noTables = 'no tables: run npm start, or wrangler d1 migrations apply DB --local'

const noIndex = 'no such table: lead_search'
/** The operator has switched the search off, or its index is being made anew. */
export const searchIsOff = 'search is off'

/** What is said of the values of a statement, and not of the database. */
const ofValues = [
  'constraint failed',
  'too big',
  'malformed JSON',
  'integer overflow',
  'datatype mismatch',
  'D1_TYPE_ERROR',
]

/** These stay until somebody does something about them. */
const final = [
  ...ofValues,
  storeNotMigrated,
  noIndex,
  searchIsOff,
  noSuchTable,
  noTables,
  'no such column',
  // At 10 GB. Reads go on.
  'database or disk is full',
  'Exceeded maximum DB size',
]

const lasting = [
  ...final,
  storeBehind,
  storeMoved,
  storeFrozen,
  storeRestoring,
  sourceChanged,
  'overloaded',
  // The free plan says this until midnight UTC. Reads may go on.
  'daily row write limit',
  'daily row read limit',
  'exceeded timeout',
  'exceeded its memory limit',
  'locked',
  'Cannot resolve Durable Object due to transient issue',
  'object has moved to a different machine',
  'internal error',
]

/** Another statement with other values may succeed. */
export const isOfValues = ({ reason }: DatabaseUnavailable): boolean => ofValues.includes(reason)

/** Repeating does not help. */
export const isFinal = ({ reason }: DatabaseUnavailable): boolean => final.includes(reason)

export type BatchResult = {
  /** The rows of each statement. */
  readonly rows: readonly (readonly unknown[])[]
  /** By all statements of the last try. */
  readonly rowsChanged: number
  /** More than 1: an earlier try may have been committed too. */
  readonly tries: number
}

/**
 * Runs the statements as one transaction in one round trip, all tries within `timeoutMs`: a database can stall for over
 * a minute, and D1 has no time limit of its own. The statements must be safe to run twice: a try whose answer was lost
 * may have been committed. Throws DatabaseUnavailable.
 */
export function runBatch(
  db: D1Database,
  statements: readonly D1PreparedStatement[],
  timeoutMs: number = waits.storeMs,
): Promise<BatchResult> {
  return retrying(timeoutMs, async (tries) => {
    const results = await db.batch([...statements])
    return {
      rows: results.map((result) => result.results),
      rowsChanged: results.reduce((sum, result) => sum + result.meta.changes, 0),
      tries,
    }
  })
}

/** runBatch with statements that share their values. */
export const runSteps = <Name extends string>(
  db: D1Database,
  steps: readonly Bind<Name>[],
  values: Readonly<Record<NoInfer<Name>, Value>>,
  timeoutMs?: number,
): Promise<BatchResult> =>
  runBatch(
    db,
    steps.map((step) => step(db, values)),
    timeoutMs,
  )

/** The rows of one statement that reads. Throws DatabaseUnavailable. */
export async function readRows<Row>(
  db: D1Database,
  select: D1PreparedStatement,
  timeoutMs?: number,
): Promise<readonly Row[]> {
  const { rows } = await runBatch(db, [select], timeoutMs)
  return rows[0] as readonly Row[]
}

/** A page of rows of which one more than it takes was read, and its last row where others follow. */
export function pageOf<Row>(rows: readonly Row[], size: number) {
  const page = rows.slice(0, size)
  return { page, last: rows.length > size ? (page.at(-1) ?? null) : null }
}

/** runBatch without a retry: for statements that would count twice. Throws DatabaseUnavailable. */
export async function runOnce(
  db: D1Database,
  statements: readonly D1PreparedStatement[],
  timeoutMs: number = waits.storeMs,
): Promise<void> {
  const work = db.batch([...statements]).catch((error) => {
    throw databaseUnavailable(error)
  })
  await withTimeLimit(work, timeoutMs, () => new DatabaseUnavailable('timeout'))
}

function retrying<Result>(timeoutMs: number, run: (tries: number) => Promise<Result>): Promise<Result> {
  const work = tryTimes(run, Date.now() + timeoutMs)
  return withTimeLimit(work, timeoutMs, () => new DatabaseUnavailable('timeout'))
}

async function tryTimes<Result>(
  run: (tries: number) => Promise<Result>,
  giveUpAtMs: number,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await run(tries)
    } catch (error) {
      const unavailable = databaseUnavailable(error)
      // Full jitter: clients that failed together do not retry together.
      const waitMs = Math.random() * backoffBaseMs * 2 ** tries
      const isLast = tries === maxTries || Date.now() + waitMs >= giveUpAtMs
      if (isLast || !(transient.includes(unavailable.reason) || isRetryable(error))) throw unavailable
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

/** As the platform marks an error of a Durable Object. It never repeats a call that may have arrived. */
const isRetryable = (error: unknown) => {
  const { retryable, overloaded } = error as { readonly retryable?: unknown; readonly overloaded?: unknown }
  return retryable === true && overloaded !== true
}

/** For phrases that say too little. */
const reasons: Readonly<Record<string, string>> = { [noSuchTable]: noTables, [noIndex]: searchIsOff }

/** The reason is a known phrase, never the message: that may hold a statement's parameters. */
export function databaseUnavailable(error: unknown): DatabaseUnavailable {
  const messages = [error, (error as { cause?: unknown } | null)?.cause].map((e) =>
    e instanceof Error ? e.message : '',
  )
  const known = [...transient, ...lasting].find((phrase) =>
    messages.some((message) => message.includes(phrase)),
  )
  return new DatabaseUnavailable(reasons[known ?? ''] ?? known ?? 'unknown', error)
}

/** Throws DatabaseUnavailable. */
export async function pingDatabase(alone: D1PreparedStatement, timeoutMs: number): Promise<void> {
  // A statement of its own costs 25 µs less than a batch of one.
  await retrying(timeoutMs, () => alone.all())
}
