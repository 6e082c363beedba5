// The floor of what follows an answer: the words of new leads, at the service's pace (src/leads/index-leads.ts), in rows
// as the service writes them. Which words those are is a rule, so it is the service's.
import { wordsOf } from '../../../src/leads/search-words.ts'

const waitMs = 500
const chunks = 10
const leadsPerChunk = 200

const next = `select l.seq, l.metadata from leads l
  where l.seq > coalesce((select after_seq from indexed_places where campaign_number = ?1), cast(?1 as integer) << 32)
    and l.seq <= ((cast(?1 as integer) + 1) << 32) - 1 order by l.seq limit ${leadsPerChunk}`
const store = `update leads set words = item.value -> 1 from json_each(?1) as item where leads.seq = item.value ->> 0`
const move = `insert into indexed_places (campaign_number, after_seq) values (?1, ?2)
  on conflict do update set after_seq = excluded.after_seq`

const pending = new Set<number>()

/** Resolves once the words are stored. */
export async function storeWords(db: D1Database, campaignNumber: number): Promise<void> {
  if (pending.has(campaignNumber)) return
  pending.add(campaignNumber)
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  pending.delete(campaignNumber)
  for (let chunk = 0; chunk < chunks; chunk++) {
    const read = db.prepare(next).bind(campaignNumber)
    const { results } = await read.all<{ seq: number; metadata: string | null }>()
    const last = results.at(-1)
    if (last === undefined) return
    const words = results.map(({ seq, metadata }) => [seq, [1, wordsOf(metadata ?? '{}')]])
    await db.batch([
      db.prepare(store).bind(JSON.stringify(words)),
      db.prepare(move).bind(campaignNumber, last.seq),
    ])
    if (results.length < leadsPerChunk) return
  }
}
