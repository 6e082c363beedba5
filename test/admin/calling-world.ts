// A company with a campaign that may call at all hours, for tests of the operator's commands on calling: its leads and
// calls, made as the API makes them.

import { randomUUID } from 'node:crypto'
import { createCampaign, createCompany, createKey } from '../../src/access/store/administration.ts'
import { makeKey } from '../../src/admin/keys.ts'
import { randomBase62 } from '../../src/base62.ts'
import { claimCalls } from '../../src/calling/store/claim.ts'
import { reportCalls } from '../../src/calling/store/report.ts'
import type { CallReport } from '../../src/calling/store/sql/report-steps.ts'
import type { NewLead } from '../../src/leads/fields.ts'
import { createLead } from '../../src/leads/store/create.ts'
import { asKey, hashesIn } from '../support/actor.ts'
import { command } from './command.ts'

let numbers = 0

/** Of nobody. */
export const newPhone = () => `+1415555${String(++numbers).padStart(4, '0')}`

export type CallingWorld = Awaited<ReturnType<typeof seedCallingWorld>>

export async function seedCallingWorld(db: D1Database) {
  const company = `c-${randomUUID()}`
  const createdAtMs = Date.now()
  await createCompany(db, { id: company, name: 'Acme', createdAtMs })
  const { material } = makeKey()
  const rights = {
    companyId: company,
    campaignId: null,
    scope: 'manage',
    name: 'test',
    expiresAtMs: null,
  } as const
  await createKey(db, { ...material, ...rights, nowMs: createdAtMs })
  const accessTo = (campaignId: string) => ({ ...asKey(material.id, Date.now()), campaignId })

  const campaignId = `spring-${company}`
  const world = {
    company,
    campaign: campaignId,
    async another(id: string) {
      await createCampaign(db, { id, companyId: company, name: 'Spring', createdAtMs })
      return id
    },
    async add(lead: Partial<NewLead> = {}, campaign = campaignId) {
      const phoneNumber = lead.phoneNumber ?? newPhone()
      const given = {
        externalId: null,
        metadata: null,
        scheduledFor: null,
        priority: 0,
        timeZone: null,
        ...lead,
        phoneNumber,
      }
      const origin = {
        ...accessTo(campaign),
        token: randomBase62(11),
        requestKey: null,
        hashes: hashesIn(company),
      }
      const outcome = await createLead(db, origin, given)
      if (outcome.kind !== 'created') throw new Error(outcome.kind)
      return { leadId: outcome.leadId, phoneNumber }
    },
    async claim() {
      const origin = {
        ...accessTo(campaignId),
        requestKey: null,
        requestToken: randomBase62(11),
        hashes: hashesIn(company),
      }
      const outcome = await claimCalls(db, origin, { maxCalls: 1, leaseSeconds: null, agent: 'ann' })
      if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
      return outcome.calls
    },
    async report(callId: string, report: Pick<CallReport, 'outcome'> & Partial<CallReport>) {
      const unsaid = {
        callbackAtMs: null,
        doNotCall: false,
        durationSeconds: null,
        providerCallId: null,
        details: null,
      }
      await reportCalls(db, accessTo(campaignId), [{ ...unsaid, ...report, callId }])
    },
  }
  await world.another(campaignId)
  const hours = ['--hours', 'daily 00:00-24:00', '--appointment-hours', 'daily 00:00-24:00']
  await command(db, `campaign set ${campaignId} --time-zone UTC`, ...hours)
  return world
}
