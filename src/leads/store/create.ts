// Writing leads. Every function checks the key's right in its own transaction and returns a value, never an HTTP
// answer. Reading them is in read.ts and pages.ts.
import { type SQL, sql } from 'drizzle-orm'
import {
  type Access,
  accessVerdict,
  grantedCampaign,
  type PepperLost,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../access/store/rights.ts'
import { type BatchResult, runBatch, statement } from '../../database/database.ts'
import { inSlices } from '../../database/json-slices.ts'
import { appendIfHeard, entryColumns, heard } from '../../events/store/log.ts'
import { isHashed, isPepperLost } from '../../suppression/store/hashed-numbers.ts'
import { hashingWhenNeeded, type NumberHashes } from '../../suppression/store/number-hash.ts'
import { isSuppressed } from '../../suppression/store/numbers.ts'
import { parseTimestampMs } from '../../timestamp.ts'
import { type LeadKey, leadIdOf, type NewLead, newLeadFields } from '../lead.ts'
import { countLead, countLeads, isQuiet } from './count-intake.ts'
import { queuePlace } from './queue.ts'
import { lastSeqOf, placesOf } from './row.ts'
import { leads } from './tables.ts'

/**
 * Whose leads these are, chosen before the first try and the same in every later one: a lead in the table with
 * this token was stored by this very request, even when the answer that said so was lost.
 */
export type Origin = Access & {
  readonly token: string
  /** Names the Idempotency-Key of the request for its API key, if it has one; then the token follows from both. */
  readonly requestKey: string | null
  /** Of the company's numbers: one may be suppressed by its hash alone. */
  readonly hashes: NumberHashes
}

const param = sql.placeholder

/** True when the request's Idempotency-Key has stored something for another request. */
const isReused = sql`exists (select 1 from ${leads}
  where ${leads.requestKey} = ${param('requestKey')} and ${leads.token} <> ${param('token')})`

/** What a statement needs to know of a lead: what a client may say of it, and when that means to call. */
type StoredField = keyof NewLead | 'scheduledAtMs' | 'numberHash'

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
  const numberHash = fieldOf('numberHash', newLeadFields.length + 1)
  const values = {
    seq: sql`coalesce(last.seq, ${placesOf(sql`granted.number`).before}) + ${place}`,
    campaignNumber: sql`granted.number`,
    ...fields,
    createdAtMs,
    requestKey: sql`${param('requestKey')}`,
    token: sql`${param('token')}`,
    lane: sql`coalesce(${timeZone}, '')`,
    queueRank: queued.rank,
    dueAtMs: sql`iif(${isQuiet(sql`granted`, fields.phoneNumber, numberHash)}, null, ${queued.dueAtMs})`,
  }
  const columns = Object.keys(values).map((field) => sql.identifier(leads[field as keyof typeof values].name))
  return sql`insert into ${leads} (${sql.join(columns, sql`, `)}) select ${sql.join(Object.values(values), sql`, `)}
    from ${grantedCampaign('write')} as granted
      left join ${leads} as last on last.seq = ${lastSeqOf(sql`granted.number`)} ${source}
    where not ${isReused} and not ${isPepperLost(sql`granted.company_id`)} on conflict do nothing`
}

/**
 * One entry of the log for all leads that the request is about to store: a later try finds them there, and nothing to
 * tell. `source` joins the phone numbers, `count` is how many places they may take behind the campaign's last lead.
 */
function logCreated(source: SQL, phoneNumber: SQL, count: SQL): SQL {
  const lastSeq = sql`coalesce(${lastSeqOf(sql`stored.number`)}, ${placesOf(sql`stored.number`).before})`
  const entry = entryColumns({
    type: 'leads.created',
    companyId: sql`stored.company_id`,
    campaignNumber: sql`stored.number`,
    leadSeq: sql`${lastSeq} + 1`,
    data: sql`json_object('last', ${lastSeq} + ${count}, 'count', stored.count, 'token', ${param('token')})`,
  })
  return appendIfHeard(sql`select ${entry} from (
    select granted.company_id, granted.number, count(*) as count
    from ${heard(grantedCampaign('write'))} as granted ${source}
    where not ${isReused} and not ${isPepperLost(sql`granted.company_id`)} and not exists (select 1 from ${leads}
      where ${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = ${phoneNumber})
    group by granted.company_id, granted.number) as stored`)
}

const intake = sql`(select granted.* from ${grantedCampaign('write')} as granted
  where not ${isReused} and not ${isPepperLost(sql`granted.company_id`)})`
const countOne = statement(countLead(intake))
const countMany = statement(countLeads(intake))

const logLead = statement(logCreated(sql``, sql`${param('phoneNumber')}`, sql`1`))

const insertLead = statement(insertFrom(sql``, sql`1`, (field) => sql`${param(field)}`))

/** What decides whether anything is stored. */
const intakeVerdict = sql`verdict.number, ${isReused} as "isReused",
  ${isPepperLost(sql`verdict.company_id`)} as "isPepperLost"`

type IntakeVerdict = Verdict & { readonly isReused: number; readonly isPepperLost: number }

const leadByPhone =
  statement(sql`select ${intakeVerdict}, ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token}
  from ${accessVerdict('write')} as verdict
  left join ${leads} on ${leads.campaignNumber} = verdict.number and ${leads.phoneNumber} = ${param('phoneNumber')}`)

/** The request's Idempotency-Key belongs to another request. */
type Reused = { readonly kind: 'reused' }

export type CreateOutcome =
  | Refusal
  | PepperLost
  | Reused
  | { readonly kind: 'created'; readonly leadId: string; readonly isReplay: boolean }
  | { readonly kind: 'exists'; readonly leadId: string }

/** Stores one lead unless its phone number is already in the campaign. Throws DatabaseUnavailable. */
export function createLead(db: D1Database, origin: Origin, lead: NewLead): Promise<CreateOutcome> {
  return hashingWhenNeeded(origin.keyId, origin.hashes, (hashes) =>
    storeLead(db, { ...origin, hashes }, lead),
  )
}

async function storeLead(db: D1Database, origin: Origin, lead: NewLead): Promise<CreateOutcome> {
  const numberHash = origin.hashes.of(lead.phoneNumber)
  const values = {
    ...origin,
    ...lead,
    timeZone: lead.timeZone ?? null,
    scheduledAtMs: scheduledAtMsOf(lead),
    numberHash,
    pepperCheck: origin.hashes.pepperCheck,
  }
  const batch = await runBatch(
    db,
    [countOne, logLead, insertLead, leadByPhone].map((step) => step(db, values)),
  )
  const row = batch.rows.at(-1)?.[0] as (IntakeVerdict & LeadKey) | undefined
  const refusal = refusalOf(row)
  if (refusal !== null || row === undefined) return refusal ?? { kind: 'key_refused' }
  if (row.isPepperLost) return { kind: 'pepper_lost' }
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

const logLeads = statement(
  logCreated(
    sql`cross join json_each(${param('phoneNumbers')}) as item`,
    sql`item.value ->> 0`,
    sql`json_array_length(${param('phoneNumbers')})`,
  ),
)

const writeVerdict = statement(sql`select ${intakeVerdict} from ${accessVerdict('write')} as verdict`)

// `cross join` keeps SQLite from reading the whole campaign to look each lead up in the list. One row with all that
// was found: D1 takes longer to make a thousand objects of a thousand rows than SQLite to find them. A number that is
// in no lead is told of too: a dry run says whether it is suppressed. An element is a number with its hash.
const phoneOfItem = sql`(item.value ->> 0)`
const leadsByPhones = statement(sql`select
    json_group_array(json_array(item.key, ${leads.seq}, ${leads.createdAtMs}, ${leads.token},
      iif(${param('ofOthersToo')}, ${isSuppressed(sql`granted.company_id`, phoneOfItem, sql`granted.number`)}
        or ${isHashed(sql`granted.company_id`, sql`item.value ->> 1`)}, 0))) as found
  from ${grantedCampaign('write')} as granted cross join json_each(${param('phoneNumbers')}) as item
  left join ${leads} on ${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = ${phoneOfItem}
  where ${param('ofOthersToo')} or ${leads.token} = ${param('token')}`)

export type BulkOptions = {
  /** Also tell the ids of leads that were there before. */
  readonly withSkippedIds: boolean
  /** Tell what would happen, and store nothing. */
  readonly isDryRun: boolean
  /** How many leads of the request were left out because they could not be understood. */
  readonly invalid: number
}

/** What became of one lead of the input. The id is null where nothing is stored, or it was not asked for. */
export type LeadResult = {
  readonly status: 'created' | 'skipped'
  readonly leadId: string | null
  /** Present when its number must not be called (D48). Only looked for with `withSkippedIds`, and in a dry run. */
  readonly suppressed?: true
}

export type BulkOutcome =
  | Refusal
  | PepperLost
  | Reused
  | { readonly kind: 'imported'; readonly results: readonly LeadResult[]; readonly isReplay: boolean }

/**
 * Stores the leads whose phone numbers are not in the campaign yet, all in one transaction; of those that repeat
 * within the input, the first (D12). The results are in input order. Throws DatabaseUnavailable.
 */
export function createLeads(
  db: D1Database,
  origin: Origin,
  input: readonly NewLead[],
  options: BulkOptions,
): Promise<BulkOutcome> {
  return hashingWhenNeeded(origin.keyId, origin.hashes, (hashes) =>
    storeLeads(db, { ...origin, hashes }, input, options),
  )
}

async function storeLeads(
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
  const { hashes, ...rest } = origin
  const hashOf = new Map(phoneNumbers.map((number) => [number, hashes.of(number)]))
  const toStore = options.isDryRun ? [] : [...firstIndexes.values()].map((index) => input[index] as NewLead)
  const ofOthersToo = options.withSkippedIds || options.isDryRun ? 1 : 0

  const values = {
    ...rest,
    pepperCheck: hashes.pepperCheck,
    phoneNumbers: JSON.stringify([...hashOf]),
    sent: input.length,
    invalid: options.invalid,
    ofOthersToo,
  }
  const batch = await runBatch(db, [
    ...(options.isDryRun ? [] : [countMany(db, values), logLeads(db, values)]),
    ...inSlices(toStore.map((lead) => [...itemOf(lead), hashOf.get(lead.phoneNumber)])).map((slice) =>
      insertLeads(db, { ...values, items: slice }),
    ),
    leadsByPhones(db, values),
    writeVerdict(db, values),
  ])
  const verdict = batch.rows.at(-1)?.[0] as IntakeVerdict | undefined
  const refusal = refusalOf(verdict)
  if (refusal !== null) return refusal
  if (verdict?.isPepperLost) return { kind: 'pepper_lost' }
  if (verdict?.isReused) return { kind: 'reused' }

  const found = readFound(batch.rows.at(-2))
  const rows = new Map(found.map((row) => [phoneNumbers[row.index], row]))
  const results = input.map(({ phoneNumber }, index): LeadResult => {
    const row = rows.get(phoneNumber)
    const isNew = options.isDryRun ? !row?.lead : row?.lead?.token === origin.token
    const isFirst = firstIndexes.get(phoneNumber) === index
    const suppressed = row?.isSuppressed && { suppressed: true as const }
    return {
      status: isNew && isFirst ? 'created' : 'skipped',
      leadId: row?.lead ? leadIdOf(row.lead) : null,
      ...suppressed,
    }
  })
  const own = found.flatMap(({ lead }) => (lead?.token === origin.token ? [lead] : []))
  return { kind: 'imported', results, isReplay: !options.isDryRun && isReplay(batch, origin, own) }
}

/** What is known of a phone number; `index` is its own. */
type Found = { readonly index: number; readonly lead: LeadKey | null; readonly isSuppressed: boolean }

/** Reads the row of leadsByPhones. */
function readFound(rows: readonly unknown[] | undefined): Found[] {
  const row = rows?.[0] as { found: string } | undefined
  return (JSON.parse(row?.found ?? '[]') as [number, number | null, number, string, 0 | 1][]).map(
    ([index, seq, createdAtMs, token, isSuppressed]) => ({
      index,
      lead: seq === null ? null : { seq, createdAtMs, token },
      isSuppressed: isSuppressed === 1,
    }),
  )
}

/** Whether an earlier request with the same origin stored these leads, rather than this one. */
function isReplay(batch: BatchResult, origin: Origin, own: readonly LeadKey[]): boolean {
  if (batch.rowsChanged > 0 || own.length === 0) return false
  // After a retry, what is found may be this request's own first try.
  return batch.tries === 1 || own.every((row) => row.createdAtMs < origin.nowMs)
}

/** In the order of insertLeads, without the number's hash. */
function itemOf(lead: NewLead): readonly unknown[] {
  return [...newLeadFields.map((field) => lead[field]), scheduledAtMsOf(lead)]
}

function scheduledAtMsOf({ scheduledFor }: NewLead): number | null {
  return scheduledFor === null ? null : parseTimestampMs(scheduledFor)
}
