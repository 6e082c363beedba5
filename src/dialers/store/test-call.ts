// What is asked of the database before a test call, and what the log keeps of one: who made it, and no number.
import { type SQL, sql } from 'drizzle-orm'
import { isWritableCompany } from '../../access/store/moving.ts'
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
import type { WaitedCampaign } from '../../campaigns/waited-campaign.ts'
import { param, readRows, runBatch, runSteps, statement } from '../../database/database.ts'
import { type LeadKey, leadIdOf } from '../../leads/lead.ts'
import { isErased } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { calls } from '../../ledger/calls/tables.ts'
import { type ActorNames, appendAlways } from '../../ledger/log/append.ts'
import { isHashed, isPepperLost } from '../../ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../ledger/suppression/numbers.ts'

const phoneNumber = sql`${param('phoneNumber')}`

const isInCall = (company: SQL) => sql`exists (select 1 from ${calls} as k
  cross join ${leads} as l on l.seq = k.seq and l.claim_token = k.token and l.lease_expires_at_ms > ${param('nowMs')}
  where k.phone_number = ${phoneNumber} and k.company_id = ${company} and k.outcome is null)`

const judged = (company: SQL, campaignNumber: SQL) => sql`${isPepperLost(company)} as "isPepperLost",
  ${isInCall(company)} as "isInCall", (${isSuppressed(company, phoneNumber, campaignNumber)}
    or ${isHashed(company, sql`${param('numberHash')}`, campaignNumber)}) as "isSuppressed"`

type NumberNames = 'nowMs' | 'phoneNumber' | 'numberHash' | 'pepperCheck'
type JudgedRow = Record<'isPepperLost' | 'isInCall' | 'isSuppressed', number>
type Judged = PepperLost | { readonly kind: 'test_number_suppressed' | 'number_in_call' | 'may_be_called' }

const valuesOf = (number: string, { of, pepperCheck }: NumberHashes) => ({
  phoneNumber: number,
  numberHash: of(number),
  pepperCheck,
})

function judgementOf(row: JudgedRow): Judged {
  if (row.isPepperLost === 1) return { kind: 'pepper_lost' }
  if (row.isSuppressed === 1) return { kind: 'test_number_suppressed' }
  return { kind: row.isInCall === 1 ? 'number_in_call' : 'may_be_called' }
}

const tested = statement<AccessNames | NumberNames>(sql`select verdict.number,
    ${judged(sql`verdict.company_id`, sql`verdict.number`)}
  from ${accessVerdict('manage to read')} as verdict`)

/** Whether a number may be called by hand. Throws DatabaseUnavailable, as every function here. */
export async function judgeTested(
  db: D1Database,
  access: Access,
  number: string,
  hashes: NumberHashes,
): Promise<Refusal | Judged> {
  const { rows } = await runBatch(db, [tested(db, { ...access, ...valuesOf(number, hashes) })])
  const row = rows[0]?.[0] as (Verdict & JudgedRow) | undefined
  return isRefused(row) ? refusalOf(row) : judgementOf(row)
}

const testedAgain = statement<NumberNames | 'companyId' | 'number'>(
  sql`select ${judged(sql`${param('companyId')}`, sql`${param('number')}`)},
    ${isWritableCompany(sql`${param('companyId')}`)} as "isWritable"`,
)

/** Right before it is called: who has said no since the request must not be, and nobody while the company moves. */
export async function judgeTestedAgain(
  db: D1Database,
  { companyId, number }: WaitedCampaign,
  called: string,
  hashes: NumberHashes,
  nowMs: number,
): Promise<Judged['kind'] | 'company_moving'> {
  const values = { companyId, number, nowMs, ...valuesOf(called, hashes) }
  const [row] = await readRows<JudgedRow & { isWritable: number }>(db, testedAgain(db, values))
  return row?.isWritable === 1 ? judgementOf(row).kind : 'company_moving'
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
