// A database that notices a column in what its batches return, so that a statement can tell something to whoever serves
// the request, past the stores that answer it.

/** `notice` is given the value in each row of a statement whose first row has the column. */
export function collectListeners(
  db: D1Database,
  column: string,
  notice: (value: string) => void,
): D1Database {
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await db.batch<Record<string, string>>(statements)
    for (const { results: rows } of results) {
      if (rows[0] === undefined || !(column in rows[0])) continue
      for (const row of rows) if (typeof row[column] === 'string') notice(row[column])
    }
    return results
  }
  return { prepare: (query: string) => db.prepare(query), batch } as D1Database
}
