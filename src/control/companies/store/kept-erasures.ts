// Erasures since the time of a restore, which brings back what they took: leads are erased again, and where the last
// lead of a number is gone, what stands of it in plain becomes its hash, as in the erasure. What was said of the number
// later stays.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../../base/access/store/tables.ts'
import { param, readRows, statement } from '../../../base/database/database.ts'
import { hasConsentRecords, hashConsentRecords } from '../../../base/ledger/consent/kept-consents.ts'
import { consents, numberLog } from '../../../base/ledger/consent/tables.ts'
import { addCounts } from '../../../base/ledger/hours/counts.ts'
import { appendIfListening, theSystem } from '../../../base/ledger/log/append.ts'
import {
  insertCheck,
  insertHashes,
  insertRetained,
  isPepperLost,
} from '../../../base/ledger/suppression/hashed-numbers.ts'
import { deleteListed, deleteNumbers, erasureMark } from '../../../base/ledger/suppression/numbers.ts'
import { suppressions } from '../../../base/ledger/suppression/tables.ts'
import { waits } from '../../../base/limits.ts'
import { erasedEntries, forgetLeads, forgottenCounts } from '../../../queue/erasure/store/forget-leads.ts'
import { carryHashes, hashedSpellings, hashOfKey } from '../../../queue/erasure/store/number-memory.ts'
import { erasedAndSuppressed, setNumberHashes } from '../../../queue/leads/store/emptied.ts'
import { clearMetadata } from '../../../queue/leads/store/mentions/erase-mentions.ts'
import { erasedRuns, leads } from '../../../queue/leads/store/tables.ts'
import { leadsOfNumbers } from '../../../queue/suppression/store/suppress.ts'
import {
  at,
  type Complete,
  isOfCompany,
  isSince,
  items,
  keptTable,
  type Value,
  valuesOf,
} from './kept-table.ts'

const isBack = sql`${leads} as l on l.seq = ${at(0)} and l.token = ${at(1)} and l.erased_at_ms is null
  cross join ${campaigns} as c on c.number = l.campaign_number`

const numbersBack = statement<'rows'>(sql`select item.key as "index", c.company_id as "companyId",
    l.phone_number as "phoneNumber"
  from ${items}
  cross join ${isBack}`)

type Back = { readonly index: number; readonly companyId: string; readonly phoneNumber: string }

/** Number, its hash, the check of the pepper, and all spellings of the number (D70), each with its hash, JSON. */
const hashNumbersBack: Complete = async (db, rows, hashesOf) => {
  const bound = numbersBack(db, { rows: JSON.stringify(rows) })
  const found = await readRows<Back>(db, bound, waits.administrationMs)
  return found.map(({ index, companyId, phoneNumber }) => {
    const hashes = hashesOf(companyId)
    const added = [
      phoneNumber,
      hashes.of(phoneNumber),
      hashes.pepperCheck,
      hashedSpellings(phoneNumber, hashes),
    ]
    return [...(rows[index] ?? []), ...added]
  })
}

/** Leads that were erased, and are back. What the version before has kept does not say when. */
const backAgain = (isSuppressed: 0 | 1) => sql`select l.seq, l.campaign_number, c.company_id, l.phone_number,
    coalesce(${at(3)}, ${param('nowMs')}) as erased_at_ms, iif(l.phone_number = ${at(4)}, ${at(5)}, '') as number_hash,
    ${at(6)} as pepper_check, ${at(7)} as spellings
  from ${items}
  cross join ${isBack}
  where ${at(2)} = ${sql.raw(`${isSuppressed}`)}`

const leadsOf = (number: SQL) =>
  leadsOfNumbers(sql`(select ${number}.company_id, ${number}.phone_number, 0 as campaign_number)`)
const isHashable = (number: SQL) => sql`${number}.number_hash <> ''
  and not ${isPepperLost(sql`${number}.company_id`, sql`${number}.pepper_check`)}`

/** `numbers` selects, besides what hashConsentRecords needs, `erased_at_ms` and `pepper_check`. */
const hashAgain = (numbers: SQL) => [
  insertCheck(numbers, sql`company.pepper_check`),
  ...hashConsentRecords(numbers, (storedAtMs) => sql`${storedAtMs} <= found.erased_at_ms`),
]

/** The last of those leads, where no other lead of the number is there. */
const lastBack = (
  found: SQL,
) => sql`select back.company_id, back.phone_number, back.number_hash, back.pepper_check,
    max(back.erased_at_ms) as erased_at_ms
  from (${found}) as back
  where ${isHashable(sql`back`)} and ${hasConsentRecords(sql`back.company_id`, sql`back.phone_number`)}
    and not exists (${leadsOf(sql`back`)} where l.seq not in (select other.seq from (${found}) as other))
  group by back.company_id, back.phone_number`

const eraseAgain = (isSuppressed: 0 | 1) => {
  const found = backAgain(isSuppressed)
  return [
    ...hashAgain(lastBack(found)),
    appendIfListening(erasedEntries(found), theSystem),
    addCounts(forgottenCounts(found)),
    // Of other leads of the phone, whose limits count the calls.
    carryHashes(sql`select back.company_id, spelling.value ->> 0 as phone_number,
      ${hashOfKey(sql`back.spellings`)} as number_hash
      from (${found}) as back
      cross join json_each(back.spellings) as spelling
      where back.number_hash <> ''`),
    deleteListed(
      sql`select back.company_id, back.phone_number from (${found}) as back
      where not exists (${leadsOf(sql`back`)} where l.seq not in (select other.seq from (${found}) as other))`,
      erasureMark,
    ),
    ...forgetLeads(found, sql.raw(`${isSuppressed}`)),
  ]
}

export const erasedLeads = keptTable({
  table: leads,
  from: sql`${erasedRuns} as run
    cross join ${leads} as t on t.seq between max(run.first_seq, ${param('after')} ->> 0) and run.last_seq`,
  values: [
    ['seq', sql`t.seq`],
    ['token', sql`t.token`],
    ['is_suppressed', sql`t.claim_token is ${erasedAndSuppressed}`],
    ['erased_at_ms', sql`t.erased_at_ms`],
  ],
  isKept: isSince('erased_at_ms'),
  write: [...eraseAgain(0), ...eraseAgain(1)],
  complete: hashNumbersBack,
})

// Numbers of which a part was hashed since, as the log has them: by hash, which nobody turns back into the number. So
// all that stand in plain in the company are hashed and compared.

const plainNumbersPerRange = 5_000

/**
 * A plain number begins with a plus, a hash never does. Of one company, so that a page begins where the last has ended.
 */
const plainIn = (table: SQL) => sql`select * from (select distinct own.phone_number from ${table} as own
    where own.company_id = ${param('companyId')}
      and own.phone_number > max('+', ${param('phoneNumber')}) and own.phone_number < ','
    order by own.phone_number
    limit ${sql.raw(`${plainNumbersPerRange}`)})`
const plainNumbers = statement<'companyId' | 'phoneNumber'>(sql`select phone_number as "phoneNumber"
  from (${sql.join(
    [suppressions, numberLog, consents].map((table) => plainIn(sql`${table}`)),
    sql` union `,
  )})
  order by phone_number
  limit ${sql.raw(`${plainNumbersPerRange}`)}`)

type PlainNumber = { readonly phoneNumber: string }

const keyOf = (companyId: Value | undefined, numberHash: Value | undefined) => `${companyId}\n${numberHash}`

/** For each hash the plain number with the latest times, if there is one, and the check of the pepper. */
const findPlainNumbers: Complete = async (db, rows, hashesOf) => {
  const hashed = Map.groupBy(rows, ([companyId, numberHash]) => keyOf(companyId, numberHash))
  const latestOf = (some: typeof rows, index: number) =>
    Math.max(...some.map((row) => Number(row[index] ?? 0)))
  const found: Value[][] = []
  for (const companyId of new Set(rows.map(([companyId]) => String(companyId)))) {
    const hashes = hashesOf(companyId)
    for (let after: string | undefined = ''; after !== undefined; ) {
      const bound = plainNumbers(db, { companyId, phoneNumber: after })
      const plain = await readRows<PlainNumber>(db, bound, waits.administrationMs)
      for (const { phoneNumber } of plain) {
        const numberHash = hashes.of(phoneNumber)
        const some = hashed.get(keyOf(companyId, numberHash))
        if (some === undefined) continue
        const times = [latestOf(some, 2), latestOf(some, 3)]
        found.push([companyId, numberHash, ...times, phoneNumber, hashes.pepperCheck])
      }
      after = plain.length < plainNumbersPerRange ? undefined : plain.at(-1)?.phoneNumber
    }
  }
  return found
}

/** Those without a lead. A lead that is left was not erased: then its number stays plain. */
const plainAgain = sql`select plain.* from (select ${at(0)} as company_id, ${at(4)} as phone_number, ${at(1)} as
  number_hash,
      ${at(2)} as erased_at_ms, ${at(3)} as unlisted_at_ms, ${at(5)} as pepper_check from ${items}) as plain
  where ${isOfCompany(sql`plain.company_id`)} and ${isHashable(sql`plain`)} and not exists (${leadsOf(sql`plain`)})`

/** Suppressions that the erasure of a person has replaced by the hash. */
const listedAgain = (campaigns: SQL, columns: SQL) => sql`select own.company_id, ${columns}
  from (${plainAgain}) as plain
  cross join ${suppressions} as own on own.company_id = plain.company_id and own.phone_number = plain.phone_number
    and own.created_at_ms <= plain.unlisted_at_ms and ${campaigns}`

const hashListed = [
  insertHashes(listedAgain(sql`own.campaign_number = 0`, sql`plain.number_hash`)),
  insertRetained(
    listedAgain(
      sql`own.campaign_number <> 0`,
      sql`own.campaign_number, plain.number_hash, 'suppressed' as reason`,
    ),
  )[0],
  insertCheck(listedAgain(sql`true`, sql`plain.pepper_check`), sql`company.pepper_check`),
  deleteNumbers(listedAgain(sql`true`, sql`own.phone_number, own.campaign_number`)),
]

export const erasedNumbers = keptTable({
  name: 'erased_numbers',
  table: numberLog,
  values: [
    ['company_id', sql`t.company_id`],
    ['number_hash', sql`t.phone_number`],
    ['hashed_at_ms', sql`max(t.stored_at_ms, coalesce(t.hashed_at_ms, 0))`],
    ['erased_at_ms', sql`iif(t.kind = 'erasure', t.stored_at_ms, 0)`],
  ],
  isKept: sql`(${isSince('hashed_at_ms')} or (t.kind = 'erasure' and ${isSince('stored_at_ms')}))`,
  write: [...hashListed, ...hashAgain(plainAgain)],
  complete: findPlainNumbers,
})

/**
 * Leads of other people, with the number of an erased one taken out of their metadata since: they keep what they have.
 */
export const clearedLeads = keptTable({
  name: 'cleared_leads',
  table: leads,
  from: sql`(select own.* from ${leads} as own indexed by leads_metadata_erased
    where own.metadata_erased_at_ms is not null) as t`,
  values: valuesOf(['seq', 'token', 'metadata', 'words', 'metadata_erased_at_ms']),
  isKept: isSince('metadata_erased_at_ms'),
  write: [
    clearMetadata(sql`select l.seq, ${at(2)} as metadata, ${at(3)} as words, ${at(4)} as at_ms from ${items}
      cross join ${leads} as l on l.seq = ${at(0)} and l.token = ${at(1)} and l.erased_at_ms is null
        and l.metadata is not ${at(2)}`),
  ],
})

/** Leads that carry the hash of calls to another lead of their number, which was erased since. */
export const hashedLeads = keptTable({
  name: 'hashed_leads',
  table: leads,
  // They are few: sorting them is less than reading all leads in order.
  from: sql`(select own.* from ${leads} as own indexed by leads_number_hash where own.number_hash is not null) as t`,
  values: valuesOf(['seq', 'token', 'number_hash']),
  isKept: sql`true`,
  write: [
    setNumberHashes(sql`select l.seq, ${at(2)} as number_hash from ${items}
      cross join ${leads} as l on l.seq = ${at(0)} and l.token = ${at(1)} and l.erased_at_ms is null`),
  ],
})
