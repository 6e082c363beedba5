// Reads entries of a company's log with the personal data of their leads and calls as it is now, without what was
// erased since. Facts of the moment are in the entry. Which entries, and for whom, is decided by the caller's `page`.
import { type SQL, sql } from 'drizzle-orm'
import { actorName } from '../../../base/access/store/actor-name.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import type { EntryType } from '../../../base/ledger/log/event-types.ts'
import { events } from '../../../base/ledger/log/tables.ts'
import { callIdOf } from '../../../queue/calling/call.ts'
import { callDetails } from '../../../queue/calling/store/tables.ts'
import { type LeadKey, type LeadStatus, leadIdOf } from '../../../queue/leads/lead.ts'
import { originJson } from '../../../queue/leads/origin/store/origin-sql.ts'
import { leads } from '../../../queue/leads/store/tables.ts'

/** What the `data` of an entry says about a call. */
type CallFacts = {
  readonly claimedAtMs: number
  readonly token: string
  readonly outcome: string
  /** The lead's, after the call. */
  readonly status: LeadStatus
  readonly attempts: number
  readonly isLastAttempt: 0 | 1
  /** The call ended the lead. */
  readonly isEnd: 0 | 1
  /** The report is the first to say that the number must not be called again. */
  readonly doNotCall?: 0 | 1
  /** The consent that the reported call used. Absent: logged before there were any. */
  readonly consentId?: string | null
  /** The person rang. Absent: logged before anybody could. */
  readonly isInbound?: 0 | 1
}

/** Personal data is as it is now, and null once it was erased. */
export type EntryLead = {
  readonly leadId: string
  readonly externalId: string | null
  /** Null also when it was not requested. */
  readonly phoneNumber: string | null
  /** JSON text. */
  readonly metadata: string | null
}

export type EntryCall = Omit<CallFacts, 'claimedAtMs' | 'token' | 'isLastAttempt' | 'isEnd' | 'doNotCall'> & {
  readonly callId: string
  readonly isLastAttempt: boolean
  readonly isEnd: boolean
  readonly doNotCall: boolean
  /** JSON text; null also when it was not requested. */
  readonly details: string | null
  /** The provider's id of a call that was started. It may hold the number, so the log does not. */
  readonly providerCallId: string | null
}

export type LogEntry = {
  readonly number: number
  readonly atMs: number
  readonly type: EntryType
  readonly actor: string
  /** The member's, as it is now. */
  readonly actorName: string | null
  /** Null: the whole company. */
  readonly campaignId: string | null
  /** As it is now. */
  readonly campaignName?: string | null
  /** The place of its lead, or of the first that was created. */
  readonly leadSeq: number | null
  /** The lead that an entry is about. */
  readonly lead: EntryLead | null
  /** The call that an entry is about. */
  readonly call: EntryCall | null
  /** With `leads.created`: the leads that were not erased since. */
  readonly leadIds: readonly string[]
  /** Where these came from; null: unknown, or another entry. */
  readonly origin: object | null
  /** The same leads'; null when they were not requested. */
  readonly externalIds: readonly (string | null)[] | null
  readonly data: Readonly<Record<string, unknown>>
}

/** Without a lead, its columns are null. */
type PageRow = Omit<LogEntry, 'lead' | 'call' | 'leadIds' | 'origin' | 'externalIds' | 'data'> &
  Omit<LeadKey, 'seq'> &
  Omit<EntryLead, 'leadId'> & {
    readonly seq: number | null
    readonly details: string | null
    readonly providerCallId: string | null
    readonly data: string
    /** JSON: of `leads.created`, Created. */
    readonly created: string | null
  }

/** The columns of an entry; `page` must be a select of them from `events as e`, in the order of the log. */
export const pageColumns = sql`e.company_id, e.number, e.at_ms, e.type, e.actor, e.campaign_number, e.lead_seq,
  e.data`

export const eventsTable = sql`${events} as e`

/** Which personal data is read, each as a condition in SQL, and whether the external ids of created leads are. */
type IncludedSql = {
  readonly phoneNumber: SQL
  readonly metadata: SQL
  readonly details: SQL
  readonly externalIds: boolean
}

/** Events hold ids only: clients read the lead for more. */
export const nothingIncluded: IncludedSql = {
  ...{ phoneNumber: sql`0`, metadata: sql`0`, details: sql`0` },
  externalIds: false,
}

/** How many leads an entry names, in SQL and of an entry that was read. */
const leadCount = sql`iif(e.type = 'leads.created', e.data ->> 'count', 1)`
const leadCountOf = ({ type, data }: LogEntry) => (type === 'leads.created' ? Number(data.count) : 1)

/** The entries of `found`, a select of pageColumns, up to and including the one that reaches so many leads. */
export const upToLeads = (found: SQL, maxLeads: number) =>
  sql`select * from (select ${pageColumns}, coalesce(sum(${leadCount})
      over (order by e.number rows between unbounded preceding and 1 preceding), 0) as leads_before
    from (${found}) as e) as e
    where e.leads_before < ${sql.raw(`${maxLeads}`)}`

/** Whether upToLeads may have left out entries after these. */
export const isCut = (entries: readonly LogEntry[], maxLeads: number) =>
  entries.reduce((sum, entry) => sum + leadCountOf(entry), 0) >= maxLeads

/** The query of a page, in one pass over its entries, and the reader of its rows. */
export function logPage(
  page: SQL,
  included: IncludedSql,
): { readonly query: SQL; readonly read: (rows: readonly unknown[]) => readonly LogEntry[] } {
  // Left joins and a subquery for each entry: otherwise SQLite reads all leads, and looks for the entry of each.
  const query = sql`select e.number, e.at_ms as "atMs", e.type, e.actor,
      ${actorName(sql`e.actor`)} as "actorName", ${campaigns.id} as "campaignId",
      ${campaigns.name} as "campaignName",
      e.lead_seq as "leadSeq", e.data, ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
      ${leads.externalId} as "externalId",
      iif(${included.phoneNumber} and ${leads.erasedAtMs} is null, ${leads.phoneNumber}, null) as "phoneNumber",
      iif(${included.metadata}, ${leads.metadata}, null) as metadata,
      iif(${leads.seq} is not null and ${included.details}, (select d.details from ${callDetails} as d
        where d.seq = e.lead_seq and d.claimed_at_ms = e.data ->> 'claimedAtMs'), null) as details,
      iif(${leads.seq} is not null and e.type = 'call.started', (select k.provider_call_id from ${calls} as k
        where k.company_id = e.company_id and k.phone_number = ${leads.phoneNumber}
          and k.claimed_at_ms = e.data ->> 'claimedAtMs' and k.seq = e.lead_seq), null) as "providerCallId",
      iif(e.type = 'leads.created', (select json_object('leads', json(c.leads),
          'origin', json(${originJson(sql`c.origin`, sql`c.import_name`)}))
        from (select json_group_array(json_array(c.seq, c.created_at_ms, c.token
              ${included.externalIds ? sql`, c.external_id` : sql``})
              order by c.seq) filter (where c.erased_at_ms is null) as leads,
            max(c.origin) as origin, max(c.import_name) as import_name
          from ${leads} as c
          where c.seq between e.lead_seq and e.data ->> 'last' and c.token = e.data ->> 'token') as c), null) as created
    from (${page}) as e
      left join ${campaigns} on ${campaigns.number} = e.campaign_number
      left join ${leads} on ${leads.seq} = e.lead_seq and e.type <> 'leads.created'
    order by e.number`
  return { query, read: (rows) => (rows as PageRow[]).map((row) => readEntry(row, included.externalIds)) }
}

type CreatedLead = readonly [seq: number, createdAtMs: number, token: string, externalId: string | null]
/** The origin is that of all leads of the request: its kind alone once they are erased. */
type Created = { readonly leads: readonly CreatedLead[]; readonly origin: object | null }
const noneCreated = '{"leads":[],"origin":null}'

function readEntry(row: PageRow, hasExternalIds: boolean): LogEntry {
  const { number, atMs, type, actor, actorName, campaignId, campaignName = null, leadSeq } = row
  const { seq, createdAtMs, token, externalId, phoneNumber, metadata, details, providerCallId } = row
  const { leads: created, origin } = JSON.parse(row.created ?? noneCreated) as Created
  const data = JSON.parse(row.data)
  return {
    ...{ number, atMs, type, actor, actorName, campaignId, campaignName, leadSeq },
    lead:
      seq === null
        ? null
        : { leadId: leadIdOf({ seq, createdAtMs, token }), externalId, phoneNumber, metadata },
    call:
      seq !== null && type.startsWith('call.') ? { ...entryCall(seq, data), details, providerCallId } : null,
    leadIds: created.map(([seq, createdAtMs, token]) => leadIdOf({ seq, createdAtMs, token })),
    origin,
    externalIds: hasExternalIds ? created.map(([, , , externalId]) => externalId) : null,
    data,
  }
}

function entryCall(seq: number, data: CallFacts): Omit<EntryCall, 'details' | 'providerCallId'> {
  const { claimedAtMs, token, isLastAttempt, isEnd, doNotCall, ...facts } = data
  return {
    ...facts,
    callId: callIdOf({ claimedAtMs, seq, token }),
    isLastAttempt: isLastAttempt === 1,
    isEnd: isEnd === 1,
    doNotCall: doNotCall === 1,
  }
}
