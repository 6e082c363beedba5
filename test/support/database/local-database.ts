// The database of a service in a workerd of its own. Miniflare waits for workerd at each step of a statement, five
// times from `prepare` to `run`: here a text is prepared once, and all that is asked goes in one batch.
import { databaseWithShortcuts } from '../companies/own-store.ts'

export function withFewerSteps(db: D1Database): D1Database {
  const prepared = new Map<string, D1PreparedStatement>()
  const statementOf = (text: string) => {
    const statement = prepared.get(text) ?? db.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  return databaseWithShortcuts((statements) =>
    db.batch(
      statements.map(([text, values]) =>
        values.length === 0 ? statementOf(text) : statementOf(text).bind(...values),
      ),
    ),
  )
}
