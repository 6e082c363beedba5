// Notices: what a statement inside any store tells the request that runs it, in a column with a reserved name. The
// request collects them from the rows of its batches, and acts on them after its commit.
import { type SQL, sql } from 'drizzle-orm'

/**
 * `listeners`: the ids of webhooks that get an entry of the log (base/ledger/log/append.ts). `outdated`: those whose
 * senders may have read what is no longer so. `waiting`: the campaigns that agents wait for, in which a lead may have
 * become callable (queue/campaigns/store/waiting.ts).
 */
type Notice = 'listeners' | 'outdated' | 'waiting'

const columnOf = (notice: Notice) => `notify$${notice}`

/** A column. `value` is a JSON array, or null. */
export const notify = (notice: Notice, value: SQL): SQL => sql`${value} as ${sql.raw(columnOf(notice))}`

/** A database that puts the elements of these columns into the sets: texts as they are, others as JSON. */
export function collectNotices(
  db: D1Database,
  notices: Readonly<Partial<Record<Notice, Set<string>>>>,
): D1Database {
  const wanted = Object.entries(notices).map(
    ([notice, found]) => [columnOf(notice as Notice), found] as const,
  )
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await db.batch<Record<string, string>>(statements)
    for (const { results: rows } of results) {
      const [first] = rows
      if (first === undefined) continue
      for (const [column, found] of wanted) {
        if (!(column in first)) continue
        for (const row of rows) addElements(row[column], found)
      }
    }
    return results
  }
  return { prepare: (query: string) => db.prepare(query), batch } as D1Database
}

function addElements(json: string | null | undefined, found: Set<string>): void {
  if (json == null) return
  for (const element of JSON.parse(json) as unknown[])
    found.add(typeof element === 'string' ? element : JSON.stringify(element))
}
