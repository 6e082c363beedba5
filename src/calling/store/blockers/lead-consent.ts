// The consent by which a lead may be called, of the lead `l` in `campaign` with its settings `s`: for the claim, for the
// blockers of a lead, and for a preview by a consent that is only considered.
import { type SQL, sql } from 'drizzle-orm'
import { allowedFromMs, consentInUse } from '../../../ledger/consent/valid-consent.ts'

const requiredBy = (settings: SQL) => ({
  companyId: sql`campaign.company_id`,
  phoneNumber: sql`l.phone_number`,
  settings,
  atMs: sql`campaign.now_ms`,
})

const required = requiredBy(sql`s`)

/** From when on, 0 where none is required; later than now: a fast clock gave it. Null: there is none. */
export const allowedFrom = allowedFromMs(required)

/** The same, by other settings. */
export const allowedFromBy = (settings: SQL) => allowedFromMs(requiredBy(settings))

/** Its id; null: none is required, or there is none now. */
export const leadConsent = consentInUse(required)
