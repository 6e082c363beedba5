// Records whatever anybody asks of D1, from the moment it begins: the Worker, its objects, and the tests that seed.
import { env } from 'cloudflare:workers'
import type { SentStatement } from '../../../src/base/database/company-store.ts'

/** One transaction, in the order of the first answers. */
export type Recorded = {
  readonly statements: readonly SentStatement[]
  readonly results: readonly D1Result[]
}

/** As workerd's binding has it. */
type Inside = D1PreparedStatement & { readonly statement: string; readonly params: SqlStorageValue[] }

const sentOf = (prepared: D1PreparedStatement): SentStatement => {
  const { statement, params } = prepared as Inside
  return [statement, [...params]]
}

/** Until `stop`. Every statement alone is a transaction too. */
export function recordD1(): { readonly recorded: Recorded[]; readonly stop: () => void } {
  const recorded: Recorded[] = []
  const ofDatabase = prototypeWith(env.DB, 'batch')
  const ofStatement = prototypeWith(env.DB.prepare('select 1'), 'all')
  const { batch } = ofDatabase
  const alone = { all: ofStatement.all, run: ofStatement.run, first: ofStatement.first }

  ofDatabase.batch = async function (statements: D1PreparedStatement[]) {
    const results = await batch.call(this, statements)
    recorded.push({ statements: statements.map(sentOf), results })
    return results
  }
  const all = async function (this: D1PreparedStatement) {
    const result = await alone.all.call(this)
    recorded.push({ statements: [sentOf(this)], results: [result] })
    return result
  }
  ofStatement.all = all
  ofStatement.run = all
  ofStatement.first = async function (this: D1PreparedStatement, column?: string) {
    const [row] = (await all.call(this)).results as Record<string, unknown>[]
    return row === undefined ? null : column === undefined ? row : row[column]
  }
  return { recorded, stop: () => Object.assign(ofDatabase, { batch }) && Object.assign(ofStatement, alone) }
}

// biome-ignore lint/suspicious/noExplicitAny: methods of the platform's classes are replaced.
function prototypeWith(instance: object, method: string): any {
  for (let found = instance; found !== null; found = Object.getPrototypeOf(found) as object)
    if (Object.hasOwn(found, method)) return found
  throw new Error(`no ${method}`)
}
