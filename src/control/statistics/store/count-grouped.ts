// Counts the leads and calls of a range on request, by one thing: the hour, the outcome, the agent, or the origin of
// the lead. Bounded: a range with more than so many of either is not counted. The counts that are kept as things happen
// are in funnel.ts.
import { type SQL, sql } from 'drizzle-orm'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  isRefused,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { DatabaseUnavailable, param, runBatch, statement } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { hourOf } from '../../../base/ledger/hours/counts.ts'
import { limits } from '../../../base/limits.ts'
import { callingSettings } from '../../../queue/campaigns/store/tables.ts'
import { originJson } from '../../../queue/leads/origin/store/origin-sql.ts'
import { placesOfTimes } from '../../../queue/leads/store/list/ways.ts'
import { areCallsIndexed } from '../../../queue/leads/store/search-index.ts'
import { leads } from '../../../queue/leads/store/tables.ts'

type GroupedBy = 'hour' | 'outcome' | 'agent' | 'origin'

type Names = AccessNames | 'fromMs' | 'createdAfterMs' | 'createdBeforeMs'

const most = sql.raw(`${limits.countedOnRequest}`)
/** Groups that are shown, by currency: those with the most calls. Of hours, a year with two currencies. */
const mostGroups = { hour: 20_000, outcome: 1000, agent: 1000, origin: 1000 } as const

const campaign = sql`verdict.number`
const given = sql`with recursive verdict as ${accessVerdict('look')}, ${placesOfTimes(campaign)}`

const callsInRange = sql`from verdict
  cross join ${calls} as k on k.campaign_number = verdict.number and k.claimed_at_ms >= ${param('fromMs')}
    and k.claimed_at_ms < ${param('createdBeforeMs')}`
/** Erased ones too. */
const leadsInRange = sql`from verdict
  cross join ${leads} as l on l.seq > (select max(low) from place_after)
    and l.seq <= (select max(low) from place_before)`

/** A condition that is decided once. */
const isFew = (rows: SQL) => sql`(select count(*) <= ${most} from (select 1 ${rows} limit ${most} + 1))`

const verdictOf = (isFew: SQL) =>
  statement<Names>(
    () => sql`${given} select verdict.number, ${areCallsIndexed} as "areIndexed", ${isFew} as "isFew",
    (select s.time_zone from ${callingSettings} as s where s.campaign_number = verdict.number) as "timeZone"
  from verdict`,
  )

type Group = { readonly call: SQL; readonly lead: SQL | null }

const originKey = sql`json_array(l.origin, l.import_name)`
const groups: Readonly<Record<GroupedBy, Group>> = {
  hour: { call: hourOf(sql`k.claimed_at_ms`), lead: hourOf(sql`l.created_at_ms`) },
  outcome: { call: sql`k.outcome`, lead: null },
  agent: { call: sql`k.agent`, lead: null },
  origin: { call: originKey, lead: originKey },
}

const shownKey = (by: GroupedBy, key: SQL) =>
  by === 'origin' ? originJson(sql`(${key} ->> 0)`, sql`(${key} ->> 1)`) : key

/** Released calls are no calls, and those that people made are counted apart. */
function statementsOf(by: GroupedBy, { call, lead }: Group) {
  const maxGroups = sql.raw(`${mostGroups[by]}`)
  const ofCalls = sql`select ${shownKey(by, sql`found.key`)} as key, found.called, found.answered, found.concluded,
      found.currency, found.micros, found.costed
    from (select ${call} as key, count(*) as called, total(k.outcome = 'answered') as answered,
        total(k.is_done) as concluded,
        iif(k.cost_micros is null, null, coalesce(k.cost_currency, '')) as currency, total(k.cost_micros) as micros,
        count(k.cost_micros) as costed
      ${callsInRange} and k.outcome is not 'released' and k.inbound is null
      ${by === 'origin' ? sql`cross join ${leads} as l on l.seq = k.seq` : sql``}
      where ${isFew(callsInRange)}
      group by 1, 5
      order by 2 desc
      limit ${maxGroups}) as found`
  const ofLeads =
    lead &&
    sql`select ${shownKey(by, sql`found.key`)} as key, found.leads
    from (select ${lead} as key, count(*) as leads ${leadsInRange}
      where ${isFew(leadsInRange)}
      group by 1
      order by 2 desc
      limit ${maxGroups}) as found`
  const areFew = lead ? sql`${isFew(callsInRange)} and ${isFew(leadsInRange)}` : isFew(callsInRange)
  return [
    verdictOf(areFew),
    ...[ofCalls, ofLeads].flatMap((query) => query && statement<Names>(() => sql`${given} ${query}`)),
  ].filter((step) => step !== null)
}

const statements = Object.fromEntries(
  Object.entries(groups).map(([by, group]) => [by, statementsOf(by as GroupedBy, group)]),
) as Record<GroupedBy, ReturnType<typeof statementsOf>>

/** Of calls with one key and currency. */
export type CallCounts = {
  readonly key: string | number | null
  readonly called: number
  readonly answered: number
  readonly concluded: number
  /** Empty: unknown. Null: no cost is known. */
  readonly currency: string | null
  readonly micros: number
  /** Calls with a cost. */
  readonly costed: number
}
type LeadCounts = { readonly key: string | number | null; readonly leads: number }

type Grouped =
  | Refusal
  | { readonly kind: 'too_many' }
  | {
      readonly kind: 'counted'
      readonly calls: readonly CallCounts[]
      readonly leads: readonly LeadCounts[]
      readonly timeZone: string | null
    }

/** From a moment on, before another. Throws DatabaseUnavailable, also while the index of calls is being made. */
export async function countGrouped(
  db: D1Database,
  access: Access,
  by: GroupedBy,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): Promise<Grouped> {
  const values = { ...access, fromMs, createdAfterMs: fromMs - 1, createdBeforeMs: untilMs }
  const { rows } = await runBatch(
    db,
    statements[by].map((step) => step(db, values)),
  )
  const verdict = rows[0]?.[0] as
    | (Verdict & { readonly areIndexed: number; readonly isFew: number; readonly timeZone: string | null })
    | undefined
  if (isRefused(verdict)) return refusalOf(verdict)
  if (verdict.areIndexed !== 1) throw new DatabaseUnavailable('calls are being indexed')
  if (verdict.isFew !== 1) return { kind: 'too_many' }
  return {
    kind: 'counted',
    calls: rows[1] as readonly CallCounts[],
    leads: (rows[2] ?? []) as readonly LeadCounts[],
    timeZone: verdict.timeZone,
  }
}
