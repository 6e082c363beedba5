// How long consents are kept, and what is left of them and of the log of their number once its last lead is gone: the
// number as its hash, URLs as origin and path, no address, no browser, no reference. Placeholder `nowMs`.
import { type SQL, sql } from 'drizzle-orm'
import { isWritableCompany } from '../../access/store/moving.ts'
import { companies } from '../../access/store/tables.ts'
import { param } from '../../database/database.ts'
import { limits } from '../../limits.ts'
import { calls } from '../calls/tables.ts'
import { firstConsentIdOf } from './consents.ts'
import { consents, numberLog } from './tables.ts'

const years = sql`coalesce(company.consent_years, ${sql.raw(`${limits.consentYears}`)}) || ' years'`

/** A value: the years of the company after that time. */
export const keptAfterMs = (companyId: SQL, atMs: SQL) => sql`(select
    1000 * unixepoch(latest.at_ms / 1000, 'unixepoch', '+' || ${years}) + latest.at_ms % 1000
  from (select ${atMs} as at_ms) as latest
  cross join ${companies} as company on company.id = ${companyId})`

/**
 * A value, for `consent`, a row: the later of its giving and its newest use, and the years of the company after that.
 */
export const keptUntilMs = (consent: SQL) =>
  keptAfterMs(
    sql`${consent}.company_id`,
    sql`max(${consent}.given_at_ms, coalesce((select max(used.claimed_at_ms) from ${calls} as used
      where used.company_id = ${consent}.company_id and used.consent_id = ${consent}.id), 0))`,
  )

/** Of `company`, a row: no consent given after it is over now. A day more, because years differ in length. */
const lastOverMs = sql`(1000 * unixepoch(cast(${param('nowMs')} as integer) / 1000, 'unixepoch', '-' ||
  ${years}, '+1 day'))`

/** Something is stored of the number that must be hashed with its last lead. */
export const hasConsentRecords = (
  companyId: SQL,
  phoneNumber: SQL,
) => sql`(exists (select 1 from ${consents} as plain
    where plain.company_id = ${companyId} and plain.phone_number = ${phoneNumber})
  or exists (select 1 from ${numberLog} as plain
    where plain.company_id = ${companyId} and plain.phone_number = ${phoneNumber}))`

/** JSON `{consents, untilMs}` of the number, in plain and hashed: how many are kept, and until when the last one is. */
export const keptOf = (companyId: SQL, phoneNumber: SQL, numberHash: SQL) => sql`(
  select json_object('consents', count(*), 'untilMs', max(${keptUntilMs(sql`consent`)})) from ${consents} as consent
  where consent.company_id = ${companyId} and consent.phone_number in (${phoneNumber}, ${numberHash}))`

/** Without query and fragment, which may name the person. A statement can hold no question mark. */
const originAndPath = (url: string) =>
  sql.raw(`substr(${url}, 1, min(instr(${url} || char(63), char(63)), instr(${url} || '#', '#')) - 1)`)

const ofFound = (table: SQL) =>
  sql`${table}.company_id = found.company_id and ${table}.phone_number = found.phone_number`

/**
 * In one batch. `numbers` selects `company_id`, `phone_number` and `number_hash`. `isHashed` is a condition on what was
 * stored at that time, and on `found`, a row of them.
 */
export const hashConsentRecords = (
  numbers: SQL,
  isHashed: (storedAtMs: SQL) => SQL = () => sql`true`,
): readonly [SQL, SQL] => [
  sql`update ${consents} set phone_number = found.number_hash, number_hash = null, content_hmac = null,
      source_url = ${originAndPath('source_url')}, certificate_url = ${originAndPath('certificate_url')},
      ip = null, user_agent = null, reference = null, hashed_at_ms = ${param('nowMs')}
    from (select * from (${numbers}) limit -1) as found
    where ${ofFound(sql`${consents}`)} and ${isHashed(sql`${consents.storedAtMs}`)}`,
  sql`update or replace ${numberLog} set phone_number = found.number_hash, reason = null, hashed_at_ms =
    ${param('nowMs')}
    from (select * from (${numbers}) limit -1) as found
    where ${ofFound(sql`${numberLog}`)} and ${isHashed(sql`${numberLog.storedAtMs}`)}`,
]

const consentsPerLook = 200

/**
 * Removes consents that are over, of the few that it looks at in each company: from its oldest on, or behind it by
 * `share`, 0 to 1, of the time until the last that may be over. Those that were used since are kept.
 */
export const forgetConsents = sql`delete from ${consents}
  where (company_id, id) in (select company.id, consent.id from ${companies} as company
    cross join ${consents} as consent on consent.company_id = company.id and consent.id in (
      select next.id from ${consents} as next
      where next.company_id = company.id and next.id < ${firstConsentIdOf(lastOverMs)}
        and next.id >= (select ${firstConsentIdOf(sql`cast(oldest.given_at_ms
            + ${param('share')} * (${lastOverMs} - oldest.given_at_ms) as integer)`)}
          from ${consents} as oldest
          where oldest.company_id = company.id
          order by oldest.id
          limit 1)
      order by next.id
      limit ${sql.raw(`${consentsPerLook}`)})
    where ${isWritableCompany(sql`company.id`)} and ${keptUntilMs(sql`consent`)} <= ${param('nowMs')})`
