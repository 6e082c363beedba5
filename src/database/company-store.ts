// A company's own store as the database that the stores take: what they would send to D1 goes to the company's Durable
// Object instead. Nobody outside this folder and access/ knows which one it is.

/** One statement as it is sent: its text, and the values of `?1`, `?2`, … */
export type SentStatement = readonly [text: string, values: readonly SqlStorageValue[]]

/** As D1 answers, without what nobody reads. */
export type StatementResult = {
  readonly results: readonly Record<string, SqlStorageValue>[]
  readonly meta: { readonly changes: number; readonly rows_read: number; readonly rows_written: number }
}

/** Runs the statements in one transaction. */
export type SendBatch = (statements: readonly SentStatement[]) => Promise<readonly StatementResult[]>

type Prepared = {
  readonly sent: SentStatement
  readonly bind: (...values: SqlStorageValue[]) => Prepared
  readonly all: () => Promise<StatementResult>
}

export function databaseOf(send: SendBatch): D1Database {
  const prepare = (text: string, values: readonly SqlStorageValue[] = []): Prepared => ({
    sent: [text, values],
    bind: (...bound) => prepare(text, bound),
    all: async () => (await send([[text, values]]))[0] as StatementResult,
  })
  const batch = (statements: readonly Prepared[]) => send(statements.map(({ sent }) => sent))
  return { prepare: (text: string) => prepare(text), batch } as unknown as D1Database
}

/**
 * The environment of a company: the database of its store in place of D1. Null: the company is in D1 itself. The stub
 * is made for each batch, since one that has failed stays broken.
 */
export type CompanyEnv = Env & { readonly storeName?: string | null }

export function envOfStore(env: Env, storeName: string | null): CompanyEnv {
  if (storeName === null) return env
  const DB = databaseOf((statements) => env.COMPANY_STORES.getByName(storeName).batch(statements))
  return { ...env, DB, storeName }
}
