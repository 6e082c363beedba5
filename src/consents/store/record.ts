// The record of a number: everything that a company holds of it, oldest first. Rows that an erasure has left are found by the
// number's hash. Each kind of entry has a statement, since D1 takes no more than five in one; they are merged here.
import { type SQL, sql } from 'drizzle-orm'
import {
  type AccessNames,
  type KeyAccess,
  type PepperLost,
  type ScopeRefusal,
  scopeRefusalOf,
  scopeVerdict,
  type Verdict,
} from '../../access/store/rights.ts'
import { campaigns } from '../../access/store/tables.ts'
import { callDetails } from '../../calling/store/tables.ts'
import { type Bind, param, runBatch, statement } from '../../database/database.ts'
import { campaignAt, idOf, leadJson } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { calls } from '../../ledger/calls/tables.ts'
import { keptUntilMs } from '../../ledger/consent/kept-consents.ts'
import { consents, numberLog } from '../../ledger/consent/tables.ts'
import { type ActorNames, appendAlways, entryColumns, isUnlogged } from '../../ledger/log/append.ts'
import { isPepperLost } from '../../ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../ledger/suppression/number-hash.ts'
import { limits } from '../../limits.ts'
import { callIdText, consentMembers, joinText } from './read-consents.ts'

const scope = scopeVerdict('manage')

/** In plain, and by its hash. */
const isOfNumber = (alias: SQL) => sql`${alias}.company_id = granted.company_id
  and ${alias}.phone_number in (${param('phoneNumber')}, ${param('numberHash')})`

type PageNames = AccessNames | 'phoneNumber' | 'numberHash' | 'afterMs' | 'afterRank' | 'afterId' | 'maxRows'

type Of = Readonly<Record<'atMs' | 'id' | 'members' | 'from', SQL>> & { readonly more?: SQL }

/** A statement of entries after the cursor, in their order. `rank` orders entries of one moment by their kind. */
function pageOf(type: string | SQL, rank: number, { atMs, id, members, more, from }: Of) {
  const kind = typeof type === 'string' ? sql.raw(`'${type}'`) : type
  return sql`select ${kind} as type, ${sql.raw(`${rank}`)} as rank, ${atMs} as "atMs", ${id} as id,
    json_object(${members}) as members, ${more ?? sql`null as json`}
  from ${scope} as granted
  cross join ${from}
  where granted.number = 0 and (${atMs}, ${sql.raw(`${rank}`)}, ${id})
    > (${param('afterMs')}, ${param('afterRank')}, ${param('afterId')})
  order by 3, 4
  limit ${param('maxRows')}`
}

const campaignId = (number: SQL) => sql`(select c.id from ${campaigns} as c where c.number = ${number})`
const ofCall = sql`'callId', ${callIdText}, 'outcome', k.outcome, 'consentId', k.consent_id`

/** Of entries of one moment: what was agreed stands before the call. */
const pages = [
  pageOf('lead', 0, {
    atMs: sql`${leads.createdAtMs}`,
    id: sql`printf('%016d', ${leads.seq})`,
    members: sql`'leadId', ${idOf(sql`${leads.createdAtMs}`, sql`${leads.seq}`, sql`${leads.token}`)}`,
    more: leadJson(sql`c.id`),
    from: sql`${campaigns} as c on c.company_id = granted.company_id
    cross join ${leads} on ${leads.campaignNumber} = c.number and ${leads.phoneNumber} = ${param('phoneNumber')}`,
  }),
  pageOf('consent', 1, {
    atMs: sql`consent.given_at_ms`,
    id: sql`consent.id`,
    members: sql`${consentMembers}, 'keptUntilMs', ${keptUntilMs(sql`consent`)}`,
    from: sql`${consents} as consent on ${isOfNumber(sql`consent`)} ${joinText}`,
  }),
  pageOf('call', 2, {
    atMs: sql`k.claimed_at_ms`,
    id: sql`printf('%016d', k.seq)`,
    members: sql`${ofCall}, 'leadId', ${idOf(sql`l.created_at_ms`, sql`l.seq`, sql`l.token`)},
      'campaignId', ${campaignId(campaignAt(sql`k.seq`))}, 'attempt', k.attempt, 'agent', k.agent,
      'endedAtMs', k.ended_at_ms, 'durationSeconds', k.duration_seconds, 'providerCallId', k.provider_call_id,
      'doNotCall', json(iif(k.do_not_call, 'true', 'false'))`,
    more: sql`coalesce(d.details, 'null') as json`,
    from: sql`${calls} as k on k.company_id = granted.company_id and k.phone_number = ${param('phoneNumber')}
    cross join ${leads} as l on l.seq = k.seq
    left join ${callDetails} as d on d.seq = k.seq and d.claimed_at_ms = k.claimed_at_ms`,
  }),
  pageOf('use', 3, {
    atMs: sql`k.claimed_at_ms`,
    id: sql`printf('%016d', k.seq)`,
    members: ofCall,
    from: sql`${consents} as consent on ${isOfNumber(sql`consent`)}
    cross join ${calls} as k on k.company_id = granted.company_id and k.consent_id = consent.id`,
  }),
  pageOf(sql`said.kind`, 4, {
    atMs: sql`said.at_ms`,
    id: sql`said.kind || ':' || said.withdraws || ':' || said.campaign_number || ':' || (said.phone_number = ${param('numberHash')})`,
    members: sql`'withdraws', nullif(said.withdraws, ''), 'campaignId', ${campaignId(sql`said.campaign_number`)},
      'actor', said.actor, 'reason', said.reason`,
    from: sql`${numberLog} as said on ${isOfNumber(sql`said`)}`,
  }),
].map(statement<PageNames>)

const logRead = statement<AccessNames | ActorNames>(
  appendAlways(sql`select ${entryColumns({ type: 'record.read', companyId: sql`granted.company_id` })}
    from ${scope} as granted
    where granted.number = 0 and ${isUnlogged('record.read', sql`granted.company_id`)}`),
)

const verdictOf = statement<
  AccessNames | 'phoneNumber' | 'numberHash' | 'pepperCheck'
>(sql`select granted.number,
    ${isPepperLost(sql`granted.company_id`)} as "isPepperLost",
    (select max(${keptUntilMs(sql`consent`)}) from ${consents} as consent where ${isOfNumber(sql`consent`)}) as "keptUntilMs"
  from ${scope} as granted`)

/** An entry, by what it is about: `lead`, `consent`, `call`, `use`, or a NumberLogKind. */
export type RecordEntry = {
  readonly type: string
  readonly atMs: number
  /** JSON, as Shown. */
  readonly members: string
  /** Of a lead itself, and of a call its details, as they were sent: JSON. */
  readonly json: string | null
}

export type RecordPlace = { readonly atMs: number; readonly rank: number; readonly id: string }

type RecordPage = {
  readonly kind: 'page'
  readonly entries: readonly RecordEntry[]
  /** Until when what is left of an erased person is kept, and every other consent; null: there is no consent. */
  readonly keptUntilMs: number | null
  /** The last entry; null on the last page. */
  readonly end: RecordPlace | null
}

/**
 * A page of the record, which is logged as read. Without the right pepper a part would be missing: it is refused. Throws
 * DatabaseUnavailable.
 */
export async function readRecord(
  db: D1Database,
  access: KeyAccess,
  phoneNumber: string,
  hashes: NumberHashes,
  after: RecordPlace | null,
): Promise<ScopeRefusal | PepperLost | RecordPage> {
  const size = limits.recordEntriesPerPage
  const values = {
    ...access,
    ...{ campaignId: null, phoneNumber, numberHash: hashes.of(phoneNumber), maxRows: size + 1 },
    pepperCheck: hashes.pepperCheck,
    ...{ afterMs: after?.atMs ?? -1e15, afterRank: after?.rank ?? 0, afterId: after?.id ?? '' },
  }
  const steps: readonly Bind<PageNames | ActorNames | 'pepperCheck'>[] = [logRead, ...pages, verdictOf]
  const { rows } = await runBatch(
    db,
    steps.map((step) => step(db, values)),
  )
  const verdict = rows.at(-1)?.[0] as
    | (Verdict & { readonly keptUntilMs: number | null; readonly isPepperLost: number })
    | undefined
  const refusal = scopeRefusalOf(verdict, null)
  if (refusal !== null) return refusal
  if (verdict?.isPepperLost === 1) return { kind: 'pepper_lost' }
  const found = (rows.slice(1, -1).flat() as (RecordEntry & RecordPlace)[]).sort(
    (a, b) => a.atMs - b.atMs || a.rank - b.rank || (a.id < b.id ? -1 : 1),
  )
  const page = found.slice(0, size)
  const last = found.length > size ? page.at(-1) : undefined
  return {
    kind: 'page',
    entries: page,
    keptUntilMs: verdict?.keptUntilMs ?? null,
    end: last === undefined ? null : { atMs: last.atMs, rank: last.rank, id: last.id },
  }
}
