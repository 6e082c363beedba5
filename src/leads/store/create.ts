// Writing leads. Every function checks the key's right in its own transaction and returns a value, never an HTTP
// answer. Reading them is in read.ts and pages.ts.
import { type SQL, sql } from 'drizzle-orm'
import {
  type Access,
  accessVerdict,
  grantedCampaign,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../access/store/rights.ts'
import { type BatchResult, runBatch, statement } from '../../database/database.ts'
import { isSuppressed } from '../../suppression/store/numbers.ts'
import { type LeadKey, leadIdOf, type NewLead, newLeadFields } from '../lead.ts'
import { queuePlace } from './queue.ts'
import { lastSeqOf, placesOf } from './row.ts'
import { inSlices, scheduledAtMsOf } from './slices.ts'
import { leads } from './tables.ts'

/**
 * Whose leads these are, chosen before the first try and the same in every later one: a lead in the table with
 * this token was stored by this very request, even when the answer that said so was lost.
 */
export type Origin = Access & {
  readonly token: string
  /** Names the Idempotency-Key of the request for its API key, if it has one; then the token follows from both. */
  readonly requestKey: string | null
}

const param = sql.placeholder

/** True when the request's Idempotency-Key has stored something for another request. */
const isReused = sql`exists (select 1 from ${leads}
  where ${leads.requestKey} = ${param('requestKey')} and ${leads.token} <> ${param('token')})`

/** What a statement needs to know of a lead: what a client may say of it, and when that means to call. */
type StoredField = keyof NewLead | 'scheduledAtMs'

/**
 * Stores a lead for each row of `source` behind the campaign's last lead, and in its place of the calling queue; one
 * whose number is suppressed is stored, and not queued (D48). `place` is where behind it, from 1; `fieldOf` gives the
 * value of a field, which is the one with this index.
 */
function insertFrom(source: SQL, place: SQL, fieldOf: (field: StoredField, index: number) => SQL): SQL {
  const { timeZone, ...fields } = Object.fromEntries(
    newLeadFields.map((field, index) => [field, fieldOf(field, index)]),
  ) as Record<keyof NewLead, SQL>
  const createdAtMs = sql`max(${param('nowMs')}, coalesce(last.created_at_ms, 0))`
  const scheduledAtMs = fieldOf('scheduledAtMs', newLeadFields.length)
  const queued = queuePlace({ scheduledAtMs, priority: fields.priority, createdAtMs })
  const isQuiet = isSuppressed(sql`granted.company_id`, fields.phoneNumber, sql`granted.number`)
  const values = {
    seq: sql`coalesce(last.seq, ${placesOf(sql`granted.number`).before}) + ${place}`,
    campaignNumber: sql`granted.number`,
    ...fields,
    createdAtMs,
    requestKey: sql`${param('requestKey')}`,
    token: sql`${param('token')}`,
    lane: sql`coalesce(${timeZone}, '')`,
    queueRank: queued.rank,
    dueAtMs: sql`iif(${isQuiet}, null, ${queued.dueAtMs})`,
  }
  const columns = Object.keys(values).map((field) => sql.identifier(leads[field as keyof typeof values].name))
  return sql`insert into ${leads} (${sql.join(columns, sql`, `)}) select ${sql.join(Object.values(values), sql`, `)}
    from ${grantedCampaign('write')} as granted
      left join ${leads} as last on last.seq = ${lastSeqOf(sql`granted.number`)} ${source}
    where not ${isReused} on conflict do nothing`
}

const insertLead = statement(insertFrom(sql``, sql`1`, (field) => sql`${param(field)}`))

const leadByPhone = statement(sql`select verdict.number, ${isReused} as "isReused", ${leads.seq},
    ${leads.createdAtMs} as "createdAtMs", ${leads.token}
  from ${accessVerdict('write')} as verdict
  left join ${leads} on ${leads.campaignNumber} = verdict.number and ${leads.phoneNumber} = ${param('phoneNumber')}`)

/** The request's Idempotency-Key belongs to another request. */
type Reused = { readonly kind: 'reused' }

export type CreateOutcome =
  | Refusal
  | Reused
  | { readonly kind: 'created'; readonly leadId: string; readonly isReplay: boolean }
  | { readonly kind: 'exists'; readonly leadId: string }

/** Stores one lead unless its phone number is already in the campaign. Throws DatabaseUnavailable. */
export async function createLead(db: D1Database, origin: Origin, lead: NewLead): Promise<CreateOutcome> {
  const values = {
    ...origin,
    ...lead,
    timeZone: lead.timeZone ?? null,
    scheduledAtMs: scheduledAtMsOf(lead),
  }
  const batch = await runBatch(db, [insertLead(db, values), leadByPhone(db, values)])
  const row = batch.rows[1]?.[0] as (Verdict & LeadKey & { isReused: number }) | undefined
  const refusal = refusalOf(row)
  if (refusal !== null || row === undefined) return refusal ?? { kind: 'key_refused' }
  if (row.isReused) return { kind: 'reused' }
  const leadId = leadIdOf(row)
  if (row.token !== origin.token) return { kind: 'exists', leadId }
  return { kind: 'created', leadId, isReplay: isReplay(batch, origin, [row]) }
}

// `item` is one lead as an array: JSON without its keys is a third smaller.
const insertLeads = statement(
  insertFrom(
    sql`cross join json_each(${param('items')}) as item`,
    sql`item.key + 1`,
    (_, index) => sql`item.value ->> ${sql.raw(`${index}`)}`,
  ),
)

const writeVerdict = statement(
  sql`select verdict.number, ${isReused} as "isReused" from ${accessVerdict('write')} as verdict`,
)

// `cross join` keeps SQLite from reading the whole campaign to look each lead up in the list. One row with all that
// was found: D1 takes longer to make a thousand objects of a thousand rows than SQLite to find them.
const leadsByPhones = statement(sql`select
    json_group_array(json_array(item.key, ${leads.seq}, ${leads.createdAtMs}, ${leads.token},
      ${leads.dueAtMs} is null and ${leads.status} = 'raw')) as found
  from ${grantedCampaign('write')} as granted cross join json_each(${param('phoneNumbers')}) as item
  cross join ${leads} on ${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = item.value
  where ${param('ofOthersToo')} or ${leads.token} = ${param('token')}`)

export type BulkOptions = {
  /** Also tell the ids of leads that were there before. */
  readonly withSkippedIds: boolean
  /** Tell what would happen, and store nothing. */
  readonly isDryRun: boolean
}

/** What became of one lead of the input. The id is null where nothing is stored, or it was not asked for. */
export type LeadResult = {
  readonly status: 'created' | 'skipped'
  readonly leadId: string | null
  /** Present when the lead is stored and its number must not be called (D48). */
  readonly suppressed?: true
}

export type BulkOutcome =
  | Refusal
  | Reused
  | { readonly kind: 'imported'; readonly results: readonly LeadResult[]; readonly isReplay: boolean }

/**
 * Stores the leads whose phone numbers are not in the campaign yet, all in one transaction; of those that repeat
 * within the input, the first (D12). The results are in input order. Throws DatabaseUnavailable.
 */
export async function createLeads(
  db: D1Database,
  origin: Origin,
  input: readonly NewLead[],
  options: BulkOptions,
): Promise<BulkOutcome> {
  const firstIndexes = new Map<string, number>()
  input.forEach((lead, index) => {
    if (!firstIndexes.has(lead.phoneNumber)) firstIndexes.set(lead.phoneNumber, index)
  })
  const phoneNumbers = [...firstIndexes.keys()]
  const toStore = options.isDryRun ? [] : [...firstIndexes.values()].map((index) => input[index] as NewLead)
  const ofOthersToo = options.withSkippedIds || options.isDryRun ? 1 : 0

  const batch = await runBatch(db, [
    ...inSlices(toStore).map((slice) => insertLeads(db, { ...origin, items: slice })),
    leadsByPhones(db, { ...origin, phoneNumbers: JSON.stringify(phoneNumbers), ofOthersToo }),
    writeVerdict(db, origin),
  ])
  const verdict = batch.rows.at(-1)?.[0] as (Verdict & { isReused: number }) | undefined
  const refusal = refusalOf(verdict)
  if (refusal !== null) return refusal
  if (verdict?.isReused) return { kind: 'reused' }

  const found = readFound(batch.rows.at(-2))
  const rows = new Map(found.map((row) => [phoneNumbers[row.index], row]))
  const results = input.map(({ phoneNumber }, index): LeadResult => {
    const row = rows.get(phoneNumber)
    const isNew = options.isDryRun ? row === undefined : row?.token === origin.token
    const isFirst = firstIndexes.get(phoneNumber) === index
    const suppressed = row?.isSuppressed && { suppressed: true as const }
    return {
      status: isNew && isFirst ? 'created' : 'skipped',
      leadId: row ? leadIdOf(row) : null,
      ...suppressed,
    }
  })
  const own = found.filter((row) => row.token === origin.token)
  return { kind: 'imported', results, isReplay: !options.isDryRun && isReplay(batch, origin, own) }
}

/** Reads the row of leadsByPhones. `index` is that of the phone number. */
function readFound(
  rows: readonly unknown[] | undefined,
): (LeadKey & { readonly index: number; readonly isSuppressed: boolean })[] {
  const row = rows?.[0] as { found: string } | undefined
  return (JSON.parse(row?.found ?? '[]') as [number, number, number, string, 0 | 1][]).map(
    ([index, seq, createdAtMs, token, isSuppressed]) => ({
      isSuppressed: isSuppressed === 1,
      index,
      seq,
      createdAtMs,
      token,
    }),
  )
}

/** Whether an earlier request with the same origin stored these leads, rather than this one. */
function isReplay(batch: BatchResult, origin: Origin, own: readonly LeadKey[]): boolean {
  if (batch.rowsChanged > 0 || own.length === 0) return false
  // After a retry, what is found may be this request's own first try.
  return batch.tries === 1 || own.every((row) => row.createdAtMs < origin.nowMs)
}
