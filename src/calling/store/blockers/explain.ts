// Why a lead is not called (D58): each blocker at a moment, until when it lasts, and when the lead can be called
// next. Opening hours are computed from the settings, so that any moment can be explained, and not read from rows.
import { sql } from 'drizzle-orm'
import type { KeyAccess, KeyNames, PepperLost } from '../../../access/store/rights.ts'
import { isArchived } from '../../../access/store/rights.ts'
import { findNextOpening, type Schedule, scheduleOf } from '../../../campaigns/calling-hours.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import { param, runBatch, statement } from '../../../database/database.ts'
import { type LeadKey, leadIdOf, parseLeadId } from '../../../leads/lead.ts'
import { isFinalStatus } from '../../../leads/store/lead-status.ts'
import { appointmentRank } from '../../../leads/store/queue.ts'
import { leadVerdict } from '../../../leads/store/read.ts'
import { leads } from '../../../leads/store/tables.ts'
import { hasHashes, isHashed, isPepperLost } from '../../../ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../../ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../../ledger/suppression/numbers.ts'
import type { BlockerCode } from '../../reasons.ts'
import { type CapacityRow, capacityColumns, heldAt } from '../sql/capacity.ts'
import { outcomeMinutes } from '../sql/lead-after-call.ts'
import { numberLimits } from '../sql/number-limits.ts'
import { allowedFrom } from './lead-consent.ts'

/** `untilMs` null: until the lead, its number or the settings change. */
type Blocker = { readonly code: BlockerCode; readonly untilMs: number | null }

const verdict = leadVerdict('look')

const leadStep = statement<KeyNames | 'atMs' | 'seq'>(sql`with campaign(number, company_id, now_ms) as (
    select verdict.number, verdict.company_id, ${param('atMs')} from ${verdict} as verdict)
  select l.seq, l.created_at_ms as "createdAtMs", l.token, l.lane, ${isFinalStatus(sql`l.status`)} as "isFinal",
    l.queue_rank as "queueRank", coalesce(l.due_at_ms, l.held_due_at_ms) as "dueAtMs",
    ${allowedFrom} as "allowedFromMs",
    l.lease_expires_at_ms as "leaseExpiresAtMs",
    l.lease_expires_at_ms + ${outcomeMinutes(sql`'unknown'`)} * 60000 as "dueUnreportedMs",
    ${isSuppressed(sql`campaign.company_id`, sql`l.phone_number`, sql`campaign.number`)} as "isSuppressed",
    l.phone_number as "phoneNumber", ${hasHashes(sql`campaign.company_id`)} as "hasHashes",
    (coalesce(s.paused, 0) or ${isArchived(sql`campaign.number`)}) as paused, s.time_zone as "timeZone",
    s.calling_hours as "callingHours", s.appointment_hours as "appointmentHours",
    s.closed_dates as "closedDates", ${numberLimits.liveUntilMs} as "liveUntilMs",
    ${numberLimits.gapUntilMs} as "gapUntilMs", ${numberLimits.dayUntilMs} as "dayUntilMs",
    ${numberLimits.weekUntilMs} as "weekUntilMs",
    ${capacityColumns(sql`(select campaign.number from campaign)`)}
  from campaign
  left join ${leads} as l on l.seq = ${param('seq')} and l.erased_at_ms is null
    and l.campaign_number = campaign.number
  left join ${callingSettings} as s on s.campaign_number = campaign.number`)

const hashStep = statement<KeyNames | 'pepperCheck' | 'numberHash' | 'seq'>(sql`
  select ${isPepperLost(sql`verdict.company_id`)} as "isPepperLost",
    ${isHashed(sql`verdict.company_id`, sql`${param('numberHash')}`, sql`verdict.number`)} as "isHashed"
  from ${verdict} as verdict
  where verdict.number is not null`)

type HashRow = { readonly isPepperLost: number; readonly isHashed: number }

type Row = LeadKey &
  CapacityRow & {
    readonly seq: number | null
    readonly isFinal: number
    readonly lane: string
    readonly queueRank: number
    readonly dueAtMs: number | null
    /** From when on a consent allows the call, 0 where none is required; null: there is none. */
    readonly allowedFromMs: number | null
    readonly leaseExpiresAtMs: number | null
    /** When it is due again if its call is never reported. */
    readonly dueUnreportedMs: number | null
    readonly phoneNumber: string
    readonly hasHashes: number
    readonly isSuppressed: number
    readonly paused: number
    readonly timeZone: string | null
    readonly callingHours: string
    readonly appointmentHours: string
    readonly closedDates: string
    readonly liveUntilMs: number | null
    readonly gapUntilMs: number | null
    readonly dayUntilMs: number | null
    readonly weekUntilMs: number | null
  }

type ExplainResult =
  | { readonly kind: 'key_refused' | 'missing' }
  | PepperLost
  | {
      readonly kind: 'explained'
      /** True: nothing blocks the lead, it only waits for its turn. */
      readonly isCallable: boolean
      readonly blockers: readonly Blocker[]
      /** At `atMs` or later; null: not before a blocker without an end, or an open call, is removed. */
      readonly nextCallAtMs: number | null
    }

/** What blocks the lead, as it is now, at `atMs`. Throws DatabaseUnavailable. */
export async function explainLead(
  db: D1Database,
  access: KeyAccess,
  leadId: string,
  atMs: number,
  hashes: NumberHashes,
): Promise<ExplainResult> {
  const values = { ...access, seq: parseLeadId(leadId)?.seq ?? 0, atMs }
  const { rows } = await runBatch(db, [leadStep(db, values)])
  const row = rows[0]?.[0] as Row | undefined
  const explained = explainRow(row, leadId, atMs)
  if (explained.kind !== 'explained' || row?.hasHashes !== 1 || row.isSuppressed === 1) return explained
  // The number may still be suppressed by its hash, which can be computed only after the number was read.
  const numberHash = hashes.of(row.phoneNumber)
  const hashed = { ...values, numberHash, pepperCheck: hashes.pepperCheck }
  const [found] = (await runBatch(db, [hashStep(db, hashed)])).rows[0] as HashRow[]
  if (found === undefined) return { kind: 'key_refused' }
  if (found.isPepperLost === 1) return { kind: 'pepper_lost' }
  return found.isHashed === 1 ? explainRow({ ...row, isSuppressed: 1 }, leadId, atMs) : explained
}

function explainRow(row: Row | undefined, leadId: string, atMs: number): ExplainResult {
  if (row === undefined) return { kind: 'key_refused' }
  if (row.seq === null || leadIdOf(row) !== leadId) return { kind: 'missing' }
  const blockers = findBlockers(row, atMs)
  return {
    kind: 'explained',
    isCallable: blockers.length === 0,
    blockers,
    nextCallAtMs: nextCallAtMs(row, blockers, atMs),
  }
}

function findBlockers(row: Row, atMs: number): Blocker[] {
  const blockers: Blocker[] = []
  const add = (code: BlockerCode, untilMs: number | null) => blockers.push({ code, untilMs })
  const addUntil = (code: BlockerCode, untilMs: number | null) => {
    if (untilMs !== null && untilMs > atMs) add(code, untilMs)
  }
  if (row.timeZone === null) add('not_configured', null)
  if (row.paused === 1) add('paused', null)
  const isLeased = row.leaseExpiresAtMs !== null && row.leaseExpiresAtMs > atMs
  // Its own call is one of those that are live.
  if (!isLeased) addUntil('at_capacity', heldAt(row, atMs)?.untilMs ?? null)
  if (row.isFinal === 1) add('final', null)
  if (row.isSuppressed === 1) add('suppressed', null)
  if (row.allowedFromMs === null) add('no_consent', null)
  else addUntil('no_consent', row.allowedFromMs)
  if (isLeased) add('leased', row.leaseExpiresAtMs)
  else addUntil('number_live', row.liveUntilMs)
  addUntil('number_gap', row.gapUntilMs)
  addUntil('number_day', row.dayUntilMs)
  addUntil('number_week', row.weekUntilMs)
  addUntil(row.queueRank === appointmentRank ? 'scheduled' : 'spaced', row.dueAtMs)
  if (!isLeased) addUntil('spaced', row.dueUnreportedMs)
  const schedule = scheduleOfLead(row)
  if (schedule !== null) {
    const opening = findNextOpening(schedule, atMs)
    if (opening === null) add('outside_hours', null)
    else addUntil('outside_hours', opening.opensAtMs)
  }
  return blockers
}

/**
 * The first open moment after all blockers have ended. While a call is open, it depends on the report: null. Limits
 * of the number that begin later are not foreseen.
 */
function nextCallAtMs(row: Row, blockers: readonly Blocker[], atMs: number): number | null {
  const schedule = scheduleOfLead(row)
  const isHopeless = blockers.some(({ code, untilMs }) => untilMs === null || code === 'leased')
  if (schedule === null || isHopeless) return null
  const ends = blockers.flatMap(({ code, untilMs }) => (code === 'outside_hours' ? [] : (untilMs ?? [])))
  return findNextOpening(schedule, Math.max(atMs, ...ends))?.opensAtMs ?? null
}

function scheduleOfLead(row: Row): Schedule | null {
  if (row.timeZone === null) return null
  const hours = {
    timeZone: row.timeZone,
    callingHours: JSON.parse(row.callingHours),
    appointmentHours: JSON.parse(row.appointmentHours),
    closedDates: JSON.parse(row.closedDates),
  }
  return scheduleOf(hours, row.lane, row.queueRank === appointmentRank)
}
