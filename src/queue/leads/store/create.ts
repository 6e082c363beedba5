// Stores one lead, and checks the key's right in the same transaction.
import { sql } from 'drizzle-orm'
import { isRefused, type PepperLost, type Refusal, refusalOf } from '../../../base/access/store/rights.ts'
import { param, runBatch, statement } from '../../../base/database/database.ts'
import { notify } from '../../../base/database/notices.ts'
import {
  type ConsentsToStore,
  consentsToStore,
  type NewConsent,
} from '../../../base/ledger/consent/consents.ts'
import type { ActorNames } from '../../../base/ledger/log/append.ts'
import { hashingWhenNeeded } from '../../../base/ledger/suppression/number-hash.ts'
import { waitingFor } from '../../campaigns/store/waiting.ts'
import type { NewLead } from '../fields.ts'
import { type LeadKey, leadIdOf } from '../lead.ts'
import { storedOrigin } from '../origin/origin.ts'
import { countLead } from './count-intake.ts'
import {
  type InsertNames,
  type IntakeNames,
  type IntakeVerdict,
  insertFrom,
  intake,
  intakeAccess,
  intakeVerdict,
  isReplay,
  logCreated,
  type Origin,
  type Reused,
  type StoredField,
  storeIntakeConsents,
  type VerdictNames,
  valuesOfLeads,
} from './intake.ts'
import { leads } from './tables.ts'

const countOne = statement<IntakeNames | 'phoneNumber' | 'numberHash'>(countLead(intake))

const logLead = statement<IntakeNames | ActorNames | 'phoneNumber'>(
  logCreated(sql``, sql`${param('phoneNumber')}`, sql`1`),
)

const insertLead = statement<InsertNames | StoredField>(
  insertFrom(sql``, sql`1`, (field) => sql`${param(field)}`),
)

// Who sends a lead that exists wakes nobody by that; by a consent that it brings, perhaps.
const leadByPhone = statement<VerdictNames | 'phoneNumber' | 'token'>(sql`
  select ${intakeVerdict}, ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
    ${notify(
      'waiting',
      sql`iif(${leads.token} = ${param('token')}, ${waitingFor(sql`verdict.company_id`, sql`verdict.number`)}, null)`,
    )}
  from ${intakeAccess} as verdict
  left join ${leads} on ${leads.campaignNumber} = verdict.number and ${leads.phoneNumber} = ${param('phoneNumber')}`)

type CreateResult =
  | Refusal
  | PepperLost
  | Reused
  | { readonly kind: 'created'; readonly leadId: string; readonly isReplay: boolean }
  | { readonly kind: 'exists'; readonly leadId: string }

/**
 * Stores one lead unless its phone number is already in the campaign; its consent in any case. `before`: statements of
 * another area that run first in each batch. Throws DatabaseUnavailable.
 */
export function createLead(
  db: D1Database,
  origin: Origin,
  lead: NewLead,
  consent: NewConsent | null = null,
  before: readonly D1PreparedStatement[] = [],
): Promise<CreateResult> {
  const consents = consentsToStore(consent === null ? [] : [consent], origin.hashes)
  // A consent is stored although the lead exists: then nothing shows afterwards that the log had to be written.
  const isLogged = consent !== null || (origin.isLogged ?? true)
  return hashingWhenNeeded(origin.keyId, origin.hashes, (hashes) =>
    storeLead(db, { ...origin, isLogged, hashes }, lead, consents, before),
  )
}

async function storeLead(
  db: D1Database,
  origin: Origin,
  lead: NewLead,
  consents: ConsentsToStore,
  before: readonly D1PreparedStatement[],
): Promise<CreateResult> {
  const { isLogged = true } = origin
  const values = {
    ...origin,
    ...storedOrigin(origin),
    ...valuesOfLeads(origin)(lead, origin.hashes.of(lead.phoneNumber)),
    pepperCheck: origin.hashes.pepperCheck,
    isLogged: isLogged ? 1 : 0,
  }
  // The statement that logs is half of a create's SQL: it is left out where the log is not read.
  const logging = isLogged ? [logLead] : []
  const batch = await runBatch(db, [
    ...before,
    ...[countOne, ...logging, insertLead].map((step) => step(db, values)),
    ...storeIntakeConsents(db, values, consents),
    leadByPhone(db, values),
  ])
  const row = batch.rows.at(-1)?.[0] as (IntakeVerdict & LeadKey) | undefined
  if (isRefused(row)) return refusalOf(row)
  if (row.isPepperLost) return { kind: 'pepper_lost' }
  if (row.isReused) return { kind: 'reused' }
  // Nothing is stored: somebody reads the log since the key was looked up.
  if (!isLogged && row.seq === null)
    return storeLead(db, { ...origin, isLogged: true }, lead, consents, before)
  const leadId = leadIdOf(row)
  if (row.token !== origin.token) return { kind: 'exists', leadId }
  return { kind: 'created', leadId, isReplay: isReplay(batch, origin, [row]) }
}
