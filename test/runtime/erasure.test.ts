// Erasing on a real D1: that nothing is left of a person in any table, what the log says, what a lost pepper stops,
// that lost answers and races change nothing, and that no place is used twice.
import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { eraseLead, erasePerson } from '../../src/queue/erasure/store/erase.ts'
import { hashesIn } from '../support/access/actor.ts'
import { type AgentWorld, seedAgent } from '../support/calling/agent.ts'
import { noonMs, seedCallingWorld } from '../support/calling/calling.ts'
import { databaseLosingAnswers } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { api, type Lead } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { withRealLimiters } from '../support/rate-limits/quick-limiters.ts'
import { runCron } from '../support/run/cron.ts'
import { catchLogs } from '../support/run/logs.ts'
import { newPhone, seedKey } from '../support/world.ts'

withRealLimiters()

afterEach(() => void vi.restoreAllMocks())

const secret = 'Ophelia Winterbottom'

/** Every value of every table, as text. */
async function everythingStored(): Promise<string> {
  const { results: tables } = await companyDb
    .prepare(
      `select name from sqlite_master where type = 'table' and name not glob 'sqlite_*' and name not glob '_cf_*'`,
    )
    .all<{ name: string }>()
  const texts: string[] = []
  for (const { name } of tables) {
    const { results } = await companyDb.prepare(`select * from "${name}"`).all()
    texts.push(`${name} ${JSON.stringify(results)}`)
  }
  return texts.join('\n')
}

/** The same of all Durable Objects. */
async function everythingInObjects(): Promise<string> {
  const texts: string[] = []
  for (const namespace of [env.RATE_LIMITER, env.WEBHOOK_SENDERS] as DurableObjectNamespace[])
    for (const id of await listDurableObjectIds(namespace))
      texts.push(
        await runInDurableObject(namespace.get(id), async (_, { storage }) => {
          const tables = storage.sql
            .exec<{ name: string }>(
              `select name from sqlite_master where type = 'table' and name not glob '_cf_*'`,
            )
            .toArray()
          const rows = tables.map(({ name }) => storage.sql.exec(`select * from "${name}"`).toArray())
          return JSON.stringify([rows, [...(await storage.list())], [...storage.kv.list()]])
        }),
      )
  return texts.join('\n')
}

/** Of a number: as it is, without its plus, and as a program may write it. */
const formsOf = (phoneNumber: string) => [
  phoneNumber.slice(1),
  Buffer.from(phoneNumber).toString('base64').slice(0, 16),
  Buffer.from(phoneNumber).toString('hex'),
]

const nothingKept = { consents: 0, until: null }

const erase = ({ manageKey }: Pick<AgentWorld, 'manageKey'>, phoneNumber: string) =>
  api(manageKey).request('POST', '/api/v1/erasures', { phoneNumber })

it('An erasure leaves the number and the metadata in no row of any table', async () => {
  const world = await seedAgent()
  const { campaignId, writeKey, manageKey } = world
  const other = await world.another()
  const phoneNumber = newPhone()
  const lead = { phoneNumber, metadata: { name: secret }, externalId: secret }
  dataOf(
    await api(manageKey).request('POST', '/api/v1/webhooks', {
      url: 'https://example.com/hook',
      types: ['call.reported', 'lead.changed'],
      include: ['phoneNumber', 'metadata', 'details'],
    }),
    201,
  )
  const consent = {
    purpose: 'offers',
    givenAt: new Date().toISOString(),
    source: {
      url: `https://example.com/form?who=${secret}`,
      ip: '2001:db8::7',
      userAgent: `Agent of ${secret}`,
    },
    certificateUrl: `https://example.com/certificate#${secret}`,
    reference: `${secret} 1`,
  }
  await api(writeKey).createLead({ campaignId, ...lead, consent } as never, { 'Idempotency-Key': 'order-1' })
  const bulk = { campaignId: other.campaignId, leads: [lead, { phoneNumber: newPhone() }] }
  dataOf(await api(writeKey).importLeads(bulk), 200)
  const [call] = (await world.claim()).calls
  const leadId = call?.lead._id ?? ''
  const said = { durationSeconds: 3, providerCallId: `CA ${phoneNumber}`, details: { said: secret } }
  await world.report([{ callId: call?.callId, outcome: 'no_answer', ...said }])
  await api(writeKey).request('PATCH', `/api/v1/leads/${leadId}`, {
    scheduledFor: '2020-01-01T00:00:00Z',
    metadata: { is: secret },
  })
  await world.suppress([phoneNumber], { campaignId: other.campaignId, reason: 'asked' })
  await world.lift([phoneNumber], { campaignId: other.campaignId })
  await world.requeue(leadId)
  await world.suppress([phoneNumber], { reason: 'asked again' })
  const withdrawal = { phoneNumber, reason: `${secret} wrote` }
  dataOf(await api(writeKey).request('POST', '/api/v1/consents/withdraw', withdrawal), 200)
  const forms = [secret, ...formsOf(phoneNumber), '2001:db8::7']
  const before = await everythingStored()
  expect(forms.slice(0, 2).filter((form) => !before.includes(form))).toEqual([])

  expect(dataOf(await erase(world, phoneNumber), 200)).toMatchObject({
    leadsErased: 2,
    suppressed: true,
    kept: { consents: 1 },
  })
  const after = `${await everythingStored()}\n${await everythingInObjects()}`
  expect(forms.filter((form) => after.includes(form))).toEqual([])
})

it('An erasure is in the log: each lead, and what was done, without the number', async () => {
  const world = await seedAgent()
  const { leadId, phoneNumber } = await world.add()
  dataOf(await erase(world, phoneNumber), 200)
  dataOf(await api(world.manageKey).request('DELETE', `/api/v1/leads/${leadId}`), 200)
  const { results } = await companyDb
    .prepare(
      `select type, lead_seq is not null as "hasLead", data ->> 'leadsErased' as erased, data ->> 'suppressed'
        as suppressed
       from events where company_id = ?1 and type in ('lead.erased', 'erasure.done') order by number`,
    )
    .bind(world.companyId)
    .all()
  expect(results).toEqual([
    { type: 'lead.erased', hasLead: 1, erased: null, suppressed: null },
    { type: 'erasure.done', hasLead: 0, erased: 1, suppressed: 1 },
  ])
})

it('An erasure answers the same when its first answer was lost, and is done once', async () => {
  const world = await seedCallingWorld()
  const { companyId } = world
  const hashes = hashesIn(companyId)
  const [one, other] = [await world.add(), await world.add()]
  await world.claim(noonMs, { maxCalls: 1 })
  const { DB } = databaseLosingAnswers(1)
  const erased = await eraseLead(DB, world.asManager(noonMs), one.leadId, hashes)
  expect(erased).toMatchObject({ kind: 'erased', leadsErased: 1, suppressed: true })
  const person = { phoneNumber: other.phoneNumber, suppress: false }
  const all = await erasePerson(databaseLosingAnswers(1).DB, world.asManager(noonMs), person, hashes)
  expect(all).toMatchObject({ kind: 'erased', leadsErased: 1, suppressed: false })
  const { results } = await companyDb
    .prepare(
      `select type, count(*) as n from events where company_id = ?1 and type glob '*eras*' group by type order by type`,
    )
    .bind(companyId)
    .all()
  expect(results).toEqual([
    { type: 'erasure.done', n: 2 },
    { type: 'lead.erased', n: 2 },
  ])
})

it.each([
  ['missing', undefined],
  ['another', 'another pepper'],
])(
  'A lost pepper stops intake, claims and requeueing, and stores nothing: %s',
  async (_, SUPPRESSION_PEPPER) => {
    // Indexes the leads of the tests before, which is still to come.
    await runCron()
    const world = await seedAgent()
    const { campaignId, writeKey, agentKey, manageKey } = world
    const { leadId } = await world.add()
    dataOf(await erase(world, newPhone()), 200)
    const before = await everythingStored()
    const bindings = { SUPPRESSION_PEPPER }
    const lead = { phoneNumber: newPhone() }
    const logs = catchLogs()
    const refused = [
      await api(writeKey, { bindings }).createLead({ campaignId, ...lead }),
      await api(writeKey, { bindings }).importLeads({ campaignId, leads: [lead] }),
      await api(agentKey, { bindings }).request('POST', '/api/v1/calls/claim', { campaignId }),
      await api(writeKey, { bindings }).request('POST', `/api/v1/leads/${leadId}/requeue`),
      await api(manageKey, { bindings }).request('POST', '/api/v1/erasures', lead),
      await api(manageKey, { bindings }).request('DELETE', '/api/v1/suppressions', {
        phoneNumbers: [lead.phoneNumber],
      }),
    ]
    for (const answer of refused) expectFailure(answer, 503, 'Service temporarily unavailable')
    expect(logs.text().split('SUPPRESSION_PEPPER').length - 1).toBeGreaterThanOrEqual(refused.length)
    expect(await everythingStored()).toBe(before)
    // A company without suppressed hashes needs no pepper yet.
    const stranger = await seedAgent()
    const created = await api(stranger.writeKey, { bindings }).createLead({
      campaignId: stranger.campaignId,
      ...lead,
    })
    expect(created.status).toBe(201)
    const path = `/api/v1/leads/${dataOf(created, 201).leadId}`
    expect(dataOf(await api(stranger.manageKey, { bindings }).request('DELETE', path), 200)).toEqual({
      leadsErased: 1,
      suppressed: false,
      kept: nothingKept,
      alsoIn: [],
      isPartial: false,
    })
  },
)

it('Another pepper is noticed after an erasure that hashed only the number, in a company without consents', async () => {
  const [world, neighbour] = [await seedAgent(), await seedAgent()]
  const body = { phoneNumber: newPhone(), suppress: false }
  dataOf(await api(world.manageKey).request('POST', '/api/v1/erasures', body), 200)
  const bindings = { SUPPRESSION_PEPPER: 'another pepper' }
  const create = ({ writeKey, campaignId }: AgentWorld, options = {}) =>
    api(writeKey, options).createLead({ campaignId, phoneNumber: newPhone() })
  expectFailure(await create(world, { bindings }), 503, 'Service temporarily unavailable')
  dataOf(await create(world), 201)
  dataOf(await create(neighbour, { bindings }), 201)
})

it('Another pepper is noticed after one lead of a number was erased, which hashed only the calls of its week', async () => {
  const [world, neighbour] = [await seedAgent(), await seedAgent()]
  const { callId, lead } = await world.call()
  await world.report([{ callId, outcome: 'no_answer' }])
  const { phoneNumber } = lead
  const { campaignId } = await world.another()
  dataOf(await api(world.writeKey).createLead({ campaignId, phoneNumber }), 201)
  dataOf(await api(world.manageKey).request('DELETE', `/api/v1/leads/${lead._id}`), 200)
  const bindings = { SUPPRESSION_PEPPER: 'another pepper' }
  const create = ({ writeKey, campaignId }: AgentWorld, options = {}) =>
    api(writeKey, options).createLead({ campaignId, phoneNumber: newPhone() })
  expectFailure(await create(world, { bindings }), 503, 'Service temporarily unavailable')
  dataOf(await create(world), 201)
  dataOf(await create(neighbour, { bindings }), 201)
})

it('A lost pepper refuses to erase a lead that is being called, since its number could not be suppressed', async () => {
  const world = await seedAgent()
  const call = await world.call()
  const path = `/api/v1/leads/${call.lead._id}`
  const bindings = { SUPPRESSION_PEPPER: undefined }
  const answer = await api(world.manageKey, { bindings }).request('DELETE', path)
  expectFailure(answer, 503, 'Service temporarily unavailable')
  expect((await world.lead(call.lead._id)).phoneNumber).toBe(call.lead.phoneNumber)
})

it('An erasure that races with claims, reports, changes and creates leaves each lead whole or empty, and calls none', async () => {
  const world = await seedAgent()
  const { campaignId, manageKey, writeKey } = world
  for (let round = 0; round < 4; round++) {
    const call = await world.call()
    const beside = await world.add()
    const numbers = [call.lead.phoneNumber, beside.phoneNumber]
    const before = [call.lead._id, beside.leadId]
    const answers = await Promise.all([
      ...numbers.map((phoneNumber) => erase(world, phoneNumber)),
      api(manageKey).request('DELETE', `/api/v1/leads/${call.lead._id}`),
      world.claim({ limit: 5 }).then(() => null),
      world.report([{ callId: call.callId, outcome: 'no_answer', details: { secret } }]).then(() => null),
      ...before.map((id) => api(writeKey).request('PATCH', `/api/v1/leads/${id}`, { metadata: { secret } })),
      ...numbers.map((phoneNumber) => api(writeKey).createLead({ campaignId, phoneNumber })),
    ])
    for (const answer of answers) if (answer !== null) expect([200, 201, 404, 409]).toContain(answer.status)
    const { results } = await companyDb
      .prepare(
        `select l.phone_number as number, l.metadata, l.due_at_ms, l.lease_expires_at_ms,
           (select count(*) from call_details as d where d.seq = l.seq) as details,
           (select count(*) from calls as k where k.seq = l.seq and k.phone_number <> l.phone_number) as calls
         from leads as l where l.erased_at_ms is not null and l.campaign_number = ?1`,
      )
      .bind(world.campaign.number)
      .all<Record<string, unknown>>()
    for (const { number, ...rest } of results)
      expect([String(number).slice(0, 7), rest]).toEqual([
        'erased:',
        { metadata: null, due_at_ms: null, lease_expires_at_ms: null, details: 0, calls: 0 },
      ])
    expect((await world.claim({ limit: 5 })).calls).toEqual([])
  }
})

it('A place stays that of one lead, whatever is erased and added, and a cursor continues after it', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ kind: 'add' as const }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('erase' as const), which: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'eraseLast' as const }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('page' as const), limit: fc.integer({ min: 1, max: 4 }) }),
    },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const world = await seedCallingWorld()
      const hashes = hashesIn(world.companyId)
      const { key } = await seedKey({ companyId: world.companyId })
      const ever: string[] = []
      let left: string[] = []
      let cursor: { text: string; after: string } | null = null
      const placeOf = (leadId: string) => leadId.slice(11, 25)
      for (const each of steps) {
        if (each.kind === 'add') {
          const { leadId } = await world.add()
          ever.push(leadId)
          left.push(leadId)
        } else if (each.kind === 'page') {
          const query = {
            campaignId: world.campaignId,
            limit: `${each.limit}`,
            ...(cursor && { cursor: cursor.text }),
          }
          const page = dataOf(await api(key).listLeads(query), 200) as unknown as {
            leads: Lead[]
            nextCursor: string | null
          }
          const behind: string[] = left.filter((id) => cursor === null || placeOf(id) > cursor.after)
          expect(page.leads.map(({ _id }) => _id)).toEqual(behind.slice(0, each.limit))
          const last: string | undefined = behind[each.limit - 1]
          expect(page.nextCursor === null).toBe(behind.length <= each.limit)
          cursor =
            page.nextCursor === null || last === undefined
              ? null
              : { text: page.nextCursor, after: placeOf(last) }
        } else {
          const leadId = each.kind === 'eraseLast' ? left.at(-1) : left[each.which % (left.length || 1)]
          if (leadId === undefined) continue
          await eraseLead(companyDb, world.asManager(noonMs), leadId, hashes)
          left = left.filter((id) => id !== leadId)
        }
      }
      expect(new Set(ever.map(placeOf)).size).toBe(ever.length)
      expect(ever.map(placeOf)).toEqual(ever.map(placeOf).toSorted())
    }),
    { numRuns: 12 },
  )
})
