// Calling, reports: what follows from each outcome, what becomes of a report that is late, repeated or wrong, and a
// claim in the same request (D40, D42, D47, D51, D53, D54, D56, D57).
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { anyNumberAgain, openAtAllHours, type Result, seedAgent } from '../../support/agent.ts'
import { api } from '../../support/api.ts'
import { dayMs, hourMs, minuteMs } from '../../support/calling.ts'
import { runCron } from '../../support/cron.ts'
import { dataOf, expectFailure } from '../../support/expectations.ts'
import { catchLogs } from '../../support/logs.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/noon.ts'
import { mistyped } from '../../support/seed.ts'
import { newPhone, newPhones, seedCampaign, seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

const wordsOf = (results: readonly Result[]) => results.map(({ result }) => result)

/** A call that was claimed at noon, whose lease of ten minutes has ended and was settled. */
async function seedExpired() {
  const agent = await seedAgent()
  const call = await agent.call()
  clockAt(602_000)
  await runCron()
  return { agent, call, leadId: call.lead._id }
}

describe('An outcome (D40, D42)', () => {
  it.each([
    ['answered', 'concluded', null],
    ['not_interested', 'concluded', null],
    ['wrong_number', 'exhausted', null],
    ['invalid_number', 'exhausted', null],
    ['do_not_call', 'exhausted', null],
    ['no_answer', 'attempting', 60],
    ['busy', 'attempting', 15],
    ['voicemail', 'attempting', 240],
    ['failed', 'attempting', 30],
    ['abandoned', 'attempting', 4_320],
  ])('%s leaves the lead %s, due again after %s minutes', async (outcome, status, minutes) => {
    const agent = await seedAgent()
    const { callId, lead } = await agent.call()
    clockAt(7_000)
    const { results } = await agent.report([{ callId, outcome }])
    const nextCallAt = minutes === null ? null : iso(7_000 + minutes * minuteMs)
    expect(results).toEqual([
      { callId, result: 'recorded', leadId: lead._id, status, attempts: 1, nextCallAt },
    ])
    expect(await agent.lead(lead._id)).toMatchObject({ status, attempts: 1 })
  })

  it('callback_requested makes an appointment', async () => {
    const agent = await seedAgent()
    const { callId } = await agent.call()
    const callbackAt = '2026-11-18T15:30:00+01'
    const { results } = await agent.report([{ callId, outcome: 'callback_requested', callbackAt }])
    expect(results[0]).toMatchObject({ status: 'attempting', nextCallAt: '2026-11-18T14:30:00.000Z' })
    await agent.add({ priority: 100 })
    vi.setSystemTime(Date.parse('2026-11-18T14:30:00Z'))
    expect((await agent.claim({ limit: 2 })).calls[0]).toMatchObject({ attempt: 2 })
  })

  it('callback_requested for a time that has come is due now, and a retry after it has its priority again', async () => {
    const agent = await seedAgent({ ...openAtAllHours, ...anyNumberAgain })
    const { callId, lead } = await agent.call({ priority: 3 })
    const asked = { callId, outcome: 'callback_requested', callbackAt: iso(-dayMs) }
    expect((await agent.report([asked])).results).toMatchObject([{ nextCallAt: iso(0) }])
    const first = await agent.add({ priority: 100 })
    const [appointment] = (await agent.claim()).calls
    expect(appointment?.lead._id).toBe(lead._id)
    await agent.report([{ callId: appointment?.callId, outcome: 'busy' }])
    clockAt(hourMs)
    const { calls } = await agent.claim({ limit: 2 })
    expect(calls.map((call) => call.lead._id)).toEqual([first.leadId, lead._id])
  })

  it('may mean something else in a campaign', async () => {
    const outcomes = {
      busy: { class: 'dead' },
      failed: { class: 'done' },
      answered: { class: 'retry', minutes: 5 },
    }
    const agent = await seedAgent({ ...openAtAllHours, outcomes })
    const [one, two, three] = [await agent.call(), await agent.call(), await agent.call()]
    const { results } = await agent.report([
      { callId: one.callId, outcome: 'busy' },
      { callId: two.callId, outcome: 'failed' },
      { callId: three.callId, outcome: 'answered' },
    ])
    expect(results.map(({ status, nextCallAt }) => [status, nextCallAt])).toEqual([
      ['exhausted', null],
      ['concluded', null],
      ['attempting', iso(5 * minuteMs)],
    ])
  })

  it.each([{ outcome: 'do_not_call' }, { outcome: 'busy', doNotCall: true }])(
    'that says so suppresses the number in the whole company: %j',
    async (report) => {
      const agent = await seedAgent({ ...openAtAllHours, outcomes: { do_not_call: { class: 'retry' } } })
      const other = await agent.another()
      const { callId, lead } = await agent.call()
      const { leadId } = await other.add({ phoneNumber: lead.phoneNumber })
      const { results } = await agent.report([{ callId, ...report }])
      expect(results[0]).toMatchObject({ status: 'exhausted', nextCallAt: null })
      clockAt(hourMs)
      expect(await other.claim()).toMatchObject({ calls: [], reason: 'empty' })
      expect((await other.lead(leadId)).status).toBe('raw')
    },
  )

  it('that asks to do not call after an answer concludes the lead and suppresses the number (D56)', async () => {
    const agent = await seedAgent()
    const { callId, lead } = await agent.call()
    const { results } = await agent.report([{ callId, outcome: 'answered', doNotCall: true }])
    expect(results[0]?.status).toBe('concluded')
    expect((await agent.suppress([lead.phoneNumber])).existing).toBe(1)
  })

  it('of the last attempt exhausts the lead, an appointment too, but not when it was answered (D40, D54)', async () => {
    const agent = await seedAgent({ ...openAtAllHours, maxAttempts: 1 })
    const reports = [
      { outcome: 'busy' },
      { outcome: 'callback_requested', callbackAt: iso(hourMs) },
      { outcome: 'answered' },
    ]
    const ends = []
    for (const report of reports) {
      const { callId } = await agent.call()
      ends.push(...(await agent.report([{ callId, ...report }])).results)
    }
    expect(ends.map(({ status, nextCallAt }) => [status, nextCallAt])).toEqual([
      ['exhausted', null],
      ['exhausted', null],
      ['concluded', null],
    ])
  })
})

describe('A lease that ends without a report (D41, D47)', () => {
  it('counts as an attempt with the outcome unknown, and spaces the next one', async () => {
    const { agent, leadId } = await seedExpired()
    expect(await agent.lead(leadId)).toMatchObject({ status: 'attempting', attempts: 1 })
    expect(await agent.history(leadId)).toMatchObject([{ outcome: 'unknown', endedAt: iso(600_000) }])
    expect((await agent.claim()).calls).toEqual([])
    clockAt(600_000 + hourMs)
    expect((await agent.claim()).calls).toMatchObject([{ attempt: 2 }])
  })

  it('is not settled within the two seconds after', async () => {
    const agent = await seedAgent()
    const { lead } = await agent.call()
    clockAt(601_999)
    await runCron()
    expect(await agent.history(lead._id)).toMatchObject([{ outcome: null }])
    clockAt(602_000)
    await agent.claim()
    expect(await agent.history(lead._id)).toMatchObject([{ outcome: 'unknown' }])
  })

  it('exhausts the lead when it was the last attempt', async () => {
    const agent = await seedAgent({ ...openAtAllHours, maxAttempts: 1 })
    const { lead } = await agent.call()
    clockAt(602_000)
    await runCron()
    expect((await agent.lead(lead._id)).status).toBe('exhausted')
  })
})

describe('A late report (D47)', () => {
  it('corrects the unknown while nobody has claimed the lead since', async () => {
    const { agent, call, leadId } = await seedExpired()
    const { results } = await agent.report([{ callId: call.callId, outcome: 'answered' }])
    expect(results).toMatchObject([{ result: 'recorded', status: 'concluded', attempts: 1 }])
    expect(await agent.history(leadId)).toMatchObject([{ outcome: 'answered', isLate: false }])
  })

  it('is kept and applied when the lead was claimed since: the newer call continues', async () => {
    const { agent, call, leadId } = await seedExpired()
    clockAt(600_000 + hourMs)
    const [newer] = (await agent.claim()).calls
    const { results } = await agent.report([{ callId: call.callId, outcome: 'busy', doNotCall: true }])
    expect(wordsOf(results)).toEqual(['recorded_late'])
    expect(await agent.history(leadId)).toMatchObject([
      { outcome: 'busy', isLate: true, doNotCall: true },
      { outcome: null, callId: newer?.callId },
    ])
    expect(await agent.extend([newer?.callId as string])).toMatchObject([{ stop: 'suppressed' }])
  })

  it('that reached the person stops the newer call', async () => {
    const { agent, call, leadId } = await seedExpired()
    clockAt(600_000 + hourMs)
    const [newer] = (await agent.claim()).calls
    await agent.report([{ callId: call.callId, outcome: 'answered' }])
    expect(await agent.extend([newer?.callId as string])).toMatchObject([{ stop: 'concluded' }])
    await agent.report([{ callId: newer?.callId, outcome: 'no_answer' }])
    expect((await agent.lead(leadId)).status).toBe('concluded')
  })
})

describe('A report that comes again (D47)', () => {
  it('is replayed when it is the same, and a conflict when it is another', async () => {
    const agent = await seedAgent()
    const { callId, lead } = await agent.call()
    const first = await agent.report([{ callId, outcome: 'busy' }])
    const again = await agent.report([{ callId, outcome: 'busy' }])
    expect(again.results).toEqual([{ ...first.results[0], result: 'replayed' }])
    const other = await agent.report([{ callId, outcome: 'answered' }])
    expect(other.results).toEqual([{ ...first.results[0], result: 'conflict' }])
    expect(await agent.history(lead._id)).toMatchObject([{ outcome: 'busy' }])
  })

  it('records a do-not-call that it adds, and says so: the first outcome, duration and details stay', async () => {
    const agent = await seedAgent()
    const { callId, lead } = await agent.call()
    await agent.report([{ callId, outcome: 'answered', durationSeconds: 7, details: { first: true } }])
    const second = {
      callId,
      outcome: 'no_answer',
      doNotCall: true,
      durationSeconds: 90,
      details: { second: true },
    }
    const { results } = await agent.report([second])
    expect(results).toMatchObject([{ result: 'do_not_call_recorded', status: 'concluded', attempts: 1 }])
    expect(wordsOf((await agent.report([second])).results)).toEqual(['replayed'])
    expect(await agent.history(lead._id)).toMatchObject([
      { outcome: 'answered', durationSeconds: 7, details: { first: true }, doNotCall: true },
    ])
    expect((await agent.suppress([lead.phoneNumber])).existing).toBe(1)
  })

  it('exhausts a lead that would be called again, when it is a do_not_call', async () => {
    const agent = await seedAgent()
    const { callId } = await agent.call()
    await agent.report([{ callId, outcome: 'busy' }])
    const { results } = await agent.report([{ callId, outcome: 'do_not_call' }])
    expect(results).toMatchObject([{ result: 'do_not_call_recorded', status: 'exhausted', nextCallAt: null }])
  })
})

describe('Who may report (D51)', () => {
  it('is any agent’s key of the company, and of the campaign', async () => {
    const agent = await seedAgent()
    const ofCompany = await seedKey({ companyId: agent.companyId, scope: 'agent' })
    const ofCampaign = await seedKey({ companyId: agent.companyId, campaign: agent.campaign, scope: 'agent' })
    for (const { key } of [ofCompany, ofCampaign]) {
      const { callId } = await agent.call()
      const body = { calls: [{ callId, outcome: 'answered' }] }
      const data = dataOf(await agent.ask('POST', '/api/v1/calls/report', body, { key }), 200)
      expect(data).toMatchObject({ results: [{ result: 'recorded' }] })
    }
  })

  it('is nobody else: to other companies and campaigns a call is unknown, and nothing changes', async () => {
    const agent = await seedAgent()
    const { callId, lead } = await agent.call()
    const foreign = await seedAgent()
    const sibling = await seedCampaign(agent.companyId)
    const ofSibling = await seedKey({ companyId: agent.companyId, campaign: sibling, scope: 'agent' })
    const unknown = { leadId: null, status: null, attempts: null, nextCallAt: null }
    const forged = await agent.report([{ callId: mistyped(callId), outcome: 'do_not_call' }])
    expect(wordsOf(forged.results)).toEqual(['unknown_call'])
    for (const key of [foreign.agentKey, ofSibling.key]) {
      const send = async (path: string, body: object) =>
        dataOf(await agent.ask('POST', `/api/v1/calls/${path}`, body, { key }), 200)
      const calls = [{ callId, outcome: 'do_not_call' }]
      expect(await send('report', { calls })).toEqual({
        results: [{ callId, result: 'unknown_call', ...unknown }],
      })
      expect(await send('release', { calls: [{ callId }] })).toEqual({
        results: [{ callId, result: 'unknown_call', ...unknown }],
      })
      expect(await send('extend', { callIds: [callId], leaseSeconds: 7_200 })).toEqual({
        calls: [{ callId, leaseExpiresAt: null, dialBefore: null, stop: 'lease_lost' }],
      })
    }
    expect(await agent.history(lead._id)).toMatchObject([{ outcome: null }])
    expect((await agent.openCalls()).calls).toMatchObject([{ callId, leaseExpiresAt: iso(600_000) }])
    expect((await agent.suppress([lead.phoneNumber])).added).toBe(1)
  })
})

describe('A report with a claim (D53)', () => {
  const headers = { 'idempotency-key': 'turn-1' }

  it('records, and gives the next calls', async () => {
    const agent = await seedAgent()
    const { callId } = await agent.call()
    const { phoneNumber } = await agent.add()
    const { results, claim } = await agent.report([{ callId, outcome: 'busy' }], { limit: 5 })
    expect(wordsOf(results)).toEqual(['recorded'])
    expect(claim).toMatchObject({ calls: [{ lead: { phoneNumber } }], reason: null })
  })

  it('gives the same calls when its answer was lost', async () => {
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
  ])('is refused whole, and stores nothing, when the claim %s', async (_, claim, status, message) => {
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
  })
})

describe('A report with a claim while the secret of the suppressed numbers is lost', () => {
  it('is recorded, and only the claim is refused', async () => {
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

  it('says so in the log, for the operator', async () => {
    const agent = await seedAgent()
    await eraseSomeone(agent.manageKey)
    const logs = catchLogs()
    const without = api(agent.agentKey, { bindings: { SUPPRESSION_PEPPER: '' } })
    const calls = [{ callId: '0'.repeat(36), outcome: 'busy' }]
    await without.request('POST', '/api/v1/calls/report', { calls, claim: { campaignId: agent.campaignId } })
    expect(logs.records).toMatchObject([
      { status: 200, faults: [expect.stringContaining('SUPPRESSION_PEPPER')] },
    ])
  })
})

/** So that the company has a hash. */
async function eraseSomeone(manageKey: string): Promise<void> {
  const person = { phoneNumber: newPhone(), suppress: true }
  dataOf(await api(manageKey).request('POST', '/api/v1/erasures', person), 200)
}

describe('A report (D57)', () => {
  it('names each call once', async () => {
    const agent = await seedAgent()
    const { callId, lead } = await agent.call()
    const calls = [
      { callId, outcome: 'busy' },
      { callId, outcome: 'answered' },
    ]
    const answer = await agent.ask('POST', '/api/v1/calls/report', { calls })
    expectFailure(answer, 400, 'calls[1].callId is given twice')
    expect(await agent.history(lead._id)).toMatchObject([{ outcome: null }])
  })

  it('takes a hundred calls with 16 KiB of details each, and gives them back as they were sent', async () => {
    const agent = await seedAgent()
    const leads = newPhones(100).map((phoneNumber) => ({ phoneNumber }))
    await api(agent.writeKey).importLeads({ campaignId: agent.campaignId, leads })
    const { calls } = await agent.claim({ limit: 100 })
    const details = `{ "score": 1.0, "text": "${'x'.repeat(16_384 - 28)}" }`
    const items = calls.map(({ callId }) => `{"callId":"${callId}","outcome":"busy","details":${details}}`)
    const report = new Blob([`{"calls":[${items.join()}]}`])
    const body = new Uint8Array(await report.arrayBuffer())
    const data = dataOf(await agent.ask('POST', '/api/v1/calls/report', body), 200)
    expect(wordsOf((data as { results: Result[] }).results)).toEqual(calls.map(() => 'recorded'))
    const last = calls.at(-1)?.lead._id as string
    const history = await agent.ask('GET', `/api/v1/leads/${last}/calls`)
    expect(history.text).toContain(`"details":${details}}`)
  })
})
