// What intake adds to the hours of its campaign (src/ledger/hours/counts.ts): the leads that it is about to store, and
// those it will not. Both statements come before the leads are stored, in the same batch, and their `granted` is a table
// expression of the campaign, no row where nothing is stored. Storing them is in create.ts.
import { type SQL, sql } from 'drizzle-orm'
import { addToHours, thisHour } from '../../ledger/hours/counts.ts'
import { hasHashes, isHashed } from '../../ledger/suppression/hashed-numbers.ts'
import { hasNumbers, isSuppressed } from '../../ledger/suppression/numbers.ts'
import { isOwn } from './row.ts'
import { leads } from './tables.ts'

const param = sql.placeholder

/** True when leads of the number are stored, and not queued (D48). */
export const isQuiet = (granted: SQL, phoneNumber: SQL, numberHash: SQL) =>
  sql`(${isSuppressed(sql`${granted}.company_id`, phoneNumber, sql`${granted}.number`)}
    or ${isHashed(sql`${granted}.company_id`, numberHash, sql`${granted}.number`)})`

/** One lead. That it is there already refuses the request, which then counts for nothing. */
export const countLead = (granted: SQL) =>
  addToHours(
    ['created', 'suppressed', 'd_raw'],
    sql`select granted.number, ${thisHour}, 1,
      ${isQuiet(sql`granted`, sql`${param('phoneNumber')}`, sql`${param('numberHash')}`)}, 1
    from ${granted} as granted where not exists (select 1 from ${leads}
      where ${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = ${param('phoneNumber')})`,
  )

const phoneNumber = sql`(item.value ->> 0)`
const items = sql`json_each(${param('phoneNumbers')}) as item`
const isThere = sql`${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = ${phoneNumber}`

/**
 * A bulk, however many statements store it. An element of placeholder `phoneNumbers` is a number with its hash, and none
 * comes twice; `sent` is how many leads could be stored, and `invalid` how many could not. A request that comes again finds
 * leads of its own (`token`), and has been counted. What is there is found by a join, and what is not follows: looking for
 * each number's absence takes twice as long.
 */
export const countLeads = (granted: SQL) =>
  addToHours(
    ['created', 'suppressed', 'skipped', 'invalid', 'd_raw'],
    sql`select intake.* from (select granted.number, ${thisHour}, intake.created, quiet.suppressed,
        iif(intake.own, 0, ${param('sent')} - intake.created) as skipped, iif(intake.own, 0, ${param('invalid')}) as invalid,
        intake.created as stored
      from ${granted} as granted
      cross join (select json_array_length(${param('phoneNumbers')}) - count(*) as created,
          coalesce(max(${isOwn}), 0) as own
        from ${granted} as granted cross join ${items} cross join ${leads} on ${isThere}) as intake
      cross join (select count(*) as suppressed
        from (select granted.* from ${granted} as granted
          where ${hasNumbers(sql`granted.company_id`)} or ${hasHashes(sql`granted.company_id`)}) as granted
        cross join ${items}
        where ${isQuiet(sql`granted`, phoneNumber, sql`(item.value ->> 1)`)}
          and not exists (select 1 from ${leads} where ${isThere})) as quiet) as intake
    where intake.created > 0 or intake.skipped > 0 or intake.invalid > 0`,
  )
