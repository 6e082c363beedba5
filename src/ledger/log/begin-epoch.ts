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

// A restore to a time removes all epochs that began later: one with the same or a later time was begun after this restore.
const chosen = sql`(select ${companies.id} as company_id from ${companies} where ${isChosen})`
const begun = sql`(select found.company_id,
    json_array(${param('epoch')}, found.number, ${param('restoredToMs')}) as epoch
  from ${firstEntries(chosen, sql`e.at_ms <= ${param('restoredToMs')}`)} as found)`
const isFirst = sql`not exists (select 1 from json_each(${companies.logEpochs}) as item
  where item.value ->> 2 >= ${param('restoredToMs')})`
const begin = statement<RestoreNames | 'epoch'>(appendEpoch(begun, isFirst))

/** Ids of the companies for which no epoch has begun since this restore. */
export const companiesRestored = sql`(select ${companies.id} from ${companies} where ${isChosen} and ${isFirst})`

const companiesWithEpoch = statement<'epoch' | 'companyId'>(sql`select ${companies.id}, exists (
    select 1 from json_each(${companies.logEpochs}) as item
    where item.value ->> 0 = ${param('epoch')}) as "hasBegun"
  from ${companies}
  where ${isChosen}
  order by ${companies.id}`)

type EpochsBegun = {
  readonly epoch: number
  readonly companies: readonly string[]
  /** Companies whose epoch for the same restore had begun before. */
  readonly before: readonly string[]
}

/**
 * For the log of one company, or of all when it is null. `before` are steps of the same transaction for companiesRestored.
 * Throws DatabaseUnavailable.
 */
export async function beginEpoch(
  db: D1Database,
  companyId: string | null,
  restoredToMs: number,
  nowMs: number,
  before: readonly Bind<RestoreNames | 'nowMs'>[] = [],
): Promise<EpochsBegun> {
  const found = await runBatch(db, [newest(db, {})], waits.administrationMs)
  const [last] = found.rows[0] as { epoch: number }[]
  // The current second, so that no epoch that a restore removed had the same.
  const epoch = Math.max(Math.floor(nowMs / 1000), (last?.epoch ?? 0) + 1)
  const values = { companyId, restoredToMs, epoch }
  const { rows } = await runBatch(
    db,
    [
      ...before.map((step) => step(db, { ...values, nowMs })),
      begin(db, values),
      companiesWithEpoch(db, values),
    ],
    waits.administrationMs,
  )
  const all = rows.at(-1) as { id: string; hasBegun: number }[]
  const idsOf = (hasBegun: number) => all.filter((row) => row.hasBegun === hasBegun).map(({ id }) => id)
  return { epoch, companies: idsOf(1), before: idsOf(0) }
}
