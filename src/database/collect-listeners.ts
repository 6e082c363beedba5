// A database that collects a column from the rows of its batches. So a statement inside any store can pass a value to
// the request that runs it: which webhooks have something to send.
export function collectListeners(
  db: D1Database,
  column: string,
  collect: (value: string) => void,
): D1Database {
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await db.batch<Record<string, string>>(statements)
    for (const { results: rows } of results) {
      if (rows[0] === undefined || !(column in rows[0])) continue
      for (const row of rows) if (typeof row[column] === 'string') collect(row[column])
    }
    return results
  }
  return { prepare: (query: string) => db.prepare(query), batch } as D1Database
}
