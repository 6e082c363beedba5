// Deletes old log entries, with the only statement that deletes any. A company's last entry stays, however old, so that
// no number is used twice.
import { type SQL, sql } from 'drizzle-orm'
import { isWritable } from '../../access/store/moving.ts'
import { companies } from '../../access/store/tables.ts'
import { param } from '../../database/database.ts'
import { limits } from '../../limits.ts'
import { events } from './tables.ts'

/** For all companies together. */
const entriesPerStep = 1_000

const keptMs = limits.eventsKeptDays * 24 * limits.hourMs
const isOld = (at: SQL) => sql`${at} < ${param('nowMs')} - ${sql.raw(`${keptMs}`)}`
const numberOf = (which: 'min' | 'max') => sql`(select ${sql.raw(which)}(e.number) from ${events} as e
  where e.company_id = ${companies.id})`

/** Times never fall from one entry to the next: a company whose first entry is not old has no old one. */
export const forgetOldEntries = sql`delete from ${events}
where (company_id, number) in (
  select old.company_id, old.number from ${companies}
    cross join ${events} as first on ${isWritable}
      and first.company_id = ${companies.id} and first.number = ${numberOf('min')}
      and ${isOld(sql`first.at_ms`)}
    cross join ${events} as old on old.company_id = ${companies.id} and old.number < ${numberOf('max')}
      and old.number < first.number + ${sql.raw(`${entriesPerStep}`)}
      and ${isOld(sql`old.at_ms`)}
  limit ${sql.raw(`${entriesPerStep}`)})`
