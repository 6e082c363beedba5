// The log of a company as it stands in the table, and a company that somebody listens to.
import { beginEpoch } from '../../../src/base/ledger/log/begin-epoch.ts'
import { companyDb } from '../database/store.ts'

export type Entry = {
  readonly number: number
  readonly atMs: number
  readonly type: string
  readonly actor: string
  readonly requestId: string | null
  readonly campaignNumber: number | null
  readonly leadSeq: number | null
  readonly data: Record<string, unknown>
}

export async function entriesOf(companyId: string, db: D1Database = companyDb): Promise<Entry[]> {
  const { results } = await db
    .prepare(
      `select number, at_ms as "atMs", type, actor, request_id as "requestId", campaign_number as "campaignNumber",
         lead_seq as "leadSeq", data from events where company_id = ?1 order by number`,
    )
    .bind(companyId)
    .all<Omit<Entry, 'data'> & { data: string }>()
  return results.map((row) => ({ ...row, data: JSON.parse(row.data) as Record<string, unknown> }))
}

/** As its first question for events does. */
export async function listenTo(companyId: string): Promise<void> {
  await companyDb.prepare('update companies set listens_since_ms = 1 where id = ?1').bind(companyId).run()
}

/** Entries of long ago, as if so many had been written at these times; behind `last`. */
export async function seedEntries(companyId: string, timesMs: readonly number[], last = 0): Promise<void> {
  await companyDb
    .prepare(
      `insert into events (company_id, number, at_ms, type, actor, data)
     select ?1, ?3 + item.key + 1, item.value, 'campaign.changed', 'operator', '{}' from json_each(?2) as item`,
    )
    .bind(companyId, JSON.stringify(timesMs), last)
    .run()
}

/** As a restore of the database leaves it, and the operator's step after that. */
export async function restoreLog(companyId: string, toMs: number): Promise<void> {
  await companyDb
    .prepare('delete from events where company_id = ?1 and at_ms > ?2')
    .bind(companyId, toMs)
    .run()
  await beginEpoch(companyDb, companyId, toMs, Date.now())
}
