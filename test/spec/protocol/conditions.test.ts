// The conditions of a change (RFC 9110, 13): those that an endpoint judges decide, and all others are refused, so that
// none is ignored. What If-Match does for a lead is in leads/change.test.ts.
import { expect, it } from 'vitest'
import { keyedEndpoints } from '../../support/catalogue/catalogue.ts'
import { type Endpoint, type Scene, withHeaders } from '../../support/catalogue/endpoint.ts'
import { asText, cutShort, makeKey, send, tooLarge } from '../../support/catalogue/sending.ts'
import { expectFailure } from '../../support/http/expectations.ts'
import { seedWorld } from '../../support/world.ts'

const changes = keyedEndpoints.filter(({ method }) => method === 'PATCH' || method === 'PUT')

const conditions = {
  'If-None-Match': ['*', '"1"', 'W/"1"'],
  'If-Unmodified-Since': ['Sat, 29 Oct 1994 19:43:31 GMT', 'yesterday'],
  'If-Match': ['"1"', 'W/"1"', '*, "1"'],
}

const judges = (endpoint: Endpoint, name: string) => name === 'If-Match' && endpoint.name === 'changeLead'

/** A request that succeeds, what is there before and after it, and a key. */
async function seedChange(endpoint: Endpoint, world: Scene) {
  const { key } = await makeKey(endpoint, world)
  const sent = await endpoint.request(world)
  const read = async () => {
    const { status, body } = await send(endpoint, key, { method: 'GET', path: sent.path })
    return { status, data: body?.data }
  }
  return { key, sent, read }
}

it('The endpoints that change something are six or more', () => {
  expect(changes.length).toBeGreaterThanOrEqual(6)
})

it.each(changes.map((endpoint) => [endpoint.name, endpoint] as const))(
  'A condition that %s does not judge is refused by its name, and nothing changes',
  async (_, endpoint) => {
    const { key, sent, read } = await seedChange(endpoint, await seedWorld())
    const before = await read()
    for (const [name, values] of Object.entries(conditions)) {
      if (judges(endpoint, name)) continue
      const message = `${name} is not supported by this request`
      for (const value of values)
        expectFailure(await send(endpoint, key, withHeaders({ [name]: value })(sent)), 400, message)
    }
    expect(await read()).toEqual(before)
    const always = withHeaders({ 'If-Match': '*', 'If-Modified-Since': 'Sat, 29 Oct 1994 19:43:31 GMT' })
    expect((await send(endpoint, key, always(sent))).status).toBe(endpoint.success)
  },
)

it.each(changes.map((endpoint) => [endpoint.name, endpoint] as const))(
  'A refused condition of %s is named after the body’s type and size, and before what is in it',
  async (_, endpoint) => {
    const { key, sent } = await seedChange(endpoint, await seedWorld())
    const conditional = withHeaders({ 'If-None-Match': '*' })(sent)
    expect((await send(endpoint, key, asText(conditional))).status).toBe(415)
    expect((await send(endpoint, key, tooLarge(conditional, endpoint))).status).toBe(413)
    const message = 'If-None-Match is not supported by this request'
    expectFailure(await send(endpoint, key, cutShort(conditional)), 400, message)
  },
)
