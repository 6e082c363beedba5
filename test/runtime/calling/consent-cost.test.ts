// What consents cost: rows written for each, and none where there is none (cost.test.ts).
import { expect, it } from 'vitest'
import { storeConsentsAlone, withdrawConsents } from '../../../src/queue/consents/store/keep-consents.ts'
import { hashesIn } from '../../support/access/actor.ts'
import { noonMs, openSettings, seedCallingWorld } from '../../support/calling/calling.ts'
import { consentOf } from '../../support/calling/consent-judge.ts'
import { planOf, rowsOf, watchedDatabase } from '../../support/database/database.ts'
import { newPhone, newPhones } from '../../support/world.ts'

const requireConsent = { purpose: 'offers', maxAgeDays: null }

it('The rows written are two for a consent, one for a new text, three for a request, and one for a call by a consent', async () => {
  const world = await seedCallingWorld({ ...openSettings, requireConsent })
  const leads = [await world.add(), await world.add()]
  // Both are held, and the openings are written.
  await world.claim(noonMs, { maxCalls: 2 })
  const write = async (phoneNumber: string) => {
    const { DB, trips } = watchedDatabase()
    const hashes = hashesIn(world.companyId)
    const consent = consentOf(phoneNumber, 'offers', noonMs, { text: 'Yes.' })
    await storeConsentsAlone(DB, world.asWriter(noonMs), [consent], hashes)
    return rowsOf(trips, 'rows_written')
  }
  const again = newPhone()
  expect([await write(newPhone()), await write(again), await write(again)]).toEqual([2 + 1 + 3, 2, 0])
  for (const { phoneNumber } of leads) await write(phoneNumber)
  const { DB, trips } = watchedDatabase()
  expect((await world.claim(noonMs, { maxCalls: 2 }, DB)).calls).toHaveLength(2)
  expect(rowsOf(trips, 'rows_written')).toBe(2 * (5 + 1) + 2 + 1)
})

it('A withdrawal is one trip of three statements, a row for each spelling, and no scan, whatever the company has', async () => {
  const world = await seedCallingWorld()
  const withdrawal = { purpose: null, withdrawnAtMs: null, reason: null }
  const costOf = async (phoneNumber: string) => {
    const { DB, trips } = watchedDatabase()
    await withdrawConsents(DB, world.asWriter(noonMs), { phoneNumber, ...withdrawal })
    return { trips, read: rowsOf(trips, 'rows_read'), written: rowsOf(trips, 'rows_written') }
  }
  const alone = await costOf('+525512345678')
  const consents = newPhones(200).map((phoneNumber) => consentOf(phoneNumber, 'offers', noonMs))
  const hashes = hashesIn(world.companyId)
  await storeConsentsAlone(watchedDatabase().DB, world.asWriter(noonMs), consents, hashes)
  const { trips, read, written } = await costOf('+525512345679')
  expect([trips.length, trips[0]?.statements.length, written]).toEqual([1, 3, 2])
  expect(read).toBeLessThan(alone.read + 10)
  for (const statement of trips.flatMap((trip) => trip.statements)) {
    const scans = (await planOf(statement)).filter((line) => line.startsWith('SCAN'))
    expect(
      scans.filter((line) => !/^SCAN (item|spelling|granted|\(subquery|\d-ROW VALUES)/.test(line)),
    ).toEqual([])
  }
  expect((await costOf('+14155550199')).written).toBe(1)
})

it('A suppression writes two rows for each spelling, and the same again writes none', async () => {
  const world = await seedCallingWorld()
  const written = async (act: (DB: D1Database) => Promise<unknown>) => {
    const { DB, trips } = watchedDatabase()
    await act(DB)
    return rowsOf(trips, 'rows_written')
  }
  const suppress = (phoneNumber: string) => written((DB) => world.suppress([phoneNumber], noonMs, DB))
  const [other, one] = [await suppress('+14155550197'), await suppress('+14155550198')]
  const two = await suppress('+525512345678')
  expect([one, two - one, await suppress('+525512345678')]).toEqual([other, 2, 0])
})
