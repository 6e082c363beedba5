// Which keys a key sees in the list: those of its company, or of its campaign; every active one, however many have
// ended.
import { expect, it } from 'vitest'
import { keyScopes } from '../../src/base/access/scope.ts'
import { limits } from '../../src/base/limits.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { seedCampaign, seedKey, seedKeys, seedWorld } from '../support/world.ts'

const list = (key: string) => api(key).request('GET', '/api/v1/keys')
const idsIn = async (key: string) =>
  (dataOf(await list(key), 200) as { keys: { keyId: string }[] }).keys.map(({ keyId }) => keyId)

it('The list of keys has each key that the asking key may rotate and revoke, and no other', async () => {
  const [world, stranger] = [await seedWorld(), await seedWorld()]
  const { companyId } = world
  const campaigns = [undefined, world.campaign, await seedCampaign(companyId)]
  await seedKey({ companyId: stranger.companyId, scope: 'manage' })
  const kinds = keyScopes.flatMap((scope) =>
    campaigns.map((campaign) => ({ companyId, scope, ...(campaign && { campaign }) })),
  )
  const keys = (await seedKeys(kinds)).map((key, index) => ({ ...key, ...kinds[index] }))
  const all = [world.writeKeyId, world.readKeyId, ...keys.map(({ id }) => id)]
  for (const { key, scope, campaign } of keys) {
    if (scope !== 'manage') {
      expectFailure(await list(key), 403, 'Insufficient permissions')
      continue
    }
    const own = keys.filter((other) => other.campaign === campaign).map(({ id }) => id)
    expect((await idsIn(key)).sort()).toEqual((campaign === undefined ? all : own).sort())
  }
})

it('The list of keys has every active key when more than it may have were revoked later', async () => {
  const { companyId, writeKeyId, readKeyId } = await seedWorld()
  const manage = await seedKey({ companyId, scope: 'manage' })
  await companyDb
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
       insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms, revoked_at_ms)
       select ?1 || cast(i as integer), ?1, 'read', 'many', ?1 || cast(i as integer), 'lk_', 1, 2 from n`,
    )
    .bind(companyId, limits.keysPerCompany)
    .run()
  const ids = await idsIn(manage.key)
  expect(ids).toHaveLength(limits.keysPerCompany)
  expect(ids).toEqual(expect.arrayContaining([manage.id, writeKeyId, readKeyId]))
})
