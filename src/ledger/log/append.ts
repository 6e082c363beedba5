// Writing to the log of a company: statements that belong into the batch of what they tell, and that name nothing but
// what that batch has at hand. Reading it is in src/events/store/log-page.ts, since it reads leads and calls as well.
import { type SQL, sql } from 'drizzle-orm'
import { companies } from '../../access/store/tables.ts'
import { type EntryType, entryTypesOf, eventTypes } from './event-types.ts'
import { events, webhooks } from './tables.ts'

const param = sql.placeholder

/** One entry, as SQL. `type` and `data` are of it, the rest says where it belongs. */
export type Entry = {
  readonly type: EntryType
  readonly companyId: SQL
  /** Null: it concerns the company. */
  readonly campaignNumber?: SQL
  readonly leadSeq?: SQL
  /** JSON of an object. Never a key, a phone number or metadata. */
  readonly data?: SQL
}

/** The columns of `appendEvents`'s select. */
export const entryColumns = ({ type, companyId, campaignNumber, leadSeq, data }: Entry) =>
  sql`${companyId} as company_id, ${sql.raw(`'${type}'`)} as type, ${campaignNumber ?? sql`null`} as campaign_number,
    ${leadSeq ?? sql`null`} as lead_seq, ${data ?? sql`'{}'`} as data`

/** Who is told to have done it: as a rule the request, at times nobody but the service. */
type By = { readonly actor: SQL; readonly requestId: SQL }

const theRequest: By = { actor: sql`${param('actor')}`, requestId: sql`${param('requestId')}` }
export const theOperator: By = { actor: sql`'operator'`, requestId: sql`null` }
export const theSystem: By = { actor: sql`'system'`, requestId: sql`null` }

const isListenedTo = sql`${companies.listensSinceMs} is not null`

/**
 * Of the rows of a table expression, which has `company_id`, those of companies whose log somebody reads. What finds
 * entries begins with them, so that it looks for nothing where nobody would be told: `cross join` keeps it at that.
 */
export const listenedTo = (rows: SQL) => sql`(select listened.* from ${rows} as listened
  cross join ${companies} on ${companies.id} = listened.company_id and ${isListenedTo})`

/** Which entries an event of each type is read from. */
const readFrom = sql.raw(
  eventTypes
    .flatMap((type) => entryTypesOf([type]).map((entryType) => `('${type}', '${entryType}')`))
    .join(', '),
)

/**
 * True when an entry is of a webhook's campaign, and tells something of a type that it asks for. What a webhook has given
 * up is not sent to that webhook. Both are aliases.
 */
export const concerns = (webhook: SQL, entry: SQL) => sql`
  coalesce(${webhook}.campaign_number = ${entry}.campaign_number, ${webhook}.campaign_number is null)
  and not (${entry}.type = 'webhook.gave_up' and ${entry}.data ->> 'webhookId' = ${webhook}.id)
  and exists (select 1 from json_each(${webhook}.types) as item where (item.value, ${entry}.type) in (values ${readFrom}))`

/**
 * Appends entries: `found` is a select of entryColumns, in the order of what happened. A try that comes again must find
 * nothing, or it would be told twice. Placeholders: `nowMs`, and those of `by`. Each row that comes back has
 * `listeners`, JSON of the ids of the webhooks that it concerns, which the request's exchange gathers
 * (database/collect-listeners.ts).
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
  returning (select json_group_array(w.id) from ${webhooks} as w
    where w.company_id = ${sql.identifier('events')}.company_id and w.disabled_at_ms is null
      and ${concerns(sql`w`, sql`${sql.identifier('events')}`)}) as listeners`

/** For what the operator's audit must know of in any case. */
export const appendAlways = (found: SQL, by = theRequest) => append(found, sql``, by)

/**
 * For what leaves no trace but its entry: true until the request has written one of this type. Among the latest alone,
 * since no try comes later than a few seconds.
 */
export const isUnlogged = (type: EntryType, companyId: SQL) => sql`not exists (select 1 from ${events} as own
  where own.company_id = ${companyId} and own.type = ${sql.raw(`'${type}'`)} and own.at_ms >= ${param('nowMs')}
    and own.actor = ${param('actor')} and own.request_id is ${param('requestId')}
    and own.number > (select max(e.number) from ${events} as e where e.company_id = ${companyId}) - 100)`

/** For what is many: leads and calls. Nothing is written while nobody in the company listens. */
export const appendIfListening = (found: SQL, by = theRequest) => append(found, sql`and ${isListenedTo}`, by)
