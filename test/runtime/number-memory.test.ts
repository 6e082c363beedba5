// What is kept of a phone number when its lead is erased: its calls of a week, for the limits of the number. On a real
// D1, by a clock that the test sets. What retention keeps is in retained-numbers.test.ts.
import { expect, it } from 'vitest'
import { eraseLead } from '../../src/queue/erasure/store/erase.ts'
import { forgetOldCalls } from '../../src/queue/erasure/store/number-memory.ts'
import { createLead } from '../../src/queue/leads/store/create.ts'
import { noHashes } from '../support/access/actor.ts'
import {
  type CallingWorld,
  dayMs,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
} from '../support/calling/calling.ts'
import {
  call,
  countRows,
  erase,
  erasePhone,
  firstClaim,
  importAgain,
  retain,
} from '../support/calling/number-memory.ts'
import { watchedDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { newLead } from '../support/leads/new-lead.ts'
import { newPhone } from '../support/world.ts'

it('The limits of a number hold when its lead is erased and comes in again, alone or in bulk, also with its person', async () => {
  const again = {
    alone: (world: CallingWorld, phoneNumber: string, atMs: number) => world.add({ phoneNumber }, atMs),
    inBulk: importAgain,
  }
  for (const create of Object.values(again))
    for (const forget of ['lead', 'person'] as const) {
      const world = await seedCallingWorld()
      const { leadId, phoneNumber } = await world.add()
      await call(world, noonMs)
      if (forget === 'lead') await erase(world, leadId, noonMs + 50_000)
      else await erasePhone(world, phoneNumber, noonMs + 50_000)
      await create(world, phoneNumber, noonMs + 50_000)
      const moments = [noonMs + 50_000, noonMs + 15 * minuteMs - 1, noonMs + 15 * minuteMs]
      expect([forget, await firstClaim(world, moments)]).toEqual([forget, noonMs + 15 * minuteMs])
    }
})

it('The limits of a number hold over a week of nightly imports, with leads that are kept for a day', async () => {
  const world = await seedCallingWorld({ ...openSettings, retentionDays: 1 })
  const phoneNumber = newPhone()
  const times: number[] = []
  for (let atMs = noonMs; atMs < noonMs + 16 * dayMs; atMs += hourMs) {
    if ((atMs - noonMs) % dayMs === 0) await importAgain(world, phoneNumber, atMs)
    if (await call(world, atMs)) times.push(atMs)
    await retain(world, atMs)
  }
  const inAny = (spanMs: number) =>
    Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + spanMs).length))
  expect([inAny(dayMs), inAny(7 * dayMs)]).toEqual([3, 7])
})

it('The limits of a number hold for leads that the number has in other campaigns', async () => {
  const world = await seedCallingWorld()
  const other = await world.another()
  const { leadId, phoneNumber } = await world.add()
  await other.add({ phoneNumber })
  await call(world, noonMs)
  await erase(world, leadId, noonMs + 1)
  const moments = [noonMs + 2, noonMs + 15 * minuteMs]
  expect(await firstClaim(other, moments)).toBe(noonMs + 15 * minuteMs)
})

it('The limits of a number are explained: until when the gap lasts', async () => {
  const world = await seedCallingWorld()
  const { leadId, phoneNumber } = await world.add()
  await call(world, noonMs)
  await erase(world, leadId, noonMs)
  const again = await world.add({ phoneNumber }, noonMs + 1)
  expect(await world.explain(again.leadId, noonMs + 1)).toMatchObject({
    isCallable: false,
    blockers: [{ code: 'number_gap', untilMs: noonMs + 15 * minuteMs }],
    nextCallAtMs: noonMs + 15 * minuteMs,
  })
})

it('The limits of a number count no call that was released, and let appointments pass the gap alone', async () => {
  const world = await seedCallingWorld({
    ...openSettings,
    numberLimits: { minGapMinutes: 15, per24Hours: 1, per7Days: null },
  })
  const released = await world.add()
  const { calls } = await world.claim(noonMs)
  await world.release(noonMs, [{ callId: calls[0]?.callId as string, delaySeconds: 0 }])
  await erase(world, released.leadId, noonMs)
  await world.add({ phoneNumber: released.phoneNumber }, noonMs)
  expect(await firstClaim(world, [noonMs])).toBe(noonMs)

  const gapAlone = await seedCallingWorld()
  const { leadId, phoneNumber } = await gapAlone.add()
  await call(gapAlone, noonMs)
  await erase(gapAlone, leadId, noonMs)
  const scheduledFor = new Date(noonMs + minuteMs).toISOString()
  await gapAlone.add({ phoneNumber, scheduledFor }, noonMs)
  expect(await firstClaim(gapAlone, [noonMs + minuteMs])).toBe(noonMs + minuteMs)
})

it('What is remembered of an erased number is the hash of the number alone, and gone after a week', async () => {
  const world = await seedCallingWorld()
  const { companyId } = world
  const other = await world.another()
  const first = await world.add()
  const { phoneNumber } = first
  const second = await other.add({ phoneNumber })
  await call(world, noonMs)
  await erase(world, first.leadId, noonMs)
  await erase(other, second.leadId, noonMs)
  await world.add({ phoneNumber }, noonMs + 1)
  await erasePhone(world, phoneNumber, noonMs + 4)
  expect(await countRows('calls', companyId, `phone_number = '${phoneNumber}'`)).toBe(0)
  const { number } = world.campaign
  const hashed = companyDb.prepare(
    'select count(*) as n from leads where campaign_number = ?1 and number_hash is not null',
  )
  expect(await hashed.bind(number).first('n')).toBe(0)
  await forgetOldCalls(companyDb, noonMs + 7 * dayMs - 1)
  expect(await countRows('number_calls', companyId)).toBe(1)
  await forgetOldCalls(companyDb, noonMs + 7 * dayMs)
  expect(await countRows('number_calls', companyId)).toBe(0)
})

it('What is remembered of an erased number costs no statement, and no second run with hashes where nobody was erased', async () => {
  const world = await seedCallingWorld()
  const write = async () => {
    const { DB, trips } = watchedDatabase()
    await world.add({}, noonMs, DB)
    return trips.map(({ statements }) => statements.length)
  }
  expect(await write()).toEqual([4])
  const { leadId } = await world.add()
  await call(world, noonMs)
  await call(world, noonMs)
  await erase(world, leadId, noonMs)
  // Once without hashes, and then again with them; from then on with them at once.
  expect([await write(), await write()]).toEqual([[4, 4], [4]])
})

it('What is remembered of an erased number needs the pepper, without which no lead of the week’s calls is erased', async () => {
  const world = await seedCallingWorld()
  const { leadId, phoneNumber } = await world.add()
  await call(world, noonMs)
  const refused = await eraseLead(companyDb, world.asManager(noonMs), leadId, noHashes)
  expect(refused).toEqual({ kind: 'pepper_lost' })
  expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ attempts: 1 })
  const later = await eraseLead(companyDb, world.asManager(noonMs + 7 * dayMs), leadId, noHashes)
  expect(later).toMatchObject({ kind: 'erased', leadsErased: 1 })
})

it('What is remembered of an erased number stops nothing when the pepper is lost: leads come in', async () => {
  // An erasure on request logs the number's hash too, which needs its pepper (erasure.test.ts).
  const world = await seedCallingWorld({ ...openSettings, retentionDays: 1 })
  const { phoneNumber } = await world.add()
  await call(world, noonMs, 'answered')
  await retain(world, noonMs + 2 * dayMs)
  expect(await countRows('number_calls', world.companyId)).toBe(1)
  const origin = {
    ...world.access(world.writeKeyId, noonMs),
    token: 'lostpepper0',
    requestKey: null,
    hashes: noHashes,
  }
  expect(await createLead(companyDb, origin, newLead({ phoneNumber }))).toMatchObject({ kind: 'created' })
})
