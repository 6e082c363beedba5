// The person rings back at each await of a claim and of a dialer's start, and the other way round: one call, and never
// one to somebody who is on the phone.
import { expect, it } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import { answerCaller } from '../../../src/queue/calling/store/inbound/answer-caller.ts'
import { hashesIn } from '../../support/access/actor.ts'
import { noonMs, seedCallingWorld } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { type DiallingWorld, seedDialling, withFate } from '../../support/dialers/dialling.ts'

type Step = (place: string) => Promise<void>

/** A database that is stopped before and after each of its transactions. */
const stepped = (step: Step) =>
  ({
    prepare: (text: string) => companyDb.prepare(text),
    batch: async (statements: D1PreparedStatement[]) => {
      await step('before a transaction')
      const rows = await companyDb.batch(statements)
      await step('after a transaction')
      return rows
    },
  }) as unknown as D1Database

type World = Pick<DiallingWorld, 'companyId' | 'asAgent'> & Partial<Pick<DiallingWorld, 'simulated'>>

/** As the endpoint does. A campaign without a dialer stops none. */
async function ringBack(world: World, phoneNumber: string, nowMs: number, db = companyDb) {
  const take = { leaseSeconds: 3_600, countsAsAttempt: false }
  const request = { phoneNumber, campaignId: null, take, token: randomBase62(11) }
  const result = await answerCaller(
    db,
    world.asAgent(nowMs),
    request,
    hashesIn(world.companyId),
    async (_, callId) => world.simulated?.stopStart(callId) ?? false,
  )
  if (result.kind !== 'caller') throw new Error(result.kind)
  return result
}

/** Open calls of the phone, whose leases have not ended. */
async function openCallsOf(companyId: string, phoneNumber: string, nowMs: number) {
  const { results } = await companyDb
    .prepare(
      `select k.inbound is not null as "isInbound" from calls as k join leads as l on l.seq = k.seq
         and l.claim_token = k.token
       where k.company_id = ?1 and k.phone_number = ?2 and k.outcome is null and l.lease_expires_at_ms > ?3`,
    )
    .bind(companyId, phoneNumber, nowMs)
    .run<{ isInbound: number }>()
  return results.map(({ isInbound }) => (isInbound === 1 ? 'inbound' : 'outbound'))
}

/** Two leads are called; the first person rings at the await `at`. Returns how many awaits there were. */
async function dialThrough(at: number | null): Promise<{ awaits: number; taken: boolean | null }> {
  let awaits = 0
  let taken: boolean | null = null
  let rungBefore = 0
  const spot: { phoneNumber: string; isOver: boolean; world?: DiallingWorld } = {
    phoneNumber: '',
    isOver: false,
  }
  const step: Step = async (place) => {
    const { phoneNumber, world } = spot
    if (world === undefined || spot.isOver || awaits++ !== at) return
    const nowMs = world.clock.ms
    const { call, openCall } = await ringBack(world, phoneNumber, nowMs)
    taken = call !== null
    rungBefore = rungOf(world, phoneNumber)
    // Taken only while nothing rings; else the agent is told who is on the phone.
    expect([taken, rungBefore > 0 && openCall === null], `${at}: ${place}`).toEqual([
      rungBefore === 0 && taken,
      false,
    ])
    if (!taken) expect(openCall, `${at}: ${place}`).not.toBeNull()
    expect(await openCallsOf(world.companyId, phoneNumber, nowMs)).toEqual([taken ? 'inbound' : 'outbound'])
  }
  const world = await seedDialling({
    db: stepped(step),
    dialer: { maxLive: 10 },
    through: (provider) => ({
      ...provider,
      start: async (...of) => {
        const started = await provider.start(...of)
        await step('after a start')
        return started
      },
    }),
  })
  const { phoneNumber } = await world.lead()
  const { phoneNumber: other } = await world.lead()
  Object.assign(spot, { phoneNumber, world })
  await world.pass(20)
  spot.isOver = true
  const during = rungOf(world, phoneNumber)
  expect(during, `${at}: the person who rang`).toBe(taken ? 0 : 1)
  expect(rungOf(world, other), `${at}: another lead`).toBe(1)
  await world.pass(1_800)
  // Still on the phone.
  if (taken) expect(rungOf(world, phoneNumber)).toBe(0)
  expect(world.provider.rung.map(({ callId }) => callId)).toHaveLength(
    new Set(world.provider.rung.map(({ callId }) => callId)).size,
  )
  return { awaits, taken }
}

const rungOf = (world: DiallingWorld, phoneNumber: string) =>
  world.provider.rung.filter((call) => call.phoneNumber === phoneNumber).length

it('A person who rings at any await of a dialer is not called meanwhile, and nobody else is held up', async () => {
  const { awaits } = await dialThrough(null)
  expect(awaits).toBeGreaterThan(8)
  const taken = new Set<boolean | null>()
  for (let at = 0; at < awaits; at++) taken.add((await dialThrough(at)).taken)
  // Before the start is sent the call is taken, after that it is not.
  expect(taken).toEqual(new Set([true, false]))
})

it('A round of a dialer at any await of a ring-back rings nobody who is on the phone', async () => {
  let awaits = 1
  for (let at = 0; at < awaits; at++) {
    const world = await seedDialling({ fateOf: () => withFate({ lengthMs: 1_800_000 }) })
    const { phoneNumber } = await world.lead()
    const foreign = await seedDialling()
    await foreign.lead({ phoneNumber })
    await world.claimAsDialer()
    let step = 0
    const db = stepped(async () => {
      if (step++ === at) await world.pass(5)
    })
    const { call } = await ringBack(world, phoneNumber, world.clock.ms, db)
    awaits = Math.max(awaits, step)
    await world.pass(600)
    await foreign.pass(5)
    expect(await openCallsOf(world.companyId, phoneNumber, world.clock.ms)).toHaveLength(1)
    expect(rungOf(world, phoneNumber)).toBe(call === null ? 1 : 0)
    expect(rungOf(foreign, phoneNumber)).toBe(1)
  }
  expect(awaits).toBeGreaterThan(2)
})

it('A ring-back at any await of a claim, and a claim at any await of a ring-back, leaves a phone one call', async () => {
  for (const isClaimStepped of [true, false])
    for (let at = 0, awaits = 1; at < awaits; at++) {
      const world = await seedCallingWorld()
      const second = await world.another()
      const { phoneNumber } = await world.add()
      await second.add({ phoneNumber })
      let step = 0
      const claims = (db = companyDb) =>
        Promise.all([world.claim(noonMs, {}, db), second.claim(noonMs, {}, db)])
      const ring = (db = companyDb) => ringBack(world, phoneNumber, noonMs, db)
      const [one, other] = isClaimStepped ? [claims, ring] : [ring, claims]
      let wasMeanwhile = false
      await one(
        stepped(async () => {
          if (step++ !== at) return
          wasMeanwhile = true
          await other()
        }),
      )
      expect(wasMeanwhile).toBe(true)
      awaits = Math.max(awaits, step)
      expect(await openCallsOf(world.companyId, phoneNumber, noonMs)).toHaveLength(1)
    }
})
