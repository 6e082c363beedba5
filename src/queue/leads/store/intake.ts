// What storing one lead and storing many share: whose leads they are, the statements, and reading their result.
import { type SQL, sql } from 'drizzle-orm'
import { isLogRead } from '../../../base/access/store/company-log.ts'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  isTakingLeads,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { type BatchResult, param, statement, type Value } from '../../../base/database/database.ts'
import { insertTexts } from '../../../base/ledger/consent/consents.ts'
import { appendAlways, appendIfListening, entryColumns, listenedTo } from '../../../base/ledger/log/append.ts'
import { cannotStore, hashOfCalls } from '../../../base/ledger/suppression/number-calls.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { phoneKey } from '../../../base/ledger/suppression/spellings.ts'
import { parseTimestampMs } from '../../../base/timestamp.ts'
import { leadFieldNames } from '../field-table.ts'
import type { NewLead } from '../fields.ts'
import type { LeadKey } from '../lead.ts'
import { indexOf } from '../search-words.ts'
import { isNumberSuppressed } from './count-intake.ts'
import { columnNameOf, toColumn } from './field-columns.ts'
import { queuePlace } from './queue.ts'
import { isOwn, lastSeqOf, placesOf } from './row.ts'
import { consentSteps, giverOf, storingConsents } from './store-consents.ts'
import { leads } from './tables.ts'

/**
 * Whose leads these are. Chosen before the first try and the same in each retry: a stored lead with this token belongs
 * to this request, even when the database's answer was lost.
 */
export type Origin = Access & {
  readonly token: string
  /** Derived from API key and Idempotency-Key; null without that header. */
  readonly requestKey: string | null
  /** False: nobody read the company's log when the key was looked up. By default it is written where it is read. */
  readonly isLogged?: boolean
  /** The source that stores them. Absent: the actor does. */
  readonly sourceId?: string
  /** What their import is called. Absent or null: they are of none. */
  readonly importName?: string | null
  /** A number may be suppressed by its hash alone. */
  readonly hashes: NumberHashes
}

/** The request's Idempotency-Key belongs to another request. */
export type Reused = { readonly kind: 'reused' }

/** Where leads are stored: an archived campaign is denied. */
const intakeCampaign = grantedCampaign('write', isTakingLeads)
export const intakeAccess = accessVerdict('write', isTakingLeads)

/** The request's Idempotency-Key has stored leads for another request. */
const isReused = sql`exists (select 1 from ${leads}
  where ${leads.requestKey} = ${param('requestKey')} and not ${isOwn})`

/** Else the batch, which has no statement that logs, may store nothing. */
const isLogComplete = (companyId: SQL) => sql`(${param('isLogged')} or not ${isLogRead(companyId)})`

const mayStore = (companyId: SQL) =>
  sql`not ${isReused} and not ${cannotStore(companyId)} and ${isLogComplete(companyId)}`

/** The values of a lead that its insert takes, in the order of an item of a bulk. */
const storedFields: readonly StoredField[] = [
  ...leadFieldNames,
  'scheduledAtMs',
  'numberHash',
  'phoneHash',
  'numberWord',
  'externalWord',
  'words',
]
export type StoredField =
  | keyof NewLead
  | 'scheduledAtMs'
  | 'numberHash'
  | 'phoneHash'
  | 'numberWord'
  | 'externalWord'
  | 'words'

/** Returns a lead's values; the hash is that of its number, where it is known. */
export function valuesOfLeads({ companyId, hashes }: Origin) {
  const index = indexOf(companyId)
  const hashOfPhone = ({ phoneNumber }: NewLead, numberHash: string) => {
    const key = numberHash === '' ? phoneNumber : phoneKey(phoneNumber)
    return key === phoneNumber ? numberHash : hashes.of(key)
  }
  return (lead: NewLead, numberHash: string): Readonly<Record<StoredField, Value>> => ({
    ...lead,
    scheduledAtMs: lead.scheduledFor === null ? null : parseTimestampMs(lead.scheduledFor),
    numberHash,
    phoneHash: hashOfPhone(lead, numberHash),
    ...index(lead),
  })
}
export const itemOf = (values: Readonly<Record<StoredField, Value>>) =>
  storedFields.map((field) => values[field])

/**
 * Stores a lead for each row of `source` after the campaign's last lead, and queues it unless its number is suppressed
 * (D48). `place` counts from 1 after the last lead; `fieldOf` returns the value of a field, by its name or index.
 */
export function insertFrom(
  source: SQL,
  place: SQL,
  fieldOf: (field: StoredField, index: number) => SQL,
): SQL {
  const fields = Object.fromEntries(
    storedFields.map((field, index) => [field, fieldOf(field, index)]),
  ) as Record<StoredField, SQL>
  const createdAtMs = sql`max(${param('nowMs')}, coalesce(last.created_at_ms, 0))`
  const { scheduledAtMs, numberHash, phoneHash, numberWord, externalWord, words } = fields
  const queued = queuePlace({ scheduledAtMs, priority: fields.priority, createdAtMs })
  const values: { readonly [Column in keyof typeof leads.$inferSelect]?: SQL } = {
    seq: sql`coalesce(last.seq, ${placesOf(sql`granted.number`).before}) + ${place}`,
    campaignNumber: sql`granted.number`,
    ...Object.fromEntries(
      leadFieldNames.map((field) => [columnNameOf(field), toColumn(field, fields[field])]),
    ),
    createdAtMs,
    requestKey: sql`${param('requestKey')}`,
    token: sql`${param('token')}`,
    origin: sql`${param('origin')}`,
    importName: sql`${param('importName')}`,
    queueRank: queued.rank,
    dueAtMs: sql`iif(${isNumberSuppressed(sql`granted`, fields.phoneNumber, numberHash)}, null, ${queued.dueAtMs})`,
    // A version before has remembered calls by the number.
    numberHash: sql`coalesce(${hashOfCalls(sql`granted.company_id`, phoneHash)},
      ${hashOfCalls(sql`granted.company_id`, numberHash)})`,
    numberWord,
    externalWord,
    words,
  }
  const columns = Object.keys(values).map((field) => sql.identifier(leads[field as keyof typeof values].name))
  return sql`insert into ${leads} (${sql.join(columns, sql`, `)}) select ${sql.join(Object.values(values), sql`, `)}
    from ${intakeCampaign} as granted
      left join ${leads} as last on last.seq = ${lastSeqOf(sql`granted.number`)} ${source}
    where ${mayStore(sql`granted.company_id`)}
    on conflict do nothing`
}

/**
 * One log entry for all leads that the request is about to store: a retry finds them stored, and logs nothing. `source`
 * joins the phone numbers, `count` is how many places they may take after the campaign's last lead.
 */
export function logCreated(source: SQL, phoneNumber: SQL, count: SQL): SQL {
  const lastSeq = sql`coalesce(${lastSeqOf(sql`stored.number`)}, ${placesOf(sql`stored.number`).before})`
  const entry = entryColumns({
    type: 'leads.created',
    companyId: sql`stored.company_id`,
    campaignNumber: sql`stored.number`,
    leadSeq: sql`${lastSeq} + 1`,
    data: sql`json_object('last', ${lastSeq} + ${count}, 'count', stored.count, 'token', ${param('token')})`,
  })
  return appendIfListening(
    sql`select ${entry} from (${newLeadsOf(listenedTo(intakeCampaign), source, phoneNumber)}) as stored`,
  )
}

/** How many of the phone numbers are no leads yet; no row where there is none. */
const newLeadsOf = (campaign: SQL, source: SQL, phoneNumber: SQL) => sql`
    select granted.company_id, granted.number, count(*) as count
    from ${campaign} as granted ${source}
    where ${mayStore(sql`granted.company_id`)} and not exists (select 1 from ${leads}
      where ${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = ${phoneNumber})
    group by granted.company_id, granted.number`

/** The same for an audit, of an import that has a name. */
export const logImported = (source: SQL, phoneNumber: SQL): SQL =>
  appendAlways(
    sql`select ${entryColumns({
      type: 'leads.imported',
      companyId: sql`stored.company_id`,
      campaignNumber: sql`stored.number`,
      data: sql`json_object('count', stored.count, 'import', ${param('importName')})`,
    })} from (${newLeadsOf(intakeCampaign, source, phoneNumber)}) as stored`,
  )

/** The campaign that the request stores leads in; no row when it stores nothing. */
export const intake = sql`(select granted.* from ${intakeCampaign} as granted
  where ${mayStore(sql`granted.company_id`)})`

const giver = giverOf(sql`(select taken.company_id, taken.number as campaign_number from ${intake} as taken)`)

/**
 * Binds the statements that store the consents of a request's leads, after these, whether or not they existed before.
 */
export const storeIntakeConsents = storingConsents<IntakeNames>(
  statement<IntakeNames | 'texts'>(insertTexts(giver)),
  consentSteps(giver).map(statement<IntakeNames | 'consents'>),
)

/** The placeholders of intake. */
export type IntakeNames = VerdictNames | 'isLogged'

/** Those of insertFrom. */
export type InsertNames = IntakeNames | 'origin' | 'importName'

/** The placeholders of intakeVerdict. */
export type VerdictNames = AccessNames | 'requestKey' | 'token' | 'pepperCheck'

/** Why nothing is stored, if so. */
export const intakeVerdict = sql`verdict.number, ${isReused} as "isReused",
  ${cannotStore(sql`verdict.company_id`)} as "isPepperLost"`

export type IntakeVerdict = Verdict & { readonly isReused: number; readonly isPepperLost: number }

/** Whether an earlier request with the same origin stored these leads. */
export function isReplay(batch: BatchResult, origin: Origin, own: readonly LeadKey[]): boolean {
  if (batch.rowsChanged > 0 || own.length === 0) return false
  // After a retry, the leads may be from this request's own first try.
  return batch.tries === 1 || own.every((row) => row.createdAtMs < origin.nowMs)
}
