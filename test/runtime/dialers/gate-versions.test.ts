// What becomes of a gate's answers when it is changed, stopped or set anew: which of them count, and who is asked about
// again.
import { beforeEach, expect, it, vi } from 'vitest'
import { clear, type GateWorld, refuses, said, seedGate } from '../../support/dialers/gate-world.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

const hourMs = 3_600_000
const otherYes = { yes: { pointer: '/status', in: ['clear'] } }

it('An answer to a question that was changed meanwhile does not count: the lead is asked about anew', async () => {
  let mustChange = true
  const gate: GateWorld = await seedGate(async () => {
    if (mustChange) {
      mustChange = false
      await gate.shown('PATCH', otherYes)
    }
    return clear()
  })
  const { phoneNumber } = await gate.add()
  await gate.run(0, 1)
  expect(gate.asked()).toHaveLength(1)
  expect(await gate.claimed()).toEqual([])
  await gate.pass(3)
  expect(gate.asked()).toHaveLength(2)
  expect(await gate.claimed()).toEqual([phoneNumber])
})

it('A no to a question that was changed meanwhile ends no lead and suppresses nobody', async () => {
  let mustChange = true
  const gate: GateWorld = await seedGate(
    async () => {
      if (!mustChange) return said({}, 500)
      mustChange = false
      await gate.shown('PATCH', otherYes)
      return refuses()
    },
    { suppress: 'company' },
  )
  const { leadId, phoneNumber } = await gate.add()
  await gate.pass(2)
  expect((await gate.lead(leadId)).status).toBe('raw')
  expect(await gate.suppress([phoneNumber])).toMatchObject({ added: 1 })
})

async function seedStopped() {
  const gate = await seedGate(refuses)
  for (let i = 0; i < 52; i++) await gate.add()
  await gate.run(1, 20)
  expect((await gate.shown()).state).toMatchObject({ status: 'refusing', refused: 50, waiting: 2 })
  return gate
}

it('A gate that has stopped asks nobody each minute, stays so when its hours change, and asks by another question', async () => {
  const gate = await seedStopped()
  expect((await gate.shown('PATCH', { keepHours: 3 })).state.status).toBe('refusing')
  await runCron()
  await gate.run(61)
  const asked = gate.asked().length
  await gate.pass(120)
  expect(gate.asked()).toHaveLength(asked)
  expect((await gate.shown('PATCH', otherYes)).state.status).toBe('asking')
  await gate.pass(5)
  expect((await gate.shown()).state).toMatchObject({ refused: 52, waiting: 0 })
})

it('No lead ends by an answer after the one that stops the gate, though they were asked about at once', async () => {
  let reply = clear
  const gate = await seedGate(() => reply())
  for (let i = 0; i < 3; i++) await gate.add()
  await gate.run(1, 5)
  reply = refuses
  for (let i = 0; i < 52; i++) await gate.add()
  await gate.run(1, 20)
  expect((await gate.shown()).state).toMatchObject({ status: 'refusing', checked: 50, refused: 47 })
})

it('Go on, said while the answer that stops the gate is under way, is not undone by it', async () => {
  let requests = 0
  const gate: GateWorld = await seedGate(async () => {
    if (++requests === 50) {
      vi.setSystemTime(Date.now() + 1_000)
      await gate.shown('POST', undefined, '/go-on')
    }
    return refuses()
  })
  for (let i = 0; i < 52; i++) await gate.add()
  await gate.run(1, 20)
  expect((await gate.shown()).state).toMatchObject({ status: 'asking', refused: 52 })
})

it('What silence has put off for long is asked about at once when the gate is changed', async () => {
  let reply = () => said({}, 500)
  const gate = await seedGate(() => reply())
  const { phoneNumber } = await gate.add()
  await gate.pass(70)
  reply = clear
  await gate.shown('PATCH', { secrets: { token: 'another-secret-9z8y' } })
  await gate.pass(2)
  expect(await gate.claimed()).toEqual([phoneNumber])
  expect(gate.sent.at(-1)?.headers.get('authorization')).toBe('Bearer another-secret-9z8y')
})

it('A gate that is removed and set again knows no answer of the one before, and no other campaign’s', async () => {
  const gate = await seedGate()
  const other = await seedGate(clear, {}, { ...gate, ...(await gate.another()) } as never)
  const { phoneNumber } = await gate.add()
  await other.add({ phoneNumber })
  await gate.pass(2)
  await other.pass(2)
  expect([gate.asked(), other.asked()]).toEqual([[phoneNumber], [phoneNumber]])
  const { ask, no, later, yes } = (await gate.shown()) as unknown as Record<string, object>
  dataOf(await gate.gateAsk('DELETE'), 200)
  const secrets = { token: 'gk-0123456789' }
  expect((await gate.shown('PUT', { ask, no, later, yes, secrets })).version).toBe(2)
  expect(await gate.claimed()).toEqual([])
  await gate.pass(2)
  expect(gate.asked()).toHaveLength(2)
  expect(await other.claimed()).toEqual([phoneNumber])
})

it('A lead that comes while a no to its phone holds ends by it, and one that comes later is asked about', async () => {
  const gate = await seedGate(refuses, { keepHours: 1 })
  const stem = '15512345633'
  await gate.add({ phoneNumber: `+52${stem}` })
  await gate.pass(2)
  const { leadId } = await gate.add({ phoneNumber: `+52${stem.slice(1)}` })
  await gate.pass(2)
  expect([gate.asked().length, (await gate.lead(leadId)).status]).toEqual([1, 'exhausted'])
  vi.setSystemTime(Date.now() + hourMs)
  await gate.requeue(leadId)
  await gate.pass(2)
  expect(gate.asked()).toHaveLength(2)
})

it('A change keeps what it does not name, null is the default, and what is wrong is named', async () => {
  const gate = await seedGate(clear, { keepHours: 5, laterMinutes: 7, suppress: 'campaign' })
  expect(await gate.shown('PATCH', { keepHours: 6 })).toMatchObject({
    ...{ keepHours: 6, laterMinutes: 7, suppress: 'campaign', whenSilent: 'hold', version: 1 },
    ...{ yes: { pointer: '/status', equals: 'clear' }, secrets: { token: { hint: '…1a2b' } } },
  })
  expect(await gate.shown('PATCH', { keepHours: null, suppress: null })).toMatchObject({
    ...{ keepHours: 24, laterMinutes: 7, suppress: 'none', version: 1 },
  })
  expect(await gate.shown('PATCH', { no: null, later: null })).toMatchObject({
    no: null,
    later: null,
    version: 2,
  })
  const body = { yes: { pointer: '/a', equals: 'a'.repeat(200_000) } }
  for (const [change, status, message] of [
    [{ yes: null }, 400, 'yes must be an object'],
    [{ ask: null }, 400, 'ask must be an object'],
    [{ secrets: { token: null } }, 400, 'secrets.token is required'],
    [{ secrets: { other: 'x' } }, 400, 'secrets.other is not named by a header of ask'],
    [body, 413, 'Request body too large'],
  ] as const)
    expectFailure(await gate.gateAsk('PATCH', '', change), status, message)
  expect((await gate.shown()).version).toBe(2)
})
