// A company of 50,000 campaigns: what forbids numbers reads a bounded number of rows, however many campaigns there are.

import { beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../src/base/limits.ts'
import { suppressNumbers } from '../../../src/queue/suppression/store/suppress.ts'
import {
  type CallingWorld,
  dayMs,
  fillQueue,
  hourMs,
  leadRow,
  noonMs,
  seedCallingWorld,
} from '../../support/calling/calling.ts'
import { type WatchedDatabase, watchedDatabase } from '../../support/database/database.ts'
import { lastSeededNumber } from '../../support/database/seed.ts'
import { companyDb } from '../../support/database/store.ts'
import { countBoth } from '../../support/ledger/hours.ts'
import { newPhones } from '../../support/world.ts'

const campaigns = 50_000

const rowsRead = ({ trips }: WatchedDatabase) =>
  trips.flatMap((trip) => trip.results).reduce((sum, { meta }) => sum + meta.rows_read, 0)

const readAll = <Row>(query: string, ...params: unknown[]) =>
  companyDb
    .prepare(query)
    .bind(...params)
    .all<Row>()
    .then(({ results }) => results)

describe('In a company of 50,000 campaigns', () => {
  let world: CallingWorld
  /** Newer than all others, and so beyond what one report looks at. */
  let last: Awaited<ReturnType<CallingWorld['another']>>

  beforeAll(async () => {
    world = await seedCallingWorld()
    await companyDb
      .prepare(
        `with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ?2)
       insert into campaigns (number, id, company_id, name, created_at_ms)
       select ${lastSeededNumber} + i, 'many-' || cast(i as integer), ?1, 'many', 0 from counted`,
      )
      .bind(world.companyId, campaigns)
      .run()
    last = await world.another()
  })

  it('99 do-not-calls of one report read within the bound, and no claim gives a number of them', async () => {
    await fillQueue(world.campaign, 99)
    await fillQueue(last.campaign, 101)
    // One of them was called there before.
    const [called] = (await last.claim(noonMs)).calls
    await last.report(noonMs, [{ callId: called?.callId as string, outcome: 'busy' }])
    const { calls } = await world.claim(noonMs + hourMs, { maxCalls: 99 })
    const watched = watchedDatabase()
    const reports = calls.map(({ callId }) => ({ callId, outcome: 'do_not_call' as const }))
    const results = await world.report(noonMs + hourMs, reports, watched.DB)

    expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['recorded']))
    expect(rowsRead(watched)).toBeLessThan(1.2 * limits.numbersTimesCampaigns)
    const listed = await readAll(
      "select 1 from suppressions where company_id = ?1 and campaign_number = 0 and reason = 'do_not_call'",
      world.companyId,
    )
    expect(listed).toHaveLength(calls.length)
    // What is still in the queue there leaves it with the claims, which give the other leads alone.
    const free = (
      await readAll<{ phone: string }>(
        `select phone_number as phone from leads as l where campaign_number = ?1 and not exists (select 1
          from suppressions as s
        where s.company_id = ?2 and s.phone_number = l.phone_number)`,
        last.campaign.number,
        world.companyId,
      )
    ).map(({ phone }) => phone)
    const claimed: string[] = []
    for (let i = 0; i < 6; i++) {
      const got = await last.claim(noonMs + hourMs + i, { maxCalls: 1 })
      claimed.push(...got.calls.map(({ lead }) => JSON.parse(lead).phoneNumber as string))
    }
    expect(claimed.toSorted()).toEqual(free.toSorted())
    expect(await last.readQueued(noonMs + hourMs + 10)).toMatchObject({ queued: 0, leased: free.length })
    for (const { campaign } of [world, last]) {
      const [hours, tables] = await countBoth(campaign.number)
      expect(hours).toMatchObject({ d_exhausted: tables.d_exhausted, d_attempting: tables.d_attempting })
    }
  })

  it('In a company of 50,000 campaigns a lead that was called before is exhausted at once, wherever it is', async () => {
    const [phoneNumber] = newPhones(1) as [string]
    for (const each of [last, world]) await each.add({ phoneNumber })
    const [before] = (await last.claim(noonMs + dayMs)).calls
    await last.report(noonMs + dayMs, [{ callId: before?.callId as string, outcome: 'busy' }])
    const atMs = noonMs + dayMs + hourMs
    const [call] = (await world.claim(atMs)).calls
    await world.report(atMs, [{ callId: call?.callId as string, outcome: 'answered', doNotCall: true }])
    expect(await leadRow(last.campaign, phoneNumber)).toMatchObject({ status: 'exhausted', due_at_ms: null })
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'concluded', due_at_ms: null })
  })

  it('1,000 numbers of one campaign are suppressed there without a look at the others', async () => {
    const watched = watchedDatabase()
    // None has another spelling.
    const phoneNumbers = newPhones(1_000).map((phone) => phone.replace('+49', '+1'))
    const outcome = await suppressNumbers(watched.DB, world.asWriter(noonMs), {
      phoneNumbers,
      campaignId: last.campaign.id,
      reason: null,
    })
    expect(outcome).toMatchObject({ kind: 'suppressed', added: 1_000 })
    expect(rowsRead(watched)).toBeLessThan(20 * phoneNumbers.length)
  })

  it('A company of 50,000 campaigns suppresses as many numbers as the bound allows, and is refused one more', async () => {
    const suppress = (count: number) =>
      suppressNumbers(companyDb, world.asWriter(noonMs), {
        phoneNumbers: newPhones(count),
        campaignId: null,
        reason: null,
      })
    expect(await suppress(1)).toMatchObject({ kind: 'suppressed', added: 1 })
    expect(await suppress(2)).toEqual({ kind: 'too_many' })
  })
})
