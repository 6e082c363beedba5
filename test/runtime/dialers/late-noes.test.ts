// A no that a provider tells late, in parts, or in an answer that seemed complete without it: for each preset that can
// hear one, the number is on the do-not-call list in the end.
import { expect, it } from 'vitest'
import { appointmentRank } from '../../../src/queue/leads/store/queue.ts'
import { dayMs, leadRow } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { seedDialling } from '../../support/dialers/dialling.ts'
import { type Body, caseOf, namesWhere, presetCases, type Told } from '../../support/dialers/preset-cases.ts'

const told: Readonly<Record<string, Told>> = {
  ...Object.fromEntries(
    namesWhere(({ lateNo }) => lateNo !== null).map((name) => [name, caseOf(name).lateNo as Told]),
  ),
  'vapi with a structured output': {
    ...presetCases.vapi.lateNo,
    variables: { outcomeOutputId: 'o1' },
    no: { artifact: { structuredOutputs: { o1: { result: { outcome: 'Please do not call again' } } } } },
    without: { analysis: { structuredData: { outcome: 'answered' } } },
  },
}

const merged = (one: Body, other: Body): Body =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => {
      const [before, after] = [one[name], other[name]]
      const areObjects = [before, after].every((value) => typeof value === 'object' && !Array.isArray(value))
      return [name, areObjects ? merged(before as Body, after as Body) : (after ?? before)]
    }),
  )
const together = (...bodies: readonly Body[]) => bodies.reduce(merged)

const [endsAfterMs, apartMs] = [20_000, 20_000]

/** `answers`: from the end of the call on, each for so long; the last one stays. */
async function seedTelling(name: string, answers: readonly Body[], everyMs = apartMs) {
  const [preset = ''] = name.split(' ')
  const asks: number[] = []
  const world = await seedDialling({
    dialer: {
      ...{ preset, template: null, sealedSecrets: 'key' },
      variables: { ...told[name]?.variables },
    },
    sendWith: (now) => {
      let startedAtMs = 0
      return async (url, { method }) => {
        if (method === 'POST' && startedAtMs === 0) {
          startedAtMs = now()
          const id = 'id-1'
          return Response.json({ id, call_id: id, conversation_id: id, execution_id: id }, { status: 200 })
        }
        if (method !== 'GET' || !url.includes('id-1')) return Response.json({}, { status: 404 })
        const sinceMs = now() - startedAtMs - endsAfterMs
        asks.push(sinceMs / 1000)
        const at = Math.min(Math.floor(sinceMs / everyMs), answers.length - 1)
        return Response.json(sinceMs < 0 ? { status: 'queued' } : answers[at])
      }
    },
  })
  const { phoneNumber } = await world.lead()
  return { ...world, phoneNumber, asks }
}

/** On the list, and leased by no campaign of the company. */
async function expectForbidden(world: Awaited<ReturnType<typeof seedTelling>>, what: string) {
  const { phoneNumber, companyId } = world
  expect(await world.callsOf(phoneNumber), what).toMatchObject([{ doNotCall: 1 }])
  const listed = companyDb.prepare(
    'select campaign_number as n from suppressions where company_id = ?1 and phone_number = ?2',
  )
  expect(await listed.bind(companyId, phoneNumber).first(), what).toEqual({ n: 0 })
  const other = await world.another()
  await other.add({ phoneNumber }, world.clock.ms)
  const neighbour = await other.add({}, world.clock.ms)
  const { calls } = await other.claim(world.clock.ms + 2 * dayMs, { maxCalls: 10 })
  const leased = calls.map(({ lead }) => JSON.parse(lead).phoneNumber)
  expect(leased, what).toEqual([neighbour.phoneNumber])
}

const names = Object.keys(told)

it.each(names)(
  'A no that %s tells last, part by part, is not lost, whichever part comes first',
  async (name) => {
    const { over, parts, no, without = {} } = told[name] as Told
    const all = [...parts, without]
    for (const [first] of all.entries()) {
      const order = [...all.slice(first), ...all.slice(0, first), no]
      // Each answer has what those before had.
      const growing = order.map((_, at) => together(over, ...order.slice(0, at + 1)))
      const world = await seedTelling(name, [over, ...growing])
      await world.pass(3700)
      await expectForbidden(world, `growing from ${first}`)
    }
  },
  60_000,
)

it.each(names)('A no that %s tells in an answer of its own is not lost', async (name) => {
  const { over, parts, no, without = {} } = told[name] as Told
  const alone = [...parts, without, no].map((part) => together(over, part))
  const world = await seedTelling(name, [over, ...alone, together(over, ...parts, without, no)])
  await world.pass(3700)
  await expectForbidden(world, 'alone')
})

it.each(names)('A no that %s tells after all else of the end is not lost', async (name) => {
  const { over, parts, no, without = {} } = told[name] as Told
  const end = together(over, ...parts, without)
  for (const afterMs of [40_000, 170_000, 280_000]) {
    const world = await seedTelling(name, [end, together(end, no)], afterMs)
    await world.pass(3700)
    await expectForbidden(world, `after ${afterMs} ms`)
  }
})

it('An end without what was said is reported after 180 s, and asked for in the hour after it, until that is there', async () => {
  const { over, parts, no } = told.vapi as Told
  const end = together(over, ...parts)
  const world = await seedTelling('vapi', [end, together(end, no)], 50 * 60_000)
  await world.pass(20 + 170)
  expect(await world.outcomesOf(world.phoneNumber)).toEqual([null])
  await world.pass(40)
  expect(await world.callsOf(world.phoneNumber)).toMatchObject([{ outcome: 'answered', doNotCall: 0 }])
  await world.pass(3600)
  await expectForbidden(world, 'late')
  expect(world.simulated.memory.calls).toEqual([])
})

it('A complete end is asked for once more 300 s after it was seen, and then forgotten', async () => {
  const { over, parts } = told.vapi as Told
  const end = together(over, ...parts, { analysis: { structuredData: { outcome: 'not_interested' } } })
  const world = await seedTelling('vapi', [end])
  await world.pass(60)
  expect(await world.outcomesOf(world.phoneNumber)).toEqual(['not_interested'])
  await world.pass(3600)
  expect(world.asks).toEqual([-5, 10, 310])
  expect(world.simulated.memory.calls).toEqual([])
})

it('The end of a call that nobody took is not asked for again', async () => {
  const busy = { status: 'ended', endedReason: 'customer-busy', analysis: { summary: '' } }
  const world = await seedTelling('vapi', [busy])
  await world.pass(600)
  expect(await world.outcomesOf(world.phoneNumber)).toEqual(['busy'])
  expect(world.asks).toEqual([-5, 10])
})

it('A later end that is no no changes nothing of a call that was reported', async () => {
  const { over, parts } = told.vapi as Told
  const end = (outcome: string) => together(over, ...parts, { analysis: { structuredData: { outcome } } })
  const world = await seedTelling('vapi', [end('callback_requested'), end('not_interested')], 60_000)
  await world.pass(1000)
  expect(await world.outcomesOf(world.phoneNumber)).toEqual(['callback_requested'])
  expect(await leadRow(world.campaign, world.phoneNumber)).toMatchObject({ queue_rank: appointmentRank })
})
