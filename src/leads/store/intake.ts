// What storing one lead and storing many have in common: whose leads they are, the statements, and what a try has found.
import { type SQL, sql } from 'drizzle-orm'
import { type Access, grantedCampaign, type Verdict } from '../../access/store/rights.ts'
import type { BatchResult } from '../../database/database.ts'
import { appendIfListening, entryColumns, listenedTo } from '../../ledger/log/append.ts'
import { cannotTakeIn } from '../../ledger/suppression/hashed-numbers.ts'
import { hashOfCalls } from '../../ledger/suppression/number-calls.ts'
import type { NumberHashes } from '../../ledger/suppression/number-hash.ts'
import { parseTimestampMs } from '../../timestamp.ts'
import { leadFieldNames, type NewLead } from '../fields.ts'
import type { LeadKey } from '../lead.ts'
import { isQuiet } from './count-intake.ts'
import { queuePlace } from './queue.ts'
import { columnNameOf, isOwn, lastSeqOf, placesOf, toColumn } from './row.ts'
import { leads } from './tables.ts'

/**
 * Whose leads these are, chosen before the first try and the same in every later one: a lead in the table with
 * this token was stored by this very request, even when the answer that said so was lost.
 */
export type Origin = Access & {
  readonly token: string
  /** Names the Idempotency-Key of the request for its API key, if it has one; then the token follows from both. */
  readonly requestKey: string | null
  /** Token and request key that the same request has in leads of an earlier version, where they are others. */
  readonly former?: { readonly token: string; readonly requestKey: string | null } | null
  /** Of the company's numbers: one may be suppressed by its hash alone. */
  readonly hashes: NumberHashes
}

/** The request's Idempotency-Key belongs to another request. */
export type Reused = { readonly kind: 'reused' }

const param = sql.placeholder

/** What the statements of a request are given of its former origin. */
export const formerValues = ({ token, requestKey, former }: Origin) => ({
  formerToken: former?.token ?? token,
  formerRequestKey: former?.requestKey ?? requestKey,
})

/** The same of a lead that was read. */
export const isOwnToken = ({ token, former }: Origin, stored: string) =>
  stored === token || stored === former?.token

/** True when the request's Idempotency-Key has stored something for another request. */
const isReused = sql`exists (select 1 from ${leads}
  where ${leads.requestKey} in (${param('requestKey')}, ${param('formerRequestKey')}) and not ${isOwn})`

/** What a statement needs to know of a lead: what a client may say of it, and when that means to call. */
type StoredField = keyof NewLead | 'scheduledAtMs' | 'numberHash'

/**
 * Stores a lead for each row of `source` behind the campaign's last lead, and in its place of the calling queue; one
 * whose number is suppressed is stored, and not queued (D48). `place` is where behind it, from 1; `fieldOf` gives the
 * value of a field, which is the one with this index.
 */
export function insertFrom(
  source: SQL,
  place: SQL,
  fieldOf: (field: StoredField, index: number) => SQL,
): SQL {
  const fields = Object.fromEntries(
    leadFieldNames.map((field, index) => [field, fieldOf(field, index)]),
  ) as Record<keyof NewLead, SQL>
  const createdAtMs = sql`max(${param('nowMs')}, coalesce(last.created_at_ms, 0))`
  const scheduledAtMs = fieldOf('scheduledAtMs', leadFieldNames.length)
  const queued = queuePlace({ scheduledAtMs, priority: fields.priority, createdAtMs })
  const numberHash = fieldOf('numberHash', leadFieldNames.length + 1)
  const values: { readonly [Column in keyof typeof leads.$inferSelect]?: SQL } = {
    seq: sql`coalesce(last.seq, ${placesOf(sql`granted.number`).before}) + ${place}`,
    campaignNumber: sql`granted.number`,
    ...Object.fromEntries(
      leadFieldNames.map((field) => [columnNameOf(field), toColumn(field, fields[field])]),
    ),
    createdAtMs,
    requestKey: sql`${param('requestKey')}`,
    token: sql`${param('token')}`,
    queueRank: queued.rank,
    dueAtMs: sql`iif(${isQuiet(sql`granted`, fields.phoneNumber, numberHash)}, null, ${queued.dueAtMs})`,
    numberHash: hashOfCalls(sql`granted.company_id`, numberHash),
  }
  const columns = Object.keys(values).map((field) => sql.identifier(leads[field as keyof typeof values].name))
  return sql`insert into ${leads} (${sql.join(columns, sql`, `)}) select ${sql.join(Object.values(values), sql`, `)}
    from ${grantedCampaign('write')} as granted
      left join ${leads} as last on last.seq = ${lastSeqOf(sql`granted.number`)} ${source}
    where not ${isReused} and not ${cannotTakeIn(sql`granted.company_id`)} on conflict do nothing`
}

/**
 * One entry of the log for all leads that the request is about to store: a later try finds them there, and nothing to
 * tell. `source` joins the phone numbers, `count` is how many places they may take behind the campaign's last lead.
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
  return appendIfListening(sql`select ${entry} from (
    select granted.company_id, granted.number, count(*) as count
    from ${listenedTo(grantedCampaign('write'))} as granted ${source}
    where not ${isReused} and not ${cannotTakeIn(sql`granted.company_id`)} and not exists (select 1 from ${leads}
      where ${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = ${phoneNumber})
    group by granted.company_id, granted.number) as stored`)
}

/** The campaign that the request stores leads in; no row when it stores none. */
export const intake = sql`(select granted.* from ${grantedCampaign('write')} as granted
  where not ${isReused} and not ${cannotTakeIn(sql`granted.company_id`)})`

/** What decides whether anything is stored. */
export const intakeVerdict = sql`verdict.number, ${isReused} as "isReused",
  ${cannotTakeIn(sql`verdict.company_id`)} as "isPepperLost"`

export type IntakeVerdict = Verdict & { readonly isReused: number; readonly isPepperLost: number }

/** Whether an earlier request with the same origin stored these leads, rather than this one. */
export function isReplay(batch: BatchResult, origin: Origin, own: readonly LeadKey[]): boolean {
  if (batch.rowsChanged > 0 || own.length === 0) return false
  // After a retry, what is found may be this request's own first try.
  return batch.tries === 1 || own.every((row) => row.createdAtMs < origin.nowMs)
}

export function scheduledAtMsOf({ scheduledFor }: NewLead): number | null {
  return scheduledFor === null ? null : parseTimestampMs(scheduledFor)
}
