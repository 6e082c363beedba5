// Changes fields of a lead, and its place in the calling queue with them, in one transaction that checks the key's
// right. A retry finds the lead as requested, and changes nothing.
import { sql } from 'drizzle-orm'
import type { KeyAccess, KeyNames } from '../../../base/access/store/rights.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { type ActorNames, appendIfListening, entryColumns } from '../../../base/ledger/log/append.ts'
import { parseTimestampMs } from '../../../base/timestamp.ts'
import { notifyWaiting } from '../../campaigns/store/waiting.ts'
import { changeableNames as names } from '../field-table.ts'
import { type LeadChange, storedFields } from '../fields.ts'
import { type LeadKey, leadIdOf, parseLeadId } from '../lead.ts'
import { indexOf } from '../search-words.ts'
import { columnNameOf, toColumn } from './field-columns.ts'
import { rankOfAppointments as top } from './queue.ts'
import { type LeadFound, leadVerdict } from './read.ts'
import { isErased, leadJson } from './row.ts'
import { leads } from './tables.ts'

type Field = keyof LeadChange

const columnOf = (field: Field) => leads[columnNameOf(field)]
const newValueOf = (field: Field) => toColumn(field, sql`${param(field)}`)

/** Placeholder `sets`: JSON of the names of the fields that change. */
const isNamed = (field: Field) => sql`(${param('sets')} ->> ${sql.raw(`'$.${field}'`)} = 1)`
const isOther = (field: Field) =>
  sql`(${isNamed(field)} is true and ${columnOf(field)} is not ${newValueOf(field)})`
const after = (field: Field) => sql`iif(${isNamed(field)}, ${newValueOf(field)}, ${columnOf(field)})`

const isAsRequested = sql`not (${sql.join(names.map(isOther), sql` or `)})`

/** Placeholder `versions`: JSON of the versions that the lead may have; null: any. */
export const hasVersion = sql`(${param('versions')} is null
  or ${leads.version} in (select item.value from json_each(${param('versions')}) as item))`

const verdict = leadVerdict('write')

/** The placeholders of the verdict and of the fields. */
type FieldNames = KeyNames | Field | 'sets' | 'seq'

/** The lead: no row when the key may not change it, nothing would change, or it has none of the versions. */
const toChange = sql`${verdict} as verdict cross join ${leads} on ${leads.seq} = ${param('seq')}
  and ${leads.campaignNumber} = verdict.number and ${leads.token} = ${param('token')}
  and ${leads.createdAtMs} = ${param('createdAtMs')} and not ${isErased} and not ${isAsRequested} and ${hasVersion}`

type ChangeNames = FieldNames | 'token' | 'createdAtMs' | 'versions'

const changedNames = sql`(select json_group_array(item.value)
  from json_each(json_array(${sql.join(
    names.map((field) => sql`iif(${isOther(field)}, ${sql.raw(`'${field}'`)}, null)`),
    sql`, `,
  )})) as item
  where item.value is not null)`

const logChange = statement<ChangeNames | ActorNames>(
  appendIfListening(
    sql`select ${entryColumns({
      type: 'lead.changed',
      companyId: sql`verdict.company_id`,
      campaignNumber: sql`verdict.number`,
      leadSeq: sql`${leads.seq}`,
      data: sql`json_object('status', ${leads.status}, 'attempts', ${leads.attempts}, 'changed',
        json(${changedNames}))`,
    })} from ${toChange}`,
  ),
)

const scheduledAtMs = sql`${param('scheduledAtMs')}`
const wasScheduledAtMs = sql`${leads.scheduledAtMs}`

/** Null: neither in the queue, nor held because consent is missing. */
const placeMs = sql`coalesce(${leads.dueAtMs}, ${leads.heldDueAtMs})`

/** It waits for its scheduled time, not for one agreed in a call. */
const waitsForSchedule = sql`(${leads.queueRank} = ${top} and ${placeMs} = ${wasScheduledAtMs})`

/** A leased lead is called at a time agreed in a call: that came, and later than the one for which it was scheduled. */
const isCalledAsAgreed = sql`(${leads.attempts} > 1 and exists (select 1 from ${calls} as agreed
  where agreed.company_id = verdict.company_id and agreed.phone_number = ${leads.phoneNumber}
    and agreed.seq = ${leads.seq} and agreed.is_late = 0
    and agreed.callback_at_ms > ${wasScheduledAtMs} and agreed.callback_at_ms <= ${param('nowMs')}))`

/** The appointment for which it is leased is cancelled, or is now a time that has passed. */
const isCancelled = sql`(${leads.leaseExpiresAtMs} is not null
  and ${isNamed('scheduledFor')} is true and ${scheduledAtMs} is not ${wasScheduledAtMs}
  and iif(${scheduledAtMs} is null, not ${isCalledAsAgreed}, ${scheduledAtMs} <= ${param('nowMs')}))`

/**
 * A time later than now makes an appointment, any other means as soon as possible (D43, D19). A lead that was called
 * before keeps the time of its next attempt, unless a new one is set. An appointment has no priority. A lead outside
 * the queue stays outside, unless it is held because consent is missing: it is judged again; while a lead is leased,
 * its rank is the one it gets back if nobody dials.
 */
const rank = sql`case
  when ${placeMs} is not null and ${isOther('scheduledFor')} then case
    when ${scheduledAtMs} > ${param('nowMs')} then ${top}
    when ${scheduledAtMs} is null and ${leads.attempts} > 0 and not ${waitsForSchedule}
      then iif(${leads.queueRank} = ${top}, ${top}, ${after('priority')})
    else ${after('priority')} end
  when ${leads.queueRank} = ${top} and not ${isCancelled} then ${top}
  else ${after('priority')} end`

const dueAtMs = sql`case
  when ${placeMs} is not null and ${isOther('scheduledFor')} then case
    when ${leads.attempts} = 0 then max(coalesce(${scheduledAtMs}, 0), ${leads.createdAtMs})
    when ${scheduledAtMs} is not null then max(${scheduledAtMs}, ${param('nowMs')})
    else iif(${waitsForSchedule}, ${param('nowMs')}, ${placeMs}) end
  else ${leads.dueAtMs} end`

const columns = [
  ...names.map((field) => sql`${after(field)} as ${sql.identifier(field)}`),
  sql`${rank} as rank, ${dueAtMs} as due_at_ms,
    iif(${isNamed('externalId')}, ${param('externalWord')}, ${leads.externalWord}) as external_word,
    iif(${isNamed('metadata')}, ${param('words')}, ${leads.words}) as words`,
]
const sets = names.map(
  (field) => sql`${sql.identifier(columnOf(field).name)} = next.${sql.identifier(field)}`,
)

const setFields = statement<
  ChangeNames | 'scheduledAtMs' | 'externalWord' | 'words'
>(sql`update ${leads} set ${sql.join(sets, sql`, `)},
    queue_rank = next.rank, due_at_ms = next.due_at_ms,
    held_due_at_ms = iif(next.due_at_ms is null, ${leads.heldDueAtMs}, null),
    gate_asks_at_ms = iif(next.due_at_ms is null, ${leads.gateAsksAtMs}, null), external_word = next.external_word,
    words = next.words,
    version = ${leads.version} + 1
  from (select * from (select ${leads.seq}, ${sql.join(columns, sql`, `)} from ${toChange}) limit -1) as next
  where ${leads.seq} = next.seq`)

const leadAfter = statement<FieldNames>(sql`
  select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
    ${leads.version}, ${isAsRequested} as "isAsRequested",
    ${notifyWaiting(sql`verdict.company_id`, sql`verdict.number`)},
    ${leadJson(sql`verdict.id`)}
  from ${verdict} as verdict
  left join ${leads} on ${leads.seq} = ${param('seq')}
    and ${leads.campaignNumber} = verdict.number and not ${isErased}`)

type ChangeResult =
  | { readonly kind: 'key_refused' | 'missing' }
  /** The lead has none of the versions. */
  | { readonly kind: 'changed_since' }
  | LeadFound

type ChangedRow = LeadKey & {
  readonly json: string | null
  readonly version: number
  readonly isAsRequested: number
}

/**
 * Changes a lead that has one of the versions; null: any. A lead that is as requested already is found whatever its
 * version: so a request whose answer was lost can be repeated. Throws DatabaseUnavailable.
 */
export async function changeLead(
  db: D1Database,
  access: KeyAccess,
  leadId: string,
  change: LeadChange,
  versions: readonly number[] | null,
): Promise<ChangeResult> {
  const { scheduledFor } = change
  const values = {
    ...access,
    ...(parseLeadId(leadId) ?? { seq: 0, createdAtMs: 0, token: '' }),
    sets: JSON.stringify(Object.fromEntries(Object.keys(change).map((name) => [name, 1]))),
    ...storedFields({}),
    ...change,
    scheduledAtMs: scheduledFor ? parseTimestampMs(scheduledFor) : null,
    ...indexOf(access.companyId)(change),
    versions: versions && JSON.stringify(versions),
  }
  const { rows } = await runSteps(db, [logChange, setFields, leadAfter], values)
  const row = rows[2]?.[0] as ChangedRow | undefined
  if (row === undefined) return { kind: 'key_refused' }
  if (row.json === null || leadIdOf(row) !== leadId) return { kind: 'missing' }
  return row.isAsRequested === 1
    ? { kind: 'found', json: row.json, version: row.version }
    : { kind: 'changed_since' }
}
