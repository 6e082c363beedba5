// A gate asks before anybody calls: who is leased, who is asked about and when, and what an answer does.
import { beforeEach, expect, it } from 'vitest'
import { anyNumberAgain, openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { companyDb } from '../../support/database/store.ts'
import {
  clear,
  gateAt,
  gateSecret,
  numberAsked,
  refuses,
  said,
  seedGate,
} from '../../support/dialers/gate-world.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'
import { newPhone } from '../../support/world.ts'

beforeEach(useFutureClock)

it('A lead is leased only once the gate has said yes, and a campaign without a gate beside it calls at once', async () => {
  const gate = await seedGate()
  const other = await gate.another()
  const [lead, free] = [await gate.add(), await other.add()]
  expect(await gate.claimed()).toEqual([])
  expect(await gate.blockersOf(lead.leadId)).toEqual(['gate'])
  expect((await other.claim()).calls.map((call) => call.lead._id)).toEqual([free.leadId])
  await gate.run()
  expect(gate.asked()).toEqual([lead.phoneNumber])
  expect(await gate.claimed()).toEqual([lead.phoneNumber])
})

it('A new lead is asked about at once, without a claim, and only its own campaign’s gate is asked', async () => {
  const [gate, other] = [await seedGate(), await seedGate()]
  await gate.run()
  const { phoneNumber, leadId } = await gate.add()
  await gate.run()
  await other.run()
  expect(gate.asked()).toEqual([phoneNumber])
  expect(other.asked()).toEqual([])
  expect(await gate.blockersOf(leadId)).toEqual([])
})

it('The request has the lead’s values and the secret, and no answer or trace shows either', async () => {
  const gate = await seedGate(() => said({ error: `no credit for ${gateSecret} and 4915112345678` }, 402))
  const lead = await gate.add({ externalId: 'crm-7' })
  await gate.run()
  const [sent] = gate.sent
  expect(sent?.headers.get('authorization')).toBe(`Bearer ${gateSecret}`)
  expect(JSON.parse(sent?.text ?? '')).toEqual({ phone: lead.phoneNumber, id: 'crm-7' })
  const trace = dataOf(await gate.gateAsk('GET', '/trace'), 200) as { exchanges: object[] }
  expect(trace.exchanges).toMatchObject([{ leadId: lead.leadId, verdict: 'silent', httpStatus: 402 }])
  const shown = JSON.stringify([trace, await gate.shown()])
  expect(shown).not.toContain(gateSecret)
  expect(shown).not.toContain('4915112345678')
  expect(shown).toContain('1a2b')
})

it('Of answers that contradict each other, no comes before later, and later before yes', async () => {
  const answers: object[] = [
    { status: 'in_meeting', litigator: true },
    { status: 'in_meeting' },
    { status: 'clear' },
  ]
  const gate = await seedGate(() => said(answers.shift() ?? {}))
  const leads = [await gate.add(), await gate.add(), await gate.add()]
  await gate.run()
  const states = await Promise.all(leads.map(async ({ leadId }) => (await gate.lead(leadId)).status))
  expect(states).toEqual(['exhausted', 'raw', 'raw'])
  expect(await gate.claimed()).toEqual([leads[2]?.phoneNumber])
  expect(await gate.shown()).toMatchObject({ state: { checked: 3, refused: 1, waiting: 1 } })
})

it('A no ends the lead, is in the log with the pointer, and a requeue asks again', async () => {
  let reply = refuses
  const gate = await seedGate(() => reply())
  const [lead, twin] = [await gate.add(), await gate.add()]
  await gate.run()
  expect((await gate.lead(lead.leadId)).status).toBe('exhausted')
  const log = await companyDb
    .prepare(`select gate_refused_by as pointer, gate_version as version from leads where phone_number = ?1`)
    .bind(lead.phoneNumber)
    .all()
  expect(log.results).toEqual([{ pointer: '/litigator', version: 1 }])
  reply = clear
  await gate.requeue(lead.leadId)
  expect(await gate.claimed()).toEqual([])
  await gate.run(1)
  expect(await gate.claimed()).toEqual([lead.phoneNumber])
  expect((await gate.lead(twin.leadId)).status).toBe('exhausted')
})

it('A yes counts for keepHours and no longer, and the lead is asked about once for that time', async () => {
  const gate = await seedGate(clear, { keepHours: 2 })
  const { phoneNumber } = await gate.add()
  await gate.run()
  await gate.run(3600)
  expect(gate.asked()).toEqual([phoneNumber])
  await gate.run(3600)
  const before = gate.asked().length
  if (before === 1) expect(await gate.claimed()).toEqual([])
  await gate.run(2)
  expect(gate.asked()).toEqual([phoneNumber, phoneNumber])
  expect(await gate.claimed()).toEqual([phoneNumber])
})

it('An answer counts for every spelling of a phone, and for no other phone', async () => {
  const gate = await seedGate((number) => (number.endsWith('22') ? refuses() : clear()))
  const [mobile, other] = ['+5215512345611', '+5215512345622']
  await gate.add({ phoneNumber: mobile })
  await gate.add({ phoneNumber: other })
  await gate.run()
  const asked = gate.asked().length
  const twin = await gate.add({ phoneNumber: mobile.replace('+521', '+52') })
  const refused = await gate.add({ phoneNumber: other.replace('+521', '+52') })
  await gate.run(2)
  expect([asked, gate.asked().length]).toEqual([2, 2])
  expect((await gate.lead(refused.leadId)).status).toBe('exhausted')
  expect(await gate.blockersOf(twin.leadId)).toEqual([])
})

it('A no to one lead of a phone ends the yes of its others in every spelling, and that of no other phone', async () => {
  let reply = clear
  const gate = await seedGate(() => reply(), {}, await seedAgent({ ...openAtAllHours, ...anyNumberAgain }))
  const [mobile, spelling] = ['+5215512345633', '+525512345633']
  const lead = await gate.add({ phoneNumber: mobile })
  await gate.run()
  const [call] = (await gate.claim()).calls
  await gate.report([{ callId: call?.callId ?? '', outcome: 'not_interested' }])
  const [twin, other] = [await gate.add({ phoneNumber: spelling }), await gate.add()]
  await gate.run(1)
  for (const { leadId } of [twin, other]) expect(await gate.blockersOf(leadId)).toEqual([])
  reply = refuses
  await gate.requeue(lead.leadId)
  await gate.run(1)
  expect((await gate.lead(lead.leadId)).status).toBe('exhausted')
  expect(await gate.claimed()).toEqual([other.phoneNumber])
  await gate.run(1)
  expect((await gate.lead(twin.leadId)).status).toBe('exhausted')
})

it('Another question makes a version, which knows no answer; another secret alone makes none', async () => {
  const gate = await seedGate()
  const { phoneNumber, leadId } = await gate.add()
  await gate.run()
  expect((await gate.shown('PATCH', { secrets: { token: 'another-secret-9z8y' } })).version).toBe(1)
  expect(await gate.blockersOf(leadId)).toEqual([])
  expect((await gate.shown('PATCH', { yes: { pointer: '/status', in: ['clear'] } })).version).toBe(2)
  expect(await gate.claimed()).toEqual([])
  await gate.run(1)
  expect(gate.asked()).toEqual([phoneNumber, phoneNumber])
  expect(await gate.claimed()).toEqual([phoneNumber])
})

it('Later: the lead is asked about again when its minutes have passed, and not before', async () => {
  let reply = () => said({ status: 'in_meeting' })
  const gate = await seedGate(() => reply(), { laterMinutes: 30 })
  const { phoneNumber } = await gate.add()
  await gate.run()
  reply = clear
  await gate.run(29 * 60)
  expect(gate.asked()).toHaveLength(1)
  await runCron()
  await gate.run(61)
  await runCron()
  await gate.run(2)
  expect(gate.asked()).toHaveLength(2)
  expect(await gate.claimed()).toEqual([phoneNumber])
})

it.each([
  ['a 5xx with a yes in it', () => said({ status: 'clear' }, 503)],
  ['no JSON', () => new Response('<p>clear</p>')],
  ['an answer that says nothing', () => said({ status: 'perhaps' })],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://a.example.com' } })],
])('Silence holds the lead, which is asked about again: %s', async (_, silent) => {
  let reply: () => Response = silent
  const gate = await seedGate(() => reply())
  const { phoneNumber, leadId } = await gate.add()
  await gate.run()
  expect(await gate.claimed()).toEqual([])
  expect(await gate.blockersOf(leadId)).toEqual(['gate'])
  expect((await gate.shown()).state.status).toBe('silent')
  reply = clear
  await gate.run(3)
  expect(await gate.claimed()).toEqual([phoneNumber])
  expect((await gate.shown()).state.status).toBe('asking')
})

it('Whom nobody has said no to is called where `call` was chosen, and nobody after a no', async () => {
  const no = newPhone()
  const gate = await seedGate((number) => (number === no ? refuses() : said({}, 500)), { whenSilent: 'call' })
  await gate.add({ phoneNumber: no })
  const { phoneNumber } = await gate.add()
  await gate.run()
  expect(await gate.shown()).toMatchObject({ state: { checked: 1, refused: 1 } })
  expect(await gate.claimed()).toEqual([phoneNumber])
})

it('No more than fifty leads end where the gate says no to all, and go-on or another question asks again', async () => {
  const gate = await seedGate(refuses)
  for (let i = 0; i < 60; i++) await gate.add()
  await gate.run(0, 30)
  await gate.run(5, 10)
  expect(await gate.shown()).toMatchObject({ state: { status: 'refusing', refused: 50 } })
  await gate.shown('POST', undefined, '/go-on')
  await gate.run(2, 20)
  expect(await gate.shown()).toMatchObject({ state: { status: 'asking', refused: 60 } })
})

it('One request undoes what gates have done, and leaves what a person has said', async () => {
  const gate = await seedGate(refuses, { suppress: 'company' })
  const [lead, told] = [await gate.add(), await gate.add()]
  await gate.run()
  expect(await gate.suppress([told.phoneNumber])).toMatchObject({ added: 1 })
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const path = `/api/v1/suppressions?source=gate&since=${encodeURIComponent(since)}`
  expect(dataOf(await gate.manager.request('DELETE', path), 200)).toEqual({
    ...{ lifted: 1, requeued: 1, more: false },
  })
  expect((await gate.lead(lead.leadId)).status).toBe('raw')
  expect((await gate.lead(told.leadId)).status).toBe('exhausted')
  const { suppressions } = dataOf(await gate.manager.request('GET', '/api/v1/suppressions'), 200) as {
    suppressions: { phoneNumber: string }[]
  }
  expect(suppressions.map(({ phoneNumber }) => phoneNumber)).toEqual([told.phoneNumber])
})

it('The record of a number has the gate and its version beside the suppression', async () => {
  const gate = await seedGate(refuses, { suppress: 'campaign' })
  const { phoneNumber } = await gate.add()
  await gate.run()
  const body = { phoneNumber }
  const { entries } = dataOf(await gate.manager.request('POST', '/api/v1/numbers/record', body), 200) as {
    entries: Record<string, unknown>[]
  }
  expect(entries.filter(({ type }) => type === 'suppression')).toMatchObject([
    { source: 'gate', gateVersion: 1, campaignId: gate.campaignId, withdraws: null },
  ])
})

it('A lead that lacks consent and a yes returns only when it has both', async () => {
  const gate = await seedGate()
  await gate.change({ requireConsent: { purpose: 'offers' } })
  const { phoneNumber, leadId } = await gate.add()
  await gate.run(2)
  expect(await gate.claimed()).toEqual([])
  await gate.run(2)
  expect(gate.asked()).toEqual([])
  expect(await gate.blockersOf(leadId)).toEqual(['no_consent', 'gate'])
  const consents = [{ phoneNumber, purpose: 'offers', givenAt: new Date(Date.now() - 1000).toISOString() }]
  await gate.manager.request('POST', '/api/v1/consents', { consents })
  expect(await gate.claimed()).toEqual([])
  expect(await gate.blockersOf(leadId)).toEqual(['gate'])
  await gate.run(2)
  expect(await gate.claimed()).toEqual([phoneNumber])
})

it('Without its gate, held leads return by the minute', async () => {
  const gate = await seedGate(() => said({}, 500))
  const { phoneNumber } = await gate.add()
  await gate.run()
  expect(await gate.claimed()).toEqual([])
  dataOf(await gate.gateAsk('DELETE'), 200)
  await runCron()
  expect(await gate.claimed()).toEqual([phoneNumber])
  expect((await gate.gateAsk('GET')).status).toBe(404)
})

it('It asks for what the next ten minutes need, in the order of the queue, at most ten at a time', async () => {
  let [open, most] = [0, 0]
  const gate = await seedGate(async () => {
    most = Math.max(most, ++open)
    await Promise.resolve()
    open--
    return clear()
  })
  await gate.change({ callsPerMinute: 3 })
  const urgent = []
  for (let i = 0; i < 40; i++) await gate.add()
  for (let i = 0; i < 5; i++) urgent.push((await gate.add({ priority: 50 })).phoneNumber)
  await gate.run(2, 20)
  expect(gate.asked()).toHaveLength(30)
  expect(gate.asked().slice(0, 5).toSorted()).toEqual(urgent.toSorted())
  expect(most).toBeLessThanOrEqual(10)
  expect(gate.sent.map(numberAsked)).toEqual([...new Set(gate.asked())])
})

it('A try asks and stores nothing', async () => {
  const gate = await seedGate(refuses, { suppress: 'company' })
  const phoneNumber = newPhone()
  const tried = dataOf(await gate.gateAsk('POST', '/try', { phoneNumber }), 200)
  expect(tried).toMatchObject({ answer: 'no', pointer: '/litigator' })
  expect(await gate.suppress([phoneNumber])).toMatchObject({ added: 1 })
  expect(await gate.shown()).toMatchObject({ state: { checked: 0 } })
})

it('Another request to ask drops the secrets, so that no other host gets them', async () => {
  const gate = await seedGate()
  const { ask } = gateAt('https://other.example.com')
  const refused = await gate.gateAsk('PATCH', '', { ask })
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    400,
    expect.stringContaining('secrets.token'),
  ])
})

it('A gate asks public hosts only', async () => {
  const gate = await seedGate()
  const asks = { ...gateAt('https://10.0.0.1'), secrets: { token: gateSecret } }
  const refused = await gate.gateAsk('PUT', '', asks)
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    400,
    expect.stringContaining('public host'),
  ])
})

it('A paused campaign asks nothing, and asks once it is resumed', async () => {
  const gate = await seedGate()
  await gate.change({ paused: true })
  await gate.add()
  await gate.run(2)
  expect(gate.asked()).toEqual([])
  await gate.change({ paused: false })
  await gate.run(2)
  expect(gate.asked()).toHaveLength(1)
})
