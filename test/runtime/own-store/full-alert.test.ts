// The alert of a company whose own store is nearly full.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { envOfStore } from '../../../src/base/database/company-env.ts'
import { newStoreName } from '../../../src/base/database/company-store.ts'
import { alertByTheMinute } from '../../../src/control/alerts/alert-cron.ts'
import { noonMs } from '../../support/calling/calling.ts'
import { insertCompanies } from '../../support/database/seed.ts'

it('The alert of a full store is raised for its company at 8 GB, once, and cleared below', async () => {
  const { DB } = envOfStore(env, newStoreName('full', { location: null, jurisdiction: null }))
  await DB.batch([insertCompanies(DB, ['full'])])
  const lookAt = async (gigabytes: number) => {
    await alertByTheMinute(DB, noonMs, gigabytes * 1e9)
    const [entries] = await DB.batch<{ type: string; data: string }>([
      DB.prepare('select type, data from events order by number'),
    ])
    return entries?.results.map(({ type, data }) => [type, JSON.parse(data).kind])
  }
  const raised = ['alert.raised', 'store_full']
  expect(await lookAt(7.9)).toEqual([])
  expect(await lookAt(8)).toEqual([raised])
  expect(await lookAt(9.9)).toEqual([raised])
  expect(await lookAt(7.9)).toEqual([raised, ['alert.cleared', 'store_full']])
})
