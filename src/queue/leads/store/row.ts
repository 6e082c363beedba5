// Fragments of SQL for a lead's row: which rows are a campaign's, and its JSON. The statements that use them check the
// key's right. Its columns are in field-columns.ts.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { type ByKind, leadFieldTable, withOtherFields } from '../field-table.ts'
import { leadSeqBits, seqDigits, timeDigits } from '../lead.ts'
import { fromColumn } from './field-columns.ts'
import { leads } from './tables.ts'

const bits = sql.raw(`${leadSeqBits}`)

/** A campaign's range of the table, by its number: `seq` is above `before`, and at most `last`. */
export const placesOf = (campaign: SQL) => ({
  before: sql`(${campaign} << ${bits})`,
  last: sql`((${campaign} + 1) << ${bits}) - 1`,
})

/** The number of the campaign whose lead has this place. */
export const campaignAt = (seq: SQL) => sql`${seq} >> ${bits}`

/** The place of the campaign's last lead, or null. */
export function lastSeqOf(campaign: SQL): SQL {
  const { before, last } = placesOf(campaign)
  return sql`(select ${leads.seq} from ${leads} where ${leads.seq} > ${before} and ${leads.seq} <= ${last}
    order by ${leads.seq} desc
    limit 1)`
}

/** Stored by this request. Placeholder `token` (Origin in intake.ts). */
export const isOwn = sql`${leads.token} = ${param('token')}`

/** An erased lead does not exist for any request. */
export const isErased = sql`${leads.erasedAtMs} is not null`

const idFormat = sql.raw(`'%0${timeDigits}x%0${seqDigits}x'`)
/** The id of a lead, or of a call, whose time is that of its claim. */
export const idOf = (atMs: SQL, seq: SQL, token: SQL) => sql`printf(${idFormat}, ${atMs}, ${seq}) || ${token}`
const idText = idOf(sql`${leads.createdAtMs}`, sql`${leads.seq}`, sql`${leads.token}`)

const literal = (text: string) => sql.raw(`'${text}'`)
const quoted = (name: string, value: SQL) => sql`coalesce(${literal(`${name}"`)} || ${value} || '"', '')`
/** What is only quoted cannot hold a quote: validation and the table's checks see to that. */
const memberOf: ByKind<(name: string, value: SQL) => SQL> = {
  phone: quoted,
  text: (name, value) => sql`iif(${value} is null, '', ${literal(name)} || json_quote(${value}))`,
  json: (name, value) => sql`coalesce(${literal(name)} || ${value}, '')`,
  time: quoted,
  number: (name, value) => sql`${literal(name)} || ${value}`,
  zone: quoted,
}
const inOrder = ['phoneNumber', 'externalId', 'metadata', 'scheduledFor', 'timeZone', 'priority'] as const
const [phoneNumber, externalId, metadata, ...others] = withOtherFields(inOrder).map((field) =>
  memberOf[leadFieldTable[field].kind](`,"${field}":`, fromColumn(field)),
)

/** A lead as JSON, written by SQLite: a seventh faster over a list than reading columns and writing JSON here. */
export const leadJson = (campaignId: SQL) => sql`'{"_id":"' || ${idText} || '"'
  || ',"campaignId":' || json_quote(${campaignId})
  || ${phoneNumber} || ${externalId} || ${metadata} || ',"status":"' || ${leads.status} || '"' ||
    ${sql.join(others, sql` || `)}
  || ',"attempts":' || ${leads.attempts} || ',"_creationTime":' || ${leads.createdAtMs} || '}' as json`

/** How a lead's last call ended. Null: no call has ended. */
export const lastOutcomeIn = (companyId: SQL) => sql`(select k.outcome
  from ${calls} as k
  where k.company_id = ${companyId} and k.phone_number = ${leads.phoneNumber} and k.seq = ${leads.seq}
    and k.outcome <> 'released'
  order by k.claimed_at_ms desc limit 1)`

/** From when on it can be called. Null: not in the queue, or leased. */
export const dueAt = sql`${leads.dueAtMs}`
