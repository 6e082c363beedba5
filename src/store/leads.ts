// Leads: all SQL that reads or writes them, and the mapping between a row and what the wire calls it.
// Every function checks the key's right in its own transaction and returns a value, never an HTTP answer.
import { sql } from 'drizzle-orm'
import {
  type Access,
  accessVerdict,
  grantedCampaign,
  type Refusal,
  refusalOf,
  type Verdict,
} from './access.ts'
import { runBatch, statement } from './database.ts'
import { leadSeqBits, type leadStatuses, leads } from './schema.ts'

export type LeadStatus = (typeof leadStatuses)[number]

/** A lead as it is stored: `metadata` is JSON text, exactly as sent. */
export type NewLead = {
  readonly phoneNumber: string
  readonly externalId: string | null
  readonly metadata: string | null
  readonly scheduledFor: string | null
  readonly priority: number
}

/**
 * What makes a request's leads recognisable as its own: chosen before the first try and the same in every
 * retry, so that a try whose answer was lost cannot come back as a false duplicate.
 */
export type Origin = Access & { readonly token: string }

/** 65 bits: two requests that ever meet over one phone number do not share a token. */
export const leadTokenChars = 11

const param = sql.placeholder
const bits = sql.raw(`${leadSeqBits}`)

/** The highest `seq` in use in the campaign of the row `granted`, or the bottom of its range. */
const lastSeq = sql`coalesce((select ${leads.seq} from ${leads}
  where ${leads.seq} between granted.number << ${bits} and ((granted.number + 1) << ${bits}) - 1
  order by ${leads.seq} desc limit 1), granted.number << ${bits})`

const insertedColumns = sql.join(
  [
    leads.seq,
    leads.campaignNumber,
    leads.phoneNumber,
    leads.externalId,
    leads.metadata,
    leads.scheduledFor,
    leads.priority,
    leads.createdAtMs,
    leads.token,
  ].map((column) => sql.identifier(column.name)),
  sql`, `,
)

const insertLead = statement(sql`insert into ${leads} (${insertedColumns})
  select ${lastSeq} + 1, granted.number, ${param('phoneNumber')}, ${param('externalId')}, ${param('metadata')},
    ${param('scheduledFor')}, ${param('priority')}, ${param('nowMs')}, ${param('token')}
  from ${grantedCampaign('write')} as granted where true
  on conflict do nothing`)

const leadByPhone =
  statement(sql`select verdict.number, ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token}
  from ${accessVerdict('write')} as verdict
  left join ${leads} on ${leads.campaignNumber} = verdict.number and ${leads.phoneNumber} = ${param('phoneNumber')}`)

export type CreateOutcome = Refusal | { readonly kind: 'created' | 'exists'; readonly leadId: string }

/** Stores one lead unless its phone number is already in the campaign. Throws DatabaseUnavailable. */
export async function createLead(db: D1Database, origin: Origin, lead: NewLead): Promise<CreateOutcome> {
  const values = { ...origin, ...lead }
  const [, found] = await runBatch(db, [insertLead(db, values), leadByPhone(db, values)])
  const row = found?.[0] as (Verdict & LeadKey) | undefined
  const refusal = refusalOf(row)
  if (refusal !== null || row === undefined) return refusal ?? { kind: 'key_refused' }
  return { kind: row.token === origin.token ? 'created' : 'exists', leadId: leadIdOf(row) }
}

// `item` is one lead as an array: JSON without its keys is a third smaller.
const insertLeads = statement(sql`insert into ${leads} (${insertedColumns})
  select ${lastSeq} + item.key + 1, granted.number, item.value ->> 0, item.value ->> 1, item.value ->> 2,
    item.value ->> 3, item.value ->> 4, ${param('nowMs')}, ${param('token')}
  from ${grantedCampaign('write')} as granted, json_each(${param('items')}) as item where true
  on conflict do nothing`)

const writeVerdict = statement(sql`select verdict.number from ${accessVerdict('write')} as verdict`)

// `cross join` keeps SQLite from reading the whole campaign to look each lead up in the list.
const leadsOfRequest = statement(sql`select item.key as "index", ${leads.seq}
  from ${grantedCampaign('write')} as granted cross join json_each(${param('phoneNumbers')}) as item
  cross join ${leads} on ${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = item.value
  where ${leads.token} = ${param('token')} order by item.key`)

export type BulkOutcome =
  | Refusal
  | {
      readonly kind: 'imported'
      /** Both in input order. Every lead of the input is in one of them (D12, D13). */
      readonly createdIds: readonly string[]
      readonly skippedPhones: readonly string[]
    }

/**
 * Stores the leads whose phone numbers are not in the campaign yet, all in one transaction; of those that
 * repeat within the input, the first. Throws DatabaseUnavailable.
 */
export async function createLeads(
  db: D1Database,
  origin: Origin,
  input: readonly NewLead[],
): Promise<BulkOutcome> {
  const firstIndexes = new Map<string, number>()
  input.forEach((lead, index) => {
    if (!firstIndexes.has(lead.phoneNumber)) firstIndexes.set(lead.phoneNumber, index)
  })
  const indexes = [...firstIndexes.values()]
  const slices = inSlices(indexes.map((index) => itemJson(input[index] as NewLead)))
  const phoneNumbers = JSON.stringify([...firstIndexes.keys()])

  const results = await runBatch(db, [
    writeVerdict(db, origin),
    ...slices.map((items) => insertLeads(db, { ...origin, items })),
    leadsOfRequest(db, { ...origin, phoneNumbers }),
  ])
  const refusal = refusalOf(results[0]?.[0] as Verdict | undefined)
  if (refusal !== null) return refusal

  const created = results.at(-1) as { index: number; seq: number }[]
  const createdIndexes = new Set(created.map((row) => indexes[row.index]))
  return {
    kind: 'imported',
    createdIds: created.map((row) => leadIdOf({ ...row, createdAtMs: origin.nowMs, token: origin.token })),
    skippedPhones: input.filter((_, index) => !createdIndexes.has(index)).map((lead) => lead.phoneNumber),
  }
}

function itemJson(lead: NewLead): string {
  return JSON.stringify([lead.phoneNumber, lead.externalId, lead.metadata, lead.scheduledFor, lead.priority])
}

/** D1 refuses a parameter of more than 2 MB. */
const sliceMaxBytes = 1_500_000

/** JSON arrays of the items, in order, none much longer than a parameter may be. */
function inSlices(items: readonly string[]): string[] {
  const slices: string[] = []
  let slice: string[] = []
  let bytes = 0
  for (const item of items) {
    const itemBytes = Buffer.byteLength(item)
    if (slice.length > 0 && bytes + itemBytes > sliceMaxBytes) {
      slices.push(`[${slice.join()}]`)
      slice = []
      bytes = 0
    }
    slice.push(item)
    bytes += itemBytes + 1
  }
  return [...slices, `[${slice.join()}]`]
}

const pageRows = 1000

const leadPage = statement(sql`select ${leads.seq}, ${leads.phoneNumber} as "phoneNumber",
    ${leads.externalId} as "externalId", ${leads.metadata}, ${leads.status}, ${leads.scheduledFor} as "scheduledFor",
    ${leads.priority}, ${leads.attempts}, ${leads.createdAtMs} as "createdAtMs", ${leads.token}
  from ${grantedCampaign('read')} as granted join ${leads}
    on ${leads.seq} > max(granted.number << ${bits}, ${param('afterSeq')})
    and ${leads.seq} <= min(((granted.number + 1) << ${bits}) - 1, ${param('untilSeq')})
  where ${param('status')} is null or ${leads.status} = ${param('status')}
  order by ${leads.seq} limit ${sql.raw(`${pageRows}`)}`)

const listVerdict = statement(sql`select granted.number, ${lastSeq} as "lastSeq"
  from ${accessVerdict('read')} as granted`)

export type LeadPage = {
  readonly kind: 'page'
  /** Each lead as the JSON text of its wire form. */
  readonly leads: readonly string[]
  /** Reads the next page, or null after the last. Leads created since the first page are not in any. */
  readonly next: (() => Promise<LeadPage | Refusal>) | null
}

/** The leads of a campaign in commit order, up to 1000 at a time. Throws DatabaseUnavailable. */
export function listLeads(
  db: D1Database,
  access: Access,
  status: LeadStatus | null,
): Promise<LeadPage | Refusal> {
  return readPage(db, access, status, 0, Number.MAX_SAFE_INTEGER)
}

async function readPage(
  db: D1Database,
  access: Access,
  status: LeadStatus | null,
  afterSeq: number,
  untilSeq: number,
): Promise<LeadPage | Refusal> {
  const values = { ...access, status, afterSeq, untilSeq }
  const [verdicts, found] = await runBatch(db, [listVerdict(db, values), leadPage(db, values)])
  const verdict = verdicts?.[0] as (Verdict & { lastSeq: number }) | undefined
  const refusal = refusalOf(verdict)
  if (refusal !== null || verdict === undefined) return refusal ?? { kind: 'key_refused' }

  const rows = found as LeadRow[]
  const reachedSeq = rows.at(-1)?.seq ?? untilSeq
  const endSeq = Math.min(untilSeq, verdict.lastSeq)
  const isLast = rows.length < pageRows || reachedSeq >= endSeq
  const campaignIdJson = JSON.stringify(access.campaignId)
  return {
    kind: 'page',
    leads: rows.map((row) => leadJson(row, campaignIdJson)),
    next: isLast ? null : () => readPage(db, { ...access, nowMs: Date.now() }, status, reachedSeq, endSeq),
  }
}

type LeadKey = { readonly seq: number; readonly createdAtMs: number; readonly token: string }
type LeadRow = LeadKey & NewLead & { readonly status: LeadStatus; readonly attempts: number }

/** `_id`: opaque to clients, ordered by time of creation, 36 characters (D15). */
function leadIdOf({ createdAtMs, seq, token }: LeadKey): string {
  return createdAtMs.toString(16).padStart(11, '0') + seq.toString(16).padStart(14, '0') + token
}

/**
 * The wire form of a lead, the one place that spells it. Written as text because `metadata` must come back as
 * it was sent. Phone number and status need no escaping: validation and a check of the table see to that.
 */
function leadJson(row: LeadRow, campaignIdJson: string): string {
  const externalId = row.externalId === null ? '' : `,"externalId":${JSON.stringify(row.externalId)}`
  const metadata = row.metadata === null ? '' : `,"metadata":${row.metadata}`
  const scheduledFor = row.scheduledFor === null ? '' : `,"scheduledFor":${JSON.stringify(row.scheduledFor)}`
  return (
    `{"_id":"${leadIdOf(row)}","campaignId":${campaignIdJson},"phoneNumber":"${row.phoneNumber}"` +
    `${externalId}${metadata},"status":"${row.status}"${scheduledFor},"priority":${row.priority}` +
    `,"attempts":${row.attempts},"_creationTime":${row.createdAtMs}}`
  )
}
