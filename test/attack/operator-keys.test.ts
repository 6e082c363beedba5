// Operator keys where they must do nothing, and other keys where only they may: everywhere else, here, once they have
// ended, and from a page of another origin.

import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { generateApiKey } from '../../src/base/access/api-key.ts'
import { keyedEndpoints } from '../support/catalogue/catalogue.ts'
import { keyScopes, send } from '../support/catalogue/sending.ts'
import { asOperator, companiesPath } from '../support/companies/operator.ts'
import { api } from '../support/http/api.ts'
import { expectFailure } from '../support/http/expectations.ts'
import { withRealLimiters } from '../support/rate-limits/quick-limiters.ts'
import { stopClock } from '../support/run/clock.ts'
import { seedKey, seedOperatorKey, seedWorld, spendHour } from '../support/world.ts'

withRealLimiters()

beforeEach(stopClock)

const named = (isForOperator: boolean) =>
  keyedEndpoints
    .filter((endpoint) => (endpoint.isForOperator ?? false) === isForOperator)
    .map((endpoint) => [endpoint.name, endpoint] as const)

const noRight = [403, 'Insufficient permissions'] as const
const noKey = [401, 'Invalid or inactive API key'] as const

describe('An operator’s key', () => {
  it.each(named(false))('An operator’s key is refused by what companies do: %s', async (_, endpoint) => {
    const { key } = await seedOperatorKey()
    expectFailure(await send(endpoint, key, await endpoint.request(await seedWorld())), ...noRight)
  })

  it.each(named(true))(
    'A company’s key of any scope is refused by what the operator does: %s',
    async (_, endpoint) => {
      const world = await seedWorld()
      const sent = await endpoint.request(world)
      for (const scope of keyScopes) {
        const { key } = await seedKey({ companyId: world.companyId, scope })
        expectFailure(await send(endpoint, key, sent), ...noRight)
      }
    },
  )

  it('An operator’s key ends with the next request after its revocation, also where it was just used', async () => {
    const operator = await asOperator()
    const list = () => operator.ask('GET', companiesPath)
    expect((await list()).status).toBe(200)
    await env.DB.prepare('update operator_keys set revoked_at_ms = ?2 where id = ?1')
      .bind(operator.id, Date.now())
      .run()
    expectFailure(await list(), ...noKey)
  })

  it('An operator’s key ends when it expires, also where it was just used', async () => {
    const operator = await asOperator(await seedOperatorKey({ expiresAtMs: Date.now() + 1_000 }))
    const list = () => operator.ask('GET', companiesPath)
    expect((await list()).status).toBe(200)
    vi.setSystemTime(Date.now() + 1_000)
    expectFailure(await list(), ...noKey)
  })

  it('A key of the right form that was never given is none, and a company’s key does not become the operator’s', async () => {
    const { companyId } = await seedWorld()
    const { key } = await seedKey({ companyId, scope: 'manage' })
    for (const tried of [generateApiKey('lk_op_'), key.replace('lk_', 'lk_op_')])
      expectFailure(await api(tried).request('GET', companiesPath), ...noKey)
  })

  it('An operator’s key has as many requests an hour as any key', async () => {
    const { id, key } = await seedOperatorKey()
    await spendHour(id, 999)
    expect((await api(key).request('GET', companiesPath)).status).toBe(200)
    expectFailure(await api(key).request('GET', companiesPath), 429, 'Rate limit exceeded')
  })

  it('A path that is not there, and a method that a path has not, come before the right', async () => {
    const { key } = await seedOperatorKey()
    expectFailure(await api(key).request('GET', '/api/v1/nothing'), 404, 'Not found')
    expectFailure(await api(key).request('PATCH', '/api/v1/leads'), 405, 'Method not allowed')
  })

  it('No page of another origin may use an operator’s key', async () => {
    const { key } = await seedOperatorKey()
    const origin = { origin: 'https://evil.test', 'access-control-request-method': 'POST' }
    for (const method of ['OPTIONS', 'GET']) {
      const { status, headers } = await api(key).request(method, companiesPath, undefined, origin)
      expect(status).toBe(method === 'GET' ? 200 : 405)
      expect([...headers].filter(([name]) => name.startsWith('access-control-'))).toEqual([])
    }
  })
})
