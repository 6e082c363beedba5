// Companies (a hundred; in `npm test` a quarter of them), half of them in D1 and half each in a store of its own: no
// key reaches anything of another company, of either kind, and what two companies name alike stays two things.
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { type OwnCompany, seedCompanyIn } from '../../support/companies/own-company.ts'
import { newPhone } from '../../support/database/seed.ts'
import { type Answer, api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { sideBySide } from '../../support/http/side-by-side.ts'
import { isThorough } from '../../support/run/thorough.ts'
import { anyReceiverUrl } from '../../support/webhooks/receiver.ts'

const campaignId = 'spring'
/** A multiple of four (`pairs`). */
const companyCount = isThorough ? 100 : 24

type Tenant = Awaited<ReturnType<typeof seedTenant>>

/** A company that has one of each thing. */
async function seedTenant(company: OwnCompany) {
  const client = api(company.keyOf('manage').key)
  const ask = async (method: string, path: string, body?: object, status = 200) =>
    dataOf(await client.request(method, path, body), status) as Record<string, unknown>
  const ownCampaign = `only-${company.companyId}`
  await ask('POST', '/api/v1/campaigns', { id: ownCampaign, name: 'mine' }, 201)
  const [phoneNumber, called] = [newPhone(), newPhone()]
  const { leadId: calledId } = await ask('POST', '/api/v1/leads', { campaignId, phoneNumber: called }, 201)
  const { calls } = await ask('POST', '/api/v1/calls/claim', { campaignId, limit: 1 })
  const { leadId } = await ask('POST', '/api/v1/leads', { campaignId, phoneNumber }, 201)
  const webhook = { url: anyReceiverUrl, types: ['campaign.changed'] }
  const { webhookId } = await ask('POST', '/api/v1/webhooks', webhook, 201)
  const [call] = calls as unknown as { callId: string }[]
  const page = await ask('GET', `/api/v1/leads?campaignId=${campaignId}&limit=1`)
  const events = await ask('GET', '/api/v1/events')
  return {
    ...company,
    client,
    ask,
    ownCampaign,
    phoneNumber,
    leadId: leadId as string,
    calledId: calledId as string,
    callId: call?.callId as string,
    webhookId: webhookId as string,
    leadCursor: page.nextCursor as string | null,
    eventCursor: events.nextCursor as string | null,
  }
}

const tenants: Tenant[] = []

/** Each company with another: as many of its own kind as of the other. */
const pairs = () =>
  tenants.map((tenant, i) => [tenant, tenants[(i + (i % 4 < 2 ? 1 : 2)) % tenants.length] as Tenant] as const)

beforeAll(async () => {
  const kinds = Array.from({ length: companyCount }, (_, i) => (i % 2 === 0 ? 'own' : 'shared'))
  const companies = await sideBySide(kinds, (kind) => seedCompanyIn(kind as 'own' | 'shared', campaignId))
  tenants.push(...(await sideBySide(companies, seedTenant)))
})

/** All that a company has. */
async function rowsOf({ db, companyId, campaign }: Tenant) {
  const tables = ['campaigns', 'api_keys', 'webhooks', 'suppressions', 'calls']
  const results = await db.batch([
    db.prepare('select * from leads where campaign_number = ?1').bind(campaign.number),
    ...tables.map((table) => db.prepare(`select * from ${table} where company_id = ?1`).bind(companyId)),
  ])
  expect(results.filter((one) => one.results.length > 0).length).toBeGreaterThan(4)
  return results.map((one) => one.results)
}

/** Requests of one company with what belongs to another, and what they get. */
const wrongPaths = (
  other: Tenant,
): readonly (readonly [status: number, method: string, path: string, body?: object])[] => [
  ...['', '/calls', '/calling'].map((what) => [404, 'GET', `/api/v1/leads/${other.leadId}${what}`] as const),
  [404, 'PATCH', `/api/v1/leads/${other.leadId}`, { priority: 7 }],
  [404, 'DELETE', `/api/v1/leads/${other.leadId}`],
  [404, 'POST', `/api/v1/leads/${other.leadId}/requeue`],
  [403, 'GET', `/api/v1/campaigns/${other.ownCampaign}`],
  [403, 'PATCH', `/api/v1/campaigns/${other.ownCampaign}`, { name: 'stolen' }],
  [403, 'GET', `/api/v1/campaigns/${other.ownCampaign}/stats`],
  [403, 'GET', `/api/v1/campaigns/${other.ownCampaign}/overview`],
  [403, 'GET', `/api/v1/leads?campaignId=${other.ownCampaign}`],
  [403, 'POST', '/api/v1/leads', { campaignId: other.ownCampaign, phoneNumber: newPhone() }],
  [
    403,
    'POST',
    '/api/v1/leads/bulk',
    { campaignId: other.ownCampaign, leads: [{ phoneNumber: newPhone() }] },
  ],
  [403, 'POST', '/api/v1/calls/claim', { campaignId: other.ownCampaign }],
  [404, 'GET', `/api/v1/webhooks/${other.webhookId}`],
  [404, 'PATCH', `/api/v1/webhooks/${other.webhookId}`, { disabled: true }],
  [404, 'DELETE', `/api/v1/webhooks/${other.webhookId}`],
  [404, 'POST', `/api/v1/webhooks/${other.webhookId}/rotate`],
  [404, 'POST', `/api/v1/webhooks/${other.webhookId}/test`],
  [404, 'GET', `/api/v1/webhooks/${other.webhookId}/deliveries`],
  [404, 'DELETE', `/api/v1/keys/${other.keyOf('read').id}`],
  [404, 'POST', `/api/v1/keys/${other.keyOf('read').id}/rotate`, { graceSeconds: 0 }],
]

it('Companies in D1 and in own stores have campaigns of the same id, of which no two have the same number', () => {
  expect(tenants.map(({ campaign }) => campaign.id)).toEqual(Array(companyCount).fill(campaignId))
  expect(new Set(tenants.map(({ campaign }) => campaign.number)).size).toBe(companyCount)
  expect(new Set(tenants.flatMap(({ leadId, calledId }) => [leadId, calledId])).size).toBe(2 * companyCount)
})

it('Companies in D1 and in own stores share no database: no store holds another company, and D1 no lead of theirs', async () => {
  const own = tenants.filter(({ kind }) => kind === 'own')
  const held = await sideBySide(
    own,
    async ({ db }) => (await db.prepare('select id from companies').all()).results,
  )
  expect(held).toEqual(own.map(({ companyId }) => [{ id: companyId }]))
  const numbers = own.map(({ campaign }) => campaign.number)
  const phones = own.map(({ phoneNumber }) => phoneNumber)
  const inD1 = env.DB.prepare('select 1 from leads where phone_number in (select value from json_each(?1))')
  expect((await inD1.bind(JSON.stringify(phones)).all()).results).toEqual([])
  const campaigns = env.DB.prepare(
    'select 1 from campaigns where number in (select value from json_each(?1))',
  )
  expect((await campaigns.bind(JSON.stringify(numbers)).all()).results).toEqual([])
})

it('Companies in D1 and in own stores refuse every path of another as if it were not there, and change nothing', async () => {
  const before = await sideBySide(tenants, rowsOf)
  const statuses = await sideBySide(pairs(), async ([tenant, other]) => {
    const found: string[] = []
    for (const [status, method, path, body] of wrongPaths(other)) {
      const answer: Answer = await tenant.client.request(method, path, body)
      if (answer.status !== status)
        found.push(`${tenant.kind} on ${other.kind}: ${method} ${path} ${answer.status}`)
    }
    return found
  })
  expect(statuses.flat()).toEqual([])
  expect(await sideBySide(tenants, rowsOf)).toEqual(before)
})

it('Companies in D1 and in own stores know no call of another: it cannot be reported, extended or released', async () => {
  const before = await sideBySide(tenants, rowsOf)
  const results = await sideBySide(pairs(), async ([{ ask }, { callId }]) => {
    const calls = [{ callId }]
    const reported = await ask('POST', '/api/v1/calls/report', { calls: [{ callId, outcome: 'answered' }] })
    const released = await ask('POST', '/api/v1/calls/release', { calls })
    const extended = await ask('POST', '/api/v1/calls/extend', { callIds: [callId] })
    return [reported, released]
      .map(({ results }) => (results as { result: string }[])[0]?.result)
      .concat((extended.calls as { stop: string }[])[0]?.stop)
  })
  expect(new Set(results.map((one) => one.join()))).toEqual(new Set(['unknown_call,unknown_call,lease_lost']))
  expect(await sideBySide(tenants, rowsOf)).toEqual(before)
})

it('Companies in D1 and in own stores find nothing of another by its number, nor behind its cursors', async () => {
  const found = await sideBySide(pairs(), async ([{ ask, client, leadId, calledId }, other]) => {
    const search = await ask('GET', `/api/v1/leads/search?q=${encodeURIComponent(other.phoneNumber)}`)
    const lists = [
      `/api/v1/leads?campaignId=${campaignId}&limit=100&cursor=`,
      `/api/v1/calls?campaignId=${campaignId}&cursor=`,
    ]
    const cursors = [other.leadCursor, other.eventCursor].filter((cursor) => cursor !== null)
    expect(cursors.length).toBeGreaterThan(0)
    const answers = await Promise.all(
      [...lists, '/api/v1/events?after=', '/api/v1/events?cursor='].flatMap((path) =>
        cursors.map(async (cursor) => (await client.request('GET', path + cursor)).text),
      ),
    )
    return [JSON.stringify(search), ...answers]
      .filter(
        (text) =>
          text.includes(other.leadId) || text.includes(other.calledId) || text.includes(other.phoneNumber),
      )
      .concat(leadId === other.leadId || calledId === other.calledId ? ['same'] : [])
  })
  expect(found.flat()).toEqual([])
})

it('Companies in D1 and in own stores share no idempotency key: the same request is a lead of each', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const body = { campaignId, phoneNumber: newPhone() }
  const answers = await sideBySide(tenants, ({ client }) => client.createLead(body, headers))
  expect(new Set(answers.map((answer) => dataOf(answer, 201).leadId)).size).toBe(companyCount)
  expect(answers.filter(({ headers }) => headers.has('idempotent-replayed'))).toEqual([])
  const again = await sideBySide(tenants, ({ client }) => client.createLead(body, headers))
  expect(again.map((answer) => dataOf(answer, 201).leadId)).toEqual(
    answers.map((answer) => dataOf(answer, 201).leadId),
  )
})

it('Companies in D1 and in own stores suppress and erase a number each for itself', async () => {
  const phoneNumber = newPhone()
  const leads = await sideBySide(tenants, async ({ ask }) =>
    ask('POST', '/api/v1/leads', { campaignId, phoneNumber }, 201),
  )
  const some = tenants.filter((_, i) => i % 4 < 2)
  await sideBySide(some, ({ ask }) => ask('POST', '/api/v1/suppressions', { phoneNumbers: [phoneNumber] }))
  await sideBySide(some.slice(0, 20), ({ ask }) => ask('POST', '/api/v1/erasures', { phoneNumber }))
  const statuses = await sideBySide(
    tenants,
    async ({ client }, i) => (await client.request('GET', `/api/v1/leads/${leads[i]?.leadId}`)).status,
  )
  const erased = new Set(some.slice(0, 20))
  expect(statuses).toEqual(tenants.map((tenant) => (erased.has(tenant) ? 404 : 200)))
  const counts = await sideBySide(tenants, async ({ ask }) => {
    const { results } = { results: await ask('GET', '/api/v1/suppressions') }
    return JSON.stringify(results).includes(phoneNumber)
  })
  expect(counts).toEqual(tenants.map((tenant) => some.includes(tenant) && !erased.has(tenant)))
})

it('Companies in D1 and in own stores count campaigns’ numbers together, and one that exists takes none', async () => {
  const last = () => env.DB.prepare('select last from campaign_numbers').first<number>('last')
  const before = await last()
  const own = tenants.filter(({ kind }) => kind === 'own')
  const repeated = await sideBySide(own, ({ client }) =>
    client.request('POST', '/api/v1/campaigns', { id: campaignId, name: 'again' }),
  )
  expect(new Set(repeated.map(({ status }) => status))).toEqual(new Set([409]))
  expect(await last()).toBe(before)
  const id = 'autumn'
  await sideBySide(tenants, ({ ask }) => ask('POST', '/api/v1/campaigns', { id, name: id }, 201))
  const numbers = await sideBySide(tenants, ({ db, companyId }) =>
    db
      .prepare('select number from campaigns where company_id = ?1 order by number')
      .bind(companyId)
      .all<{ number: number }>(),
  )
  const all = numbers.flatMap(({ results }) => results.map(({ number }) => number))
  expect(all).toHaveLength(3 * companyCount)
  expect(new Set(all).size).toBe(3 * companyCount)
})

it('Companies in D1 and in own stores number a campaign after its store’s last, unknown to a restored D1', async () => {
  const own = tenants.find(({ kind }) => kind === 'own')
  const before = await env.DB.prepare('select last from campaign_numbers').first<number>('last')
  for (const id of ['winter', 'summer']) {
    await env.DB.exec('update campaign_numbers set last = last - 1000')
    await own?.ask('POST', '/api/v1/campaigns', { id, name: id }, 201)
  }
  await env.DB.prepare('update campaign_numbers set last = max(last, ?1)').bind(before).run()
})
