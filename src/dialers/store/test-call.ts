// What is asked of the database before a test call, and what the log keeps of one: who made it, and no number.
import { sql } from 'drizzle-orm'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  isRefused,
  type PepperLost,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../access/store/rights.ts'
import { campaignEntry } from '../../campaigns/store/settings-row.ts'
import { param, readRows, runBatch, runSteps, statement } from '../../database/database.ts'
import { type LeadKey, leadIdOf } from '../../leads/lead.ts'
import { isErased } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { calls } from '../../ledger/calls/tables.ts'
import { type ActorNames, appendAlways } from '../../ledger/log/append.ts'
import { isHashed, isPepperLost } from '../../ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../ledger/suppression/numbers.ts'

const company = sql`verdict.company_id`
const phoneNumber = sql`${param('phoneNumber')}`

const isInCall = sql`exists (select 1 from ${calls} as k
  cross join ${leads} as l on l.seq = k.seq and l.claim_token = k.token and l.lease_expires_at_ms > ${param('nowMs')}
  where k.phone_number = ${phoneNumber} and k.company_id = ${company} and k.outcome is null)`

const tested = statement<
  AccessNames | 'phoneNumber' | 'numberHash' | 'pepperCheck'
>(sql`select verdict.number,
    ${isPepperLost(company)} as "isPepperLost", ${isInCall} as "isInCall",
    (${isSuppressed(company, phoneNumber, sql`verdict.number`)}
      or ${isHashed(company, sql`${param('numberHash')}`, sql`verdict.number`)}) as "isSuppressed"
  from ${accessVerdict('manage to read')} as verdict`)

type TestedRow = Verdict & Record<'isPepperLost' | 'isInCall' | 'isSuppressed', number>

/** Whether a number may be called by hand. Throws DatabaseUnavailable, as every function here. */
export async function judgeTested(
  db: D1Database,
  access: Access,
  number: string,
  hashes: NumberHashes,
): Promise<
  Refusal | PepperLost | { readonly kind: 'test_number_suppressed' | 'number_in_call' | 'may_be_called' }
> {
  const values = {
    ...access,
    phoneNumber: number,
    numberHash: hashes.of(number),
    pepperCheck: hashes.pepperCheck,
  }
  const { rows } = await runBatch(db, [tested(db, values)])
  const row = rows[0]?.[0] as TestedRow | undefined
  if (isRefused(row)) return refusalOf(row)
  if (row.isPepperLost === 1) return { kind: 'pepper_lost' }
  if (row.isSuppressed === 1) return { kind: 'test_number_suppressed' }
  return { kind: row.isInCall === 1 ? 'number_in_call' : 'may_be_called' }
}

const logSteps = [
  appendAlways(
    sql`select ${campaignEntry('dialer.test_started', sql`own`, sql`json_object()`)}
      from ${grantedCampaign('manage')} as own`,
  ),
  sql`select verdict.number from ${accessVerdict('manage')} as verdict`,
].map(statement<AccessNames | ActorNames>)

export async function logTest(
  db: D1Database,
  access: Access,
): Promise<Refusal | { readonly kind: 'logged' }> {
  const { rows } = await runSteps(db, logSteps, access)
  const row = rows.at(-1)?.[0] as Verdict | undefined
  return isRefused(row) ? refusalOf(row) : { kind: 'logged' }
}

const present = statement<
  'number' | 'seqs'
>(sql`select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token}
  from json_each(${param('seqs')}) as item
  cross join ${leads} on ${leads.seq} = item.value and ${leads.campaignNumber} = ${param('number')} and not ${isErased}`)

/** The ids of these leads of the campaign that are not erased. */
export async function listPresent(
  db: D1Database,
  number: number,
  seqs: readonly number[],
): Promise<ReadonlySet<string>> {
  const rows = await readRows<LeadKey>(db, present(db, { number, seqs: JSON.stringify(seqs) }))
  return new Set(rows.map(leadIdOf))
}
