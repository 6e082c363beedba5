// A gate, and a call that comes in, whose company moves or is restored: its leads are asked about again or returned,
// and no other company notices. Always begins in D1, whatever TEST_STORE says.
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { wakeWorking } from '../../../src/channels/dialers/wake-dialers.ts'
import { freezeRows } from '../../../src/control/companies/store/move-steps.ts'
import {
  driveToEnd,
  driveUntil,
  type MovingWorld,
  moveOf,
  moveTo,
  seedMoving,
  shared,
  storeEnv,
  wish,
} from '../../support/companies/moving.ts'
import { seedCompanyIn } from '../../support/companies/own-company.ts'
import { addLead, claim, openHistory, resume } from '../../support/companies/restoring.ts'
import { gateAt, numberAsked, said } from '../../support/dialers/gate-world.ts'
import { openHost } from '../../support/dialers/provider-host.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'
import { newPhone } from '../../support/world.ts'

// No alarm goes off but those that a test runs.
beforeEach(useFutureClock)

const storeOf = async (companyId: string) => (await moveOf(companyId)).toStore

type Claimed = { calls: { callId: string; lead: { phoneNumber: string } }[] }

function playGate() {
  const state = { says: { status: 'clear' } as object, status: 200 }
  const host = openHost(() => said(state.says, state.status))
  return { state, host, asked: () => host.sent.map(numberAsked) }
}

const gateObject = (companyId: string, number: number) => env.DIALERS.getByName(`${companyId}/${number}/gate`)

async function run(object: ReturnType<typeof gateObject>, seconds = 0): Promise<void> {
  vi.setSystemTime(Date.now() + seconds * 1000)
  for (let rounds = 0; rounds < 6; rounds++) await runDurableObjectAlarm(object)
}

async function seedMovingGate() {
  const world = await seedMoving()
  const { companyId, campaignId, manager, agent, writer } = world
  const gate = playGate()
  const path = `/api/v1/campaigns/${campaignId}/gate`
  dataOf(await manager.request('PUT', path, gateAt(gate.host.url)), 200)
  const rows = shared.prepare('select number from campaigns where company_id = ?1').bind(companyId)
  const object = gateObject(companyId, (await rows.first<{ number: number }>())?.number ?? 0)
  const phoneNumber = newPhone()
  return {
    ...world,
    ...gate,
    run: (seconds = 0) => run(object, seconds),
    shown: async () => dataOf(await manager.request('GET', path), 200) as { state: object; secrets: object },
    add: async (number = phoneNumber) => {
      dataOf(await writer.createLead({ campaignId, phoneNumber: number }), 201)
      return number
    },
    claimed: async () => {
      const { calls } = dataOf(
        await agent.request('POST', '/api/v1/calls/claim', { campaignId, limit: 9 }),
        200,
      ) as Claimed
      return calls.map(({ lead }) => lead.phoneNumber)
    },
  }
}

it('A gate goes with its company: held leads are asked about there, with its secrets, and its noes stay', async () => {
  const [world, neighbour] = [await seedMovingGate(), await seedMovingGate()]
  world.state.status = 500
  const held = await world.add()
  const near = await neighbour.add()
  await world.run()
  await neighbour.run()
  expect(await world.claimed()).toEqual([])
  await moveTo(world.companyId, 'own')
  world.state.status = 200
  await world.run(3)
  expect(world.host.sent.at(-1)?.headers.get('authorization')).toBe('Bearer gk-0123456789-secret-1a2b')
  expect(await world.claimed()).toEqual([held])
  await driveToEnd(world.companyId)
  world.state.says = { litigator: true }
  await world.add(newPhone())
  await world.run(2)
  await moveTo(world.companyId, 'shared')
  expect(await world.shown()).toMatchObject({
    secrets: { token: { hint: '…1a2b' } },
    state: { checked: 2, refused: 1, waiting: 0 },
  })
  expect([neighbour.asked(), await neighbour.claimed()]).toEqual([[near], [near]])
})

it('While its company moves a gate asks nobody, and it asks after the move', async () => {
  const world = await seedMovingGate()
  const phoneNumber = await world.add()
  await wish(world.companyId, 'own')
  await freezeRows(shared, world.companyId, Date.now())
  await world.run(1)
  expect(world.asked()).toEqual([])
  await driveUntil(world.companyId, 'switched')
  await world.run(61)
  // As each minute does.
  await wakeWorking(storeEnv(await storeOf(world.companyId)))
  await world.run(1)
  expect(world.asked()).toEqual([phoneNumber])
  expect(await world.claimed()).toEqual([phoneNumber])
})

const inbound = async ({ agent }: Pick<MovingWorld, 'agent'>, from: string) =>
  dataOf(await agent.request('POST', '/api/v1/calls/inbound', { from, take: true }), 200) as {
    taken: boolean
    openCall: { callId: string; direction: string } | null
    call: { callId: string } | null
  }

it('A call that came in goes with its company: it is open there, is nobody else’s, and is reported', async () => {
  const [world, neighbour] = [await seedMoving(), await seedMoving()]
  const phoneNumber = newPhone()
  for (const { writer, campaignId } of [world, neighbour])
    dataOf(await writer.createLead({ campaignId, phoneNumber }), 201)
  const { call } = await inbound(world, phoneNumber)
  await moveTo(world.companyId, 'own')
  expect(await inbound(world, phoneNumber)).toMatchObject({
    taken: false,
    openCall: { callId: call?.callId, direction: 'inbound' },
  })
  const calls = [{ callId: call?.callId, outcome: 'answered' }]
  const { results } = dataOf(await world.agent.request('POST', '/api/v1/calls/report', { calls }), 200) as {
    results: object[]
  }
  expect(results).toMatchObject([{ result: 'recorded', status: 'concluded', attempts: 0 }])
  expect((await inbound(neighbour, phoneNumber)).taken).toBe(true)
})

it('After a restore no answer of since then counts, and the lead that was called since is asked about again', async () => {
  const company = await seedCompanyIn('own')
  const neighbour = await seedCompanyIn('own')
  const [gate, near] = [playGate(), playGate()]
  for (const [one, { host }] of [
    [company, gate],
    [neighbour, near],
  ] as const)
    await one.ask('PUT', `/api/v1/campaigns/${one.campaignId}/gate`, gateAt(host.url))
  const objects = [company, neighbour].map((one) => gateObject(one.companyId, one.campaign.number))
  const history = openHistory(company)
  const lead = await addLead(company)
  await addLead(neighbour)
  for (const object of objects) await run(object)
  await history.keep()
  vi.setSystemTime(Date.now() + 300_000)
  const [call] = await claim(company)
  await company.ask('POST', '/api/v1/calls/report', { calls: [{ callId: call?.callId, outcome: 'busy' }] })
  vi.setSystemTime(Date.now() + 120_000)
  expect(await history.restore(history.times()[0] as number)).toMatchObject({ kind: 'restored' })
  await resume(company)
  gate.state.says = { litigator: true }
  vi.setSystemTime(Date.now() + 3_600_000)
  expect(await claim(company)).toEqual([])
  for (const object of objects) await run(object, 1)
  expect(gate.asked()).toEqual([lead.phoneNumber, lead.phoneNumber])
  expect(near.asked()).toHaveLength(1)
  expect(await claim(neighbour)).toHaveLength(1)
})
