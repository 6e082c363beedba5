// Reading the log of a company, with what its entries tell of leads and calls as they are at this moment: what was erased
// since is told no more. Who reads which entries is decided by whoever gives the page.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../access/store/tables.ts'
import { callIdOf } from '../../calling/call.ts'
import { callDetails } from '../../calling/store/tables.ts'
import { type Bind, statement } from '../../database/database.ts'
import { type LeadKey, type LeadStatus, leadIdOf } from '../../leads/lead.ts'
import { leads } from '../../leads/store/tables.ts'
import type { EntryType } from '../../ledger/log/event-types.ts'
import { events } from '../../ledger/log/tables.ts'

const param = sql.placeholder

/** What an entry says of a call, in its `data`. */
type CallFacts = {
  readonly claimedAtMs: number
  readonly token: string
  readonly outcome: string
  /** Of the lead, after the call. */
  readonly status: LeadStatus
  readonly attempts: number
  readonly isLastAttempt: 0 | 1
  /** The call has ended the lead. */
  readonly isEnd: 0 | 1
  /** The report has said that the number must not be called again, and nobody had before. */
  readonly doNotCall?: 0 | 1
}

/** A lead as it is now. What is personal is null once it was erased. */
export type EntryLead = {
  readonly leadId: string
  readonly isErased: boolean
  readonly externalId: string | null
  readonly status: LeadStatus
  readonly attempts: number
  /** Null also when nobody asked for them. */
  readonly phoneNumber: string | null
  /** JSON text. */
  readonly metadata: string | null
}

export type EntryCall = Omit<CallFacts, 'claimedAtMs' | 'token' | 'isLastAttempt' | 'isEnd' | 'doNotCall'> & {
  readonly callId: string
  readonly isLastAttempt: boolean
  readonly isEnd: boolean
  readonly doNotCall: boolean
  /** JSON text; null also when nobody asked for it. */
  readonly details: string | null
}

/** An entry of the log with what belongs to it. */
export type LogEntry = {
  readonly number: number
  readonly atMs: number
  readonly type: EntryType
  readonly actor: string
  readonly requestId: string | null
  /** Null: it concerns the company. */
  readonly campaignId: string | null
  /** Of an entry that is about one lead. */
  readonly lead: EntryLead | null
  /** Of an entry that is about a call. */
  readonly call: EntryCall | null
  /** Of `leads.created`: those that are still there. */
  readonly leadIds: readonly string[]
  /** What else the entry says. */
  readonly data: Readonly<Record<string, unknown>>
}

type EntryRow = Omit<LogEntry, 'lead' | 'call' | 'leadIds' | 'data'> & {
  readonly data: string
  /** JSON: of `leads.created`, what the leads' ids are made of. */
  readonly created: string | null
}

type LeadOfEntry = LeadKey &
  Omit<EntryLead, 'leadId' | 'isErased'> & {
    readonly isErased: number
    readonly details: string | null
  }

/** Without a lead, its columns are null. */
type PageRow = EntryRow & (LeadOfEntry | { readonly seq: null })

/** The entry's columns; `page` must be a select of them from `events as e`, in the order of the log. */
export const pageColumns = sql`e.company_id, e.number, e.at_ms, e.type, e.actor, e.request_id, e.campaign_number,
  e.lead_seq, e.data`

export const eventsTable = sql`${events} as e`

/** By default placeholders: `withPhoneNumber`, `withMetadata`, `withDetails`, 1 where it is asked for. */
const askedFor = {
  phoneNumber: sql`${param('withPhoneNumber')}`,
  metadata: sql`${param('withMetadata')}`,
  details: sql`${param('withDetails')}`,
}

/** How many leads an entry names, as SQL and of an entry that was read. */
const leadsNamed = sql`iif(e.type = 'leads.created', e.data ->> 'count', 1)`
const leadsNamedBy = ({ type, data }: LogEntry) => (type === 'leads.created' ? Number(data.count) : 1)

/** Of `found`, which is a select of pageColumns, the entries up to the one with which they name so many leads. */
export const upToLeads = (found: SQL, maxLeads: number, order = sql`e.number`) =>
  sql`select * from (select ${pageColumns}, coalesce(sum(${leadsNamed})
      over (order by ${order} rows between unbounded preceding and 1 preceding), 0) as leads_before
    from (${found}) as e) as e where e.leads_before < ${sql.raw(`${maxLeads}`)}`

/** Whether upToLeads may have left entries out behind these. */
export const isCut = (entries: readonly LogEntry[], maxLeads: number) =>
  entries.reduce((sum, entry) => sum + leadsNamedBy(entry), 0) >= maxLeads

/**
 * The statement of a page, in one pass over its entries, and what reads its rows. Placeholders are those of the page, and
 * of `included`, which says what else is told of leads and calls.
 */
export function logPage(
  page: SQL,
  included = askedFor,
): { readonly step: Bind; readonly read: (rows: readonly unknown[]) => readonly LogEntry[] } {
  // Left joins, and a subquery for each entry, keep SQLite from reading all leads to look for the entry of each.
  const step = statement(sql`select e.number, e.at_ms as "atMs", e.type, e.actor, e.request_id as "requestId",
      ${campaigns.id} as "campaignId", e.data, ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
      ${leads.erasedAtMs} is not null as "isErased", ${leads.externalId} as "externalId", ${leads.status}, ${leads.attempts},
      iif(${included.phoneNumber} and ${leads.erasedAtMs} is null, ${leads.phoneNumber}, null) as "phoneNumber",
      iif(${included.metadata}, ${leads.metadata}, null) as metadata,
      iif(${leads.seq} is not null and ${included.details}, (select d.details from ${callDetails} as d
        where d.seq = e.lead_seq and d.claimed_at_ms = e.data ->> 'claimedAtMs'), null) as details,
      iif(e.type = 'leads.created', (select json_group_array(json_array(c.seq, c.created_at_ms, c.token) order by c.seq)
        from ${leads} as c where c.seq between e.lead_seq and e.data ->> 'last'
          and c.token = e.data ->> 'token' and c.erased_at_ms is null), null) as created
    from (${page}) as e left join ${campaigns} on ${campaigns.number} = e.campaign_number
      left join ${leads} on ${leads.seq} = e.lead_seq and e.type <> 'leads.created'
    order by e.number`)
  return { step, read: (rows) => (rows as PageRow[]).map(readEntry) }
}

function readEntry(row: PageRow): LogEntry {
  const { number, atMs, type, actor, requestId, campaignId, created } = row
  const data = JSON.parse(row.data) as Record<string, unknown>
  const lead = row.seq === null ? null : (row as LeadOfEntry)
  return {
    ...{ number, atMs, type, actor, requestId, campaignId },
    lead: lead && toEntryLead(lead),
    call: lead !== null && type.startsWith('call.') ? toEntryCall(lead, data) : null,
    leadIds: leadIdsOf(created),
    data,
  }
}

function toEntryLead(row: LeadOfEntry): EntryLead {
  const { seq, createdAtMs, token, externalId, status, attempts, phoneNumber, metadata } = row
  return {
    leadId: leadIdOf({ seq, createdAtMs, token }),
    isErased: row.isErased === 1,
    ...{ externalId, status, attempts, phoneNumber, metadata },
  }
}

function toEntryCall({ seq, details }: LeadOfEntry, data: Record<string, unknown>): EntryCall {
  const { claimedAtMs, token, isLastAttempt, isEnd, doNotCall, ...facts } = data as CallFacts
  return {
    ...facts,
    callId: callIdOf({ claimedAtMs, seq, token }),
    isLastAttempt: isLastAttempt === 1,
    isEnd: isEnd === 1,
    doNotCall: doNotCall === 1,
    details,
  }
}

function leadIdsOf(created: string | null): readonly string[] {
  const keys = JSON.parse(created ?? '[]') as [seq: number, createdAtMs: number, token: string][]
  return keys.map(([seq, createdAtMs, token]) => leadIdOf({ seq, createdAtMs, token }))
}
