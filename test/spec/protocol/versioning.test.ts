// Versioning: the version is a path prefix, and what is planned is not there yet. Support policy and release history
// are promises of people; there is nothing in them to ask a running service.
import { expect, it } from 'vitest'
import { version } from '../../../package.json'
import { info } from '../../contract/document.ts'
import { seedAgent } from '../../support/calling/agent.ts'
import { api, health } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, seedWorld } from '../../support/world.ts'

it('The service serves the lead endpoints under /api/v1 alone', async () => {
  const { campaignId, readKey } = await seedWorld()
  dataOf(await api(readKey).listLeads({ campaignId }), 200)
  for (const path of ['/api/leads', '/api/v2/leads', '/v1/leads', '/leads', '/api/V1/leads'])
    expectFailure(await api(readKey).request('GET', `${path}?campaignId=${campaignId}`), 404, 'Not found')
})

it('The service serves health without a version prefix', async () => {
  const { readKey } = await seedWorld()
  expect((await health()).status).toBe(200)
  for (const path of ['/api/v1/health', '/health'])
    expectFailure(await api(readKey).request('GET', path), 404, 'Not found')
})

it('Each answer of the API has the version of the interface, health that of the software', async () => {
  const answer = await health()
  expect(answer.body?.data?.version).toBe(version)
  expect(version).toMatch(/^2\./)
  for (const { headers } of [answer, await api(null).request('GET', '/api/v1/leads')])
    expect(headers.get('x-api-version')).toBe(info.version)
  expect(info.version).toMatch(/^1\.\d+\.\d+$/)
})

it('The history of the interface begins with 1.0.0 and 1.1.0, and its last version is the one that is served', () => {
  const versions = [...info.description.matchAll(/^\| (1\.\d+\.\d+) \| (\S+) \|/gm)]
  expect(versions.slice(0, 2).map(([, one]) => one)).toEqual(['1.0.0', '1.1.0'])
  expect(versions.at(-1)?.[1]).toBe(info.version)
})

it.each([
  ['PATCH', '/api/v1/leads/some-id'],
  ['DELETE', '/api/v1/leads/some-id'],
  ['GET', '/api/v1/conversations'],
  ['GET', '/api/v1/analytics'],
  ['GET', '/api/v1/agents'],
  ['POST', '/api/v1/query'],
  ['GET', '/api/v1/exports'],
])('The service does not have what is only planned: %s %s', async (method, path) => {
  const { writeKey } = await seedWorld()
  expectFailure(await api(writeKey).request(method, path), 404, 'Not found')
})

it('The service shows an old client no member that it did not ask for, also of a lead that was called', async () => {
  const agent = await seedAgent()
  const { campaignId, writeKey, readKey } = agent
  const { callId } = await agent.call()
  await agent.report([{ callId, outcome: 'busy', details: { a: 1 } }])
  const bulk = await api(writeKey).importLeads({ campaignId, leads: [{ phoneNumber: newPhone() }] })
  expect(Object.keys(dataOf(bulk, 200))).toEqual(['created', 'skipped', 'createdIds', 'skippedPhones'])
  const list = dataOf(await api(readKey).listLeads({ campaignId }), 200)
  expect(Object.keys(list)).toEqual(['leads', 'count'])
  const members = ['_id', 'campaignId', 'phoneNumber', 'status', 'priority', 'attempts', '_creationTime']
  expect(list.leads.map((lead) => Object.keys(lead))).toEqual([members, members])
  expect(list.leads.map(({ status, attempts }) => [status, attempts])).toEqual([
    ['attempting', 1],
    ['raw', 0],
  ])
})

it('The service sends no sign of deprecation', async () => {
  const { campaignId, readKey } = await seedWorld()
  const { headers } = await api(readKey).listLeads({ campaignId })
  expect([headers.get('deprecation'), headers.get('sunset'), headers.get('warning')]).toEqual([
    null,
    null,
    null,
  ])
})
