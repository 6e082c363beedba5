// A do-not-call for a call whose lead an erasure or a restore has taken (base/ledger/suppression/lost-calls.ts). The
// number is known by its hashes alone, which suppress it in the company. Leads of it that are there, or have come
// since, carry one of them (number_hash): each number of theirs is listed in plain, as after an erasure. Every other
// outcome finds no call.
import { sql } from 'drizzle-orm'
import { campaigns } from '../../../../base/access/store/tables.ts'
import { param, statement } from '../../../../base/database/database.ts'
import { firstConsentIdOf } from '../../../../base/ledger/consent/consents.ts'
import { everyPurpose, logOfNumbers } from '../../../../base/ledger/consent/number-log.ts'
import { consents } from '../../../../base/ledger/consent/tables.ts'
import {
  type ActorNames,
  appendIfListening,
  entryColumns,
  listenedTo,
} from '../../../../base/ledger/log/append.ts'
import { insertHashes, isHashedForCompany } from '../../../../base/ledger/suppression/hashed-numbers.ts'
import { erasureMark, insertNumbers } from '../../../../base/ledger/suppression/numbers.ts'
import { lostCalls } from '../../../../base/ledger/suppression/tables.ts'
import { leads } from '../../../leads/store/tables.ts'
import { doNotCall, type KeyWithClaimNames, keyWithClaim } from './reported-leads.ts'

/** The rows of the calls, as `g`, of which the request reports a do-not-call: one for each spelling of the number. */
const forbidding = (key = keyWithClaim) => sql`${key} as key
  cross join json_each(${param('items')}) as item on ${doNotCall}
  cross join ${lostCalls} as g on g.claimed_at_ms = item.value ->> 1 and g.company_id = key.company_id
    and g.seq = item.value ->> 0 and g.token = item.value ->> 2
    and (key.campaign_number is null or key.campaign_number = g.campaign_number)`

/** A select of `company_id` and `number_hash`. */
const lostHashes = sql`select distinct g.company_id, g.number_hash from ${forbidding()}`

/** A select of `company_id` and `phone_number`, of leads that the company has. */
export const numbersOfLost = sql`select distinct lost.company_id, l.phone_number
  from (${lostHashes}) as lost
  cross join ${leads} as l on l.number_hash = lost.number_hash
  cross join ${campaigns} as c on c.number = l.campaign_number and c.company_id = lost.company_id`

/** An entry for each number that was not suppressed by its hash before. */
const logAdded = statement<KeyWithClaimNames | ActorNames | 'items'>(
  appendIfListening(sql`select ${entryColumns({
    type: 'suppression.added',
    companyId: sql`lost.company_id`,
    data: sql`json_object('count', 1)`,
  })} from (
    select distinct called.company_id, called.first_hash from (
      select g.company_id, min(g.number_hash) as first_hash from ${forbidding(listenedTo(keyWithClaim))}
      group by g.company_id, g.claimed_at_ms, g.seq, g.token
      having not max(${isHashedForCompany(sql`g.company_id`, sql`g.number_hash`)})) as called) as lost`),
)

const suppressHashes = statement<KeyWithClaimNames | 'items'>(
  insertHashes(sql`select g.company_id, spelling.value as number_hash from ${forbidding()}
    cross join json_each(json_array(g.number_hash, g.pepper_check)) as spelling`),
)

const listNumbers = statement<KeyWithClaimNames | 'items'>(
  insertNumbers(sql`select listed.company_id, listed.phone_number, 0, 'do_not_call', ${erasureMark}, 0
    from (${numbersOfLost}) as listed`),
)

/** Of consents of the number in plain, which nothing finds by it: those that a clock ahead has given. */
const givenAheadMs = sql`(select max(ahead.given_at_ms) from ${consents} as ahead
  where ahead.company_id = lost.company_id and ahead.id >= ${firstConsentIdOf(sql`cast(${param('nowMs')} as integer)`)}
    and ahead.number_hash = lost.number_hash)`

const withdrawByHash = statement<KeyWithClaimNames | ActorNames | 'items'>(
  logOfNumbers({
    kind: 'suppression',
    entries: sql`select lost.company_id, lost.number_hash as phone_number, ${everyPurpose} as withdraws,
        max(${param('nowMs')}, coalesce(${givenAheadMs}, 0)) as at_ms, 0 as campaign_number, null as reason
      from (${lostHashes}) as lost`,
  }),
)

/** Before those that find numbers in plain. */
export const lostSteps = [logAdded, suppressHashes, listNumbers, withdrawByHash]

/** A value: JSON of the indexes of the calls among the reports. */
export const lostIndexes = sql`(select json_group_array(distinct item.key) from ${forbidding()})`
