// Counts the rows that D1 reads and writes, and its time, by its own figures.

export function countingRows(db: D1Database) {
  let [read, written, ms] = [0, 0, 0]
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await db.batch(statements)
    for (const { meta } of results) {
      read += meta.rows_read
      written += meta.rows_written
      ms += meta.duration
    }
    return results
  }
  return {
    db: { prepare: (text: string) => db.prepare(text), batch } as unknown as D1Database,
    /** What was counted since the last time. */
    reset() {
      const counted = { read, written, ms }
      ;[read, written, ms] = [0, 0, 0]
      return counted
    },
  }
}
