// What consents cost: rows written for each, and none where there is none (cost.test.ts).
import { expect, it } from 'vitest'
import { storeConsentsAlone } from '../../../src/consents/store/keep-consents.ts'
import { hashesIn } from '../../support/access/actor.ts'
import { noonMs, openSettings, seedCallingWorld } from '../../support/calling/calling.ts'
import { consentOf } from '../../support/calling/consent-judge.ts'
import { rowsOf, watchedDatabase } from '../../support/database/database.ts'
import { newPhone } from '../../support/world.ts'

const requireConsent = { purpose: 'offers', maxAgeDays: null }

it('The rows written are two for a consent, one for a new text, and one for a call that uses a consent', async () => {
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
  expect([await write(newPhone()), await write(again), await write(again)]).toEqual([2 + 1, 2, 0])
  for (const { phoneNumber } of leads) await write(phoneNumber)
  const { DB, trips } = watchedDatabase()
  expect((await world.claim(noonMs, { maxCalls: 2 }, DB)).calls).toHaveLength(2)
  expect(rowsOf(trips, 'rows_written')).toBe(2 * (4 + 1) + 2 + 1)
})
