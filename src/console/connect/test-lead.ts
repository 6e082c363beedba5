// A test lead: stored as any other, and never called. Its number is one of those that ring nowhere, and is suppressed for
// the campaign before the lead is sent. Only after the lead is erased is that suppression removed: so no claim can lease
// it at any time.
import type { Explanation, Lead, LeadList, NumbersSuppressed } from '../../sdk/src/models.ts'
import { type Ask, leadPath } from '../service/answer.ts'

/** By which a page that is opened later finds it. */
const externalId = 'lead-intake-test'
const numbers = 100
const testNumber = /^\+120255501\d\d$/
/** Numbers that others suppressed, or that are leads already, are left alone. */
const mostTries = 5

export type TestLead = {
  readonly lead: Lead
  /** Null: not read. */
  readonly explanation: Explanation | null
}
type Result<Value> =
  | { readonly value: Value; readonly error: null }
  | { readonly value: null; readonly error: string }

const failed = (error: string | null): Result<never> => ({ value: null, error: error ?? 'No answer.' })

/** Null: there is none. */
export async function findTestLead(ask: Ask, campaignId: string): Promise<Result<TestLead | null>> {
  const { data, error } = await ask<LeadList>('GET', '/leads', {
    query: { campaignId, externalId, limit: 10 },
  })
  if (data === null) return failed(error)
  const lead = data.leads.find(({ phoneNumber }) => testNumber.test(phoneNumber))
  return {
    value: lead === undefined ? null : { lead, explanation: await explain(ask, lead._id) },
    error: null,
  }
}

const explain = async (ask: Ask, leadId: string) =>
  (await ask<Explanation>('GET', `${leadPath(leadId)}/calling`)).data

/**
 * Returns the one that exists where there is one: an earlier answer may have been lost. `first`: with which of the
 * numbers to begin, from 0.
 */
export async function sendTestLead(
  ask: Ask,
  campaignId: string,
  first = Math.floor(Math.random() * numbers),
): Promise<Result<TestLead>> {
  const earlier = await findTestLead(ask, campaignId)
  if (earlier.error !== null) return earlier
  if (earlier.value !== null) return { value: earlier.value, error: null }
  for (let turn = 0; turn < mostTries; turn++) {
    const phoneNumber = `+120255501${String((first + turn) % numbers).padStart(2, '0')}`
    const known = await ask<LeadList>('GET', '/leads', { query: { campaignId, phoneNumber, limit: 1 } })
    if (known.data === null) return failed(known.error)
    if (known.data.leads.length > 0) continue
    const body = { phoneNumbers: [phoneNumber], campaignId, reason: 'test' }
    const suppressed = await ask<NumbersSuppressed>('POST', '/suppressions', { body })
    if (suppressed.data === null) return failed(suppressed.error)
    if (suppressed.data.added !== 1) continue
    return create(ask, campaignId, phoneNumber)
  }
  return failed('All test numbers that were tried are in use. Try again.')
}

async function create(ask: Ask, campaignId: string, phoneNumber: string): Promise<Result<TestLead>> {
  const lead = { campaignId, phoneNumber, externalId, metadata: { name: 'Test lead' } }
  const created = await ask<{ leadId: string }>('POST', '/leads', { body: lead })
  if (created.data === null) {
    // Without an answer it may be stored: then the suppression stays.
    if (created.status >= 400 && created.status < 500) await unsuppress(ask, campaignId, phoneNumber)
    return failed(created.error)
  }
  const { leadId } = created.data
  const read = await ask<{ lead: Lead }>('GET', leadPath(leadId))
  if (read.data === null) return failed(read.error)
  return { value: { lead: read.data.lead, explanation: await explain(ask, leadId) }, error: null }
}

/** Returns why not all of it is gone; null: it is, and its number may be used again. */
export async function eraseTestLead(
  ask: Ask,
  campaignId: string,
  { _id, phoneNumber }: Lead,
): Promise<{ readonly isErased: boolean; readonly error: string | null }> {
  const erased = await ask('DELETE', leadPath(_id))
  if (erased.error !== null && erased.status !== 404) return { isErased: false, error: erased.error }
  const error = await unsuppress(ask, campaignId, phoneNumber)
  return {
    isErased: true,
    error: error && `Erased, but ${phoneNumber} is still on the do-not-call list of the campaign: ${error}`,
  }
}

async function unsuppress(ask: Ask, campaignId: string, phoneNumber: string): Promise<string | null> {
  const body = { phoneNumbers: [phoneNumber], campaignId }
  return (await ask('DELETE', '/suppressions', { body })).error
}
