// What the search index has, as SQLite's own fts5vocab reads it, and whether it agrees with the leads.
import { createHash } from 'node:crypto'

/** What each word of the company begins with. */
export const markOf = (companyId: string) =>
  `${createHash('sha256').update(companyId).digest('hex').slice(0, 8)}_`

/** Of a company: each word with the place of its lead, in order. The mark of the company is left out. */
export async function readIndex(db: D1Database, companyId: string): Promise<string[]> {
  const mark = markOf(companyId)
  const results = await db.batch<{ row: string }>([
    db.prepare("create virtual table search_vocab using fts5vocab('lead_search', 'instance')"),
    db
      .prepare(
        `select doc || ' ' || substr(term, ?2) as row from search_vocab
         where term >= ?1 and term < ?1 || char(1114111) order by 1`,
      )
      .bind(mark, mark.length + 1),
    db.prepare('drop table search_vocab'),
  ])
  return (results[1]?.results ?? []).map(({ row }) => row).sort()
}

/** Fails unless the index has exactly the words of the leads, in all companies. */
export async function checkIndex(db: D1Database): Promise<void> {
  await db.batch([db.prepare("insert into lead_search (lead_search, rank) values ('integrity-check', 1)")])
}

/** Of a text that wrangler would run: cut at each semicolon but those inside a trigger. */
export const statementsOf = (text: string) => text.split(/;\n(?!END)(?!\t)/)
