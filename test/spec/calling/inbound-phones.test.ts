// They ring back from a phone that is in a call of which no lead tells any more, or that is suppressed by its hash
// alone.
import { beforeEach, expect, it, vi } from 'vitest'
import { type AgentWorld, seedAgent } from '../../support/calling/agent.ts'
import { stopClockAtNoon } from '../../support/calling/noon.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { newPhone } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

type Rung = {
  taken: boolean
  suppressed: boolean
  lead: object | null
  openCall: Record<string, unknown> | null
}
const ring = async (agent: Pick<AgentWorld, 'ask'>, from: string, take = true) =>
  dataOf(await agent.ask('POST', '/api/v1/calls/inbound', { from, take }), 200) as Rung
const unnamed = { callId: null, leadId: null, campaignId: null, agent: null }

it('A phone that a dialer rings for a test is in a call until that ends, in its own company alone', async () => {
  const [agent, foreign] = [await seedAgent(), await seedAgent()]
  const { phoneNumber } = await agent.add()
  await foreign.add({ phoneNumber })
  await companyDb
    .prepare(
      `insert into test_calls (company_id, phone_number, campaign_number, test_id, ends_at_ms)
       values (?1, ?2, ?3, 'test-1', ?4)`,
    )
    .bind(agent.companyId, phoneNumber, agent.campaign.number, Date.now() + 60_000)
    .run()
  expect(await ring(agent, phoneNumber)).toMatchObject({ taken: false, openCall: unnamed })
  expect((await ring(foreign, phoneNumber)).taken).toBe(true)
  vi.setSystemTime(Date.now() + 130_000)
  expect((await ring(agent, phoneNumber)).taken).toBe(true)
})

it('A phone is in a call whose lead was erased meanwhile, until its lease has ended', async () => {
  const agent = await seedAgent()
  const other = await agent.another()
  const { phoneNumber, leadId } = await agent.add()
  await agent.claim({ leaseSeconds: 60 })
  await other.add({ phoneNumber })
  dataOf(await api(agent.manageKey).request('DELETE', `/api/v1/leads/${leadId}`), 200)
  expect(await ring(agent, phoneNumber)).toMatchObject({ taken: false, openCall: unnamed })
  vi.setSystemTime(Date.now() + 130_000)
  expect((await ring(agent, phoneNumber)).taken).toBe(true)
})

it('A number that is suppressed by its hash alone is told, and not to another company', async () => {
  const [agent, foreign] = [await seedAgent(), await seedAgent()]
  const phoneNumber = newPhone()
  await agent.add({ phoneNumber })
  await agent.suppress([phoneNumber])
  dataOf(await api(agent.manageKey).request('POST', '/api/v1/erasures', { phoneNumber }), 200)
  expect(await ring(agent, phoneNumber, false)).toMatchObject({ lead: null, suppressed: true })
  expect(await ring(foreign, phoneNumber, false)).toMatchObject({ lead: null, suppressed: false })
})
