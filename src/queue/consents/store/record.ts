// The record of a number: everything that a company holds of it, oldest first. Rows that an erasure has left are found
// by the number's hash. Each kind of entry has a statement, since D1 takes no more than five in one; they are merged
// here. What a page reads does not grow with what the number has, except the first one and those with uses, which look
// at each consent.
import { type SQL, sql } from 'drizzle-orm'
import { actorName } from '../../../base/access/store/actor-name.ts'
import {
  type AccessNames,
  type KeyAccess,
  type PepperLost,
  type ScopeRefusal,
  scopeRefusalOf,
  scopeVerdict,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { type Bind, pageOf, param, runSteps, statement } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { keptAfterMs, keptUntilMs } from '../../../base/ledger/consent/kept-consents.ts'
import { consents, numberLog } from '../../../base/ledger/consent/tables.ts'
import { type ActorNames, appendAlways, entryColumns, isUnlogged } from '../../../base/ledger/log/append.ts'
import { gateMembers } from '../../../base/ledger/suppression/gate-mark.ts'
import { isPepperLost } from '../../../base/ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { limits } from '../../../base/limits.ts'
import { callIdText } from '../../calling/store/history.ts'
import { callDetails } from '../../calling/store/tables.ts'
import { originJson } from '../../leads/origin/store/origin-sql.ts'
import {
  areMentionsPartial,
  joinMentions,
  type MentionNames,
  mentionValues,
  unlessSearchIsOff,
} from '../../leads/store/mentions/erase-mentions.ts'
import { campaignAt, idOf, leadJson } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { consentMembers, joinText } from './read-consents.ts'

const scope = scopeVerdict('manage')

type PageNames = AccessNames | 'afterMs' | 'afterRank' | 'afterId' | 'maxRows'
type EntryNames = PageNames | 'phoneNumber' | 'numberHash' | 'usesFromMs'

type Of = Readonly<Record<'atMs' | 'id' | 'members' | 'from', SQL>> & { readonly more?: SQL }

const afterMs = sql`${param('afterMs')}`
const maxRows = sql`${param('maxRows')}`

/** A statement of entries after the cursor, in their order. `rank` orders entries of one moment by their kind. */
function entriesOf(type: string | SQL, rank: number, { atMs, id, members, more, from }: Of) {
  const kind = typeof type === 'string' ? sql.raw(`'${type}'`) : type
  return sql`select ${kind} as type, ${sql.raw(`${rank}`)} as rank, ${atMs} as "atMs", ${id} as id,
    json_object(${members}) as members, ${more ?? sql`null as json`}
  from ${scope} as granted
  cross join ${from}
  where granted.number = 0 and (${atMs}, ${sql.raw(`${rank}`)}, ${id})
    > (${afterMs}, ${param('afterRank')}, ${param('afterId')})
  order by 3, 4
  limit ${maxRows}`
}

/** Joins the number in plain, and by its hash. */
const itsNumbers = sql`json_each(json_array(${param('phoneNumber')}, ${param('numberHash')})) as item`

/**
 * A table expression: each value of the column behind the number in the primary key, found by one search each; its rows
 * are in the order of time.
 */
const groupsOf = (table: SQL, column: SQL) => sql`(with recursive groups(company_id, phone_number, value) as (
    select granted.company_id, item.value, (select min(first.${column}) from ${table} as first
      where first.company_id = granted.company_id and first.phone_number = item.value)
    from ${scope} as granted
    cross join ${itsNumbers}
    where granted.number = 0
    union all
    select groups.company_id, groups.phone_number, (select min(next.${column}) from ${table} as next
      where next.company_id = groups.company_id and next.phone_number = groups.phone_number
        and next.${column} > groups.value)
    from groups
    where groups.value is not null)
  select * from groups where value is not null)`

const purposes = groupsOf(sql`${consents}`, sql`purpose`)

const consentRank = 1

/** Less than the ids of this rank that follow the cursor, at its moment. */
const afterConsentId = sql`iif(${param('afterRank')} < ${sql.raw(`${consentRank}`)}, '',
  iif(${param('afterRank')} = ${sql.raw(`${consentRank}`)}, ${param('afterId')}, char(1114111)))`

/** A table expression: the consents of a page, had it no other entries. */
const nextConsents = sql`(select c.company_id, c.id, c.given_at_ms
  from ${purposes} as own
  cross join ${consents} as c on c.company_id = own.company_id and c.id in (select next.id from ${consents} as next
    where next.company_id = own.company_id and next.phone_number = own.phone_number and next.purpose = own.value
      and (next.given_at_ms, next.id) > (${afterMs}, ${afterConsentId})
    order by next.given_at_ms, next.id
    limit ${maxRows})
  order by c.given_at_ms, c.id
  limit ${maxRows})`

/**
 * `rows` is a table with conditions, by the alias `next`: of these, the page has none that is later than this value.
 */
const lastOf = (atMs: SQL, rows: SQL) => sql`coalesce((select ${atMs} from ${rows} and ${atMs} > ${afterMs}
  order by ${atMs}
  limit 1 offset ${maxRows}), 9e15)`

const withdrawals = groupsOf(sql`${numberLog}`, sql`withdraws`)

/** When a row `own` of withdrawals was said last. */
const lastSaidMs = lastOf(
  sql`next.at_ms`,
  sql`${numberLog} as next
  where next.company_id = own.company_id and next.phone_number = own.phone_number and next.withdraws = own.value`,
)

/** A value: no entry of the page is later. */
const endsByMs = sql`min(
  (select iif(count(*) = ${maxRows}, max(due.given_at_ms), 9e15) from ${nextConsents} as due),
  coalesce((select min(${lastSaidMs}) from ${withdrawals} as own), 9e15))`

const campaignId = (number: SQL) => sql`(select c.id from ${campaigns} as c where c.number = ${number})`
const ofCall = sql`'callId', ${callIdText}, 'outcome', k.outcome, 'consentId', k.consent_id`

const leadId = idOf(sql`${leads.createdAtMs}`, sql`${leads.seq}`, sql`${leads.token}`)

/** Within one moment, what was agreed stands before the call. */
const pages = [
  entriesOf('lead', 0, {
    atMs: sql`${leads.createdAtMs}`,
    id: sql`printf('%016d', ${leads.seq})`,
    members: sql`'leadId', ${leadId}, 'origin', json(${originJson(sql`${leads.origin}`, sql`${leads.importName}`)})`,
    more: leadJson(sql`c.id`),
    from: sql`${campaigns} as c on c.company_id = granted.company_id
    cross join ${leads} on ${leads.campaignNumber} = c.number and ${leads.phoneNumber} = ${param('phoneNumber')}`,
  }),
  entriesOf('consent', consentRank, {
    atMs: sql`consent.given_at_ms`,
    id: sql`consent.id`,
    members: sql`${consentMembers}, 'keptUntilMs', ${keptUntilMs(sql`consent`)}`,
    from: sql`${nextConsents} as due
    cross join ${consents} as consent on consent.company_id = due.company_id and consent.id = due.id ${joinText}`,
  }),
  entriesOf('call', 2, {
    atMs: sql`k.claimed_at_ms`,
    id: sql`printf('%016d', k.seq)`,
    members: sql`${ofCall}, 'leadId', ${idOf(sql`l.created_at_ms`, sql`l.seq`, sql`l.token`)},
      'campaignId', ${campaignId(campaignAt(sql`k.seq`))}, 'direction', iif(k.inbound is null, 'outbound', 'inbound'),
      'attempt', k.attempt, 'agent', k.agent,
      'endedAtMs', k.ended_at_ms, 'durationSeconds', k.duration_seconds, 'providerCallId', k.provider_call_id,
      'doNotCall', json(iif(k.do_not_call, 'true', 'false'))`,
    more: sql`coalesce(d.details, 'null') as json`,
    from: sql`${calls} as k on k.company_id = granted.company_id and k.phone_number = ${param('phoneNumber')}
      and k.claimed_at_ms >= ${afterMs} and k.claimed_at_ms <= ${lastOf(
        sql`next.claimed_at_ms`,
        sql`${calls} as next
        where next.company_id = granted.company_id and next.phone_number = ${param('phoneNumber')}`,
      )}
    cross join ${leads} as l on l.seq = k.seq
    left join ${callDetails} as d on d.seq = k.seq and d.claimed_at_ms = k.claimed_at_ms`,
  }),
  entriesOf('use', 3, {
    atMs: sql`k.claimed_at_ms`,
    id: sql`printf('%016d', k.seq)`,
    members: ofCall,
    more: sql`null as json, k.kept_until_ms as "keptUntilMs"`,
    from: sql`(select used.*, ${keptAfterMs(sql`used.company_id`, sql`used.last_ms`)} as kept_until_ms
      from (select k.*, max(k.claimed_at_ms) over () as last_ms
        from ${scope} as granted
        cross join ${itsNumbers}
        cross join ${consents} as consent on consent.company_id = granted.company_id
          and consent.phone_number = item.value
        cross join ${calls} as k on k.company_id = granted.company_id and k.consent_id = consent.id
          and k.claimed_at_ms >= ${afterMs}
        where granted.number = 0
          and (${param('usesFromMs')} is null or ${param('usesFromMs')} <= ${endsByMs})) as used) as k`,
  }),
  entriesOf(sql`said.kind`, 4, {
    atMs: sql`said.at_ms`,
    id: sql`said.kind || ':' || said.withdraws || ':' || said.campaign_number || ':' || (said.phone_number =
      ${param('numberHash')})`,
    members: sql`'withdraws', nullif(said.withdraws, ''), 'campaignId', ${campaignId(sql`said.campaign_number`)},
      'actor', said.actor, 'actorName', ${actorName(sql`said.actor`)}, 'reason', said.reason,
      ${gateMembers(sql`said.actor`)}`,
    from: sql`${withdrawals} as own
    cross join ${numberLog} as said on said.company_id = own.company_id and said.phone_number = own.phone_number
      and said.withdraws = own.value and said.at_ms >= ${afterMs} and said.at_ms <= ${lastSaidMs}`,
  }),
].map(statement<EntryNames>)

/** Leads of others that hold the number in their metadata. */
const mentions = statement<PageNames | MentionNames>(
  entriesOf('mention', 5, {
    atMs: sql`${leads.createdAtMs}`,
    id: sql`printf('%016d', ${leads.seq})`,
    members: sql`'leadId', ${leadId}, 'campaignId', c.id`,
    from: joinMentions,
  }),
)

const logRead = statement<AccessNames | ActorNames>(
  appendAlways(sql`select ${entryColumns({ type: 'record.read', companyId: sql`granted.company_id` })}
    from ${scope} as granted
    where granted.number = 0 and ${isUnlogged('record.read', sql`granted.company_id`)}`),
)

const verdictOf = statement<
  AccessNames | 'phoneNumber' | 'numberHash' | 'pepperCheck'
>(sql`select granted.number,
    ${isPepperLost(sql`granted.company_id`)} as "isPepperLost",
    ${keptAfterMs(
      sql`granted.company_id`,
      sql`(select max((select max(consent.given_at_ms) from ${consents} as consent
        where consent.company_id = own.company_id and consent.phone_number = own.phone_number
          and consent.purpose = own.value)) from ${purposes} as own)`,
    )} as "keptUntilMs"
  from ${scope} as granted`)

type VerdictRow = Verdict & { readonly keptUntilMs: number | null; readonly isPepperLost: number }

/** An entry, by what it is about: `lead`, `consent`, `call`, `use`, `mention`, or a NumberLogKind. */
export type RecordEntry = {
  readonly type: string
  readonly atMs: number
  /** JSON, as Shown. */
  readonly members: string
  /** A lead itself, or the details of a call, as they were sent: JSON. */
  readonly json: string | null
}

type RecordPlace = { readonly atMs: number; readonly rank: number; readonly id: string }

/** Where the next page begins, and what that need not look for again. */
export type RecordCursor = RecordPlace & {
  /** No use of a consent follows before this time. Null: unknown. */
  readonly usesFromMs: number | null
  /** Until when the uses keep their consents. Null: there was none. */
  readonly usesKeepUntilMs: number | null
}

type RecordPage = {
  readonly kind: 'page'
  readonly entries: readonly RecordEntry[]
  /** Until when what is left of an erased person is kept, and every other consent; null: there is no consent. */
  readonly keptUntilMs: number | null
  /** More leads of others may hold the number than the entries name. */
  readonly isPartial: boolean
  /** After the last entry; null on the last page. */
  readonly end: RecordCursor | null
}

type FoundEntry = RecordEntry & RecordPlace & { readonly keptUntilMs?: number }

/**
 * A page of the record, which is logged as read. Without the right pepper a part would be missing: it is refused.
 * Throws DatabaseUnavailable.
 */
export async function readRecord(
  db: D1Database,
  access: KeyAccess,
  phoneNumber: string,
  hashes: NumberHashes,
  after: RecordCursor | null,
): Promise<ScopeRefusal | PepperLost | RecordPage> {
  const size = limits.recordEntriesPerPage
  const values = {
    ...access,
    ...{ campaignId: null, phoneNumber, numberHash: hashes.of(phoneNumber), maxRows: size + 1 },
    pepperCheck: hashes.pepperCheck,
    ...{ afterMs: after?.atMs ?? -1e15, afterRank: after?.rank ?? 0, afterId: after?.id ?? '' },
    usesFromMs: after?.usesFromMs ?? null,
    ...mentionValues(access.companyId, phoneNumber, [phoneNumber]),
  }
  const read = async (isSearchOn: boolean) => {
    const steps: readonly Bind<keyof typeof values>[] = [
      ...[logRead, verdictOf, ...pages],
      ...(isSearchOn ? [mentions, areMentionsPartial] : []),
    ]
    const { rows } = await runSteps(db, steps, values)
    const [, [verdict] = [], ...entries] = rows
    const [partial] = isSearchOn ? (entries.pop() ?? []) : [{ isPartial: 1 }]
    return {
      verdict: verdict as VerdictRow | undefined,
      entries: entries.flat() as FoundEntry[],
      isPartial: (partial as { isPartial: number } | undefined)?.isPartial === 1,
    }
  }
  const { verdict, entries, isPartial } =
    (await unlessSearchIsOff(() => read(true), null)) ?? (await read(false))
  const refusal = scopeRefusalOf(verdict, null)
  if (refusal !== null) return refusal
  if (verdict?.isPepperLost === 1) return { kind: 'pepper_lost' }
  const found = entries.sort((a, b) => a.atMs - b.atMs || a.rank - b.rank || (a.id < b.id ? -1 : 1))
  const { page, last } = pageOf(found, size)
  const uses = found.filter(({ type }) => type === 'use')
  const usesKeepUntilMs = latestOf(after?.usesKeepUntilMs, uses[0]?.keptUntilMs)
  return {
    kind: 'page',
    entries: page,
    keptUntilMs: latestOf(verdict?.keptUntilMs, usesKeepUntilMs),
    isPartial,
    end: last && { ...placeOf(last), usesFromMs: usesFrom(last), usesKeepUntilMs },
  }

  function usesFrom({ atMs }: RecordPlace): number {
    const next = uses.find((use) => !page.includes(use))
    if (next !== undefined) return next.atMs
    // The page ended before that time: nothing was looked for, or nothing found.
    if (values.usesFromMs !== null && atMs < values.usesFromMs) return values.usesFromMs
    // One that comes meanwhile is later, unless a clock is slow.
    return access.nowMs - limits.clockAheadMs
  }
}

const placeOf = ({ atMs, rank, id }: RecordPlace): RecordPlace => ({ atMs, rank, id })

const latestOf = (...timesMs: readonly (number | null | undefined)[]): number | null =>
  timesMs.reduce<number | null>((latest, ms) => (ms == null ? latest : Math.max(latest ?? ms, ms)), null)
