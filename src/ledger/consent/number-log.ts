// What was said about a number after a consent: statements that log it, and what an erasure makes of the log. A withdrawal
// covers the consents that were given until its time. The log says it also of numbers without any consent, so that one
// which arrives later, and was given before, is none.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { consents, numberLog } from './tables.ts'

/** `removal`: of a suppression, which gives no consent back. */
export type NumberLogKind = 'withdrawal' | 'suppression' | 'removal' | 'erasure'

/** In `withdraws`. */
export const everyPurpose = sql`'*'`
export const noPurpose = sql`''`

/** A value: now, or when the newest consent of the number was given, if that is later. */
export const withdrawnAtMs = (companyId: SQL, phoneNumber: SQL) => sql`max(${param('nowMs')},
  coalesce((select max(given.given_at_ms) from ${consents} as given
    where given.company_id = ${companyId} and given.phone_number = ${phoneNumber}), 0))`

/**
 * A condition, for a number that is said no to again: of its consents one is newer than the last time that all were
 * withdrawn, or they never were. Else another entry would say nothing.
 */
export const isConsentNewer = (
  companyId: SQL,
  phoneNumber: SQL,
) => sql`not exists (select 1 from ${numberLog} as last
  where last.company_id = ${companyId} and last.phone_number = ${phoneNumber} and last.withdraws = '*'
    and last.at_ms >= coalesce((select max(given.given_at_ms) from ${consents} as given
      where given.company_id = ${companyId} and given.phone_number = ${phoneNumber}), last.at_ms))`

/** The company has any consent. */
export const hasConsents = (companyId: SQL) => sql`exists (select 1 from ${consents} as any_consent
  where any_consent.company_id = ${companyId})`

/** The number has any consent, in plain. */
export const hasConsentsOf = (
  companyId: SQL,
  phoneNumber: SQL,
) => sql`exists (select 1 from ${consents} as own_consent
  where own_consent.company_id = ${companyId} and own_consent.phone_number = ${phoneNumber})`

type Entries = {
  readonly kind: NumberLogKind
  /** Selects `company_id`, `phone_number`, `withdraws`, `at_ms`, `campaign_number` and `reason`. */
  readonly entries: SQL
  /** By default the request's. */
  readonly actor?: SQL
}

/** Placeholders `nowMs` and `actor`. A retry logs nothing. */
export const logOfNumbers = ({
  kind,
  entries,
  actor = sql`${param('actor')}`,
}: Entries) => sql`insert into ${numberLog}
  (company_id, phone_number, withdraws, at_ms, campaign_number, reason, kind, actor, stored_at_ms)
  select said.company_id, said.phone_number, said.withdraws, cast(said.at_ms as integer), said.campaign_number,
    said.reason, ${sql.raw(`'${kind}'`)}, ${actor}, ${param('nowMs')}
  from (${entries}) as said
  where true
  on conflict do nothing`

/**
 * Numbers are suppressed: that of the company withdraws every consent. `numbers` selects `company_id`, `phone_number`,
 * `campaign_number` (0: the company) and `reason`.
 */
export const logSuppressed = (numbers: SQL, actor?: SQL) =>
  logOfNumbers({
    kind: 'suppression',
    entries: sql`select numbers.company_id, numbers.phone_number,
      iif(numbers.campaign_number = 0, ${everyPurpose}, ${noPurpose}) as withdraws,
      ${withdrawnAtMs(sql`numbers.company_id`, sql`numbers.phone_number`)} as at_ms, numbers.campaign_number, numbers.reason
    from (${numbers}) as numbers`,
    ...(actor && { actor }),
  })
