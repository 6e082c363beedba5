// Parameters of a query that no operation has: one that is almost known is refused, any other is ignored (contract).
import { expect, it } from 'vitest'
import { operationNamed } from '../../contract/document.ts'
import { keyedEndpoints } from '../../support/catalogue/catalogue.ts'
import { withQuery } from '../../support/catalogue/endpoint.ts'
import { asText, makeKey, send, tooLarge } from '../../support/catalogue/sending.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, seedKey, seedWorld, storedPhones } from '../../support/world.ts'

const parametersOf = (name: string) =>
  operationNamed(name).parameters.flatMap((one) => (one.in === 'query' ? [one.name as string] : []))

const asking = keyedEndpoints.flatMap((endpoint) =>
  parametersOf(endpoint.name).map((parameter) => [endpoint.name, parameter, endpoint] as const),
)

const spellings = (name: string) =>
  [
    name.toUpperCase(),
    name.toLowerCase(),
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    `${name}_`,
    ...(name.length > 3 ? [name.slice(0, 3), name.slice(0, -1).toUpperCase()] : []),
  ].filter((spelling, index, all) => spelling !== name && all.indexOf(spelling) === index)

it.each(asking)(
  'A parameter that is almost one of the operation’s is refused by its name: %s %s',
  async (_, parameter, endpoint) => {
    const world = await seedWorld()
    const { key } = await makeKey(endpoint, world)
    for (const spelling of spellings(parameter)) {
      const sent = withQuery({ [spelling]: '' })(await endpoint.request(world))
      // Several may begin alike.
      const meant = parametersOf(endpoint.name).find((name) => name.startsWith(spelling)) ?? parameter
      const message = `Unknown query parameter ${spelling}, did you mean ${meant}?`
      expectFailure(await send(endpoint, key, sent), 400, message, 'unknown_parameter')
    }
  },
)

it('A parameter that is almost one of the operation’s stores nothing: a bulk whose dryRun is misspelt', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const body = { campaignId, leads: [{ phoneNumber: newPhone() }] }
  for (const query of ['dry=true', 'dryrun=true', 'dryRun=true&dry_run=true', 'onInvalid=skip&dry-run=true'])
    expect((await api(writeKey).request('POST', `/api/v1/leads/bulk?${query}`, body)).status).toBe(400)
  expect(await storedPhones(campaign)).toEqual([])
})

it('A parameter that is almost one of the operation’s is named after the body’s type and size and before wrong fields', async () => {
  const world = await seedWorld()
  const bulk = keyedEndpoints.find(({ name }) => name === 'createLeads') as (typeof keyedEndpoints)[number]
  const sent = withQuery({ dryrun: 'true' })({ ...(await bulk.request(world)), body: [] })
  const { key } = await seedKey(world)
  expectFailure(await send(bulk, key, sent), 400, 'Unknown query parameter dryrun, did you mean dryRun?')
  expect((await send(bulk, key, asText(sent))).status).toBe(415)
  expect((await send(bulk, key, tooLarge(sent, bulk))).status).toBe(413)
  const wrong = withQuery({ results: 'yes' })(sent)
  expectFailure(await send(bulk, key, wrong), 400, 'results must be true or false')
  // The contract's own message.
  const list = await api(key).request('GET', '/api/v1/leads?campaignid=x')
  expectFailure(list, 400, 'campaignId query parameter is required')
})

it('A parameter that is almost one of the operation’s is not repeated at any length', async () => {
  const { campaignId, readKey } = await seedWorld()
  const query = `campaignId=${campaignId}&${'_'.repeat(5_000)}limit=1`
  const answer = await api(readKey).request('GET', `/api/v1/leads?${query}`)
  expectFailure(answer, 400, 'Unknown query parameter limit, did you mean limit?', 'unknown_parameter')
})

it.each([
  ['of another name', 'page=2'],
  ['that another operation has', 'dryRun=true'],
  ['that is known with a letter more', 'limits=0'],
  ['of two letters', 'li=0'],
  ['with a letter that only looks like one', 'cur%C5%BFor=x&%E2%84%AAind=x'],
  ['of the prototype', '__proto__=1&constructor=2'],
])('Any other parameter is ignored: %s', async (_, query) => {
  const { campaignId, readKey } = await seedWorld()
  dataOf(await api(readKey).request('GET', `/api/v1/leads?campaignId=${campaignId}&${query}`), 200)
})

it('Any other parameter is ignored where an operation has none', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const body = { campaignId, phoneNumber: newPhone() }
  dataOf(await api(writeKey).request('POST', '/api/v1/leads?dryrun=true', body), 201)
})
