// Nobody waits for ever: a due lead whose number is free is claimed after as many claims as those before it need, and
// what blocks the queue is moved away by the fifty. And openings are never those of settings that were changed since.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import { reportAndClaim } from '../../../src/queue/calling/store/report.ts'
import { noHashes } from '../../support/access/actor.ts'
import {
  dayMs,
  fillQueue,
  hourMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  suppressFirst,
  suppressUnseen,
} from '../../support/calling/calling.ts'
import { databaseThat, watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { newPhones } from '../../support/world.ts'

const closed = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }

it('Every due lead whose number is free is claimed after one claim for each n, and one for each fifty blocked, before it', async () => {
  const oneRun = fc.record({
    // In queue order: true for a number that is blocked.
    queue: fc.array(fc.record({ isBlocked: fc.boolean(), count: fc.integer({ min: 1, max: 60 }) }), {
      minLength: 1,
      maxLength: 5,
    }),
    maxCalls: fc.constantFrom(1, 7, 30),
  })
  await fc.assert(
    fc.asyncProperty(oneRun, async ({ queue, maxCalls }) => {
      const world = await seedCallingWorld()
      const blocks = queue.flatMap(({ isBlocked, count }) => Array.from({ length: count }, () => isBlocked))
      const phones = newPhones(blocks.length)
      await companyDb
        .prepare(
          `insert into leads (seq, campaign_number, phone_number, created_at_ms, token, queue_rank, due_at_ms)
           select (?1 << 32) + item.key + 1, ?1, item.value, 0, 'seed0000000', 0, ?2 from json_each(?3) as item`,
        )
        .bind(world.campaign.number, noonMs - hourMs, JSON.stringify(phones))
        .run()
      const blocked = phones.filter((_, index) => blocks[index])
      await suppressUnseen(world.companyId, blocked)
      const claimedAfter = new Map<string, number>()
      for (let claims = 1; claims <= blocks.length + 1; claims++) {
        const { calls, reason } = await world.claim(noonMs, { maxCalls })
        for (const call of calls) claimedAfter.set(JSON.parse(call.lead).phoneNumber, claims)
        if (reason !== null && reason !== 'waiting') break
        if (claimedAfter.size === phones.length - blocked.length) break
      }
      phones.forEach((phone, index) => {
        if (blocks[index]) expect(claimedAfter.has(phone)).toBe(false)
        else {
          const before = blocks.slice(0, index)
          const cleanUpToIt = before.filter((each) => !each).length + 1
          const blockedBefore = before.length + 1 - cleanUpToIt
          const bound = Math.ceil(cleanUpToIt / maxCalls) + Math.ceil(blockedBefore / 50)
          expect(claimedAfter.get(phone) ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(bound)
        }
      })
    }),
    { numRuns: 6, interruptAfterTimeLimit: 20_000 },
  )
})

describe('A lead behind 5,000 blocked leads', () => {
  const seedBlocked = async (count: number) => {
    const world = await seedCallingWorld()
    await fillQueue(world.campaign, count)
    await suppressFirst(world.campaign)
    const { phoneNumber } = await world.add()
    return { world, phoneNumber }
  }

  it('A lead behind 5,000 blocked leads is claimed by the tenth claim', async () => {
    const { world, phoneNumber } = await seedBlocked(5_000)
    for (let claims = 1; claims < 10; claims++)
      expect(await world.claim(noonMs)).toMatchObject({ calls: [], reason: 'waiting', retryAfterSeconds: 1 })
    const { calls } = await world.claim(noonMs)
    expect(calls.map((call) => JSON.parse(call.lead).phoneNumber)).toEqual([phoneNumber])
  })

  it('A lead behind 500 blocked leads is claimed at once', async () => {
    const { world } = await seedBlocked(500)
    await world.claim(noonMs - 2 * hourMs)
    expect((await world.claim(noonMs)).calls).toHaveLength(1)
  })

  it('A lead behind 5,000 blocked leads is found by the same claim again after its answers were lost', async () => {
    const { world } = await seedBlocked(500)
    await world.claim(noonMs - 2 * hourMs)
    const key = { requestKey: randomBase62(20), requestToken: randomBase62(11) }
    const { DB } = databaseThat(async (run, { statements }) => {
      const answer = await run()
      if (statements.length > 3 && lost++ % 2 === 0) throw new Error('D1_ERROR: Network connection lost.')
      return answer
    })
    let lost = 0
    const claimed = await world.tryClaim(noonMs, {}, DB, key)
    expect(claimed).toMatchObject({ calls: [{ attempt: 1 }], isReplay: false })
    expect(await world.tryClaim(noonMs + 1, {}, companyDb, key)).toEqual({ ...claimed, isReplay: true })
  })

  it('A lead behind 5,000 blocked leads waits for the next claim when a report claims', async () => {
    const { world } = await seedBlocked(60)
    const origin = {
      ...world.access(world.agentKeyId, noonMs),
      requestKey: null,
      requestToken: randomBase62(11),
      hashes: noHashes,
    }
    const { DB, trips } = watchedDatabase()
    await world.claim(noonMs - 2 * hourMs)
    const report = () => reportAndClaim(DB, [], origin, { maxCalls: 1, leaseSeconds: null, agent: null })
    expect(await report()).toMatchObject({ claim: { calls: [], reason: 'waiting', retryAfterSeconds: 1 } })
    expect(trips).toHaveLength(1)
    expect(await report()).toMatchObject({ claim: { calls: [{}] } })
  })
})

it('A change of settings while a claim computes the openings is not written over by openings of before', async () => {
  const world = await seedCallingWorld()
  await world.add()
  let trips = 0
  const { DB } = databaseThat(async (run) => {
    // The second trip writes the openings.
    if (++trips === 2) await world.change({ callingHours: closed })
    return run()
  })
  expect((await world.claim(noonMs, {}, DB)).calls).toEqual([])
  expect((await world.claim(noonMs)).reason).toBe('outside_hours')
})

it('A change of settings while a claim computes the openings leaves a later claim openings for fourteen days', async () => {
  const world = await seedCallingWorld({ ...openSettings })
  await world.add()
  await world.add()
  await world.claim(noonMs)
  await world.claim(noonMs + 8 * dayMs)
  const row = await companyDb
    .prepare('select covered_until_ms as untilMs from calling_lanes where campaign_number = ?1')
    .bind(world.campaign.number)
    .first()
  expect(row).toEqual({ untilMs: noonMs + 22 * dayMs })
})
