// Where a lead stands while its gate has not said yes: out of the queue, due when it says, and never too early.
import { beforeEach, expect, it, vi } from 'vitest'
import { clear, type GateWorld, gateAt, refuses, said, seedGate } from '../../support/dialers/gate-world.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'
import { newPhone, seedKey } from '../../support/world.ts'

beforeEach(useFutureClock)

const hourMs = 3_600_000
const inAMeeting = () => said({ status: 'in_meeting' })
const fails = () => said({}, 500)
const move = (ms: number) => vi.setSystemTime(Date.now() + ms)

it('A yes that has aged is taken out of the queue by the claim that meets it, and is asked about then', async () => {
  const gate = await seedGate(clear, { keepHours: 1 })
  const { phoneNumber, leadId } = await gate.add()
  await gate.pass(5)
  move(hourMs)
  expect(await gate.claimed()).toEqual([])
  expect(await gate.blockersOf(leadId)).toEqual(['gate'])
  expect((await gate.settings()).queue.queued).toBe(0)
  expect(gate.asked()).toHaveLength(1)
  await gate.pass(5)
  expect(gate.asked()).toHaveLength(2)
  expect(await gate.claimed()).toEqual([phoneNumber])
})

it('Later: it is asked about again exactly then, though nothing else wakes the gate', async () => {
  let reply = inAMeeting
  const gate = await seedGate(() => reply(), { laterMinutes: 30 })
  const { phoneNumber } = await gate.add()
  await gate.pass(5)
  reply = clear
  await gate.pass(29 * 60 + 50)
  expect(gate.asked()).toHaveLength(1)
  await gate.pass(10)
  expect(gate.asked()).toHaveLength(2)
  expect(await gate.claimed()).toEqual([phoneNumber])
})

it('Of two leads that are put off each is asked about at its time', async () => {
  const gate = await seedGate(inAMeeting, { laterMinutes: 10 })
  await gate.add()
  await gate.pass(300)
  await gate.add()
  await gate.pass(295)
  expect(gate.asked()).toHaveLength(2)
  await gate.pass(10)
  expect(gate.asked()).toHaveLength(3)
  await gate.pass(300)
  expect(gate.asked()).toHaveLength(4)
})

it('Silence is asked about again with pauses that double, up to ten minutes', async () => {
  const times: number[] = []
  const gate = await seedGate(() => {
    times.push(Date.now())
    return fails()
  })
  await gate.add()
  await gate.pass(3600)
  const pauses = times.slice(1).map((atMs, i) => Math.round((atMs - (times[i] as number)) / 1000))
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600, 600])
})

it('An appointment is not called before its time because the gate has put it off for less', async () => {
  let reply = inAMeeting
  const gate = await seedGate(() => reply(), { laterMinutes: 1 })
  const { phoneNumber, leadId } = await gate.add({
    scheduledFor: new Date(Date.now() + 480_000).toISOString(),
  })
  await gate.pass(5)
  expect(gate.asked()).toHaveLength(1)
  reply = clear
  await gate.pass(90)
  expect(gate.asked()).toHaveLength(2)
  expect(await gate.claimed()).toEqual([])
  expect(await gate.blockersOf(leadId)).toEqual(['scheduled'])
  await gate.pass(390)
  expect(await gate.claimed()).toEqual([phoneNumber])
})

it('Somebody who rings while the gate is silent waits for it no longer, and does again after the call', async () => {
  const gate = await seedGate(fails)
  const { phoneNumber, leadId } = await gate.add()
  await gate.pass(1)
  expect((await gate.shown()).state.waiting).toBe(1)
  const body = { from: phoneNumber, take: true }
  const answer = await gate.ask('POST', '/api/v1/calls/inbound', body)
  const { call } = dataOf(answer, 200) as { call: { callId: string } }
  expect((await gate.shown()).state.waiting).toBe(0)
  expect((await gate.settings()).queue).toMatchObject({ leased: 1, heldForConsent: 0 })
  await gate.pass(30)
  const asked = gate.asked().length
  await gate.release([{ callId: call.callId }])
  expect(await gate.claimed()).toEqual([])
  expect(await gate.blockersOf(leadId)).toContain('gate')
  await gate.pass(5)
  expect(gate.asked().length).toBeGreaterThan(asked)
})

it('Nobody is called after a no where `call` was chosen, also after a requeue, until the gate says yes', async () => {
  let reply = refuses
  const gate = await seedGate(() => reply(), { whenSilent: 'call' })
  const { phoneNumber, leadId } = await gate.add()
  await gate.pass(5)
  reply = fails
  await gate.requeue(leadId)
  const { phoneNumber: free } = await gate.add()
  await gate.pass(30)
  expect(await gate.claimed()).toEqual([free])
  reply = clear
  await gate.pass(60)
  expect(await gate.claimed()).toEqual([phoneNumber])
})

it('Whom silence let through is not called any more once the gate is to hold', async () => {
  const gate = await seedGate(fails, { whenSilent: 'call' })
  const { leadId } = await gate.add()
  await gate.pass(5)
  expect(await gate.blockersOf(leadId)).toEqual([])
  await gate.shown('PATCH', { whenSilent: 'hold' })
  expect(await gate.claimed()).toEqual([])
  expect(await gate.blockersOf(leadId)).toEqual(['gate'])
})

it('Waiting are all leads without a fresh yes, whether a claim has met them or not', async () => {
  const gate = await seedGate((number) => (number.endsWith('9') ? clear() : fails()))
  const other = await gate.another()
  await other.add()
  const stem = newPhone().slice(0, -1)
  for (const digit of [1, 2, 9]) await gate.add({ phoneNumber: stem + digit })
  expect((await gate.shown()).state.waiting).toBe(3)
  await gate.pass(1)
  expect((await gate.shown()).state).toMatchObject({ checked: 1, refused: 0, waiting: 2 })
  expect((await gate.settings()).queue).toMatchObject({ gate: { checked: 1, refused: 0, waiting: 2 } })
  expect((await other.settings()).queue).toMatchObject({ gate: null })
})

it('What gates have done is undone for leads that they have ended, and not for one that was reached since', async () => {
  let reply = clear
  const gate = await seedGate(() => reply(), { keepHours: 1 })
  await gate.change({ outcomes: { unknown: { class: 'retry', minutes: 60 } } })
  const { leadId } = await gate.add()
  await gate.pass(5)
  const [call] = (await gate.claim({ leaseSeconds: 30 })).calls
  reply = refuses
  move(2 * hourMs)
  await gate.claimed()
  move(2 * hourMs)
  await gate.claimed()
  await gate.pass(5)
  expect((await gate.lead(leadId)).status).toBe('exhausted')
  await gate.report([{ callId: call?.callId, outcome: 'answered' }])
  expect((await gate.lead(leadId)).status).toBe('concluded')
  const path = `/api/v1/suppressions?source=gate&since=${new Date(Date.now() - 9 * hourMs).toISOString()}`
  expect(dataOf(await gate.manager.request('DELETE', path), 200)).toMatchObject({ requeued: 0, more: false })
  expect((await gate.lead(leadId)).status).toBe('concluded')
})

const suppressesIn = (gate: GateWorld, key: string, suppress: string) => {
  const ask = (method: string, body: object) => api(key).request(method, `${gate.campaignPath}/gate`, body)
  return Promise.all([ask('PATCH', { suppress }), ask('PUT', gateAt(gate.url, { suppress }))])
}

it('A campaign’s key cannot have a gate suppress in the whole company, as it cannot do it by itself', async () => {
  const [gate, other] = [await seedGate(), await seedGate()]
  const { companyId, campaign } = gate
  const { key } = await seedKey({ companyId, scope: 'manage', campaign })
  for (const refused of await suppressesIn(gate, key, 'company')) {
    expectFailure(refused, 403, 'Insufficient permissions')
    expect(refused.headers.get('x-error-hint')).toBe(
      'This needs a key of the whole company, not of one campaign',
    )
  }
  expect(await gate.shown()).toMatchObject({ suppress: 'none', version: 1 })
  for (const taken of await suppressesIn(gate, key, 'campaign')) expect(taken.status).toBe(200)
  for (const taken of await suppressesIn(gate, gate.manageKey, 'company')) expect(taken.status).toBe(200)
  // What it suppresses is the company's: so is its question.
  const asksElse = { yes: { pointer: '', notNull: true } }
  expectFailure(
    await api(key).request('PATCH', `${gate.campaignPath}/gate`, asksElse),
    403,
    'Insufficient permissions',
  )
  expect(await other.shown()).toMatchObject({ suppress: 'none', version: 1 })
})

it('A waiting agent gets a lead once its yes is there', async () => {
  const gate = await seedGate()
  const waitFor = async (): Promise<string[]> => {
    const { calls, reason } = await gate.claim({ waitSeconds: 20 })
    return reason === 'ready' ? waitFor() : calls.map(({ lead }) => lead.phoneNumber)
  }
  const waiting = waitFor()
  const { phoneNumber } = await gate.add()
  await vi.waitFor(async () => {
    await gate.pass(1)
    expect(gate.asked()).toEqual([phoneNumber])
  })
  expect(await waiting).toEqual([phoneNumber])
})
