// The consent by which a lead may be called, of the lead `l` in `campaign` with its settings `s`: for the claim, and for the
// blockers of a lead.
import { sql } from 'drizzle-orm'
import { allowedFromMs, consentInUse } from '../../../ledger/consent/valid-consent.ts'

const required = {
  companyId: sql`campaign.company_id`,
  phoneNumber: sql`l.phone_number`,
  settings: sql`s`,
  atMs: sql`campaign.now_ms`,
}

/** From when on, 0 where none is required; later than now: a fast clock gave it. Null: there is none. */
export const allowedFrom = allowedFromMs(required)

/** Its id; null: none is required, or there is none now. */
export const leadConsent = consentInUse(required)
