import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { addUses } from '../../src/base/access/store/key-hours.ts'
import { disableWebhook, notePassed, noteSender } from '../../src/channels/webhooks/store/sending.ts'
import { workByTheMinute } from '../../src/control/companies/jobs.ts'
import { freeze } from '../../src/control/companies/store/move-steps.ts'
import { movedTables } from '../../src/control/companies/store/moved-tables.ts'
import { writeOpenings } from '../../src/queue/campaigns/store/openings.ts'
import { returnHeldLeads } from '../../src/queue/consents/store/tend-consents.ts'
import { keyedEndpoints } from '../support/catalogue/catalogue.ts'
import {
  addLeads,
  claim,
  dump,
  fillTables,
  freezeOwn,
  type MovingWorld,
  moveTo,
  report,
  seedMoving,
  shared,
  storeEnv,
  tablesOf,
  wish,
} from '../support/companies/moving.ts'
import { insertCampaigns, newPhone } from '../support/database/seed.ts'
import { isOfD1 } from '../support/database/store.ts'
import { dataOf } from '../support/http/expectations.ts'

const dayMs = 86_400_000

/** A company in which every job has something to do: leases and retention have ended, and all is old. */
async function seedDue() {
  const world = await seedMoving()
  const { campaignId, manager } = world
  const leads = await addLeads(world, 12)
  const calls = await claim(world, 4)
  dataOf(await report(world, calls[0] ?? '', 'not_interested'), 200)
  dataOf(await manager.request('PATCH', `/api/v1/campaigns/${campaignId}`, { retentionDays: 1 }), 200)
  await fillTables(world)
  return { ...world, leads, calls }
}

/** Every job has something to do. */
async function makeDue(
  db: D1Database,
  { companyId, campaignId }: MovingWorld,
  listensSinceMs: number | null,
): Promise<void> {
  const number = `(select number from campaigns where id = '${campaignId}')`
  const old = Date.now() - 30 * dayMs
  await db.batch(
    [
      `update leads set lease_expires_at_ms = 1 where campaign_number = ${number} and lease_expires_at_ms is not null`,
      `update leads set finished_at_ms = 1 where campaign_number = ${number} and finished_at_ms is not null`,
      `update claims set claimed_at_ms = 1 where campaign_number = ${number}`,
      `update recounts set due_at_ms = 1 where campaign_number = ${number}`,
      `update agents set last_unknown_at_ms = 1 where company_id = '${companyId}'`,
      `update number_calls set called_at_ms = 1 where company_id = '${companyId}'`,
      `update lost_calls set claimed_at_ms = 1 where company_id = '${companyId}'`,
      `insert into consents (company_id, phone_number, purpose, given_at_ms, id, stored_at_ms)
         values ('${companyId}', '+15550002', 'offers', 1, 'con_00000000001${companyId}', 1)`,
      `update leads set held_due_at_ms = 1, due_at_ms = null
         where seq = (select max(seq) from leads where campaign_number = ${number} and due_at_ms is not null)`,
      `insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms, expires_at_ms, member_id)
         values ('session-${companyId}', '${companyId}', 'read', 'session', 'hash-${companyId}', '', 1, 2,
           'mem_${companyId}')`,
      `update webhooks set failing_since_ms = 1 where company_id = '${companyId}'`,
      `update calling_settings set waited_for_until_ms = 0, callable_since_ms = 0, returns_held_after = 0
         where campaign_number = ${number}`,
      `update companies set listens_since_ms = ${listensSinceMs} where id = '${companyId}'`,
      `insert into events (company_id, number, at_ms, type, actor, data)
         select '${companyId}', 0 - value, ${old} - 100 * ${dayMs}, 'campaign.changed', 'operator', '{}'
         from json_each('[3, 2, 1]')`,
    ].map((text) => db.prepare(text)),
  )
}

/** Rows that the minute's work takes away, or gives back to the queue. */
async function dueIn(storeName: string | null, { companyId }: MovingWorld) {
  const rows = await dump(storeName, companyId)
  const count = (name: string, text: string) => (rows[name] ?? []).filter((row) => row.includes(text)).length
  const held = movedTables.find(({ name }) => name === 'leads')?.columns.indexOf('held_due_at_ms') ?? -1
  return {
    sessions: count('api_keys', `session-${companyId}`),
    consents: count('consents', `con_00000000001${companyId}`),
    held: (rows.leads ?? []).filter((row) => (JSON.parse(row) as unknown[])[held] !== null).length,
    remembered: count('number_calls', 'ef'.repeat(32)),
    reportable: count('lost_calls', 'ef'.repeat(32)),
  }
}
const allDue = { sessions: 1, consents: 1, held: 1, remembered: 1, reportable: 1 }

type Due = Awaited<ReturnType<typeof seedDue>>

/** All that writes without a key. */
async function runEverything(world: MovingWorld, storeName: string | null): Promise<void> {
  const { companyId, campaignId, keys, webhookId } = world
  const { DB } = storeEnv(storeName)
  const work: Promise<void>[] = []
  await workByTheMinute(storeEnv(storeName), (later) => work.push(later))
  await Promise.all(work)
  const row = await dump(storeName, companyId)
  const [number] = JSON.parse(row.campaigns?.[0] ?? '[]') as [number]
  const use = { keyId: keys.read.id, code: '', requests: 5, lastUsedAtMs: Date.now() }
  const stale = {
    companyId,
    campaignNumber: number,
    version: 2,
    timeZone: 'UTC',
    callingHours: {},
    appointmentHours: {},
    closedDates: [],
    lanes: ['Asia/Tokyo'],
  } as unknown as Parameters<typeof writeOpenings>[1]
  const givenUp = [{ id: 9, eventId: 'e', type: 'campaign.changed' as const, status: 500 }]
  const writes: (() => Promise<unknown>)[] = [
    () => addUses(DB, [use], Date.now()),
    () => writeOpenings(DB, stale, Date.now(), { rings: false }),
    () => notePassed(DB, [[webhookId, 1]]),
    () => noteSender(DB, { webhookId, failingSinceMs: 7, givenUp }, Date.now()),
    () => disableWebhook(DB, webhookId, 'gone', Date.now()),
  ]
  for (const write of writes) await write().catch(() => {})
  expect(campaignId).not.toBe('')
}

/** Each is a write that would do something. */
function writesOf({ manager, writer, agent, campaignId, webhookId, leads, calls, keys }: Due) {
  const campaign = `/api/v1/campaigns/${campaignId}`
  const lead = `/api/v1/leads/${leads[9]?.leadId}`
  const named = { calls: [{ callId: calls[1], outcome: 'answered' }] }
  const webhook = `/api/v1/webhooks/${webhookId}`
  return [
    writer.createLead({ campaignId, phoneNumber: newPhone() }),
    writer.importLeads({ campaignId, leads: [{ phoneNumber: newPhone() }] }),
    writer.request('PATCH', lead, { priority: 7 }),
    manager.request('DELETE', lead),
    writer.request('POST', `${lead}/requeue`),
    writer.request('POST', `${campaign}/requeue`, { status: 'exhausted', since: '2026-01-01T00:00:00Z' }),
    agent.request('POST', '/api/v1/calls/claim', { campaignId }),
    agent.request('POST', '/api/v1/calls/report', named),
    agent.request('POST', '/api/v1/calls/extend', { callIds: [calls[1]] }),
    agent.request('POST', '/api/v1/calls/release', { calls: [{ callId: calls[1] }] }),
    manager.request('POST', '/api/v1/campaigns', { id: `c-${webhookId.slice(-6)}`, name: 'new' }),
    manager.request('PATCH', campaign, { paused: true }),
    writer.request('POST', '/api/v1/suppressions', { phoneNumbers: [newPhone()] }),
    manager.request('DELETE', '/api/v1/suppressions', { phoneNumbers: ['+15550001'] }),
    manager.request('POST', '/api/v1/erasures', { phoneNumber: leads[8]?.phoneNumber }),
    manager.request('POST', '/api/v1/keys', { name: 'n', scope: 'read' }),
    manager.request('POST', `/api/v1/keys/${keys.read.id}/rotate`),
    manager.request('DELETE', `/api/v1/keys/${keys.read.id}`),
    manager.request('POST', '/api/v1/webhooks', { url: 'https://x.receiver.test/h', types: ['lead.erased'] }),
    manager.request('PATCH', webhook, { types: ['lead.erased'] }),
    manager.request('POST', `${webhook}/rotate`),
    manager.request('POST', `${webhook}/replay`, { since: new Date(Date.now() - dayMs).toISOString() }),
    manager.request('DELETE', webhook),
  ]
}

/** Of those that are not GET: what they do writes nothing. */
const readingPosts = [
  ...['searchConsents', 'previewDialer', 'checkDialer', 'testWebhook', 'trySource', 'tryGate'],
  // It takes a call only where the body says so: see below.
  'findCaller',
]

/**
 * A request of each endpoint of the catalogue that may write, which would succeed: so none can be forgotten. What it
 * needs is seeded now, before the company is frozen.
 */
async function writesOfEndpoints({ companyId }: MovingWorld) {
  const campaignId = 'of-the-catalogue'
  const found = await insertCampaigns(shared, companyId, [campaignId]).first<{ number: number }>()
  const campaign = { id: campaignId, companyId, number: found?.number ?? 0 }
  const writing = keyedEndpoints.filter(
    ({ name, method, isForOperator }) => method !== 'GET' && !isForOperator && !readingPosts.includes(name),
  )
  const requests = []
  for (const endpoint of writing) {
    const { path, query = {}, body, ...sent } = await endpoint.request({ companyId, campaignId, campaign })
    const url = `${path}?${new URLSearchParams(query)}`
    requests.push({ name: endpoint.name, method: endpoint.method, url, body, ...sent })
  }
  return requests
}

const readsOf = ({ manager, reader, agent, campaignId, webhookId, leads }: Due) => [
  reader.listLeads({ campaignId }),
  reader.request('GET', '/api/v1/leads/search?q=crm-1'),
  reader.request('GET', `/api/v1/leads/${leads[5]?.leadId}`),
  reader.request('GET', `/api/v1/leads/${leads[5]?.leadId}/calls`),
  agent.request('GET', `/api/v1/leads/${leads[5]?.leadId}/calling`),
  agent.request('GET', `/api/v1/calls?campaignId=${campaignId}`),
  reader.request('GET', '/api/v1/campaigns'),
  reader.request('GET', `/api/v1/campaigns/${campaignId}`),
  reader.request('GET', `/api/v1/campaigns/${campaignId}/stats`),
  manager.request('GET', `/api/v1/campaigns/${campaignId}/overview`),
  reader.request('GET', `/api/v1/suppressions?campaignId=${campaignId}`),
  reader.request('GET', '/api/v1/events'),
  manager.request('GET', '/api/v1/keys'),
  reader.request('GET', '/api/v1/keys/self'),
  manager.request('GET', '/api/v1/webhooks'),
  manager.request('GET', `/api/v1/webhooks/${webhookId}`),
  manager.request('GET', `/api/v1/webhooks/${webhookId}/deliveries`),
]

describe.each(['shared', 'own'] as const)('A company that a move out of a store has frozen: %s', (from) => {
  async function seedFrozen<More>(
    prepare?: (world: Due) => Promise<More>,
    listensSinceMs: number | null = null,
  ) {
    const world = await seedDue()
    const { companyId } = world
    const prepared = await prepare?.(world)
    const storeName = from === 'own' ? await moveTo(companyId, 'own') : null
    await makeDue(tablesOf(storeName), world, listensSinceMs)
    if (storeName === null) {
      await wish(companyId, 'own')
      await freeze(shared, companyId, Date.now())
    } else await freezeOwn(storeName, companyId)
    return { world, storeName, prepared }
  }

  it('A company that a move has frozen does not change, whatever runs without a request', async () => {
    const { world, storeName } = await seedFrozen()
    const before = await dump(storeName, world.companyId)
    for (const { name } of movedTables) expect(before[name]?.length, name).toBeGreaterThan(0)
    expect(await dueIn(storeName, world)).toEqual(allDue)
    await runEverything(world, storeName)
    await runEverything(world, storeName)
    expect(await dump(storeName, world.companyId)).toEqual(before)
  })

  it('What a move holds back is done as soon as the company is not frozen', async () => {
    const world = await seedDue()
    const storeName = from === 'own' ? await moveTo(world.companyId, 'own') : null
    await makeDue(tablesOf(storeName), world, null)
    expect(await dueIn(storeName, world)).toEqual(allDue)
    await runEverything(world, storeName)
    const nothingDue = { sessions: 0, consents: 0, held: 0, remembered: 0, reportable: 0 }
    expect(await dueIn(storeName, world)).toEqual(nothingDue)
  })

  it('A company that a move has frozen refuses every write with 503 and a time to wait, and does not change', async () => {
    const { world, storeName } = await seedFrozen()
    const before = await dump(storeName, world.companyId)
    for (const answer of await Promise.all(writesOf(world))) {
      const { asked, status, headers, text } = answer
      expect([asked.method, asked.path, status, text]).toEqual([
        asked.method,
        asked.path,
        503,
        expect.stringContaining('temporarily unavailable'),
      ])
      expect(headers.get('retry-after')).toMatch(/^\d+$/)
    }
    expect(await dump(storeName, world.companyId)).toEqual(before)
  })

  it.skipIf(isOfD1('directory'))(
    'Every endpoint that may write refuses a company that a move has frozen, with 503 and a time to wait',
    async () => {
      const { world, storeName, prepared } = await seedFrozen(writesOfEndpoints)
      const before = await dump(storeName, world.companyId)
      for (const { name, method, url, body, headers } of prepared ?? []) {
        const answer = await world.manager.request(method, url, body as object | undefined, headers)
        expect([name, answer.status, answer.text]).toEqual([
          name,
          503,
          expect.stringContaining('temporarily unavailable'),
        ])
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      }
      expect(await dump(storeName, world.companyId)).toEqual(before)
    },
  )

  it('An agent learns who rings of a company that a move has frozen, and takes no call', async () => {
    const { world, storeName } = await seedFrozen()
    const before = await dump(storeName, world.companyId)
    const found = await world.reader.request('GET', `/api/v1/leads/${world.leads[5]?.leadId}`)
    const { phoneNumber } = (dataOf(found, 200) as { lead: { phoneNumber: string } }).lead
    const ring = (more = {}) =>
      world.agent.request('POST', '/api/v1/calls/inbound', { from: phoneNumber, ...more })
    expect(dataOf(await ring(), 200)).toMatchObject({ lead: { _id: world.leads[5]?.leadId } })
    expect((await ring({ take: true })).status).toBe(503)
    expect(await dump(storeName, world.companyId)).toEqual(before)
  })

  it('A company that a move has frozen answers every read', async () => {
    const { world, storeName } = await seedFrozen(undefined, 1)
    const before = await dump(storeName, world.companyId)
    for (const { asked, status, text } of await Promise.all(readsOf(world)))
      expect([asked.path, status, status === 200 ? '' : text]).toEqual([asked.path, 200, ''])
    expect(await dump(storeName, world.companyId)).toEqual(before)
    expect(env.DB).toBe(shared)
  })

  it('A company that a move has frozen refuses the first reading of its log with 503 and a time to wait, and changes nothing', async () => {
    const { world, storeName } = await seedFrozen()
    const other = await seedMoving()
    await shared
      .prepare('update companies set listens_since_ms = null where id = ?1')
      .bind(other.companyId)
      .run()
    const before = await dump(storeName, world.companyId)
    const first = await world.reader.request('GET', '/api/v1/events')
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
    dataOf(await other.reader.request('GET', '/api/v1/events'), 200)
    expect(await dump(storeName, world.companyId)).toEqual(before)
  })
})

it('Held leads do not return to the queue of a company that a move freezes between the look and the return', async () => {
  const [world, neighbour] = [await seedDue(), await seedDue()]
  for (const one of [world, neighbour]) await makeDue(shared, one, null)
  await wish(world.companyId, 'own')
  let before = {}
  let batches = 0
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await shared.batch(statements)
    if (batches++ > 0) return results
    await freeze(shared, world.companyId, Date.now())
    before = await dump(null, world.companyId)
    return results
  }
  const db = { prepare: (text: string) => shared.prepare(text), batch } as unknown as D1Database
  await returnHeldLeads(db, Date.now())
  expect(batches).toBeGreaterThan(1)
  expect(await dump(null, world.companyId)).toEqual(before)
  expect((await dueIn(null, world)).held).toBe(1)
  expect((await dueIn(null, neighbour)).held).toBe(0)
})
