// What blocks a lead: each rule once, in the order of judgement. A claim takes the conditions that it decides by, a
// preview and an explanation take until when each rule blocks. Texts are in ../../reasons.ts; what concerns a whole
// campaign, and hours, in lead-facts.ts.
import { type SQL, sql } from 'drizzle-orm'
import { allowedFromMs, consentInUse } from '../../../../base/ledger/consent/valid-consent.ts'
import { isSuppressed } from '../../../../base/ledger/suppression/numbers.ts'
import { isFinalStatus } from '../../../leads/store/lead-status.ts'
import { lacksYes, rankOfAppointments } from '../../../leads/store/queue.ts'
import type { BlockerCode } from '../../reasons.ts'
import { isUsedUp } from '../sql/lead-after-call.ts'
import { numberLimits } from '../sql/number-limits.ts'

/** Values, except `lead` and `requirement`, which name rows: the lead, and the settings that require a consent. */
export type RuleNames = Readonly<Record<'lead' | 'requirement' | 'companyId' | 'number' | 'nowMs', SQL>> & {
  /** Its place, where its columns are not yet what the end of its lease makes of them. */
  readonly place?: Readonly<Record<'rank' | 'dueAtMs', SQL>>
  /**
   * Until when a lead stays held although it has a consent: it returns by the minute. Absent: it is judged in the
   * queue.
   */
  readonly returnsAtMs?: SQL
}

/** Of the lead `l` in `campaign`. Rules read the other settings of the campaign as `s`. */
export const usualNames: RuleNames = {
  lead: sql`l`,
  requirement: sql`s`,
  companyId: sql`campaign.company_id`,
  number: sql`campaign.number`,
  nowMs: sql`campaign.now_ms`,
}

/**
 * What happens to a lead of the queue that is blocked without an end: it leaves the queue, or waits outside for a
 * consent or until the gate was asked.
 */
type Decision = 'dequeued' | 'held' | 'asked'

type LeadRule = {
  /**
   * Who judges it for a claim: the claim, lead by lead; `number` all limits of a number in one expression; `queue` its
   * order, which leads to no lead that the rule blocks.
   */
  readonly by: 'claim' | 'number' | 'queue'
  /** It blocks until the lead, its number or the settings change. */
  readonly endless?: { readonly when: (names: RuleNames) => SQL; readonly decision: Decision }
  /** Until when it blocks. Null, or not later than now: it does not. */
  readonly untilMs?: (names: RuleNames) => SQL
}

/** These concern a campaign, not a lead. */
type CampaignCode = 'not_configured' | 'paused' | 'at_capacity' | 'outside_hours'
export type LeadCode = Exclude<BlockerCode, CampaignCode>

const requiredBy = ({ companyId, lead, requirement, nowMs }: RuleNames) => ({
  companyId,
  phoneNumber: sql`${lead}.phone_number`,
  settings: requirement,
  atMs: nowMs,
})
const allowedFrom = (names: RuleNames) => allowedFromMs(requiredBy(names))

const dueAtMs = (lead: SQL) => sql`coalesce(${lead}.due_at_ms, ${lead}.held_due_at_ms)`
const placeOf = ({ lead, place }: RuleNames) =>
  place ?? { rank: sql`${lead}.queue_rank`, dueAtMs: dueAtMs(lead) }
export const rankOf = (names: RuleNames) => placeOf(names).rank

const leadRules: Readonly<Record<LeadCode, LeadRule>> = {
  final: {
    by: 'claim',
    endless: {
      // A maximum of attempts that was lowered since the last one dequeues the lead at its next claim.
      when: ({ lead }) => sql`(${isFinalStatus(sql`${lead}.status`)}
        or ${dueAtMs(lead)} is not null and ${isUsedUp(sql`${lead}.attempts`, sql`${lead}.attempts_forgiven`)})`,
      decision: 'dequeued',
    },
  },
  suppressed: {
    by: 'claim',
    endless: {
      when: ({ companyId, lead, number }) => isSuppressed(companyId, sql`${lead}.phone_number`, number),
      decision: 'dequeued',
    },
  },
  no_consent: {
    by: 'claim',
    endless: { when: (names) => sql`${allowedFrom(names)} is null`, decision: 'held' },
    untilMs: (names) =>
      names.returnsAtMs === undefined
        ? allowedFrom(names)
        : sql`max(${allowedFrom(names)}, iif(${names.lead}.held_due_at_ms is null
            or ${names.lead}.gate_asks_at_ms is not null, 0, ${names.returnsAtMs}))`,
  },
  gate: {
    by: 'claim',
    endless: { when: ({ lead, nowMs }) => lacksYes(lead, sql`s`, nowMs), decision: 'asked' },
    // Once the gate is removed.
    untilMs: ({ lead, returnsAtMs }) =>
      returnsAtMs === undefined ? sql`null` : sql`iif(${lead}.gate_asks_at_ms is null, null, ${returnsAtMs})`,
  },
  leased: { by: 'queue', untilMs: ({ lead }) => sql`${lead}.lease_expires_at_ms` },
  number_live: {
    by: 'number',
    // Its own call is no other one of its number.
    untilMs: ({ lead, nowMs }) =>
      sql`iif(${lead}.lease_expires_at_ms > ${nowMs}, null, ${numberLimits.liveUntilMs})`,
  },
  number_gap: { by: 'number', untilMs: () => numberLimits.gapUntilMs },
  number_day: { by: 'number', untilMs: () => numberLimits.dayUntilMs },
  number_week: { by: 'number', untilMs: () => numberLimits.weekUntilMs },
  scheduled: {
    by: 'queue',
    untilMs: (names) => sql`iif(${rankOf(names)} = ${rankOfAppointments}, ${placeOf(names).dueAtMs}, null)`,
  },
  spaced: {
    by: 'queue',
    untilMs: (names) => sql`iif(${rankOf(names)} = ${rankOfAppointments}, null, ${placeOf(names).dueAtMs})`,
  },
}

export const leadCodes = Object.keys(leadRules) as LeadCode[]
const rulesBy = (by: LeadRule['by']) => Object.values(leadRules).filter((rule) => rule.by === by)

/** How the columns of a rule without an end read. */
export const endlessMs = 9 * 10 ** 15

/** A column for each rule, or for those whose judge is among `by`: until when it blocks. */
export function blockedUntil(names: RuleNames, by?: LeadRule['by'][]): readonly (readonly [LeadCode, SQL])[] {
  const codes = leadCodes.filter((code) => by === undefined || by.includes(leadRules[code].by))
  return codes.map((code) => {
    const { endless, untilMs } = leadRules[code]
    const ends = untilMs?.(names) ?? sql`null`
    return [code, endless ? sql`iif(${endless.when(names)}, ${sql.raw(`${endlessMs}`)}, ${ends})` : ends]
  })
}

/** A value: what a claim does with a lead that is blocked without an end, a name in `decided`; null: nothing. */
export const decisionOf = (decided: Readonly<Record<Decision, SQL>>) =>
  sql`case ${sql.join(
    rulesBy('claim').flatMap(({ endless }) =>
      endless ? sql`when ${endless.when(usualNames)} then ${decided[endless.decision]}` : [],
    ),
    sql`
        `,
  )} end`

/** A value: when a claim may lease the lead, by what ends: its number's limits, and whatever the claim judges. */
export const freeAtMs = sql`max(${sql.join(
  [
    numberLimits.freeAtMs,
    ...rulesBy('claim').flatMap(({ untilMs }) => (untilMs ? sql`coalesce(${untilMs(usualNames)}, 0)` : [])),
  ],
  sql`, `,
)})`

/** The id of the consent by which the lead is called; null: none is required, or there is none now. */
export const leadConsent = consentInUse(requiredBy(usualNames))
