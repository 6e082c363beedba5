// The alert of a source that refuses posts ends with the source, however that ends.
import { beforeEach, expect, it, vi } from 'vitest'
import { addUses } from '../../../src/base/access/store/key-hours.ts'
import { raisedIn } from '../../support/alerts/alerts.ts'
import { companyDb } from '../../support/database/store.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { seedSource } from '../../support/sources/source-world.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2036, 4, 6, 12) }))

type Seeded = Awaited<ReturnType<typeof seedSource>>

async function keyIdOf({ sourceId }: Seeded): Promise<string> {
  const row = companyDb.prepare('select key_id as id from sources where id = ?1').bind(sourceId)
  return (await row.first<{ id: string }>())?.id as string
}

it.each<[what: string, end: (source: Seeded) => Promise<unknown>]>([
  ['disabled', ({ shown }) => shown('PATCH', { enabled: false })],
  ['removed', ({ manager, one }) => manager.request('DELETE', one)],
  ['without a key', async (own) => own.manager.request('DELETE', `/api/v1/keys/${await keyIdOf(own)}`)],
  [
    'of an archived campaign',
    ({ manager, campaignId }) =>
      manager.request('PATCH', `/api/v1/campaigns/${campaignId}`, { archived: true }),
  ],
])('A source that is %s no longer fails', async (_, end) => {
  const [own, other] = [await seedSource(), await seedSource()]
  for (const source of [own, other]) {
    const use = { keyId: await keyIdOf(source), code: 'invalid_field', requests: 5, lastUsedAtMs: Date.now() }
    await addUses(companyDb, [use], Date.now())
  }
  await runCron()
  expect(await raisedIn(own.companyId)).toEqual([`source_failing ${own.sourceId}`])
  await end(own)
  await runCron()
  expect(await raisedIn(own.companyId)).toEqual([])
  expect(await raisedIn(other.companyId)).toEqual([`source_failing ${other.sourceId}`])
  dataOf(await other.manager.request('DELETE', other.one), 200)
  await runCron()
})
