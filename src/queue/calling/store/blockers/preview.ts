// What the first leads of a campaign's queue would do if the campaign called now: for a person who is about to resume
// it. It looks at leads one by one, so it ends after some thousand, or after a tenth of a second, and says so.
import { type SQL, sql } from 'drizzle-orm'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  isRefused,
  type Refusal,
  refusalOf,
} from '../../../../base/access/store/rights.ts'
import { param, readRows, runSteps, statement, unionAll } from '../../../../base/database/database.ts'
import { limits } from '../../../../base/limits.ts'
import { offsetMsAt } from '../../../../base/time-zone.ts'
import {
  findNextOpening,
  type Interval,
  type Schedule,
  scheduleOf,
} from '../../../campaigns/calling-hours.ts'
import type { CallingSettings } from '../../../campaigns/settings.ts'
import { type OneRow, readSettings, settingsOfOne } from '../../../campaigns/store/settings-row.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import { appointmentRank, isQueuedOrHeld } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import type { BlockerCode } from '../../reasons.ts'
import { leadsAsSettled } from '../settling/settle.ts'
import { numberLimits } from '../sql/number-limits.ts'
import { blockersOf, type LeadFacts } from './lead-facts.ts'
import { blockedUntil, endlessMs, usualNames } from './lead-rules.ts'

const mostLeads = 5_000
const mostMs = 100
const leadsAtOnce = 1_000

const verdictStep = settingsOfOne(accessVerdict('look'))

const names = { ...usualNames, requirement: sql`wanted`, returnsAtMs: sql`${param('returnsAtMs')}` }
const ruleColumns = sql.join(
  blockedUntil(names, ['claim', 'queue']).map(
    ([code, untilMs]) => sql`${untilMs} as ${sql.identifier(code)}`,
  ),
  sql`, `,
)
const numberRules = sql.join(
  blockedUntil(names, ['number']).map(([code, untilMs]) => sql`${sql.raw(`'${code}'`)}, ${untilMs}`),
  sql`, `,
)

/** Each from an index alone: what a lead's rules need is read for those that are looked at. */
const placesIn = (index: string, condition: SQL, order: SQL) => sql`select * from (select l.seq
    from ${grantedCampaign('look')} as granted
    cross join ${leads} as l indexed by ${sql.raw(index)} on l.campaign_number = granted.number and ${condition}
    order by ${order}
    limit ${param('maxRows')})`

/**
 * Leads of the queue, lane by lane and each lane in order; behind them those whose lease has run out, and those that
 * are held.
 */
const placesStep = statement<AccessNames | 'maxRows'>(sql`select found.seq from (${unionAll([
  placesIn('leads_queue', sql`l.due_at_ms is not null`, sql`l.lane, l.queue_rank desc, l.due_at_ms, l.seq`),
  placesIn(
    'leads_leased',
    sql`l.lease_expires_at_ms <= ${param('nowMs')}`,
    sql`l.lease_expires_at_ms, l.seq`,
  ),
  placesIn('leads_held', sql`l.held_due_at_ms is not null`, sql`l.seq`),
])}) as found
  limit ${param('maxRows')}`)

// A limit that does not hold now is not computed.
const lookStep = statement<
  AccessNames | 'seqs' | 'consentPurpose' | 'consentMaxAgeDays' | 'returnsAtMs'
>(sql`with
  campaign(number, company_id, now_ms) as (
    select granted.number, granted.company_id, ${param('nowMs')} from ${grantedCampaign('look')} as granted),
  wanted(consent_purpose, consent_max_age_days) as (
    select ${param('consentPurpose')}, ${param('consentMaxAgeDays')})
  select looked.*, iif(looked."freeAtMs" > ${param('nowMs')}, (select json_object(${numberRules})
    from campaign
    cross join ${callingSettings} as s on s.campaign_number = campaign.number
    cross join ${leads} as l on l.seq = looked.seq), '{}') as limits
  from (select l.seq, l.lane, l.queue_rank as "queueRank", ${ruleColumns}, ${numberLimits.freeAtMs} as "freeAtMs"
    from campaign
    cross join wanted
    cross join ${callingSettings} as s on s.campaign_number = campaign.number
    cross join ${leadsAsSettled(sql`cross join json_each(${param('seqs')}) as place
      cross join ${leads} on ${leads.seq} = place.value and ${leads.campaignNumber} = campaign.number
        and (${isQueuedOrHeld()} or ${leads.leaseExpiresAtMs} <= campaign.now_ms)`)} as l
    limit -1) as looked`)

/** `limits`: JSON, the rules of its number, where one blocks it. */
type Looked = LeadFacts & { readonly limits: string }

type Preview = {
  readonly kind: 'previewed'
  callableNow: number
  laterToday: number
  /** Of those in `blocked`, those that only wait for a later day. */
  later: number
  /** All others, each under what blocks it longest. */
  readonly blocked: Partial<Record<BlockerCode, number>>
  /** Whatever else blocks them. */
  withoutConsent: number
  counted: number
  /** There are no others. */
  isWhole: boolean
}

/** Null: as the campaign requires it. A purpose alone is taken at any age. */
type Considered = { readonly purpose: string | null; readonly maxAgeDays: number | null }

/**
 * As if the campaign were not paused, had room for each call, and required that consent. Throws DatabaseUnavailable.
 */
export async function previewCampaign(
  db: D1Database,
  access: Access,
  considered: Considered,
): Promise<Refusal | Preview> {
  const beganAtMs = Date.now()
  const steps = [verdictStep, placesStep] as const
  const { rows } = await runSteps(db, steps, { ...access, maxRows: mostLeads + 1 })
  const row = rows[0]?.[0] as OneRow | undefined
  if (isRefused(row)) return refusalOf(row)
  const settings = readSettings(row)
  const judge = judgeAt(settings, access.nowMs)
  const own = considered.purpose === null ? settings.requireConsent : null
  const consent = {
    consentPurpose: considered.purpose ?? own?.purpose ?? null,
    consentMaxAgeDays: considered.maxAgeDays ?? own?.maxAgeDays ?? null,
    // Another requirement returns what is held.
    returnsAtMs:
      considered.purpose === null && considered.maxAgeDays === null ? access.nowMs + limits.minuteMs : 0,
  }
  const places = (rows[1] as { readonly seq: number }[]).map(({ seq }) => seq)
  const preview: Preview = {
    ...{ kind: 'previewed', callableNow: 0, laterToday: 0, later: 0, blocked: {} },
    ...{ withoutConsent: 0, counted: 0, isWhole: places.length <= mostLeads },
  }
  for (let next = 0; next < Math.min(places.length, mostLeads); next += leadsAtOnce) {
    if (next > 0 && Date.now() - beganAtMs >= mostMs) return { ...preview, isWhole: false }
    const seqs = JSON.stringify(places.slice(next, Math.min(next + leadsAtOnce, mostLeads)))
    for (const lead of await readRows<Looked>(db, lookStep(db, { ...access, ...consent, seqs }))) {
      const { verdict, isLater = false } = judge(lead)
      preview.counted++
      if (lead.no_consent === endlessMs) preview.withoutConsent++
      if (verdict === 'callableNow' || verdict === 'laterToday') preview[verdict]++
      else preview.blocked[verdict] = (preview.blocked[verdict] ?? 0) + 1
      if (isLater) preview.later++
    }
  }
  return preview
}

type Judgement = {
  readonly verdict: 'callableNow' | 'laterToday' | BlockerCode
  /** It can be called on a later day. */
  readonly isLater?: boolean
}

/** Whether a lead can be called now or later today, or what blocks it longest. */
function judgeAt(settings: CallingSettings, nowMs: number): (lead: Looked) => Judgement {
  const { timeZone } = settings
  if (timeZone === null) return () => ({ verdict: 'not_configured' })
  const nextOpening = rememberOpenings(nowMs)
  return ({ limits, ...lead }) => {
    let code: BlockerCode = 'outside_hours'
    let fromMs = nowMs
    for (const blocker of blockersOf({ ...lead, ...JSON.parse(limits) }, nowMs)) {
      if (blocker.untilMs === null) return { verdict: blocker.code }
      if (blocker.untilMs <= fromMs) continue
      code = blocker.code
      fromMs = blocker.untilMs
    }
    const isAppointment = lead.queueRank === appointmentRank
    const schedule = scheduleOf(settings, lead.lane, isAppointment)
    const opening = nextOpening(`${isAppointment} ${lead.lane}`, schedule, fromMs)
    if (opening === null) return { verdict: 'outside_hours' }
    if (opening.opensAtMs <= nowMs) return { verdict: 'callableNow' }
    if (isSameDay(lead.lane || timeZone, opening.opensAtMs, nowMs)) return { verdict: 'laterToday' }
    return { verdict: opening.opensAtMs > fromMs ? 'outside_hours' : code, isLater: true }
  }
}

/** Most leads of a lane ask for the same opening. */
function rememberOpenings(nowMs: number) {
  const known = new Map<string, Interval | null>()
  return (name: string, schedule: Schedule, fromMs: number): Interval | null => {
    const first = known.has(name) ? (known.get(name) ?? null) : findNextOpening(schedule, nowMs)
    known.set(name, first)
    if (first === null || fromMs < first.closesAtMs)
      return first && { ...first, opensAtMs: Math.max(first.opensAtMs, fromMs) }
    return findNextOpening(schedule, fromMs)
  }
}

const dayMs = 86_400_000
const isSameDay = (timeZone: string, one: number, other: number) =>
  Math.floor((one + offsetMsAt(timeZone, one)) / dayMs) ===
  Math.floor((other + offsetMsAt(timeZone, other)) / dayMs)
