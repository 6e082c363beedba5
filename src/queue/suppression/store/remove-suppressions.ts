// Removing suppressions: a read finds what is listed, and the transaction removes exactly that. So a repeated try,
// after a lost answer, leaves a suppression that was added since. All spellings of a number (D70) are removed with it;
// events and counts are of the requested numbers.
import { type SQL, sql } from 'drizzle-orm'
import {
  type AccessNames,
  type KeyAccess,
  type PepperLost,
  type ScopeRefusal,
  scopeVerdict,
} from '../../../base/access/store/rights.ts'
import { number, param, runSteps, statement, unionAll } from '../../../base/database/database.ts'
import { notify } from '../../../base/database/notices.ts'
import { everyPurpose, logOfNumbers, noPurpose } from '../../../base/ledger/consent/number-log.ts'
import { numberLog } from '../../../base/ledger/consent/tables.ts'
import type { ActorNames } from '../../../base/ledger/log/append.ts'
import {
  deleteHashes,
  deleteRetained,
  isHashedForCompany,
  isPepperLost,
} from '../../../base/ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { deleteNumbers, isSuppressed } from '../../../base/ledger/suppression/numbers.ts'
import { spellingsOf } from '../../../base/ledger/suppression/spellings.ts'
import { retainedHashes, suppressedHashes, suppressions } from '../../../base/ledger/suppression/tables.ts'
import { waitingFor, waitingInCompany } from '../../campaigns/store/waiting.ts'
import { queueAgain } from '../../leads/store/queue.ts'
import {
  isWithinBound,
  leadsOfNumbers,
  logNumbers,
  type NumbersOfScope,
  refuse,
  spelled,
  type TooMany,
  verdictOf,
  wanted,
} from './suppress.ts'

/** An element of placeholder `hashes` is a spelling of a requested number, with its hash. */
const hashItems = sql`json_each(${param('hashes')}) as item`

const scope = scopeVerdict('manage')
const mayRemove = sql`(select scoped.* from ${scope} as scoped
  where not ${isPepperLost(sql`scoped.company_id`)})`

/**
 * The lists that a number may be on, each by the element of `hashItems` that it has: a hash suppresses a number in the
 * whole company, a retained hash in one campaign only. `mark` differs when an entry was removed and added again.
 */
const lists = {
  plain: {
    own: sql`${suppressions} as own on own.company_id = scope.company_id
      and own.campaign_number = scope.number and own.phone_number`,
    by: 0,
    mark: sql`(own.token || ':' || own.created_at_ms)`,
  },
  hashed: {
    own: sql`${suppressedHashes} as own on own.company_id = scope.company_id and scope.number = 0 and own.number_hash`,
    by: 1,
    mark: sql`cast(own.created_at_ms as text)`,
  },
  retained: {
    own: sql`${retainedHashes} as own on own.company_id = scope.company_id
      and own.campaign_number = scope.number and own.number_hash`,
    by: 1,
    mark: sql`cast(own.created_at_ms as text)`,
  },
}
type List = keyof typeof lists

type Listed = { readonly list: List; readonly phoneNumber: string; readonly mark: string }

function listedOn(list: List): SQL {
  const { own, by, mark } = lists[list]
  return sql`select ${sql.raw(`'${list}'`)} as list, item.value ->> 0 as "phoneNumber", ${mark} as mark
    from ${mayRemove} as scope
    cross join ${hashItems}
    cross join ${own} = item.value ->> ${number(by)}
    where ${isWithinBound}`
}

const readSteps = [
  unionAll([listedOn('plain'), listedOn('hashed'), listedOn('retained')]),
  verdictOf(
    scope,
    sql`, ${isPepperLost(sql`scope.company_id`)} as "isPepperLost",
    ${notify(
      'waiting',
      sql`iif(scope.number = 0, ${waitingInCompany(sql`scope.company_id`)},
      ${waitingFor(sql`scope.company_id`, sql`scope.number`)})`,
    )}`,
  ),
].map(statement<AccessNames | 'pepperCheck' | 'count' | 'hashes'>)

/**
 * The entries that were read and are unchanged. An element of placeholder `listed` is list, number, hash, mark, the
 * number that was requested with its hash, and spellings with their hashes: of the first entry of a phone, all of the
 * phone's.
 */
const unchanged = (list: List) => {
  const { own, by, mark } = lists[list]
  return sql`select scope.company_id, scope.number as campaign_number, item.value ->> 1 as phone_number,
      item.value ->> 2 as number_hash, item.value ->> 4 as asked, item.value ->> 5 as asked_hash,
      item.value ->> 6 as spellings, own.created_at_ms, item.value ->> 3 as mark
    from ${mayRemove} as scope
    cross join json_each(${param('listed')}) as item
    cross join ${own} = item.value ->> ${number(by + 1)} and ${mark} = item.value ->> 3
    where item.value ->> 0 = ${sql.raw(`'${list}'`)}`
}

/** What is removed from the three lists; a number on two of them once, where it has the same name in both. */
const removed = (askedOfHashed: SQL) => sql`select company_id, campaign_number, asked as phone_number
  from (${unchanged('plain')})
  union
  select company_id, campaign_number, ${askedOfHashed} from (${unchanged('hashed')})
  union
  select company_id, campaign_number, ${askedOfHashed} from (${unchanged('retained')})`

/**
 * What a suppression of the company has withdrawn stays so (a gate's withdraws nothing), of every spelling, also where
 * nothing says it: a version
 * before knew fewer.
 */
const withdrawals = (list: 'plain' | 'hashed') => sql`select lifted.company_id,
    spelling.value ->> ${number(lists[list].by)} as phone_number, ${everyPurpose} as withdraws,
    lifted.created_at_ms as at_ms, 0 as campaign_number, null as reason
  from (${unchanged(list)}) as lifted
  cross join json_each(lifted.spellings) as spelling
  where lifted.campaign_number = 0 and lifted.mark not glob 'gate:*' and not exists (select 1 from ${numberLog} as last
    where last.company_id = lifted.company_id and last.phone_number in (spelling.value ->> 0, spelling.value ->> 1)
      and last.withdraws = ${everyPurpose} and last.at_ms >= lifted.created_at_ms)`

const removeSteps = [
  logNumbers('suppression.lifted', removed(sql`asked`)),
  logOfNumbers({ kind: 'withdrawal', entries: withdrawals('plain') }),
  logOfNumbers({ kind: 'withdrawal', entries: withdrawals('hashed') }),
  // What was suppressed by its hash alone stays without its number.
  logOfNumbers({
    kind: 'removal',
    entries: sql`select listed.company_id, listed.phone_number, ${noPurpose} as withdraws, ${param('nowMs')} as at_ms,
        listed.campaign_number, null as reason
      from (${removed(sql`asked_hash`)}) as listed`,
  }),
  deleteNumbers(sql`select company_id, phone_number, campaign_number from (${unchanged('plain')})`),
  deleteHashes(sql`select company_id, number_hash from (${unchanged('hashed')})`),
  deleteRetained(sql`select company_id, campaign_number, number_hash from (${unchanged('retained')})`),
  queueAgain(sql`${leadsOfNumbers(wanted(mayRemove))}
    where not ${isSuppressed(sql`c.company_id`, sql`l.phone_number`, sql`c.number`)}
      and l.phone_number not in (select item.value ->> 0
        from ${scope} as scope
        cross join ${hashItems}
        where ${isHashedForCompany(sql`scope.company_id`, sql`item.value ->> 1`)})
      and (l.phone_number, c.number) not in (select item.value ->> 0, kept.campaign_number
        from ${scope} as scope
        cross join ${hashItems}
        cross join ${retainedHashes} as kept on kept.company_id = scope.company_id
          and kept.number_hash = item.value ->> 1)`),
  verdictOf(scope),
].map(statement<AccessNames | ActorNames | 'pepperCheck' | 'listed' | 'phoneNumbers' | 'count' | 'hashes'>)

type RemoveResult =
  | ScopeRefusal
  | TooMany
  | PepperLost
  | { readonly kind: 'removed'; readonly removed: number }

/**
 * Removes what is suppressed for exactly this company or campaign, and queues leads again that were never called.
 * `onlyOfGate`: no word of a person, but what gates have said.
 * Throws DatabaseUnavailable.
 */
export async function removeSuppressions(
  db: D1Database,
  access: KeyAccess,
  { phoneNumbers, campaignId }: NumbersOfScope,
  hashes: NumberHashes,
  onlyOfGate = false,
): Promise<RemoveResult> {
  const askedOf = spelled(phoneNumbers)
  const hashOf = new Map([...askedOf.keys()].map((number) => [number, hashes.of(number)]))
  const values = {
    ...access,
    campaignId,
    phoneNumbers: JSON.stringify([...askedOf]),
    count: new Set(phoneNumbers).size,
    hashes: JSON.stringify([...hashOf]),
    pepperCheck: hashes.pepperCheck,
  }
  const { rows } = await runSteps(db, readSteps, values)
  const refusal = refuse(rows.at(-1), campaignId)
  if (refusal !== null) return refusal
  const [pepper] = rows[1] as [{ isPepperLost: number }]
  if (pepper.isPepperLost === 1) return { kind: 'pepper_lost' }
  const listedNow = rows[0] as readonly Listed[]
  const found = onlyOfGate ? listedNow.filter(({ mark }) => mark.startsWith('gate:')) : listedNow
  if (found.length === 0) return { kind: 'removed', removed: 0 }
  const seen = new Set<string>()
  const listed = found.map(({ list, phoneNumber, mark }) => {
    const asked = askedOf.get(phoneNumber) as string
    const spellings = seen.has(list + asked) ? [phoneNumber] : spellingsOf(phoneNumber)
    seen.add(list + asked)
    const hashed = spellings.map((spelling) => [spelling, hashes.of(spelling)])
    return [list, phoneNumber, hashOf.get(phoneNumber), mark, asked, hashOf.get(asked), hashed]
  })
  const removed = await runSteps(db, removeSteps, { ...values, listed: JSON.stringify(listed) })
  const refused = refuse(removed.rows.at(-1), campaignId)
  if (refused !== null) return refused
  // After a lost answer an earlier try may have removed them: then only the read shows which.
  const removedNumbers =
    removed.tries === 1 ? numbersRemoved(removed.rows, hashOf) : found.map(({ phoneNumber }) => phoneNumber)
  return { kind: 'removed', removed: new Set(removedNumbers.map((number) => askedOf.get(number))).size }
}

function numbersRemoved(
  [, , , , plain = [], hashed = [], retained = []]: readonly (readonly unknown[])[],
  hashOf: ReadonlyMap<string, string>,
): readonly string[] {
  const listed = new Set((plain as { phoneNumber: string }[]).map(({ phoneNumber }) => phoneNumber))
  const found = new Set(
    ([...hashed, ...retained] as { numberHash: string }[]).map(({ numberHash }) => numberHash),
  )
  return [...hashOf].flatMap(([number, hash]) => (listed.has(number) || found.has(hash) ? [number] : []))
}
