// GET /api/v1/keys/self: what the key that asks may do, and of which company it is. Who may ask, which is every key, is
// in access.test.ts.
import { beforeEach, expect, it, vi } from 'vitest'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { stopClock } from '../../support/run/clock.ts'
import { revokeKey, seedKey, seedWorld, unknownKey } from '../../support/world.ts'

beforeEach(stopClock)

const path = '/api/v1/keys/self'
const ask = (key: string) => api(key).request('GET', path)

it.each([
  ['read', ['look', 'read']],
  ['write', ['look', 'read', 'write']],
  ['agent', ['look', 'agent']],
  ['manage', ['look', 'read', 'write', 'agent', 'manage']],
] as const)(
  'GET /keys/self returns the key, its company and what its scope allows: %s',
  async (scope, rights) => {
    const { companyId } = await seedWorld()
    const { id, key } = await seedKey({ companyId, scope })
    expect(dataOf(await ask(key), 200)).toEqual({
      key: {
        keyId: id,
        name: id,
        scope,
        campaignId: null,
        rights,
        createdAt: '1970-01-01T00:00:00.000Z',
        expiresAt: null,
      },
      company: { id: companyId, name: companyId, consentYears: 5 },
      member: null,
    })
  },
)

it("GET /keys/self returns the key's campaign and expiry", async () => {
  const { companyId, campaign } = await seedWorld()
  const expiresAtMs = Date.now() + 60_000
  const { key } = await seedKey({ companyId, campaign, scope: 'agent', expiresAtMs })
  expect(dataOf(await ask(key), 200)).toMatchObject({
    key: { campaignId: campaign.id, expiresAt: new Date(expiresAtMs).toISOString() },
    company: { id: companyId },
  })
})

it('GET /keys/self refuses a revoked or expired key, also while an isolate remembers it', async () => {
  const { companyId } = await seedWorld()
  const revoked = await seedKey({ companyId, scope: 'read' })
  const expiring = await seedKey({ companyId, scope: 'read', expiresAtMs: Date.now() + 1_000 })
  for (const { key } of [revoked, expiring]) expect((await ask(key)).status).toBe(200)
  await revokeKey(revoked.id)
  vi.setSystemTime(Date.now() + 1_000)
  for (const key of [revoked.key, expiring.key, unknownKey()])
    expectFailure(await ask(key), 401, 'Invalid or inactive API key')
})

it('/keys/self answers GET and HEAD only', async () => {
  const { readKey } = await seedWorld()
  const { status, headers } = await api(readKey).request('DELETE', path)
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
