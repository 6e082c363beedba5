// Changing what a client may say of a lead, and its place in the calling queue with it, in one transaction that checks the
// key's right. A try that comes again finds the lead as it was asked for, and changes nothing.
import { type SQL, sql } from 'drizzle-orm'
import type { KeyAccess, PepperLost } from '../../access/store/rights.ts'
import { runBatch, statement } from '../../database/database.ts'
import { appendIfHeard, entryColumns } from '../../ledger/log/append.ts'
import { hasHashes, isHashed, isPepperLost } from '../../ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../ledger/suppression/numbers.ts'
import { parseTimestampMs } from '../../timestamp.ts'
import { type LeadChange, type LeadKey, leadIdOf, changeableFields as names, parseLeadId } from '../lead.ts'
import { isFinal } from './lead-status.ts'
import { queuePlace, storedTimestampMs, rankOfAppointments as top } from './queue.ts'
import { type LeadFound, leadVerdict } from './read.ts'
import { isErased, leadJson } from './row.ts'
import { leads } from './tables.ts'

const param = sql.placeholder

/** Placeholder `sets`: JSON of the names of the fields that are to change. */
const fields: {
  readonly [Field in keyof Required<LeadChange>]: { readonly column: SQL; readonly value: SQL }
} = {
  externalId: { column: sql`${leads.externalId}`, value: sql`${param('externalId')}` },
  metadata: { column: sql`${leads.metadata}`, value: sql`${param('metadata')}` },
  scheduledFor: { column: sql`${leads.scheduledFor}`, value: sql`${param('scheduledFor')}` },
  priority: { column: sql`${leads.priority}`, value: sql`${param('priority')}` },
  timeZone: { column: sql`${leads.lane}`, value: sql`coalesce(${param('timeZone')}, '')` },
}

type Field = keyof typeof fields

const isNamed = (field: Field) => sql`(${param('sets')} ->> ${sql.raw(`'$.${field}'`)} = 1)`
const isOther = (field: Field) =>
  sql`(${isNamed(field)} is true and ${fields[field].column} is not ${fields[field].value})`
const after = (field: Field) => sql`iif(${isNamed(field)}, ${fields[field].value}, ${fields[field].column})`

const isAsAsked = sql`not (${sql.join(names.map(isOther), sql` or `)})`

/** Placeholder `versions`: JSON of those of which the lead must have one; null: whichever it has. */
export const hasVersion = sql`(${param('versions')} is null
  or ${leads.version} in (select item.value from json_each(${param('versions')}) as item))`

const verdict = leadVerdict('write')

/** It came in without a place, and gets one from a claim that looks for such leads in the lane that has no name (D50). */
const isUnqueued = sql`(${leads.queueRank} is null and ${leads.dueAtMs} is not null)`

const company = sql`verdict.company_id`

/** The change would queue it before its number was hashed, which only the Worker can do: it comes again with the hash. */
const mustHash = sql`(${isUnqueued} and ${isOther('timeZone')} and ${hasHashes(company)}
  and (${param('numberHash')} is null or ${isPepperLost(company)}))`

const isQuiet = sql`(${isSuppressed(company, sql`${leads.phoneNumber}`, sql`verdict.number`)}
  or ${isHashed(company, sql`${param('numberHash')}`, sql`verdict.number`)})`

/** The lead, when it is the key's to change, as long as there is something to change, and the condition holds. */
const toChange = sql`${verdict} as verdict cross join ${leads} on ${leads.seq} = ${param('seq')}
  and ${leads.campaignNumber} = verdict.number and ${leads.token} = ${param('token')}
  and ${leads.createdAtMs} = ${param('createdAtMs')} and not ${isErased} and not ${isAsAsked} and ${hasVersion}
  and not ${mustHash}`

const changedNames = sql`(select json_group_array(name) from (${sql.join(
  names.map((field) => sql`select ${sql.raw(`'${field}'`)} as name where ${isOther(field)}`),
  sql` union all `,
)}))`

const logChange = statement(
  appendIfHeard(
    sql`select ${entryColumns({
      type: 'lead.changed',
      companyId: sql`verdict.company_id`,
      campaignNumber: sql`verdict.number`,
      leadSeq: sql`${leads.seq}`,
      data: sql`json_object('changed', json(${changedNames}))`,
    })} from ${toChange}`,
  ),
)

const scheduledAtMs = sql`${param('scheduledAtMs')}`
const wasScheduledAtMs = storedTimestampMs(sql`${leads.scheduledFor}`)

const newPlace = queuePlace({
  scheduledAtMs: sql`iif(${isNamed('scheduledFor')}, ${scheduledAtMs}, ${wasScheduledAtMs})`,
  priority: after('priority'),
  createdAtMs: sql`${leads.createdAtMs}`,
})

/** What it waits for is the time that it was scheduled for, and not one that was agreed in a call. */
const waitsForSchedule = sql`(${leads.queueRank} = ${top} and ${leads.dueAtMs} = ${wasScheduledAtMs})`

/**
 * A time later than now makes an appointment, any other means as soon as possible (D43, D19). A lead that was called
 * before keeps the time of its retry, unless it is given one. An appointment has no priority. What is not in the queue is
 * not put there; while a lead is leased, its rank is what it has if nobody dials.
 */
const rank = sql`case
  when ${isUnqueued} then iif(${isOther('timeZone')}, ${newPlace.rank}, null)
  when ${leads.dueAtMs} is not null and ${isOther('scheduledFor')} then case
    when ${scheduledAtMs} > ${param('nowMs')} then ${top}
    when ${scheduledAtMs} is null and ${leads.attempts} > 0 and not ${waitsForSchedule}
      then iif(${leads.queueRank} = ${top}, ${top}, ${after('priority')})
    else ${after('priority')} end
  when ${leads.queueRank} = ${top} then ${top}
  else ${after('priority')} end`

const dueAtMs = sql`case
  when ${isUnqueued} then iif(${isOther('timeZone')}, iif(${isFinal} or ${isQuiet}, null, ${newPlace.dueAtMs}), ${leads.dueAtMs})
  when ${leads.dueAtMs} is not null and ${isOther('scheduledFor')} then case
    when ${leads.attempts} = 0 then max(coalesce(${scheduledAtMs}, 0), ${leads.createdAtMs})
    when ${scheduledAtMs} is not null then max(${scheduledAtMs}, ${param('nowMs')})
    else iif(${waitsForSchedule}, ${param('nowMs')}, ${leads.dueAtMs}) end
  else ${leads.dueAtMs} end`

const columns = [
  ...names.map((field) => sql`${after(field)} as ${sql.identifier(field)}`),
  sql`${rank} as rank, ${dueAtMs} as due_at_ms`,
]

const setFields =
  statement(sql`update ${leads} set external_id = next."externalId", metadata = next."metadata",
    scheduled_for = next."scheduledFor", priority = next."priority", lane = next."timeZone",
    queue_rank = next.rank, due_at_ms = next.due_at_ms, version = ${leads.version} + 1
  from (select * from (select ${leads.seq}, ${sql.join(columns, sql`, `)} from ${toChange}) limit -1) as next
  where ${leads.seq} = next.seq`)

const leadAfter = statement(sql`select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
    ${leads.version}, ${isAsAsked} as "isAsAsked", ${leads.phoneNumber} as "phoneNumber", ${mustHash} as "mustHash",
    ${leadJson(sql`verdict.id`)}
  from ${verdict} as verdict left join ${leads} on ${leads.seq} = ${param('seq')}
    and ${leads.campaignNumber} = verdict.number and not ${isErased}`)

export type ChangeOutcome =
  | PepperLost
  | { readonly kind: 'key_refused' | 'missing' }
  /** It has none of the versions. */
  | { readonly kind: 'changed_since' }
  | LeadFound

type ChangedRow = LeadKey & {
  readonly json: string | null
  readonly version: number
  readonly isAsAsked: number
  readonly phoneNumber: string
  readonly mustHash: number
}

/**
 * Changes a lead that has one of the versions, whichever when they are null. One that is as asked already is left as it
 * is, whatever its version: so a request whose answer was lost can be sent again. Throws DatabaseUnavailable.
 */
export async function changeLead(
  db: D1Database,
  access: KeyAccess,
  leadId: string,
  change: LeadChange,
  versions: readonly number[] | null,
  hashes: NumberHashes,
): Promise<ChangeOutcome> {
  const { externalId, metadata, scheduledFor, priority, timeZone } = change
  const values = {
    ...access,
    ...(parseLeadId(leadId) ?? { seq: 0, createdAtMs: 0, token: '' }),
    sets: JSON.stringify(Object.fromEntries(Object.keys(change).map((name) => [name, 1]))),
    externalId: externalId ?? null,
    metadata: metadata ?? null,
    scheduledFor: scheduledFor ?? null,
    scheduledAtMs: scheduledFor ? parseTimestampMs(scheduledFor) : null,
    priority: priority ?? 0,
    timeZone: timeZone ?? null,
    versions: versions && JSON.stringify(versions),
    pepperCheck: hashes.pepperCheck,
  }
  const run = async (numberHash: string | null) => {
    const { rows } = await runBatch(
      db,
      [logChange, setFields, leadAfter].map((step) => step(db, { ...values, numberHash })),
    )
    return rows[2]?.[0] as ChangedRow | undefined
  }
  const first = await run(null)
  const isIts = first != null && first.json !== null && leadIdOf(first) === leadId
  const row = isIts && first.mustHash === 1 ? await run(hashes.of(first.phoneNumber)) : first
  if (row === undefined) return { kind: 'key_refused' }
  if (row.json === null || leadIdOf(row) !== leadId) return { kind: 'missing' }
  if (row.mustHash === 1) return { kind: 'pepper_lost' }
  return row.isAsAsked === 1
    ? { kind: 'found', json: row.json, version: row.version }
    : { kind: 'changed_since' }
}
