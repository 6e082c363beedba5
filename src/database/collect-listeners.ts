// A database that collects columns from the rows of its batches. So a statement inside any store can pass a value to
// the request that runs it: which webhooks have something to send, and which campaigns agents wait for.
export function collectListeners(
  db: D1Database,
  columns: Readonly<Record<string, (value: string) => void>>,
): D1Database {
  const wanted = Object.entries(columns)
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await db.batch<Record<string, string>>(statements)
    for (const { results: rows } of results) {
      const [first] = rows
      if (first === undefined) continue
      for (const [column, collect] of wanted) {
        if (!(column in first)) continue
        for (const row of rows) if (typeof row[column] === 'string') collect(row[column])
      }
    }
    return results
  }
  return { prepare: (query: string) => db.prepare(query), batch } as D1Database
}

/** Collects the elements of a JSON array: texts as they are, others as JSON. */
export const elementsInto = (found: Set<string>) => (json: string) => {
  for (const element of JSON.parse(json) as unknown[])
    found.add(typeof element === 'string' ? element : JSON.stringify(element))
}
