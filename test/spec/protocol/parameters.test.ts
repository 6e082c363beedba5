// Parameters of a query that no operation has: one that is almost known is refused, any other is ignored (contract).
import { expect, it } from 'vitest'
import { operationNamed } from '../../contract/document.ts'
import { keyedEndpoints } from '../../support/catalogue/catalogue.ts'
import { withQuery } from '../../support/catalogue/endpoint.ts'
import { asText, makeKey, send, tooLarge } from '../../support/catalogue/sending.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { isThorough } from '../../support/run/thorough.ts'
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
  ['that another operation has', 'withCreated=true'],
  ['that is known with two letters more', 'limits1=0'],
  ['that is known with a letter more, and changes nothing', 'statuss=0'],
  ['of two letters', 'li=0'],
  ['with a letter that only looks like one', '%C5%BFtatu%C5%BF=x&%E2%84%AAind=x'],
  ['of the prototype', '__proto__=1&constructor=2'],
])('Any other parameter is ignored: %s', async (_, query) => {
  const { campaignId, readKey } = await seedWorld()
  dataOf(await api(readKey).request('GET', `/api/v1/leads?campaignId=${campaignId}&${query}`), 200)
})

it('Any other parameter is ignored where an operation has none', async () => {
  const { writeKey } = await seedWorld()
  for (const query of ['page=2', 'status=raw', 'source=crm', '__proto__=1'])
    dataOf(await api(writeKey).request('GET', `/api/v1/keys/self?${query}`), 200)
})

const changing = ['dryRun', 'onInvalid', 'results', 'limit', 'cursor', 'createdAfter', 'createdBefore']

it.each(
  keyedEndpoints.filter(({ path }) => path.startsWith('/api/v1/')).map((one) => [one.name, one] as const),
)(
  'A parameter that changes what is done is refused where the operation does not know it: %s',
  async (name, endpoint) => {
    const world = await seedWorld()
    const unknown = changing.filter((parameter) => !parametersOf(name).includes(parameter))
    for (const parameter of isThorough ? unknown : unknown.slice(0, 2)) {
      const { key } = await makeKey(endpoint, world)
      const sent = withQuery({ [parameter]: 'true' })(await endpoint.request(world))
      const answer = await send(endpoint, key, sent)
      if (sent.method === 'HEAD') expect(answer.status).toBe(400)
      else expectFailure(answer, 400, `Unknown query parameter ${parameter}`, 'unknown_parameter')
    }
  },
)

it('A typing error of a parameter that changes what is done is refused, and nothing is done', async () => {
  const { campaign, campaignId, readKey, writeKey } = await seedWorld()
  const body = { campaignId, leads: [{ phoneNumber: newPhone() }] }
  const bulk = (query: string) => api(writeKey).request('POST', `/api/v1/leads/bulk?${query}`, body)
  expectFailure(await bulk('dryRum=true'), 400, 'Unknown query parameter dryRum, did you mean dryRun?')
  expectFailure(await bulk('LIMIT=1'), 400, 'Unknown query parameter LIMIT')
  expectFailure(await bulk('l%C3%ADmit=1'), 400, 'Unknown query parameter l?mit')
  expect(await storedPhones(campaign)).toEqual([])
  const list = await api(readKey).request('GET', `/api/v1/leads?campaignId=${campaignId}&limt=2`)
  expectFailure(list, 400, 'Unknown query parameter limt, did you mean limit?', 'unknown_parameter')
})

it('A parameter that changes what is done comes after the errors of fields and before the campaign', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const create = (fields: object) => api(writeKey).request('POST', '/api/v1/leads?limit=1', fields)
  expectFailure(await create({ campaignId: 'none' }), 400, 'phoneNumber is required')
  const unknown = 'Unknown query parameter limit'
  expectFailure(await create({ campaignId: 'none', phoneNumber: newPhone() }), 400, unknown)
  expectFailure(await create({ campaignId, phoneNumber: newPhone() }), 400, unknown)
})

it('Health and the URLs of sources ignore every parameter', async () => {
  expect((await api(null).request('GET', '/api/health?limit=1&dryRun=true')).status).toBe(200)
  const post = await api(null).request('POST', '/in/none?dryRun=true&limit=1', '{}')
  expect(post.body?.error).not.toMatch(/parameter/)
})
