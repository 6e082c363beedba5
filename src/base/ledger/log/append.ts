// Statements that append to the log of a company, in the batch of the change that they record.
// src/channels/events/store/log-page.ts reads the log, together with leads and calls.
import { type SQL, sql } from 'drizzle-orm'
import { isListenedTo } from '../../access/store/company-log.ts'
import { companies } from '../../access/store/tables.ts'
import { param } from '../../database/database.ts'
import { notify } from '../../database/notices.ts'
import { type EntryType, entryTypesOf, eventTypes, everyType } from './event-types.ts'
import { events, isSending, webhooks } from './tables.ts'

type Entry = {
  /** Or a value in SQL, one of these. */
  readonly type: EntryType | SQL
  readonly companyId: SQL
  /** Absent: about the company. */
  readonly campaignNumber?: SQL
  readonly leadSeq?: SQL
  /** JSON of an object. Never a key, a phone number or metadata. */
  readonly data?: SQL
}

/** The columns that an append selects. */
export const entryColumns = ({ type, companyId, campaignNumber, leadSeq, data }: Entry) =>
  sql`${companyId} as company_id, ${typeof type === 'string' ? sql.raw(`'${type}'`) : type} as type,
    ${campaignNumber ?? sql`null`} as campaign_number,
    ${leadSeq ?? sql`null`} as lead_seq, ${data ?? sql`'{}'`} as data`

/** The placeholders of an append by the request. */
export type ActorNames = 'nowMs' | 'actor' | 'requestId'

/** Who is logged as the actor. */
export type By = { readonly actor: SQL; readonly requestId: SQL }

const theRequest: By = { actor: sql`${param('actor')}`, requestId: sql`${param('requestId')}` }
export const theOperator: By = { actor: sql`'operator'`, requestId: sql`null` }
export const theSystem: By = { actor: sql`'system'`, requestId: sql`null` }

/**
 * The rows of a table expression with `company_id` whose company's log somebody reads. A select of entries starts with
 * them, so that it searches nothing for a log that nobody reads: `cross join` keeps that order.
 */
export const listenedTo = (rows: SQL) => sql`(select listened.* from ${rows} as listened
  cross join ${companies} on ${companies.id} = listened.company_id and ${isListenedTo})`

/** Pairs of an event type and an entry of another type that it is read from. */
const readFrom = sql.raw(
  eventTypes
    .flatMap((type) =>
      entryTypesOf([type]).flatMap((entryType) => (entryType === type ? [] : `('${type}', '${entryType}')`)),
    )
    .join(', '),
)

/**
 * Whether a webhook gets an entry: its campaign and types match. That a webhook gave an event up is not sent to the
 * same webhook. Both arguments are aliases.
 */
export const concerns = (webhook: SQL, entry: SQL) => sql`
  coalesce(${webhook}.campaign_number = ${entry}.campaign_number, ${webhook}.campaign_number is null)
  and not (${entry}.type = 'webhook.gave_up' and ${entry}.data ->> 'webhookId' = ${webhook}.id)
  and exists (select 1 from json_each(${webhook}.types) as item
    where item.value in (${sql.raw(`'${everyType}'`)}, ${entry}.type)
      or (item.value, ${entry}.type) in (values ${readFrom}))`

/** After these, what a sender has read may be no longer so. */
const outdating = sql.raw(`'lead.erased', 'erasure.done', 'webhook.changed', 'webhook.disabled'`)

const appended = sql.identifier('events')
const sendingIds = (condition = sql``) => sql`(select json_group_array(w.id) from ${webhooks} as w
    where w.company_id = ${appended}.company_id and ${isSending(sql`w`)} ${condition})`

/**
 * Appends entries: `found` selects entryColumns, in the order of events. A retry must find nothing, or it would append
 * twice. Placeholders: `nowMs`, and those of `by`. Each returned row gives notice of the
 * webhooks that get the entry, and of those that it outdates.
 */
const append = (found: SQL, condition: SQL, { actor, requestId }: By) => sql`insert into ${events}
    (company_id, number, at_ms, type, actor, request_id, campaign_number, lead_seq, data)
  select found.company_id, coalesce(last.number, 0) + row_number() over (partition by found.company_id),
    max(${param('nowMs')}, coalesce(last.at_ms, 0)), found.type, ${actor}, ${requestId},
    found.campaign_number, found.lead_seq, found.data
  from (${found}) as found
  cross join ${companies} on ${companies.id} = found.company_id ${condition}
  left join ${events} as last on last.company_id = found.company_id
    and last.number = (select max(e.number) from ${events} as e where e.company_id = found.company_id)
  where true
  returning ${notify('listeners', sendingIds(sql`and ${concerns(sql`w`, sql`${appended}`)}`))},
    ${notify('outdated', sql`iif(${appended}.type in (${outdating}), ${sendingIds()}, null)`)}`

/** For entries that an audit needs, whether or not somebody reads the log. */
export const appendAlways = (found: SQL, by = theRequest) => append(found, sql``, by)

/**
 * For an act that changes nothing but the log: true until the request has logged an entry of this type. Searches the
 * latest entries only, because a retry comes within seconds.
 */
export const isUnlogged = (
  type: EntryType,
  companyId: SQL,
) => sql`not exists (select 1 from ${events} as logged
  where logged.company_id = ${companyId} and logged.type = ${sql.raw(`'${type}'`)} and logged.at_ms >= ${param('nowMs')}
    and logged.actor = ${param('actor')} and logged.request_id is ${param('requestId')}
    and logged.number > (select max(e.number) from ${events} as e where e.company_id = ${companyId}) - 100)`

/** For the many entries of leads and calls: nothing is written while nobody reads the company's log. */
export const appendIfListening = (found: SQL, by = theRequest) => append(found, sql`and ${isListenedTo}`, by)
