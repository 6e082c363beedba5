// What is asked of the database before a test call, which number it rings while it is live, and what the log keeps of
// one: who made it, and no number.
import { type SQL, sql } from 'drizzle-orm'
import { isWritableCompany } from '../../../base/access/store/moving.ts'
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
} from '../../../base/access/store/rights.ts'
import { number, param, readRows, runBatch, runSteps, statement } from '../../../base/database/database.ts'
import { calls, testCalls } from '../../../base/ledger/calls/tables.ts'
import { type ActorNames, appendAlways } from '../../../base/ledger/log/append.ts'
import { isHashed, isPepperLost } from '../../../base/ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../../base/ledger/suppression/numbers.ts'
import { spellings } from '../../../base/ledger/suppression/spellings-sql.ts'
import { bringForwardTested } from '../../../queue/calling/store/sql/free-number.ts'
import { campaignEntry } from '../../../queue/campaigns/store/settings-row.ts'
import type { WaitedCampaign } from '../../../queue/campaigns/waited-campaign.ts'
import { type LeadKey, leadIdOf } from '../../../queue/leads/lead.ts'
import { isErased } from '../../../queue/leads/store/row.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import type { Tested } from '../test-memory.ts'

/** Like a lease: extended while the test call is live, so that its phone is not blocked for long if it is lost. */
const testLeaseMs = 300_000
const extendBelowMs = 120_000

const phoneNumber = sql`${param('phoneNumber')}`
const nowMs = param('nowMs')
/** A select of all spellings of the number. */
const spelled = sql`select spelling.value as phone_number from json_each(${spellings(phoneNumber)}) as spelling
  where spelling.value is not null`

/** In a call of a lead, or in another test. `testId` null: any test. */
const isInCall = (company: SQL, testId: SQL) => sql`(exists (select 1 from (${spelled}) as own
  cross join ${calls} as k on k.company_id = ${company} and k.phone_number = own.phone_number and k.outcome is null
  cross join ${leads} as l on l.seq = k.seq and l.claim_token = k.token and l.lease_expires_at_ms > ${nowMs})
  or exists (select 1 from ${testCalls} as t
    where t.company_id = ${company} and t.phone_number = ${phoneNumber} and t.ends_at_ms > ${nowMs}
      and t.test_id is not ${testId}))`

const judged = (
  company: SQL,
  campaignNumber: SQL,
  testId = sql`null`,
) => sql`${isPepperLost(company)} as "isPepperLost",
  ${isInCall(company, testId)} as "isInCall", (${isSuppressed(company, phoneNumber, campaignNumber)}
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

const testedAgain = statement<NumberNames | 'companyId' | 'number' | 'testId'>(
  sql`select ${judged(sql`${param('companyId')}`, sql`${param('number')}`, sql`${param('testId')}`)},
    ${isWritableCompany(sql`${param('companyId')}`)} as "isWritable"`,
)

/** Right before it is called: who has said no since the request must not be, and nobody while the company moves. */
export async function judgeTestedAgain(
  db: D1Database,
  { companyId, number }: WaitedCampaign,
  { testId, phoneNumber: called }: Pick<Tested, 'testId' | 'phoneNumber'>,
  hashes: NumberHashes,
  nowMs: number,
): Promise<Judged['kind'] | 'company_moving'> {
  const values = { companyId, number, nowMs, testId, ...valuesOf(called, hashes) }
  const [row] = await readRows<JudgedRow & { isWritable: number }>(db, testedAgain(db, values))
  return row?.isWritable === 1 ? judgementOf(row).kind : 'company_moving'
}

const granted = grantedCampaign('manage')
const ofTest = sql`t.company_id = own.company_id and t.test_id = ${param('testId')}`

const isOver = sql`ends_at_ms <= ${nowMs}`

const beginSteps = [
  // One that the object lost.
  sql`delete from ${testCalls} where ${isOver} and company_id = (select own.company_id from ${granted} as own)`,
  sql`insert into ${testCalls} (company_id, phone_number, campaign_number, test_id, ends_at_ms)
    select own.company_id, spelled.phone_number, own.number, ${param('testId')}, ${nowMs} + ${number(testLeaseMs)}
    from ${granted} as own
    cross join (${spelled}) as spelled
    where not ${isInCall(sql`own.company_id`, sql`null`)}
    on conflict do nothing`,
  appendAlways(
    sql`select ${campaignEntry('dialer.test_started', sql`own`, sql`json_object()`)}
      from ${granted} as own where exists (select 1 from ${testCalls} as t where ${ofTest})`,
  ),
  sql`select verdict.number, exists (select 1 from ${testCalls} as t
      where t.company_id = verdict.company_id and t.test_id = ${param('testId')}) as "hasBegun"
    from ${accessVerdict('manage')} as verdict`,
].map(statement<AccessNames | ActorNames | 'phoneNumber' | 'testId'>)

/** From then on nobody else rings the phone: nothing rings without that, and without its entry in the log. */
export async function beginTest(
  db: D1Database,
  access: Access,
  tested: Pick<Tested, 'testId' | 'phoneNumber'>,
): Promise<Refusal | { readonly kind: 'begun' | 'number_in_call' }> {
  const values = { ...access, testId: tested.testId, phoneNumber: tested.phoneNumber }
  const { rows } = await runSteps(db, beginSteps, values)
  const row = rows.at(-1)?.[0] as (Verdict & { readonly hasBegun: number }) | undefined
  if (isRefused(row)) return refusalOf(row)
  return { kind: row.hasBegun === 1 ? 'begun' : 'number_in_call' }
}

const isNamed = sql`company_id = ${param('companyId')} and campaign_number = ${param('number')}
  and test_id in (select item.value from json_each(${param('testIds')}) as item)
  and ${isWritableCompany(testCalls.companyId)}`
type NamedTests = 'companyId' | 'number' | 'testIds' | 'nowMs'

const extendSteps = [
  sql`update ${testCalls} set ends_at_ms = ${nowMs} + ${number(testLeaseMs)}
    where ${isNamed} and ends_at_ms < ${nowMs} + ${number(extendBelowMs)}`,
  sql`select distinct t.test_id as "testId" from ${testCalls} as t
    where t.company_id = ${param('companyId')} and t.campaign_number = ${param('number')}
      and ${isSuppressed(sql`t.company_id`, sql`t.phone_number`, sql`t.campaign_number`)}`,
].map(statement<NamedTests>)

/** Keeps the phones of these calls. Returns the ids of those whose number is suppressed by now. */
export async function extendTests(
  db: D1Database,
  { companyId, number }: WaitedCampaign,
  testIds: readonly string[],
  nowMs: number,
): Promise<readonly string[]> {
  const values = { companyId, number, nowMs, testIds: JSON.stringify(testIds) }
  const { rows } = await runSteps(db, extendSteps, values)
  return (rows.at(-1) as { readonly testId: string }[]).map(({ testId }) => testId)
}

const endSteps = [
  sql`update ${testCalls} set ends_at_ms = ${nowMs} where ${isNamed} and ends_at_ms > ${nowMs}`,
  bringForwardTested(sql`select company_id, phone_number from ${testCalls} where ${isNamed}`),
  sql`delete from ${testCalls} where ${isNamed} and ${isOver}`,
].map(statement<NamedTests>)

/** Their phones are free. */
export async function endTests(
  db: D1Database,
  { companyId, number }: WaitedCampaign,
  testIds: readonly string[],
  nowMs: number,
): Promise<void> {
  await runSteps(db, endSteps, { companyId, number, nowMs, testIds: JSON.stringify(testIds) })
}

const forgetOld = statement<'nowMs'>(
  sql`delete from ${testCalls} where ${isOver} and ${isWritableCompany(testCalls.companyId)}`,
)

/** Each minute: numbers of test calls that their objects lost. */
export async function forgetLostTests(db: D1Database, nowMs: number): Promise<void> {
  await runBatch(db, [forgetOld(db, { nowMs })])
}

const present = statement<
  'number' | 'seqs'
>(sql`select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token}
  from json_each(${param('seqs')}) as item
  cross join ${leads} on ${leads.seq} = item.value and ${leads.campaignNumber} = ${param('number')}
    and not ${isErased}`)

/** The ids of these leads of the campaign that are not erased. */
export async function listPresent(
  db: D1Database,
  number: number,
  seqs: readonly number[],
): Promise<ReadonlySet<string>> {
  const rows = await readRows<LeadKey>(db, present(db, { number, seqs: JSON.stringify(seqs) }))
  return new Set(rows.map(leadIdOf))
}
