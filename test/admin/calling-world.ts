// A company with a campaign that may call at all hours, for tests of commands that a running service serves: its leads
// and calls, made over the API with a key of scope `manage`, which the commands use too.
import { randomUUID } from 'node:crypto'
import { atAllHours } from '../../src/admin/local/demo.ts'
import { makeKey } from '../../src/base/access/api-key.ts'
import { type CreateLead, LeadIntake, type ReportedCall } from '../../src/sdk/src/lead-intake.ts'
import { configure, createCampaign, createCompany, createKey } from '../support/companies/administration.ts'
import { at, command, commandJson } from './command.ts'

let numbers = 0

/** Of nobody. */
export const newPhone = () => `+1415555${String(++numbers).padStart(4, '0')}`

export type CallingWorld = Awaited<ReturnType<typeof seedCallingWorld>>

export async function seedCallingWorld({ db, base }: { readonly db: D1Database; readonly base: string }) {
  const company = `c-${randomUUID()}`
  const createdAtMs = Date.now()
  await createCompany(db, { id: company, name: 'Acme', createdAtMs })
  const { key, material } = makeKey()
  const rights = {
    companyId: company,
    campaignId: null,
    scope: 'manage',
    name: 'test',
    expiresAtMs: null,
  } as const
  await createKey(db, { ...material, ...rights, nowMs: createdAtMs })
  const client = new LeadIntake({ baseUrl: base, apiKey: key })

  const campaignId = `spring-${company}`
  const world = {
    company,
    campaign: campaignId,
    key,
    keyId: material.id,
    client,
    /** A command on the service, with the company's key. */
    run: (words: string, ...more: string[]) => command(words, ...more, ...at(base, key)),
    json: <Value>(words: string, ...more: string[]) => commandJson<Value>(words, ...more, ...at(base, key)),
    async another(id: string) {
      await createCampaign(db, { id, companyId: company, name: 'Spring', createdAtMs })
      return id
    },
    async add(lead: Partial<CreateLead> = {}, campaign = campaignId) {
      const phoneNumber = lead.phoneNumber ?? newPhone()
      const { leadId } = await client.leads.create({ ...lead, phoneNumber, campaignId: campaign })
      return { leadId, phoneNumber }
    },
    claim: async () => (await client.calls.claim({ campaignId, agent: 'ann' })).calls,
    report: (callId: string, report: Omit<ReportedCall, 'callId'>) =>
      client.calls.report({ calls: [{ ...report, callId }] }),
  }
  await world.another(campaignId)
  await configure(db, { companyId: company, campaignId }, atAllHours)
  return world
}
