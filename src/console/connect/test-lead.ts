// A test lead: stored as any other, and never called. Its number is one of those that ring nowhere, and is suppressed
// for the campaign before the lead is sent. Only after the lead is erased is that suppression removed: so no claim can
// lease it at any time.
import type { Explanation, Lead } from '../../sdk/src/models.ts'
import { settle } from '../service/answer.ts'
import type { Client } from '../service/client.ts'

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

/** Null: there is none. */
export async function findTestLead(client: Client, campaignId: string): Promise<TestLead | null> {
  const { leads } = await client.leads.list({ campaignId, externalId, limit: 10 }).page()
  const lead = leads.find(({ phoneNumber }) => testNumber.test(phoneNumber))
  return lead === undefined ? null : explained(client, lead)
}

async function explained(client: Client, lead: Lead): Promise<TestLead> {
  return { lead, explanation: (await settle(client.leads.explain(lead._id))).data }
}

/**
 * Returns the one that exists where there is one: an earlier answer may have been lost. Null: all numbers that were
 * tried are in use. `first`: with which of the numbers to begin, from 0.
 */
export async function sendTestLead(
  client: Client,
  campaignId: string,
  first = Math.floor(Math.random() * numbers),
): Promise<TestLead | null> {
  const earlier = await findTestLead(client, campaignId)
  if (earlier !== null) return earlier
  for (let turn = 0; turn < mostTries; turn++) {
    const phoneNumber = `+120255501${String((first + turn) % numbers).padStart(2, '0')}`
    const { leads } = await client.leads.list({ campaignId, phoneNumber, limit: 1 }).page()
    if (leads.length > 0) continue
    const number = { phoneNumbers: [phoneNumber], campaignId }
    const { added } = await client.suppressions.add({ ...number, reason: 'test' })
    if (added !== 1) continue
    const metadata = { name: 'Test lead' }
    const lead = { campaignId, phoneNumber, externalId, metadata }
    const { leadId } = await client.leads.create(lead).catch(async (error) => {
      // Without an answer it may be stored: then the suppression stays.
      if (error.status >= 400 && error.status < 500) await settle(client.suppressions.lift(number))
      throw error
    })
    return explained(client, await client.leads.get(leadId))
  }
  return null
}

/** Throws when it is not erased. Returns why its number may not be used again; null: it may. */
export async function eraseTestLead(
  client: Client,
  campaignId: string,
  { _id, phoneNumber }: Lead,
): Promise<string | null> {
  await client.leads.erase(_id).catch((error) => {
    if (error.status !== 404) throw error
  })
  const { error } = await settle(client.suppressions.lift({ phoneNumbers: [phoneNumber], campaignId }))
  return error && `Erased, but ${phoneNumber} is still on the do-not-call list of the campaign: ${error}`
}
