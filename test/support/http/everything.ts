// Whatever can be asked of the service, in one sequence: the catalogue of all answers that a database gives, and some
// days of calling with their crons. For tests that compare what becomes of it.
import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import { workByTheMinute } from '../../../src/control/companies/jobs.ts'
import { seedAgent } from '../calling/agent.ts'
import { casesOf } from '../catalogue/cases.ts'
import { endpoints } from '../catalogue/catalogue.ts'
import { openReceiver } from '../webhooks/receiver.ts'
import { newPhone, newPhones, seedWorld } from '../world.ts'
import { api } from './api.ts'

const hourMs = 3_600_000

/** A day of everything that the catalogue has not: crons above all. */
export async function playDay(): Promise<void> {
  const agent = await seedAgent()
  const manage = api(agent.manageKey)
  const receiver = openReceiver()
  await manage.request('POST', '/api/v1/webhooks', {
    url: receiver.url,
    types: ['call.reported', 'leads.created'],
  })
  const leads = newPhones(120).map((phoneNumber, i) => ({
    phoneNumber,
    priority: i % 7,
    metadata: { name: `N${i}` },
  }))
  await manage.importLeads({ campaignId: agent.campaignId, leads })
  const { calls } = await agent.claim({ limit: 50 })
  const outcomes = ['answered', 'no_answer', 'busy', 'wrong_number', 'do_not_call', 'callback_requested']
  await agent.report(
    calls.slice(0, 30).map(({ callId }, i) => {
      const outcome = outcomes[i % outcomes.length]
      const callbackAt = new Date(Date.now() + 5 * hourMs).toISOString()
      return { callId, outcome, ...(outcome === 'callback_requested' && { callbackAt }) }
    }),
    { limit: 5 },
  )
  await agent.extend(calls.slice(30, 33).map(({ callId }) => callId))
  await agent.release(calls.slice(33, 36).map(({ callId }) => ({ callId })))
  await agent.suppress([newPhone(), leads[100]?.phoneNumber as string, calls[40]?.lead.phoneNumber as string])
  await agent.lift([leads[100]?.phoneNumber as string])
  await manage.request('POST', '/api/v1/erasures', { phoneNumber: leads[101]?.phoneNumber })
  await agent.requeue(calls[0]?.lead._id as string)
  await agent.change({ retentionDays: 1 })
  for (const hours of [0, 1, 3, 30, 60, 200]) {
    vi.setSystemTime(Date.now() + hours * hourMs)
    for (let minutes = 0; minutes < 3; minutes++) await workByTheMinute(env, () => {})
    await agent.claim({ limit: 3 })
    await manage.request('GET', '/api/v1/campaigns?include=overview')
  }
}

/** All that succeeds, and all that the database refuses. */
export async function askCatalogue(): Promise<void> {
  const world = await seedWorld()
  for (const { name } of endpoints)
    for (const { status, ask, name: which } of casesOf(name))
      if ([200, 201, 403, 404, 409, 412].includes(status))
        expect(`${which} ${(await ask(world)).status}`).toBe(`${which} ${status}`)
}
