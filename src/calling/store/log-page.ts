// Reading the log of a company, with what its entries tell of leads and calls as they are at this moment: what was erased
// since is told no more. Who reads which entries is decided by whoever gives the page.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../access/store/tables.ts'
import { type Bind, statement } from '../../database/database.ts'
import type { EntryType } from '../../events/store/event-types.ts'
import { events } from '../../events/store/tables.ts'
import { type LeadKey, type LeadStatus, leadIdOf } from '../../leads/lead.ts'
import { leads } from '../../leads/store/tables.ts'
import { callIdOf } from '../call.ts'
import { callDetails } from './tables.ts'

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
export type ToldLead = {
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

export type ToldCall = Omit<CallFacts, 'claimedAtMs' | 'token' | 'isLastAttempt' | 'isEnd' | 'doNotCall'> & {
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
  readonly lead: ToldLead | null
  /** Of an entry that is about a call. */
  readonly call: ToldCall | null
  /** Of `leads.created`: those that are still there. */
  readonly leadIds: readonly string[]
  /** What else the entry says. */
  readonly data: Readonly<Record<string, unknown>>
}

type EntryRow = Omit<LogEntry, 'lead' | 'call' | 'leadIds' | 'data'> & { readonly data: string }

type LeadOfEntry = LeadKey &
  Omit<ToldLead, 'leadId' | 'isErased'> & {
    readonly number: number
    readonly isErased: number
    readonly details: string | null
  }

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

/**
 * The three statements of a page, which belong into one batch in this order, and what reads their rows. Placeholders
 * are those of the page, and of `included`, which says what else is told of leads and calls.
 */
export function logPage(
  page: SQL,
  included = askedFor,
): {
  readonly steps: readonly [Bind, Bind, Bind]
  readonly read: (rows: readonly (readonly unknown[])[]) => readonly LogEntry[]
} {
  const entries =
    statement(sql`select e.number, e.at_ms as "atMs", e.type, e.actor, e.request_id as "requestId",
      ${campaigns.id} as "campaignId", e.data
    from (${page}) as e left join ${campaigns} on ${campaigns.number} = e.campaign_number order by e.number`)
  const leadsOfEntries =
    statement(sql`select e.number, ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
      ${leads.erasedAtMs} is not null as "isErased", ${leads.externalId} as "externalId", ${leads.status}, ${leads.attempts},
      iif(${included.phoneNumber} and ${leads.erasedAtMs} is null, ${leads.phoneNumber}, null) as "phoneNumber",
      iif(${included.metadata}, ${leads.metadata}, null) as metadata,
      iif(${included.details}, (select d.details from ${callDetails} as d
        where d.seq = e.lead_seq and d.claimed_at_ms = e.data ->> 'claimedAtMs'), null) as details
    from (${page}) as e cross join ${leads} on ${leads.seq} = e.lead_seq where e.type <> 'leads.created'`)
  // `cross join` keeps SQLite from reading all leads to look for the entry of each.
  const createdLeads = statement(sql`select e.number, json_group_array(
      json_array(${leads.seq}, ${leads.createdAtMs}, ${leads.token}) order by ${leads.seq}) as created
    from (${page}) as e cross join ${leads} on ${leads.seq} between e.lead_seq and e.data ->> 'last'
      and ${leads.token} = e.data ->> 'token' and ${leads.erasedAtMs} is null
    where e.type = 'leads.created' group by e.number`)
  return { steps: [entries, leadsOfEntries, createdLeads], read: readPage }
}

function readPage(rows: readonly (readonly unknown[])[]): readonly LogEntry[] {
  const [entries = [], ofEntries = [], created = []] = rows
  const leadOf = new Map((ofEntries as LeadOfEntry[]).map((row) => [row.number, row]))
  const createdOf = new Map(
    (created as { number: number; created: string }[]).map((row) => [row.number, row.created]),
  )
  return (entries as EntryRow[]).map(({ data: json, ...entry }) => {
    const lead = leadOf.get(entry.number)
    const data = JSON.parse(json) as Record<string, unknown>
    return {
      ...entry,
      lead: lead === undefined ? null : toldLead(lead),
      call: lead !== undefined && entry.type.startsWith('call.') ? toldCall(lead, data) : null,
      leadIds: leadIdsOf(createdOf.get(entry.number)),
      data,
    }
  })
}

function toldLead({
  number: _,
  details: __,
  isErased,
  createdAtMs,
  seq,
  token,
  ...lead
}: LeadOfEntry): ToldLead {
  return { ...lead, isErased: isErased === 1, leadId: leadIdOf({ createdAtMs, seq, token }) }
}

function toldCall({ seq, details }: LeadOfEntry, data: Record<string, unknown>): ToldCall {
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

function leadIdsOf(created: string | undefined): readonly string[] {
  const keys = JSON.parse(created ?? '[]') as [seq: number, createdAtMs: number, token: string][]
  return keys.map(([seq, createdAtMs, token]) => leadIdOf({ seq, createdAtMs, token }))
}
