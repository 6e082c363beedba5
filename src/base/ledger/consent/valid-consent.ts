// When a number may be called by a consent, as SQL for other areas' transactions: given, not withdrawn since, not
// expired and not too old. A consent may be given up to five minutes ahead, by a clock that is fast: it counts from
// then on.
import { type SQL, sql } from 'drizzle-orm'
import { consents, numberLog } from './tables.ts'

const dayMs = sql.raw(`${24 * 3_600_000}`)

/**
 * A withdrawal covers the consent, an alias: one of its purpose or of all, at the time of its giving or later. An
 * erasure left it under the number's hash.
 */
export const isWithdrawn = (consent: SQL) => sql`exists (select 1 from ${numberLog} as w
  where w.company_id = ${consent}.company_id and w.phone_number in (${consent}.phone_number, ${consent}.number_hash)
    and w.withdraws in ('*', ${consent}.purpose) and w.at_ms >= ${consent}.given_at_ms)`

type Requirement = {
  readonly companyId: SQL
  readonly phoneNumber: SQL
  /** Settings of a campaign, an alias. */
  readonly settings: SQL
  readonly atMs: SQL
}

/** The number's consents, as `consent`, that are valid at `atMs`, or will be when they are given. */
const usable = ({ companyId, phoneNumber, settings, atMs }: Requirement) => sql`${consents} as consent
  where consent.company_id = ${companyId} and consent.phone_number = ${phoneNumber}
    and consent.purpose = ${settings}.consent_purpose
    and coalesce(consent.expires_at_ms, 9e15) > max(${atMs}, consent.given_at_ms)
    and (${settings}.consent_max_age_days is null
      or consent.given_at_ms >= ${atMs} - ${settings}.consent_max_age_days * ${dayMs})
    and not ${isWithdrawn(sql`consent`)}`

/** The consent that the call `k` used was withdrawn since. */
export const isConsentLost = sql`(k.consent_id is not null and exists (select 1 from ${consents} as used
  where used.company_id = k.company_id and used.id = k.consent_id and ${isWithdrawn(sql`used`)}))`

/** A value: the id of the consent by which the number may be called; null: there is none, or none is required. */
export const consentInUse = (
  required: Requirement,
) => sql`iif(${required.settings}.consent_purpose is null, null,
  (select consent.id from ${usable(required)} and consent.given_at_ms <= ${required.atMs}
  order by consent.given_at_ms desc, consent.id desc
  limit 1))`

/** A value: from when on a consent allows to call the number, 0 where none is required; null: there is none. */
export const allowedFromMs = (
  required: Requirement,
) => sql`iif(${required.settings}.consent_purpose is null, 0,
  (select min(consent.given_at_ms) from ${usable(required)}))`
