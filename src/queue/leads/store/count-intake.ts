// Counts new leads by the hour (src/base/ledger/hours/counts.ts): those about to be stored, and those that will not be.
// The statements run before the leads are stored, in the same batch. `granted` is a table expression of the campaign,
// empty when nothing is stored.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../../base/database/database.ts'
import { addToHours, thisHour } from '../../../base/ledger/hours/counts.ts'
import { hasHashes, isHashed } from '../../../base/ledger/suppression/hashed-numbers.ts'
import { hasNumbers, isSuppressed } from '../../../base/ledger/suppression/numbers.ts'
import { isOwn } from './row.ts'
import { leads } from './tables.ts'

/** A lead with a suppressed number is stored and not queued (D48). */
export const isNumberSuppressed = (granted: SQL, phoneNumber: SQL, numberHash: SQL) =>
  sql`(${isSuppressed(sql`${granted}.company_id`, phoneNumber, sql`${granted}.number`)}
    or ${isHashed(sql`${granted}.company_id`, numberHash, sql`${granted}.number`)})`

/** One lead. When it exists already, the request is refused and counts nothing. */
export const countLead = (granted: SQL) =>
  addToHours(
    ['created', 'suppressed', 'd_raw'],
    sql`select granted.number, ${thisHour}, 1,
      ${isNumberSuppressed(sql`granted`, sql`${param('phoneNumber')}`, sql`${param('numberHash')}`)}, 1
    from ${granted} as granted
    where not exists (select 1 from ${leads}
      where ${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = ${param('phoneNumber')})`,
  )

const phoneNumber = sql`(item.value ->> 0)`
const items = sql`json_each(${param('phoneNumbers')}) as item`
const isThere = sql`${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = ${phoneNumber}`

/**
 * A bulk, however many statements store it. Placeholders: `phoneNumbers`, distinct numbers each with its hash; `sent`,
 * how many leads were valid; `invalid`, how many were not. A repeated request finds leads with its own token, and has
 * been counted. Existing leads are found by a join and the new ones are the rest: looking for each number's absence
 * takes twice as long.
 */
export const countLeads = (granted: SQL) =>
  addToHours(
    ['created', 'suppressed', 'skipped', 'invalid', 'd_raw'],
    sql`select intake.* from (select granted.number, ${thisHour}, intake.created, not_queued.suppressed,
        iif(intake.own, 0, ${param('sent')} - intake.created) as skipped,
        iif(intake.own, 0, ${param('invalid')}) as invalid,
        intake.created as stored
      from ${granted} as granted
      cross join (select json_array_length(${param('phoneNumbers')}) - count(*) as created,
          coalesce(max(${isOwn}), 0) as own
        from ${granted} as granted
        cross join ${items}
        cross join ${leads} on ${isThere}) as intake
      cross join (select count(*) as suppressed
        from (select granted.* from ${granted} as granted
          where ${hasNumbers(sql`granted.company_id`)} or ${hasHashes(sql`granted.company_id`)}) as granted
        cross join ${items}
        where ${isNumberSuppressed(sql`granted`, phoneNumber, sql`(item.value ->> 1)`)}
          and not exists (select 1 from ${leads} where ${isThere})) as not_queued) as intake
    where intake.created > 0 or intake.skipped > 0 or intake.invalid > 0`,
  )
