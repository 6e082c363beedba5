// A company's own store as tests and benchmarks seed it: as the service takes it, and with what D1 offers for one
// statement, which only they use.
import { databaseOf, type SendBatch } from '../../../src/base/database/company-store.ts'

export function databaseWithShortcuts(send: SendBatch): D1Database {
  const db = databaseOf(send)
  const wrap = (real: D1PreparedStatement): D1PreparedStatement => {
    const run = async () => (await db.batch([real]))[0] as D1Result<Record<string, unknown>>
    return Object.assign(Object.create(real), {
      bind: (...values: unknown[]) => wrap(real.bind(...values)),
      all: run,
      run,
      first: async (column?: string) => {
        const [row] = (await run()).results
        return row === undefined ? null : column === undefined ? row : row[column]
      },
    })
  }
  return { prepare: (text: string) => wrap(db.prepare(text)), batch: db.batch } as D1Database
}

/** Enters companies and keys in the directory, as those of a store of their own. */
export const enterInDirectory = (
  directory: D1Database,
  storeName: string,
  companyIds: readonly string[],
  keys: readonly { readonly id: string; readonly hash: string; readonly companyId: string }[],
) =>
  directory.batch([
    directory
      .prepare(
        'insert into companies (id, name, created_at_ms, store) select value, value, 0, ?2 from json_each(?1)',
      )
      .bind(JSON.stringify(companyIds), storeName),
    directory
      .prepare(
        `insert into store_keys (hash, key_id, company_id)
         select value ->> 'hash', value ->> 'id', value ->> 'companyId' from json_each(?1)`,
      )
      .bind(JSON.stringify(keys)),
  ])
