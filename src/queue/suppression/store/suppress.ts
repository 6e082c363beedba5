// Suppressing phone numbers: the list and the queue change in one transaction, so that no claim leases a lead of the
// number once it is acknowledged (D48). Removing suppressions is in remove-suppressions.ts.
import { type SQL, sql } from 'drizzle-orm'
import {
  type AccessNames,
  type KeyAccess,
  type ScopeRefusal,
  scopeRefusalOf,
  scopeVerdict,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { randomBase62 } from '../../../base/base62.ts'
import { number, param, runBatch, statement } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { logSuppressedAgain } from '../../../base/ledger/consent/number-log.ts'
import { addCounts } from '../../../base/ledger/hours/counts.ts'
import { type ActorNames, appendAlways, type By, entryColumns } from '../../../base/ledger/log/append.ts'
import { isOfGate } from '../../../base/ledger/suppression/gate-mark.ts'
import { insertNumbersWithLeads, notedPlaces } from '../../../base/ledger/suppression/numbers.ts'
import { mostSpellings, spellingsOf } from '../../../base/ledger/suppression/spellings.ts'
import { suppressions } from '../../../base/ledger/suppression/tables.ts'
import { limits } from '../../../base/limits.ts'
import { type CallKey, callIdOf } from '../../calling/call.ts'
import { leadTokenChars } from '../../leads/lead.ts'
import { dequeuedCounts, dequeueSuppressed, isQueuedOrHeld } from '../../leads/store/queue.ts'
import { leads } from '../../leads/store/tables.ts'

/** Joins the leads of `numbers`, which has `company_id`, `phone_number` and `campaign_number`, 0 for all campaigns. */
export const leadsJoined = (numbers: SQL) => sql`${numbers} as wanted
  cross join ${campaigns} as c on c.company_id = wanted.company_id and c.number >= wanted.campaign_number
    and c.number <= iif(wanted.campaign_number = 0, 9e15, wanted.campaign_number)
  cross join ${leads} as l on l.campaign_number = c.number and l.phone_number = wanted.phone_number`

/** The same, of the places that the batch has noted. */
export const notedLeadsJoined = (numbers: SQL) => sql`${numbers} as wanted
  cross join ${notedPlaces(sql`wanted.company_id`)}
  cross join ${leads} as l on l.seq = place.value and l.phone_number = wanted.phone_number`

/** A select of their `seq`. */
export const leadsOfNumbers = (numbers: SQL) => sql`select l.seq from ${leadsJoined(numbers)}`

/**
 * All spellings of the requested numbers, each with its company and campaign; none when access is denied or the cost
 * out of bounds. `asked`: the number that was requested. An element of placeholder `phoneNumbers` is a spelling with
 * that, and that of a requested number has the others behind them. `more`: columns of `item`.
 */
export const wanted = (scope: SQL, more = sql``) => sql`(
  select scope.company_id, item.value ->> 0 as phone_number, item.value ->> 1 as asked, scope.number as
    campaign_number${more}
  from ${scope} as scope
  cross join json_each(${param('phoneNumbers')}) as item
  where scope.number is not null and ${isWithinBound})`

/** Of `wanted`: it is what was requested. Events and counts leave its other spellings out (D70). */
const isAsked = sql`wanted.phone_number = wanted.asked`

/** A spelling that is requested itself is no other's. */
export function spelled(phoneNumbers: readonly string[]): ReadonlyMap<string, string> {
  const askedOf = new Map(phoneNumbers.map((number) => [number, number]))
  for (const asked of phoneNumbers)
    for (const spelling of spellingsOf(asked)) if (!askedOf.has(spelling)) askedOf.set(spelling, asked)
  return askedOf
}

/** For placeholder `phoneNumbers`. */
function itemsOf(askedOf: ReadonlyMap<string, string>): string {
  const groups = Map.groupBy(askedOf, ([, asked]) => asked)
  return JSON.stringify(
    [...groups].flatMap(([asked, spellings]) => {
      const others = spellings.map(([spelling]) => spelling).filter((spelling) => spelling !== asked)
      return [[asked, asked, ...others], ...others.map((spelling) => [spelling, asked])]
    }),
  )
}

/** The cost grows with numbers times campaigns (D57). */
export const isWithinBound = sql`(scope.number <> 0
  or ${param('count')} * (select count(*) from ${campaigns} as c where c.company_id = scope.company_id)
    <= ${sql.raw(`${limits.numbersTimesCampaigns}`)})`

/** Logs how many of `numbers` are about to be added or removed, never which. */
export const logNumbers = (type: 'suppression.added' | 'suppression.lifted', numbers: SQL, by?: By) =>
  appendAlways(
    sql`select ${entryColumns({
      type,
      companyId: sql`counted.company_id`,
      campaignNumber: sql`nullif(counted.campaign_number, 0)`,
      data: sql`json_object('count', counted.count)`,
    })}
    from (select numbers.company_id, numbers.campaign_number, count(*) as count
      from (${numbers}) as numbers
      group by numbers.company_id, numbers.campaign_number) as counted`,
    by,
  )

/** `own` is the entry of `wanted` on the list. */
const isOfWanted = sql`own.company_id = wanted.company_id
  and own.phone_number = wanted.phone_number and own.campaign_number = wanted.campaign_number`

export const verdictOf = (scope: SQL, more = sql``) =>
  sql`select scope.number, ${isWithinBound} as "isWithinBound" ${more} from ${scope} as scope`

const writable = scopeVerdict('write')
const added = wanted(writable)

/** The spellings of a requested number, each a column; null: it has fewer. `limit -1` reads them of the JSON once. */
const spellingColumns = Array.from({ length: mostSpellings }, (_, i) => sql.raw(`spelling_${i}`))
const spellings = sql`(select wanted.company_id, wanted.campaign_number, wanted.phone_number, wanted.asked, ${sql.join(
  spellingColumns.map((column, i) => sql`wanted.item ->> ${number(i === 0 ? 0 : i + 1)} as ${column}`),
  sql`, `,
)}
  from ${wanted(writable, sql`, item.value as item`)} as wanted
  limit -1)`
const ofWanted = (column: SQL) => sql`wanted.${column}`

/** The lead of the campaign `c` that has the spelling, where it is queued: a comma and its place, else null. */
const queuedSeq = (spelling: SQL) => sql`(select ',' || l.seq from ${leads} as l
        where l.campaign_number = c.number and l.phone_number = ${spelling} and ${isQueuedOrHeld(sql`l`)})`

/**
 * Of a requested number: the places of its queued leads in all its spellings, a JSON array; null: none. Each campaign
 * is looked at once, and the statements behind this one read what was found.
 */
const foundSeqs = sql`(select '[' || substr(group_concat(${sql.join(
  spellingColumns.map((column) => sql`coalesce(${queuedSeq(ofWanted(column))}, '')`),
  sql` || `,
)}, ''), 2) || ']'
    from ${campaigns} as c
    where c.company_id = wanted.company_id and c.number >= wanted.campaign_number
      and c.number <= iif(wanted.campaign_number = 0, 9e15, wanted.campaign_number))`

/** A select of `seq`: what was found. What the number's entry has from before is looked at again. */
const foundLeads = sql`select l.seq
  from ${spellings} as wanted
  cross join ${suppressions} as own on ${isOfWanted}
  cross join json_each(own.lead_seqs) as place
  cross join ${leads} as l on l.seq = place.value
    and l.phone_number in (${sql.join(spellingColumns.map(ofWanted), sql`, `)})
  where ${isAsked}`

const steps = [
  // A person's no that takes the place of a gate's is added too.
  logNumbers(
    'suppression.added',
    sql`select wanted.* from ${added} as wanted
    where ${isAsked} and not exists (select 1 from ${suppressions} as own
      where ${isOfWanted} and not ${isOfGate(sql`own`)})`,
  ),
  insertNumbersWithLeads(sql`select wanted.company_id, wanted.phone_number, wanted.campaign_number,
    ${param('reason')}, ${param('token')}, iif(${isAsked}, nullif(${foundSeqs}, '[]'), null) as lead_seqs
  from ${spellings} as wanted`),
  // That of the company withdraws, of every spelling.
  ...logSuppressedAgain(sql`select wanted.company_id, wanted.phone_number, wanted.campaign_number,
    ${param('reason')} as reason, own.token = ${param('token')} as is_new
  from ${added} as wanted
  cross join ${suppressions} as own on ${isOfWanted}
  where wanted.campaign_number = 0 or ${isAsked}`),
  addCounts(dequeuedCounts(foundLeads)),
  dequeueSuppressed(foundLeads),
  sql`select count(*) filter (where ${isAsked}) as added, coalesce(sum(own.leads_removed), 0) as "removedFromQueue"
  from ${added} as wanted
  cross join ${suppressions} as own on ${isOfWanted} and own.token = ${param('token')}`,
  // The calls in progress: a number has one at most, its last.
  sql`select k.claimed_at_ms as "claimedAtMs", k.seq, k.token
  from ${added} as wanted
  cross join ${calls} as k on k.company_id = wanted.company_id and k.phone_number = wanted.phone_number
    and k.claimed_at_ms = (select max(last.claimed_at_ms) from ${calls} as last
      where last.company_id = wanted.company_id and last.phone_number = wanted.phone_number)
    and k.outcome is null
  cross join ${leads} as l on l.seq = k.seq and l.claim_token = k.token and l.phone_number = k.phone_number
  where l.lease_expires_at_ms > ${param('nowMs')} and wanted.campaign_number in (0, l.campaign_number)`,
  verdictOf(writable),
].map(statement<AccessNames | ActorNames | 'phoneNumbers' | 'count' | 'reason' | 'token'>)

export type NumbersOfScope = {
  readonly phoneNumbers: readonly string[]
  /** Null: in all campaigns of the company. */
  readonly campaignId: string | null
}

export type NumbersToSuppress = NumbersOfScope & { readonly reason: string | null }

/** Too many numbers for so many campaigns (D57). */
export type TooMany = { readonly kind: 'too_many' }

type SuppressResult =
  | ScopeRefusal
  | TooMany
  | {
      readonly kind: 'suppressed'
      readonly added: number
      readonly existing: number
      readonly removedFromQueue: number
      /** The ids of calls in progress. */
      readonly liveCalls: readonly string[]
    }

/**
 * `before`: statements of another area that run first in the batch. Throws DatabaseUnavailable, as every function here.
 */
export async function suppressNumbers(
  db: D1Database,
  access: KeyAccess,
  { phoneNumbers, campaignId, reason }: NumbersToSuppress,
  before: readonly D1PreparedStatement[] = [],
): Promise<SuppressResult> {
  const askedCount = new Set(phoneNumbers).size
  const values = {
    ...access,
    campaignId,
    reason,
    phoneNumbers: itemsOf(spelled(phoneNumbers)),
    count: askedCount,
    token: randomBase62(leadTokenChars),
  }
  const { rows } = await runBatch(db, [...before, ...steps.map((step) => step(db, values))])
  const refusal = refuse(rows.at(-1), campaignId)
  if (refusal !== null) return refusal
  const [count] = rows.at(-3) as { added: number; removedFromQueue: number }[]
  const { added: addedCount = 0, removedFromQueue = 0 } = count ?? {}
  return {
    kind: 'suppressed',
    added: addedCount,
    existing: askedCount - addedCount,
    removedFromQueue,
    liveCalls: (rows.at(-2) as CallKey[]).map(callIdOf),
  }
}

/** Reads the row of `verdictOf`. */
export function refuse(
  rows: readonly unknown[] | undefined,
  campaignId: string | null,
): ScopeRefusal | TooMany | null {
  const verdict = rows?.[0] as (Verdict & { isWithinBound: number | null }) | undefined
  const refusal = scopeRefusalOf(verdict, campaignId)
  if (refusal !== null) return refusal
  return verdict?.isWithinBound === 1 ? null : { kind: 'too_many' }
}
