// What was said about a number after a consent: statements that log it, and what an erasure makes of the log. A
// withdrawal covers the consents that were given until its time. The log says it also of numbers without any consent,
// so that one which arrives later, and was given before, is none.
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
 * One of the consents of the number, as it is stored, is newer than the last time that all were withdrawn, or they
 * never were.
 */
const isConsentNewer = (
  companyId: SQL,
  phoneNumber: SQL,
) => sql`not exists (select 1 from ${numberLog} as last
  where last.company_id = ${companyId} and last.phone_number = ${phoneNumber} and last.withdraws = '*'
    and last.at_ms >= coalesce((select max(given.given_at_ms) from ${consents} as given
      where given.company_id = ${companyId} and given.phone_number = ${phoneNumber}), last.at_ms))`

/** The entry of the number's last suppression in the company, a condition on `no`. */
const isSuppression = (companyId: SQL, phoneNumber: SQL) => sql`no.company_id = ${companyId}
  and no.phone_number = ${phoneNumber} and no.withdraws = '*' and no.kind = 'suppression' and no.campaign_number = 0`

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

/** Of a number that is suppressed since nobody knows how a call ends that a restore has taken. */
export const lostReason = sql.raw(`'restore'`)

/**
 * Placeholders `nowMs` and `actor`. A retry logs nothing. What a restore has supposed gives way to what is said at the
 * same time.
 */
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
  on conflict do update set reason = excluded.reason where ${numberLog}.reason = ${lostReason}`

/**
 * Numbers are suppressed: that of the company withdraws every consent. `numbers` selects `company_id`, `phone_number`,
 * `campaign_number` (0: the company) and `reason`.
 */
export const logSuppressed = (numbers: SQL, actor?: SQL) =>
  logOfNumbers({
    kind: 'suppression',
    entries: sql`select numbers.company_id, numbers.phone_number,
      iif(numbers.campaign_number = 0, ${everyPurpose}, ${noPurpose}) as withdraws,
      ${withdrawnAtMs(sql`numbers.company_id`, sql`numbers.phone_number`)} as at_ms, numbers.campaign_number,
        numbers.reason
    from (${numbers}) as numbers`,
    ...(actor && { actor }),
  })

/**
 * Numbers of the company are suppressed that may be so already. A no that is said again covers every consent that was
 * given until then, also one that arrives later: the entry of the last time moves to now, and the log does not grow.
 * Where a consent was stored since, both times count, and the no is an entry of its own. In this order. `numbers` as in
 * logSuppressed; their `is_new`: what was no suppression before.
 */
export const logSuppressedAgain = (numbers: SQL, actor = sql`${param('actor')}`): readonly [SQL, SQL] => [
  sql`update ${numberLog} set at_ms = cast(said.at_ms as integer), stored_at_ms = ${param('nowMs')}, actor = ${actor},
      reason = coalesce(said.reason, ${numberLog}.reason)
    from (select numbers.company_id, numbers.phone_number, numbers.reason,
        ${withdrawnAtMs(sql`numbers.company_id`, sql`numbers.phone_number`)} as at_ms,
        (select max(no.at_ms) from ${numberLog} as no
          where ${isSuppression(sql`numbers.company_id`, sql`numbers.phone_number`)}) as last_at_ms
      from (${numbers}) as numbers
      where numbers.campaign_number = 0 and not numbers.is_new
        and not ${isConsentNewer(sql`numbers.company_id`, sql`numbers.phone_number`)}
      limit -1) as said
    where ${numberLog}.company_id = said.company_id and ${numberLog}.phone_number = said.phone_number
      and ${numberLog}.withdraws = '*' and ${numberLog}.at_ms = said.last_at_ms
      and ${numberLog}.kind = 'suppression' and ${numberLog}.campaign_number = 0 and said.at_ms > said.last_at_ms`,
  logSuppressed(
    sql`select numbers.company_id, numbers.phone_number, numbers.campaign_number, numbers.reason
      from (${numbers}) as numbers
      where numbers.is_new or numbers.campaign_number = 0
        and (${isConsentNewer(sql`numbers.company_id`, sql`numbers.phone_number`)}
          or not exists (select 1 from ${numberLog} as no
            where ${isSuppression(sql`numbers.company_id`, sql`numbers.phone_number`)}))`,
    actor,
  ),
]
