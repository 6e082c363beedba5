// Checks the hours against the leads: counts a campaign's leads by status, a slice at a time, and compares them with
// the sums of the hours. The difference is added to the current hour. When this runs and what is logged is decided in
// src/control/statistics/recount-cron.ts.
//
// A campaign of one slice is counted and compared in one transaction. A larger one is compared only when none of its
// hours was written since the count began: otherwise the count is thrown away, and starts again after an hour.
import { type SQL, sql } from 'drizzle-orm'
import { firstNotWritable, isWritableCampaign } from '../../../base/access/store/moving.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { hourMs, repairHour, statusesOf } from '../../../base/ledger/hours/counts.ts'
import { recounts } from '../../../base/ledger/hours/tables.ts'
import { leadStatuses } from '../../../queue/leads/lead.ts'
import { isErased, placesOf } from '../../../queue/leads/store/row.ts'
import { leads } from '../../../queue/leads/store/tables.ts'

const dayMs = 24 * hourMs

/** Reading so many rows takes 10 to 150 ms, during which D1 serves nothing else. */
const leadsPerSlice = 50_000

const lastRegistered = sql`coalesce((select max(r.campaign_number) from ${recounts} as r), 0)`

/** New campaigns are counted from the next midnight on; those behind one that moves wait for it. */
const register = statement<'nextNightMs'>(sql`insert into ${recounts} (campaign_number, due_at_ms)
  select c.number, ${param('nextNightMs')} from ${campaigns} as c
  where c.number > ${lastRegistered}
    and c.number < coalesce(${firstNotWritable(lastRegistered)}, 9e15)
  order by c.number
  limit 1000
  on conflict do nothing`)

/** Those of a company that has moved here, whose numbers are passed already. Placeholders `companyId`, `nowMs`. */
export const registerCompany = (condition: SQL) => sql`insert into ${recounts} (campaign_number, due_at_ms)
  select c.number, ${param('nowMs')} from ${campaigns} as c
  where c.company_id = ${param('companyId')} and ${condition}
  on conflict do nothing`

const dueRecounts = statement<'nowMs' | 'maxCampaigns'>(sql`
  select r.campaign_number as "campaignNumber", r.due_at_ms as "dueAtMs",
    r.after_seq as "afterSeq"
  from ${recounts} as r
  where r.due_at_ms <= ${param('nowMs')} and ${isWritableCampaign(sql`r.campaign_number`)}
  order by r.due_at_ms
  limit ${param('maxCampaigns')}`)

type DueRecount = {
  readonly campaignNumber: number
  readonly dueAtMs: number
  /** 0: the count begins. */
  readonly afterSeq: number
}

const nextNightMs = (nowMs: number) => (Math.floor(nowMs / dayMs) + 1) * dayMs

/** Campaigns whose count is due, the longest waiting first. Throws DatabaseUnavailable, as every function here. */
export async function findDueRecounts(
  db: D1Database,
  nowMs: number,
  maxCampaigns: number,
): Promise<readonly DueRecount[]> {
  const values = { nowMs, nextNightMs: nextNightMs(nowMs), maxCampaigns }
  const { rows } = await runSteps(db, [register, dueRecounts], values)
  return rows[1] as readonly DueRecount[]
}

const isLast = sql`(step.leads < ${sql.raw(`${leadsPerSlice}`)})`
const isPostponed = sql`(${param('afterSeq')} > 0 and step.hours_writes <> ${recounts.writes})`
const isDone = sql`(${isLast} and not ${isPostponed})`

const ofStatus = (status: string) => ({
  counted: sql`total(slice.status = ${sql.raw(`'${status}'`)} and not slice.is_erased) as ${sql.raw(status)}`,
  /** Counted so far; in the last slice the sum of the hours is subtracted. */
  soFar: sql`cast(step.${sql.raw(status)} + iif(${param('afterSeq')} = 0, 0, ${recounts}.${sql.raw(status)})
    - iif(${isLast}, step.${sql.raw(`hours_${status}`)}, 0) as integer)`,
})

const { before, last } = placesOf(sql`cast(${param('campaignNumber')} as integer)`)

/** The sums of the hours now. */
const hours = statusesOf(sql`(select ${param('campaignNumber')} as number)`)

const step = sql`(select counted.*, ${sql.join(
  [...leadStatuses, 'writes'].map((column) => sql.raw(`hours.${column} as hours_${column}`)),
  sql`, `,
)}
  from (select count(*) as leads, max(slice.seq) as last_seq, ${sql.join(
    leadStatuses.map((status) => ofStatus(status).counted),
    sql`, `,
  )} from (select ${leads.seq}, ${leads.status}, ${isErased} as is_erased
  from ${leads}
      where ${leads.seq} > max(${before}, ${param('afterSeq')}) and ${leads.seq} <= ${last}
      order by ${leads.seq}
      limit ${sql.raw(`${leadsPerSlice}`)}) as slice) as counted
  cross join (${hours}) as hours) as step`

const isNotMoving = isWritableCampaign(recounts.campaignNumber)

/** A repeated try finds another `after_seq` or `due_at_ms`. */
const countSlice = statement<'afterSeq' | 'nowMs' | 'nextNightMs' | 'campaignNumber' | 'dueAtMs'>(sql`
  update ${recounts} set
    ${sql.join(
      leadStatuses.map((status) => sql`${sql.raw(status)} = ${ofStatus(status).soFar}`),
      sql`, `,
    )},
    is_unrepaired = ${isDone} and (${sql.join(
      leadStatuses.map((status) => sql`${ofStatus(status).soFar} <> 0`),
      sql` or `,
    )}),
    writes = step.hours_writes, after_seq = iif(${isLast} or ${isPostponed}, 0, step.last_seq),
    due_at_ms = case when ${isPostponed} then ${param('nowMs')} + ${sql.raw(`${hourMs}`)}
      when ${isLast} then ${param('nextNightMs')} else ${recounts.dueAtMs} end,
    counted_at_ms = iif(${isDone}, ${param('nowMs')}, ${recounts.countedAtMs})
  from ${step}
  where ${recounts.campaignNumber} = ${param('campaignNumber')} and ${recounts.dueAtMs} = ${param('dueAtMs')}
    and ${recounts.afterSeq} = ${param('afterSeq')} and ${isNotMoving}`)

const repair = statement<'nowMs' | 'campaignNumber'>(repairHour)
const endRepair = statement<'campaignNumber'>(sql`update ${recounts} set is_unrepaired = 0
  where ${recounts.campaignNumber} = ${param('campaignNumber')} and ${recounts.isUnrepaired} = 1 and ${isNotMoving}`)

const state = statement<'nowMs' | 'campaignNumber'>(sql`
  select r.after_seq as "afterSeq", r.counted_at_ms = ${param('nowMs')} as "isCounted",
    ${sql.raw(leadStatuses.map((status) => `abs(r.${status})`).join(' + '))} as difference
  from ${recounts} as r
  where r.campaign_number = ${param('campaignNumber')}`)

type SliceResult =
  /** There are more leads after `afterSeq`. */
  | { readonly kind: 'sliced'; readonly afterSeq: number }
  /** The campaign changed while it was counted. */
  | { readonly kind: 'postponed' }
  /** `drift`: by how many leads the hours were wrong. */
  | { readonly kind: 'counted'; readonly drift: number }

/** Counts the next slice of a campaign's leads, and after the last one adds the difference to the hours. */
export async function recountSlice(db: D1Database, due: DueRecount, nowMs: number): Promise<SliceResult> {
  const values = { ...due, nowMs, nextNightMs: nextNightMs(nowMs) }
  const { rows } = await runSteps(db, [countSlice, repair, endRepair, state], values)
  const [row] = rows[3] as {
    afterSeq: number
    isCounted: number | null
    difference: number
  }[]
  if (row === undefined) return { kind: 'postponed' }
  if (row.afterSeq > 0) return { kind: 'sliced', afterSeq: row.afterSeq }
  if (row.isCounted !== 1) return { kind: 'postponed' }
  return { kind: 'counted', drift: row.difference }
}
