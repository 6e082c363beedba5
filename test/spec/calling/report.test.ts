// Calling, reports: what follows from each outcome, who may report, and how much (D40, D42, D51, D54, D56, D57).
import { beforeEach, expect, it, vi } from 'vitest'
import { anyNumberAgain, openAtAllHours, type Result, seedAgent } from '../../support/calling/agent.ts'
import { dayMs, hourMs, minuteMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { mistyped } from '../../support/database/seed.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhones, seedCampaign, seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

const wordsOf = (results: readonly Result[]) => results.map(({ result }) => result)

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
])('An outcome %s leaves the lead %s, due again after %s minutes', async (outcome, status, minutes) => {
  const agent = await seedAgent()
  const { callId, lead } = await agent.call()
  clockAt(7_000)
  const { results } = await agent.report([{ callId, outcome }])
  const nextCallAt = minutes === null ? null : iso(7_000 + minutes * minuteMs)
  expect(results).toEqual([{ callId, result: 'recorded', leadId: lead._id, status, attempts: 1, nextCallAt }])
  expect(await agent.lead(lead._id)).toMatchObject({ status, attempts: 1 })
})

it('An outcome callback_requested makes an appointment', async () => {
  const agent = await seedAgent()
  const { callId } = await agent.call()
  const callbackAt = '2026-11-18T15:30:00+01'
  const { results } = await agent.report([{ callId, outcome: 'callback_requested', callbackAt }])
  expect(results[0]).toMatchObject({ status: 'attempting', nextCallAt: '2026-11-18T14:30:00.000Z' })
  await agent.add({ priority: 100 })
  vi.setSystemTime(Date.parse('2026-11-18T14:30:00Z'))
  expect((await agent.claim({ limit: 2 })).calls[0]).toMatchObject({ attempt: 2 })
})

it('An outcome callback_requested for a time that has come is due now, and a retry after it has its priority again', async () => {
  const agent = await seedAgent({ ...openAtAllHours, ...anyNumberAgain })
  const { callId, lead } = await agent.call({ priority: 3 })
  const asked = { callId, outcome: 'callback_requested', callbackAt: iso(-hourMs) }
  expect((await agent.report([asked])).results).toMatchObject([{ nextCallAt: iso(0) }])
  const first = await agent.add({ priority: 100 })
  const [appointment] = (await agent.claim()).calls
  expect(appointment?.lead._id).toBe(lead._id)
  await agent.report([{ callId: appointment?.callId, outcome: 'busy' }])
  clockAt(hourMs)
  const { calls } = await agent.claim({ limit: 2 })
  expect(calls.map((call) => call.lead._id)).toEqual([first.leadId, lead._id])
})

it.each([
  [hourMs + 1, {}, 60],
  [dayMs, { no_answer: { minutes: 7 } }, 7],
  [400 * dayMs, { callback_requested: { minutes: 5 } }, 60],
])(
  'A callback that was agreed for %i ms before its report counts as none (%j): %i minutes',
  async (agoMs, outcomes, minutes) => {
    const agent = await seedAgent({ ...openAtAllHours, ...anyNumberAgain, outcomes })
    const [late, never, due] = [await agent.call({ priority: 3 }), await agent.call(), await agent.call()]
    const { results } = await agent.report([
      { callId: late.callId, outcome: 'callback_requested', callbackAt: iso(-agoMs) },
      { callId: never.callId, outcome: 'do_not_call', callbackAt: iso(-agoMs) },
      { callId: due.callId, outcome: 'callback_requested', callbackAt: iso(hourMs) },
    ])
    expect(results).toMatchObject([
      { result: 'recorded', status: 'attempting', nextCallAt: iso(minutes * minuteMs) },
      { result: 'recorded', status: 'exhausted', nextCallAt: null },
      { result: 'recorded', status: 'attempting', nextCallAt: iso(hourMs) },
    ])
    expect((await agent.claim()).calls).toEqual([])
    clockAt(minutes * minuteMs)
    expect((await agent.claim({ limit: 3 })).calls.map(({ lead }) => lead._id)).toContain(late.lead._id)
  },
)

it('A callback of the past changes nothing where the outcome is called again without an appointment', async () => {
  const outcomes = { callback_requested: { class: 'retry', minutes: 5 } }
  const agent = await seedAgent({ ...openAtAllHours, ...anyNumberAgain, outcomes })
  const { callId } = await agent.call()
  const asked = { callId, outcome: 'callback_requested', callbackAt: iso(-dayMs) }
  expect((await agent.report([asked])).results).toMatchObject([{ nextCallAt: iso(5 * minuteMs) }])
})

it('An outcome may mean something else in a campaign', async () => {
  const outcomes = {
    busy: { class: 'dead' },
    failed: { class: 'done' },
    answered: { class: 'retry', minutes: 5 },
  }
  const agent = await seedAgent({ ...openAtAllHours, ...anyNumberAgain, outcomes })
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
  'An outcome that says so suppresses the number in the whole company: %j',
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

it('An outcome that asks to do not call after an answer concludes the lead and suppresses the number (D56)', async () => {
  const agent = await seedAgent()
  const { callId, lead } = await agent.call()
  const { results } = await agent.report([{ callId, outcome: 'answered', doNotCall: true }])
  expect(results[0]?.status).toBe('concluded')
  expect((await agent.suppress([lead.phoneNumber])).existing).toBe(1)
})

it('An outcome of the last attempt exhausts the lead, an appointment too, but not when it was answered (D40, D54)', async () => {
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

it('Who may report is any agent’s key of the company, and of the campaign', async () => {
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

it('A key of another company or campaign cannot report a call: it is unknown, and nothing changes', async () => {
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

it('A report names each call once', async () => {
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

it('A report takes a hundred calls with 16 KiB of details each, and gives them back as they were sent', async () => {
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
