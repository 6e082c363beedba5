// The presets that were never called for real, against stand-ins written from the documentation: each kind of end is
// reported as what it is, each refusal leads where it must, and every request is as the provider describes it.
import { expect, it } from 'vitest'
import { providerOf } from '../../../src/channels/dialers/provider.ts'
import { minuteMs } from '../../support/calling/calling.ts'
import { seedDialling } from '../../support/dialers/dialling.ts'
import { type FakeName, fakes, key, playProvider } from '../../support/dialers/preset-fakes.ts'

const names = Object.keys(fakes) as FakeName[]
type Played = Parameters<typeof playProvider>

async function seedPreset(name: FakeName, end: Played[2], lastsMs = 2 * minuteMs, reply: Played[4] = null) {
  const fake = fakes[name]
  const host: { send?: ReturnType<typeof playProvider> } = {}
  const world = await seedDialling({
    dialer: { preset: name, template: null, variables: fake.variables, sealedSecrets: key },
    sendWith: (now) => {
      host.send = playProvider(fake, now, end, lastsMs, reply)
      return host.send.send
    },
  })
  const { phoneNumber } = await world.lead({ metadata: '{"name":"Ada"}' })
  const outcomes = async () => (await world.callsOf(phoneNumber)).map(({ outcome }) => outcome)
  return { ...world, fake, phoneNumber, outcomes, played: host.send as ReturnType<typeof playProvider> }
}

const kindsOf = names.flatMap((name) => fakes[name].ends.map((end) => [name, end[0], end] as const))

it.each(kindsOf)('A call of %s that ends with %s is reported as what it is', async (name, _, end) => {
  const [, body, outcome, seconds] = end
  const { pass, callsOf, fake, phoneNumber, played, simulated } = await seedPreset(name, body)
  await pass(119)
  expect(await callsOf(phoneNumber)).toMatchObject([{ outcome: null }])
  await pass(220)
  const [first] = await callsOf(phoneNumber)
  expect([first?.outcome, first?.seconds]).toEqual([outcome ?? 'released', seconds])
  // No alert says that the template does not have it.
  expect(simulated.memory.state.unmapped?.reason ?? null).toBeNull()
  expect(played.wrong).toEqual([])
  const [start] = played.asked
  expect(start?.call).toBe(fake.start)
  expect(JSON.parse(start?.body ?? '')).toMatchObject(fake.body(phoneNumber, 'Ada'))
})

const refusals = names.flatMap((name) =>
  fakes[name].refusals.map((refusal) => [name, refusal[0], refusal[2], refusal] as const),
)

it.each(refusals)('A start that %s answers with %i: %s', async (name, _, because, [status, body]) => {
  const { pass, simulated, outcomes } = await seedPreset(name, {}, minuteMs, [status, body])
  await pass(5)
  const { stopped, rest } = simulated.memory.state.health
  expect(stopped).toBe(because === 'account' ? 'account' : null)
  expect(rest?.reason ?? null).toBe(because === 'busy' ? 'busy' : null)
  expect(await outcomes()).toEqual([because === 'may_have_rung' ? null : 'released'])
})

it.each(names)('A call of %s is hung up where the provider takes it of a live call', async (name) => {
  const { pass, suppress, clock, phoneNumber, played, fake } = await seedPreset(name, {}, 60 * minuteMs)
  await pass(20)
  await suppress([phoneNumber], clock.ms)
  // Less than after which it is hung up again: the stand-in's call goes on.
  await pass(20)
  const sent = played.asked.filter(({ call }) => !call.startsWith('GET ')).slice(1)
  expect(sent).toEqual(
    fake.hangUp === null ? [] : [{ call: fake.hangUp('id-1')[0], body: fake.hangUp('id-1')[1] }],
  )
})

it.each(names)('The credentials of %s are checked by a request that starts nothing', async (name) => {
  const fake = fakes[name]
  const { send, asked, wrong } = playProvider(fake, Date.now, {}, minuteMs)
  const settings = { preset: name, template: null, variables: fake.variables }
  expect(await providerOf(settings, { apiKey: key }, send).check(1_000)).toMatchObject({ isOk: true })
  expect([asked.map(({ call }) => call), wrong]).toEqual([[`GET ${fake.check}`], []])
})

it('A call of ElevenLabs ends after three minutes when its status never changes', async () => {
  const { live } = fakes.elevenlabs
  const { pass, outcomes } = await seedPreset('elevenlabs', live[0] ?? {}, 1)
  await pass(170)
  expect(await outcomes()).toEqual([null])
  await pass(30)
  expect(await outcomes()).toEqual(['no_answer'])
})
