// Calling, a report and a claim in one request (D53).
import { beforeEach, describe, expect, it } from 'vitest'
import { type Result, seedAgent } from '../../support/calling/agent.ts'
import { stopClockAtNoon } from '../../support/calling/noon.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { catchLogs } from '../../support/run/logs.ts'
import { newPhone } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

const wordsOf = (results: readonly Result[]) => results.map(({ result }) => result)

describe('A report with a claim (D53)', () => {
  const headers = { 'idempotency-key': 'turn-1' }

  it('A report with a claim (D53) records, and gives the next calls', async () => {
    const agent = await seedAgent()
    const { callId } = await agent.call()
    const { phoneNumber } = await agent.add()
    const { results, claim } = await agent.report([{ callId, outcome: 'busy' }], { limit: 5 })
    expect(wordsOf(results)).toEqual(['recorded'])
    expect(claim).toMatchObject({ calls: [{ lead: { phoneNumber } }], reason: null })
  })

  it('A report with a claim (D53) gives the same calls when its answer was lost', async () => {
    const agent = await seedAgent()
    const { callId } = await agent.call()
    await agent.add()
    await agent.add()
    const first = await agent.report([{ callId, outcome: 'busy' }], {}, headers)
    const again = await agent.report([{ callId, outcome: 'busy' }], {}, headers)
    expect(again.claim).toEqual(first.claim)
    expect(wordsOf([...first.results, ...again.results])).toEqual(['recorded', 'replayed'])
  })

  it.each<[string, object, number, string]>([
    ['is invalid', { limit: 0 }, 400, 'claim.limit must be an integer between 1 and 100'],
    ['is denied', { campaignId: 'none' }, 403, 'Campaign not found or access denied'],
    ['has an Idempotency-Key of another', {}, 409, 'Idempotency-Key was used for a different request'],
  ])(
    'A report with a claim (D53) is refused whole, and stores nothing, when the claim %s',
    async (_, claim, status, message) => {
      const agent = await seedAgent()
      await agent.add()
      await agent.claim({ agent: 'another' }, headers)
      const { callId, lead } = await agent.call()
      const { leadId } = await agent.add()
      const body = {
        calls: [{ callId, outcome: 'do_not_call', details: { a: 1 } }],
        claim: { campaignId: agent.campaignId, ...claim },
      }
      expectFailure(await agent.ask('POST', '/api/v1/calls/report', body, { headers }), status, message)
      expect(await agent.history(lead._id)).toMatchObject([{ outcome: null, details: null }])
      expect(await agent.lead(leadId)).toMatchObject({ status: 'raw', attempts: 0 })
      expect((await agent.suppress([lead.phoneNumber])).added).toBe(1)
    },
  )
})

it('A report with a claim while the secret of the suppressed numbers is lost is recorded, and only the claim is refused', async () => {
  const agent = await seedAgent()
  const { callId, lead } = await agent.call()
  const { leadId } = await agent.add()
  await eraseSomeone(agent.manageKey)
  const without = api(agent.agentKey, { bindings: { SUPPRESSION_PEPPER: 'another' } })
  const { campaignId } = agent
  const body = { calls: [{ callId, outcome: 'do_not_call', details: { a: 1 } }], claim: { campaignId } }
  const data = dataOf(await without.request('POST', '/api/v1/calls/report', body), 200)
  expect(data).toMatchObject({
    results: [{ callId, result: 'recorded', status: 'exhausted' }],
    claim: { calls: [], reason: 'suppression_unavailable', retryAfterSeconds: 30 },
  })
  expect(await agent.history(lead._id)).toMatchObject([{ outcome: 'do_not_call', details: { a: 1 } }])
  expect(await agent.lead(leadId)).toMatchObject({ status: 'raw', attempts: 0 })
  expect((await agent.suppress([lead.phoneNumber])).existing).toBe(1)

  const claim = await without.request('POST', '/api/v1/calls/claim', { campaignId })
  expectFailure(claim, 503, 'Service temporarily unavailable')
  expect((await agent.claim()).calls).toMatchObject([{ lead: { _id: leadId } }])
})

it('A report with a claim while the secret of the suppressed numbers is lost says so in the log, for the operator', async () => {
  const agent = await seedAgent()
  await eraseSomeone(agent.manageKey)
  const logs = catchLogs()
  const without = api(agent.agentKey, { bindings: { SUPPRESSION_PEPPER: '' } })
  const calls = [{ callId: '0'.repeat(36), outcome: 'busy' }]
  await without.request('POST', '/api/v1/calls/report', { calls, claim: { campaignId: agent.campaignId } })
  expect(logs.records).toMatchObject([
    { status: 200, problems: [expect.stringContaining('SUPPRESSION_PEPPER')] },
  ])
})

/** So that the company has a hash. */
async function eraseSomeone(manageKey: string): Promise<void> {
  const person = { phoneNumber: newPhone(), suppress: true }
  dataOf(await api(manageKey).request('POST', '/api/v1/erasures', person), 200)
}
