// What is known of a lead and its campaign at a moment, and what follows from it: what blocks the lead, and when it can
// be called next. For the explanation of one lead (explain.ts) and for the answer to a report (../sql/call-result.ts),
// so that both say the same.
import { type SQL, sql } from 'drizzle-orm'
import { isArchived } from '../../../../base/access/store/rights.ts'
import { type CampaignHours, findNextOpening, scheduleOf } from '../../../campaigns/calling-hours.ts'
import { pacedUntilMs } from '../../../campaigns/store/pace.ts'
import { hoursJson } from '../../../campaigns/store/settings-row.ts'
import { appointmentRank } from '../../../leads/store/queue.ts'
import type { BlockerCode } from '../../reasons.ts'
import { type CapacityRow, heldAt } from '../sql/capacity.ts'
import { blockedUntil, endlessMs, type LeadCode, leadCodes, type RuleNames, rankOf } from './lead-rules.ts'

/** Until when each rule blocks the lead, as blockedUntil has it. */
type LeadBlocks = Readonly<Record<LeadCode, number | null>>

export type LeadFacts = LeadBlocks & { readonly lane: string; readonly queueRank: number }

const jsonOf = (members: Readonly<Record<string, SQL>>) =>
  sql`json_object(${sql.join(
    Object.entries(members).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    sql`, `,
  )})`

/** A value: JSON of LeadFacts, with `s` the settings. `instead`: for rules that the caller knows otherwise. */
export const leadFacts = (names: RuleNames, instead: Partial<Record<LeadCode, SQL>> = {}) =>
  jsonOf({
    lane: sql`${names.lead}.lane`,
    queueRank: rankOf(names),
    ...Object.fromEntries(blockedUntil(names)),
    ...instead,
  })

export type CampaignFacts = CapacityRow & { readonly paused: 0 | 1; readonly hours: CampaignHours }

/** A value: JSON of CampaignFacts, with `s` the settings. */
export const campaignFacts = (number: SQL, placeFreeAtMs: SQL) =>
  jsonOf({
    paused: sql`(coalesce(s.paused, 0) or ${isArchived(number)})`,
    hours: hoursJson,
    pacedUntilMs,
    placeFreeAtMs,
  } satisfies Readonly<Record<keyof CampaignFacts, SQL>>)

export type Facts = LeadFacts & CampaignFacts

/** `untilMs` null: until the lead, its number or the settings change. */
export type Blocker = { readonly code: BlockerCode; readonly untilMs: number | null }

export function findBlockers(facts: Facts, atMs: number): Blocker[] {
  const ofCampaign: Blocker[] = []
  if (facts.hours.timeZone === null) ofCampaign.push({ code: 'not_configured', untilMs: null })
  if (facts.paused === 1) ofCampaign.push({ code: 'paused', untilMs: null })
  const ofLead = blockersOf(facts, atMs)
  // Its own call is one of those that are live.
  const held = ofLead.some(({ code }) => code === 'leased') ? null : heldAt(facts, atMs)
  if (held !== null) ofCampaign.push({ code: 'at_capacity', untilMs: held.untilMs })
  const opensAtMs = nextOpeningMs(facts, atMs)
  const isOpen = facts.hours.timeZone === null || (opensAtMs !== null && opensAtMs <= atMs)
  return [
    ...ofCampaign,
    ...ofLead,
    ...(isOpen ? [] : [{ code: 'outside_hours', untilMs: opensAtMs } as const]),
  ]
}

/** The rules that block the lead, in the order of judgement. */
export const blockersOf = (blocks: LeadBlocks, atMs: number): Blocker[] =>
  leadCodes.flatMap((code) => {
    const untilMs = blocks[code] ?? 0
    return untilMs > atMs ? [{ code, untilMs: untilMs === endlessMs ? null : untilMs }] : []
  })

/**
 * The first open moment after all blockers have ended. While a call is open, it depends on the report: null. Limits
 * of the number that begin later are not foreseen.
 */
export function nextCallAtMs(facts: Facts, blockers: readonly Blocker[], atMs: number): number | null {
  if (blockers.some(({ code, untilMs }) => untilMs === null || code === 'leased')) return null
  const ends = blockers.flatMap(({ code, untilMs }) => (code === 'outside_hours' ? [] : (untilMs ?? [])))
  return nextOpeningMs(facts, Math.max(atMs, ...ends))
}

function nextOpeningMs({ hours, lane, queueRank }: Facts, fromMs: number): number | null {
  const schedule = scheduleOf(hours, lane, queueRank === appointmentRank)
  return findNextOpening(schedule, fromMs)?.opensAtMs ?? null
}
