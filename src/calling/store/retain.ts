// Retention: leads of a campaign that have been final for as many days as it keeps them are erased, with their calls, and
// no number is suppressed. A cursor walks the campaign's final leads, a chunk at a time, through the index of statuses,
// and begins again at its end. Final leads from before there was a time of their end are given one.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../access/store/tables.ts'
import { runBatch, statement } from '../../database/database.ts'
import { appendIfHeard, entryColumns, theSystem } from '../../events/store/log.ts'
import { finishOld } from '../../leads/store/emptied.ts'
import { leads } from '../../leads/store/tables.ts'
import { addCounts } from '../../statistics/store/counts.ts'
import { deleteListed, erasureMark } from '../../suppression/store/numbers.ts'
import { suppressions } from '../../suppression/store/tables.ts'
import { forgetLeads, forgottenCounts } from './forget-leads.ts'
import { leadsOfNumbers } from './suppress.ts'
import { callingSettings } from './tables.ts'

const param = sql.placeholder

/** Of final leads, in one transaction. */
const leadsPerChunk = 1_000

const dayMs = sql.raw(`${24 * 3_600_000}`)

const keepers = statement(sql`select s.campaign_number as "campaignNumber" from ${callingSettings} as s
  where s.retention_days is not null`)

/** The campaigns that keep leads for some days only. Throws DatabaseUnavailable, as every function here. */
export async function findKeepers(db: D1Database): Promise<readonly number[]> {
  const { rows } = await runBatch(db, [keepers(db)])
  return (rows[0] as { campaignNumber: number }[]).map(({ campaignNumber }) => campaignNumber)
}

/** The places of final leads in a range, in order; each status is a range of the index. */
const finalSeqs = (from: SQL, until: SQL, limit: SQL) =>
  sql`select final.seq from (${sql.join(
    ['exhausted', 'concluded'].map(
      (
        status,
      ) => sql`select * from (select l.seq from ${leads} as l where l.campaign_number = ${param('campaignNumber')}
      and l.status = ${sql.raw(`'${status}'`)} and l.status <> 'raw' and l.seq > ${from} and l.seq <= ${until}
      order by l.seq limit ${limit})`,
    ),
    sql` union all `,
  )}) as final order by final.seq limit ${limit}`

const endOfChunk = statement(sql`select s.retention_seq as "afterSeq", max(chunk.seq) as "untilSeq",
    iif(count(chunk.seq) < ${sql.raw(`${leadsPerChunk}`)}, 0, max(chunk.seq)) as "nextSeq"
  from ${callingSettings} as s left join (${finalSeqs(
    sql`(select own.retention_seq from ${callingSettings} as own where own.campaign_number = ${param('campaignNumber')})`,
    sql.raw('9e15'),
    sql.raw(`${leadsPerChunk}`),
  )}) as chunk
  where s.campaign_number = ${param('campaignNumber')} and s.retention_days is not null group by s.campaign_number`)

const chunk = finalSeqs(sql`${param('afterSeq')}`, sql`${param('untilSeq')}`, sql.raw('-1'))

/** Those of the chunk that have been final for long enough. */
const found = sql`select l.seq, c.company_id, l.phone_number, l.campaign_number
  from ${callingSettings} as s cross join ${campaigns} as c on c.number = s.campaign_number
  cross join (${chunk}) as chunk cross join ${leads} as l on l.seq = chunk.seq
    and l.finished_at_ms <= ${param('nowMs')} - s.retention_days * ${dayMs}
  where s.campaign_number = ${param('campaignNumber')} and s.retention_days is not null`

/** A number of which it was the last lead need not be held back by the list any more: its hash stays. */
const unlist = deleteListed(
  sql`select found.company_id, found.phone_number from (${found}) as found
    cross join ${suppressions} as own on own.company_id = found.company_id and own.phone_number = found.phone_number
      and own.campaign_number = 0 and own.token = ${erasureMark}
  where not exists (${leadsOfNumbers(sql`(select found.company_id, found.phone_number, 0 as campaign_number)`)}
    where l.seq not in (select other.seq from (${found}) as other))`,
  erasureMark,
)

const moveOn = sql`update ${callingSettings} set retention_seq = ${param('nextSeq')}
  where campaign_number = ${param('campaignNumber')} and retention_seq = ${param('afterSeq')}`
const beginAgain = statement(moveOn)

const steps = [
  finishOld(chunk),
  appendIfHeard(
    sql`select ${entryColumns({
      type: 'lead.erased',
      companyId: sql`found.company_id`,
      campaignNumber: sql`found.campaign_number`,
      leadSeq: sql`found.seq`,
    })} from (${found}) as found order by found.seq`,
    theSystem,
  ),
  unlist,
  addCounts(forgottenCounts(found)),
  ...forgetLeads(found, sql`0`),
  moveOn,
].map(statement)

/**
 * Erases what a chunk of the campaign's final leads has that was kept for long enough. Returns whether there was any, and
 * so may be more behind it.
 */
export async function retainChunk(db: D1Database, campaignNumber: number, nowMs: number): Promise<boolean> {
  const { rows } = await runBatch(db, [endOfChunk(db, { campaignNumber })])
  const [end] = rows[0] as { afterSeq: number; untilSeq: number | null; nextSeq: number }[]
  if (end === undefined) return false
  const values = { campaignNumber, nowMs, ...end }
  if (end.untilSeq === null) {
    if (end.afterSeq > 0) await runBatch(db, [beginAgain(db, values)])
    return false
  }
  const done = await runBatch(
    db,
    steps.map((step) => step(db, values)),
  )
  return (done.rows.at(-2)?.length ?? 0) > 0
}
