// The statements of an erasure, one transaction: log entries, suppression, and emptying leads and calls. A repeated try
// answers from the entry that the first has logged. Whose leads they are is decided in erase.ts.
//
// The number comes with its hash, since the database cannot hash, and with its other spellings (D70), which are held
// back with it. Placeholders: `phoneNumber`, `numberHash`, `spellings` (JSON, each spelling with its hash),
// `pepperCheck`, `erasureToken` (chosen before the first try), and those of the log.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../../base/access/store/tables.ts'
import { param } from '../../../base/database/database.ts'
import { notify } from '../../../base/database/notices.ts'
import { hasConsentRecords, hashConsentRecords, keptOf } from '../../../base/ledger/consent/kept-consents.ts'
import {
  everyPurpose,
  hasConsents,
  hasConsentsOf,
  logOfNumbers,
  logSuppressed,
  withdrawnAtMs,
} from '../../../base/ledger/consent/number-log.ts'
import { addCounts } from '../../../base/ledger/hours/counts.ts'
import { appendAlways, entryColumns } from '../../../base/ledger/log/append.ts'
import { events } from '../../../base/ledger/log/tables.ts'
import {
  insertCheck,
  insertHash,
  insertRetained,
  isHashedAnywhere,
  isPepperLost,
} from '../../../base/ledger/suppression/hashed-numbers.ts'
import {
  deleteListed,
  erasureMark,
  forgetPlaces,
  insertNumbers,
  isListed,
  isSuppressed as isSuppressedIn,
  notePlaces,
} from '../../../base/ledger/suppression/numbers.ts'
import { mostSpellings } from '../../../base/ledger/suppression/spellings.ts'
import { suppressions } from '../../../base/ledger/suppression/tables.ts'
import { waitingInCompany } from '../../campaigns/store/waiting.ts'
import { dequeuedCounts, dequeueSuppressed } from '../../leads/store/queue.ts'
import { leads } from '../../leads/store/tables.ts'
import { notedLeadsJoined } from '../../suppression/store/suppress.ts'
import { erasedEntries, forgetLeads, forgottenCounts } from './forget-leads.ts'
import { hasRecentCalls, rememberCalls } from './number-memory.ts'

/** A select of `seq`: leads of `numbers`, as leadsJoined has them, among those that noteLeads has found. */
const notedLeads = (numbers: SQL) => sql`select l.seq from ${notedLeadsJoined(numbers)}`

type Erasure = {
  /** A table expression with `company_id` and `number`, null when access is denied. */
  readonly verdict: SQL
  /**
   * A select of `seq`, `campaign_number`, `company_id`, `phone_number` and `is_open`, which checks the right itself.
   */
  readonly leads: SQL
  /**
   * `person`: all leads of the number, and its place on the list. `spelling`: the same of another spelling of the
   * number, which no event tells beside those of its leads. `lead`: one lead.
   */
  readonly of: 'person' | 'spelling' | 'lead'
}

const company = sql`verdict.company_id`
const phoneNumber = sql`${param('phoneNumber')}`
const spelling = sql`spelling.value ->> 0`
const ofCompany = sql`select verdict.company_id, ${phoneNumber} as phone_number, 0 as campaign_number`

/** The data of this request's entry in the log, JSON text; null: not yet logged. */
const done = sql`(select e.data
  from ${events} as e
  where e.company_id = ${company}
    and e.number > (select max(last.number) - 1000 from ${events} as last where last.company_id = ${company})
    and e.type = 'erasure.done' and e.data ->> 'token' = ${param('erasureToken')}
  order by e.number desc
  limit 1)`

export type ErasedRow = {
  readonly number: number | null
  /** 1: the pepper is missing that hashes the number for its suppression or its calls. */
  readonly isRefused: number
  readonly done: string | null
  /** JSON (keptOf). */
  readonly kept: string
}

/** In a company's campaign `c`: for each spelling of the number its lead's place, null where there is none. */
export const leadsOfSpellings = Array.from(
  { length: mostSpellings },
  (_, place) => sql`(select l.seq from ${leads} as l
    where l.campaign_number = c.number and l.phone_number = ${param('spellings')} ->> ${sql.raw(`'$[${place}][0]'`)})`,
)

/** Looks in each campaign once, if `isDue`. The statements behind it read what it has found. */
const noteLeads = (verdict: SQL, isDue: SQL) =>
  notePlaces(sql`select verdict.company_id, (select '[' || coalesce(substr(group_concat(${sql.join(
    leadsOfSpellings.map((seq) => sql`coalesce(',' || ${seq}, '')`),
    sql` || `,
  )}, ''), 2), '') || ']'
      from ${campaigns} as c
      where c.company_id = verdict.company_id) as seqs
    from ${verdict} as verdict
    where verdict.number is not null and ${isDue}`)

/** In one batch, in this order. The last statement gives an ErasedRow. */
export function eraseSteps({ verdict, leads: lostLeads, of }: Erasure): readonly SQL[] {
  const isOfPerson = of !== 'lead'
  // Nobody knows yet whether a call in progress ends with a do-not-call: so its number is suppressed until somebody
  // says so.
  const hasOpenCall = sql`exists (select 1 from (${lostLeads}) as lost where lost.is_open)`
  const mustSuppress = isOfPerson
    ? sql`(${param('suppress')} or ${isSuppressedIn(company, phoneNumber, sql`0`)} or ${hasOpenCall})`
    : hasOpenCall
  const mustRemember = sql`exists (select 1 from (${lostLeads}) as lost
    where ${hasRecentCalls(sql`lost.company_id`, sql`lost.phone_number`, sql`lost.seq`)})`
  // With the last lead of the number, a consent that was given before must stay withdrawn when it is sent. Without any
  // in the company and without the pepper, the erasure continues without that.
  const isGone = isOfPerson
    ? sql`1`
    : sql`(exists (${lostLeads}) and not exists (${notedLeads(sql`(${ofCompany})`)}
      where l.seq not in (select lost.seq from (${lostLeads}) as lost)))`
  const hashesConsents = sql`(${isGone} and (${hasConsentRecords(company, phoneNumber)} or ${hasConsents(company)}))`
  const mustHash = isOfPerson
    ? sql`${mustSuppress} or ${isListed(company, phoneNumber)} or ${hashesConsents}`
    : sql`${mustSuppress} or ${hashesConsents}`
  const isRefused = sql`((${mustHash} or ${mustRemember})
    and (${param('pepperCheck')} = '' or ${isPepperLost(company)}))`
  const granted = sql`(select verdict.* from ${verdict} as verdict
    where verdict.number is not null and not ${isRefused}) as verdict`
  const found = sql`select lost.*, ${param('numberHash')} as number_hash, ${param('spellings')} as spellings,
      ${param('pepperCheck')} as pepper_check
    from ${granted}
    cross join (${lostLeads}) as lost`
  const isSuppressed = sql`(${mustSuppress} or ${isListed(company, phoneNumber)}
    or ${isHashedAnywhere(company, sql`${param('numberHash')}`)})`
  const leadsOfNumber = notedLeads(sql`(${ofCompany})`)

  const logLeads = appendAlways(erasedEntries(found))
  const logDone = appendAlways(
    sql`select ${entryColumns({
      type: 'erasure.done',
      companyId: company,
      campaignNumber: sql`nullif(verdict.number, 0)`,
      data: sql`json_object('leadsErased', (select count(*) from (${lostLeads}) as lost),
      'suppressed', json(iif(${isSuppressed}, 'true', 'false')), 'token', ${param('erasureToken')})`,
    })} from ${granted}
      where ${done} is null ${of === 'person' ? sql`` : sql`and exists (${lostLeads})`}`,
  )
  const hash = insertHash(sql`select verdict.company_id from ${granted} where ${mustSuppress}`)
  const hasLeadsLeft = sql`exists (${notedLeads(
    sql`(select verdict.company_id, ${spelling} as phone_number, 0 as campaign_number)`,
  )}
    where l.seq not in (select lost.seq from (${lostLeads}) as lost))`
  const staysPlain = sql`(${hasLeadsLeft} or ${hasConsentsOf(company, spelling)})`
  // Another spelling goes with it, or is suppressed with it, unless it stands for itself.
  const gone = sql`select verdict.company_id, ${spelling} as phone_number, spelling.value ->> 1 as number_hash
    from ${granted}
    cross join json_each(${param('spellings')}) as spelling
    where iif(${spelling} = ${phoneNumber}, ${isGone}, (${isGone} or ${mustSuppress}) and not ${staysPlain})
      and ${param('pepperCheck')} <> '' and not ${isPepperLost(company)}`
  const logOfConsents = [
    logOfNumbers({
      kind: 'erasure',
      entries: sql`select gone.company_id, gone.number_hash as phone_number, ${everyPurpose} as withdraws,
        ${withdrawnAtMs(sql`gone.company_id`, sql`gone.phone_number`)} as at_ms, 0 as campaign_number,
        iif(${mustSuppress}, 'suppressed', null) as reason
      from (${gone}) as gone
      cross join ${verdict} as verdict`,
    }),
    insertCheck(gone),
    insertCheck(sql`select verdict.company_id from ${granted} where ${mustRemember}`),
    ...hashConsentRecords(gone),
  ]
  const hashInCampaigns =
    insertRetained(sql`select own.company_id, own.campaign_number, spelling.value ->> 1 as number_hash,
      'suppressed' as reason
    from ${granted}
    cross join ${suppressions} as own on own.company_id = verdict.company_id
      and own.phone_number = ${phoneNumber} and own.campaign_number <> 0
    cross join json_each(${param('spellings')}) as spelling`)
  // Claims only look at the list of plain numbers, which has to hold back the other leads of the number.
  const ofSpellings = sql`select verdict.company_id, ${spelling} as phone_number, 0 as campaign_number
    from ${granted}
    cross join json_each(${param('spellings')}) as spelling
    where ${mustSuppress}`
  const list = [
    insertNumbers(
      sql`select spelled.company_id, spelled.phone_number, 0, ${erasureMark}, ${erasureMark}, 0
      from (${ofSpellings} and ${hasLeadsLeft}) as spelled`,
    ),
    logSuppressed(
      sql`select spelled.company_id, spelled.phone_number, 0 as campaign_number, ${erasureMark} as reason
      from (${ofSpellings} and ${staysPlain}) as spelled`,
    ),
  ]
  const toDequeue = notedLeads(sql`(${ofSpellings})`)
  const others = sql`union all ${dequeuedCounts(toDequeue)}
    and dequeued.seq not in (select lost.seq from (${found}) as lost)`
  const count = addCounts(sql`${forgottenCounts(found)} ${others}`)
  const unlist = isOfPerson
    ? deleteListed(sql`${ofCompany} from ${granted}`)
    : deleteListed(sql`${ofCompany} from ${granted} where not exists (${leadsOfNumber})`, erasureMark)
  return [
    noteLeads(verdict, isOfPerson ? sql`true` : sql`exists (select 1 from (${lostLeads}) as lost)`),
    logLeads,
    logDone,
    hash,
    ...logOfConsents,
    ...(isOfPerson ? hashInCampaigns : []),
    ...list,
    count,
    dequeueSuppressed(toDequeue),
    ...rememberCalls(found, notedLeadsJoined),
    ...forgetLeads(found, sql`(select ${done} ->> 'suppressed' from ${verdict} as verdict)`),
    unlist,
    forgetPlaces(sql`select verdict.company_id from ${verdict} as verdict`),
    // An erased lead may have had a live call, which kept its number from other campaigns.
    sql`select verdict.number, ${isRefused} as "isRefused", ${done} as done,
      ${keptOf(company, phoneNumber, sql`${param('numberHash')}`)} as kept,
      ${notify('waiting', sql`iif(${done} is null, null, ${waitingInCompany(company)})`)}
    from ${verdict} as verdict`,
  ]
}
