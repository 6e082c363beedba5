// A gate with faults by seed, over hours: nobody is called without a fresh yes, and nobody is asked about twice while
// an answer holds.
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { anyNumberAgain } from '../../support/calling/agent.ts'
import { said, seedGate } from '../../support/dialers/gate-world.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'
import { newPhone } from '../../support/world.ts'

beforeEach(useFutureClock)

const hourMs = 3_600_000

/** The same for a seed: numbers below 1. */
function drawsOf(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

const fates = ['yes', 'yes', 'yes', 'no', 'later', 'fails', 'nonsense', 'contradicts', 'throws'] as const
function replyOf(fate: (typeof fates)[number]): Response {
  if (fate === 'throws') throw new TypeError('network')
  if (fate === 'fails') return said({ status: 'clear' }, 500)
  if (fate === 'nonsense') return said({ status: ['clear'] })
  if (fate === 'later') return said({ status: 'in_meeting' })
  return said({ status: 'clear', litigator: fate !== 'yes' })
}

it.each([1, 2, 3, 4])(
  'No lead is leased without a yes of its gate that is fresh, and none is asked about while one is: seed %s',
  async (seed) => {
    const draw = drawsOf(seed)
    const told = new Map<string, { readonly atMs: number; readonly fate: string }>()
    const gate = await seedGate(
      (number) => {
        const fate = fates[Math.floor(draw() * fates.length)] as (typeof fates)[number]
        const before = told.get(number)
        if (before?.fate === 'yes') expect(Date.now() - before.atMs).toBeGreaterThanOrEqual(2 * hourMs)
        expect(before?.fate).not.toBe('no')
        expect(before?.fate).not.toBe('contradicts')
        told.set(number, { atMs: Date.now(), fate })
        return replyOf(fate)
      },
      { keepHours: 2 },
    )
    await gate.change({ ...anyNumberAgain, outcomes: { busy: { class: 'retry', minutes: 50 } } })
    let leased = 0
    for (let step = 0; step < 16; step++) {
      for (let i = 0; i < 3; i++) await gate.add()
      await gate.run(900 * draw(), 6)
      await runCron()
      const { calls } = await gate.claim({ limit: 4 })
      for (const { lead } of calls) {
        const last = told.get(lead.phoneNumber)
        expect(last?.fate).toBe('yes')
        expect(Date.now() - (last?.atMs ?? 0)).toBeLessThan(2 * hourMs)
      }
      leased += calls.length
      if (calls.length > 0) await gate.report(calls.map(({ callId }) => ({ callId, outcome: 'busy' })))
    }
    expect(leased).toBeGreaterThan(5)
  },
)

it('Three hundred leads are each asked about once for the time that an answer holds', async () => {
  const gate = await seedGate()
  await gate.change({ callsPerMinute: 60 })
  const { key } = { key: gate.writeKey }
  const leads = Array.from({ length: 300 }, (_, i) => ({ phoneNumber: `+49151${10_000_000 + i}` }))
  const sent = { campaignId: gate.campaignId, leads }
  dataOf(await gate.ask('POST', '/api/v1/leads/bulk', sent, { key }), 200)
  await gate.run(2, 60)
  await runCron()
  await gate.run(60, 20)
  expect(gate.asked()).toHaveLength(300)
  expect(new Set(gate.asked()).size).toBe(300)
})

it('A gate that answers nothing within five seconds is silent, and the leads beside that one are called', async () => {
  const wait = globalThis.setTimeout
  const waits: unknown[] = []
  const quick = ((run: () => void, ms: number) => {
    if (ms === 5_000) waits.push(ms)
    return wait(run, ms === 5_000 ? 5 : ms)
  }) as typeof setTimeout
  vi.stubGlobal('setTimeout', quick)
  onTestFinished(() => void vi.unstubAllGlobals())
  let isSlow = true
  const stuck = newPhone()
  const gate = await seedGate((number) =>
    number === stuck && isSlow ? new Promise<Response>(() => {}) : said({ status: 'clear' }),
  )
  const { leadId } = await gate.add({ phoneNumber: stuck })
  const { phoneNumber } = await gate.add()
  await gate.pass(1)
  expect(waits).toHaveLength(2)
  expect(await gate.claimed()).toEqual([phoneNumber])
  expect(await gate.blockersOf(leadId)).toEqual(['gate'])
  const { exchanges } = dataOf(await gate.gateAsk('GET', '/trace'), 200) as { exchanges: object[] }
  expect(exchanges).toContainEqual(expect.objectContaining({ leadId, verdict: 'silent' }))
  isSlow = false
  await gate.pass(5)
  expect(await gate.claimed()).toEqual([stuck])
})

it('A gate that has failed for many leads is asked about one at a time, and about all again once it answers', async () => {
  let isFailing = true
  const gate = await seedGate(() => said({ status: 'clear' }, isFailing ? 503 : 200))
  const leads = await Promise.all(Array.from({ length: 15 }, () => gate.add()))
  await gate.pass(1)
  expect(gate.asked()).toHaveLength(10)
  await gate.pass(60)
  const asked = gate.asked().length
  expect(asked).toBeGreaterThan(12)
  expect(asked).toBeLessThan(25)
  isFailing = false
  await gate.pass(700)
  expect((await gate.claimed(20)).toSorted()).toEqual(leads.map(({ phoneNumber }) => phoneNumber).toSorted())
})
