// What intake adds to the hours of its campaign (src/statistics/store/counts.ts): the leads that it is about to store, and
// those it will not. Storing them is in create.ts.
import { type SQL, sql } from 'drizzle-orm'
import { addCounts, countColumns } from '../../statistics/store/counts.ts'
import { isHashed } from '../../suppression/store/hashed-numbers.ts'
import { isSuppressed } from '../../suppression/store/numbers.ts'
import { leads } from './tables.ts'

const param = sql.placeholder

/** True when leads of the number are stored, and not queued (D48). */
export const isQuiet = (granted: SQL, phoneNumber: SQL, numberHash: SQL) =>
  sql`(${isSuppressed(sql`${granted}.company_id`, phoneNumber, sql`${granted}.number`)}
    or ${isHashed(sql`${granted}.company_id`, numberHash)})`

const phoneNumber = sql`(item.value ->> 0)`

/**
 * Before the leads are stored, in the same batch. `granted` is a table expression of the campaign, no row where nothing is
 * stored. An element of placeholder `phoneNumbers` is a number with its hash. `sent` is how many leads the request has that
 * could be stored, and `invalid` how many that could not. A request that comes again, and finds leads of its own, has been
 * counted.
 */
export const countIntake = (granted: SQL) =>
  addCounts(sql`select ${countColumns({
    campaignNumber: sql`intake.number`,
    counter: sql`told.value ->> 0`,
    n: sql`told.value ->> 1`,
    statusAfter: sql`told.value ->> 2`,
  })}
  from (select granted.number, count(item.key) filter (where ${leads.seq} is null) as created,
      count(*) filter (where ${leads.seq} is null and item.key is not null
        and ${isQuiet(sql`granted`, phoneNumber, sql`item.value ->> 1`)}) as suppressed,
      count(*) filter (where ${leads.token} = ${param('token')}) as own
    from ${granted} as granted left join json_each(${param('phoneNumbers')}) as item on true
    left join ${leads} on ${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = ${phoneNumber}
    group by granted.number) as intake
  cross join json_each(json_array(json_array('created', intake.created, 'raw'), json_array('suppressed', intake.suppressed),
    json_array('skipped', iif(intake.own = 0, max(${param('sent')} - intake.created, 0), 0)),
    json_array('invalid', iif(intake.own = 0, ${param('invalid')}, 0)))) as told`)
