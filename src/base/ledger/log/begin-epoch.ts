// Begins an epoch after a restore of the database, from the first entry that was logged after the restore, so that no
// event gets the id of a lost one.
import { sql } from 'drizzle-orm'
import { appendEpoch } from '../../access/store/company-log.ts'
import { isInThisStore } from '../../access/store/directory.ts'
import { companies } from '../../access/store/tables.ts'
import { type Bind, param, runBatch, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import { firstEntries } from './first-entries.ts'

/** A restore. A null company: all. */
export type RestoreNames = 'companyId' | 'restoredToMs'

/** Not those with a store of their own: that has their log. */
const isChosen = sql`(${param('companyId')} is null or ${companies.id} = ${param('companyId')})
  and ${isInThisStore(sql`${companies}`)}`
const newest = statement(sql`select coalesce(max(item.value ->> 0), 0) as epoch
  from ${companies}
  cross join json_each(${companies.logEpochs}) as item`)

// A restore to a time removes all epochs that began later: one with the same or a later time was begun after this
// restore.
const chosen = sql`(select ${companies.id} as company_id from ${companies} where ${isChosen})`
const begun = sql`(select found.company_id,
    json_array(${param('epoch')}, found.number, ${param('restoredToMs')}) as epoch
  from ${firstEntries(chosen, sql`e.at_ms <= ${param('restoredToMs')}`)} as found)`
const isFirst = sql`not exists (select 1 from json_each(${companies.logEpochs}) as item
  where item.value ->> 2 >= ${param('restoredToMs')})`
const begin = statement<RestoreNames | 'epoch'>(appendEpoch(begun, isFirst))

/** Ids of the companies for which no epoch has begun since this restore. */
export const companiesRestored = sql`(select ${companies.id} from ${companies} where ${isChosen} and ${isFirst})`

const countChosen = statement<'epoch' | 'companyId'>(sql`select count(*) as count, count(iif(exists (
    select 1 from json_each(${companies.logEpochs}) as item
    where item.value ->> 0 = ${param('epoch')}), 1, null)) as begun
  from ${companies}
  where ${isChosen}`)

/**
 * For the log of one company, or of all when it is null. `steps` are of the same transaction, before it, for
 * companiesRestored. Returns in how many logs it has begun now, and in how many before. Throws DatabaseUnavailable.
 */
export async function beginEpoch(
  db: D1Database,
  companyId: string | null,
  restoredToMs: number,
  nowMs: number,
  steps: readonly Bind<RestoreNames | 'nowMs'>[] = [],
) {
  const found = await runBatch(db, [newest(db, {})], waits.administrationMs)
  const [last] = found.rows[0] as { epoch: number }[]
  // The current second, so that no epoch that a restore removed had the same.
  const epoch = Math.max(Math.floor(nowMs / 1000), (last?.epoch ?? 0) + 1)
  const values = { companyId, restoredToMs, epoch }
  const { rows } = await runBatch(
    db,
    [...steps.map((step) => step(db, { ...values, nowMs })), begin(db, values), countChosen(db, values)],
    waits.administrationMs,
  )
  const [{ count, begun: companies }] = rows.at(-1) as [{ count: number; begun: number }]
  return { epoch, companies, before: count - companies }
}
