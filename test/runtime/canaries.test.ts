// What the log and the metrics never hold: a phone number, metadata, a key, or anything else that a client said before
// the store confirmed it. Canaries go through every path, errors that quote SQL and its values included.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { agentIn, openAtAllHours } from '../support/calling/agent.ts'
import { databaseFailing, databaseThat } from '../support/database/database.ts'
import { api, health } from '../support/http/api.ts'
import { limiterFailing } from '../support/rate-limits/limiter.ts'
import { brokenMetrics, catchLogs, catchMetrics } from '../support/run/logs.ts'
import {
  newPhones,
  revokeKey,
  seedKey,
  seedLeads,
  seedWorld,
  spendHour,
  unknownKey,
} from '../support/world.ts'

let metrics: ReturnType<typeof catchMetrics>
beforeEach(() => {
  metrics = catchMetrics()
})
afterEach(() => void vi.restoreAllMocks())

type World = Awaited<ReturnType<typeof seedWorld>> & { readonly manageKey: string }

const secret = 'CANARY'
const phoneNumber = '+4915199999999'
const lead = {
  phoneNumber,
  externalId: `${secret}-external`,
  metadata: { [`${secret}-name`]: `${secret}-value` },
  scheduledFor: '2021-07-09T08:06:05Z',
}
const headers = {
  'user-agent': `${secret}-agent`,
  authorization: `Bearer ${secret}-token`,
  cookie: `session=${secret}-cookie`,
  referer: `https://example.com/${secret}-referer`,
}
/** As a database or an ORM would quote what it failed on. */
const quoting = `D1_ERROR: UNIQUE constraint failed: leads.phone_number: insert into leads ${JSON.stringify(lead)}`

/** Every way through the service, with canaries wherever a client can put them. */
const paths: [name: string, status: number | 'broken', ask: (world: World) => Promise<{ status: number }>][] =
  [
    ['create', 201, (w) => client(w.writeKey).createLead({ campaignId: w.campaignId, ...lead })],
    ['bulk', 200, (w) => client(w.writeKey).importLeads({ campaignId: w.campaignId, leads: [lead, lead] })],
    ['list', 200, listOfOne],
    ['duplicate', 409, duplicate],
    ['invalid field', 400, (w) => client(w.writeKey).createLead({ ...lead, campaignId: [secret] })],
    [
      'invalid item',
      400,
      (w) =>
        client(w.writeKey).importLeads({
          campaignId: w.campaignId,
          leads: [lead, { ...lead, priority: secret }],
        }),
    ],
    ['broken JSON', 400, (w) => client(w.writeKey).createLead(`${JSON.stringify(lead)}${secret}`)],
    ['wrong type', 415, (w) => client(w.writeKey).createLead(lead, { 'content-type': `text/${secret}` })],
    ['too large', 413, (w) => client(w.writeKey).createLead({ ...lead, more: secret.repeat(20_000) })],
    ['malformed key', 401, () => client(`${secret}-key`).createLead(lead)],
    ['unknown key', 401, () => client(unknownKey()).createLead(lead)],
    ['revoked key', 401, revoked],
    ['read key', 403, (w) => client(w.readKey).createLead({ campaignId: w.campaignId, ...lead })],
    [
      'denied campaign',
      403,
      (w) => client(w.writeKey).createLead({ campaignId: `${secret}-campaign`, ...lead }),
    ],
    ['denied list', 403, (w) => client(w.readKey).listLeads({ campaignId: `${secret}-campaign`, q: secret })],
    ['unknown path', 404, (w) => client(w.readKey).request('GET', `/api/v1/${secret}?${secret}=1`)],
    ['unknown path without a version', 404, () => client(null).request('GET', `/api/${secret}`)],
    ['path outside', 404, () => client(null).request('GET', `/${secret}`)],
    ['wrong method', 405, (w) => client(w.writeKey).request('PUT', `/api/v1/leads?${secret}`, lead)],
    ['spent limit', 429, limited],
    ['report', 200, report],
    [
      'report that is invalid',
      400,
      (w) =>
        client(w.manageKey).request('POST', '/api/v1/calls/report', {
          calls: [{ callId: secret, outcome: secret }],
        }),
    ],
    [
      'suppression',
      200,
      (w) =>
        client(w.writeKey).request('POST', '/api/v1/suppressions', {
          phoneNumbers: [phoneNumber],
          reason: secret,
        }),
    ],
    [
      'suppression that is invalid',
      400,
      (w) =>
        client(w.writeKey).request('POST', '/api/v1/suppressions', { phoneNumbers: [phoneNumber, secret] }),
    ],
    [
      'campaign settings',
      200,
      (w) => client(w.manageKey).request('PATCH', `/api/v1/campaigns/${w.campaignId}`, { name: secret }),
    ],
    [
      'campaign that is denied',
      403,
      (w) => client(w.manageKey).request('GET', `/api/v1/campaigns/${secret}`),
    ],
    ['limiter down', 201, (w) => createWith(w, limiterFailing())],
    ['database down', 503, (w) => createWith(w, { DB: databaseFailing(quoting).DB })],
    ['database down, bulk', 503, bulkWhileDown],
    [
      'database down, health',
      503,
      () => health({ headers, bindings: { METRICS: metrics.METRICS, DB: databaseFailing(quoting).DB } }),
    ],
    ['unforeseen error', 500, (w) => createWith(w, { DB: explodingDatabase })],
    ['metrics down', 201, (w) => createWith(w, { METRICS: brokenMetrics })],
    ['list broken off', 'broken', brokenList],
  ]

/** The requests have canaries in their headers too, and are measured. */
function client(key: string | null, bindings: object = {}) {
  return api(key, { headers, bindings: { METRICS: metrics.METRICS, ...bindings } })
}

/** Fails where nobody expects it, quoting what it was given. */
const explodingDatabase = {
  prepare: () => {
    throw new TypeError(quoting, { cause: new Error(quoting) })
  },
}

function createWith(world: World, bindings: object) {
  return client(world.writeKey, bindings).createLead({ campaignId: world.campaignId, ...lead })
}

/** Of a call that was claimed, with canaries in all that can be said of it. */
async function report(world: World) {
  const agent = await agentIn(world)
  await agent.change(openAtAllHours)
  await createWith(world, {})
  const [call] = (await agent.claim({ agent: `${secret}-agent` })).calls
  const reported = { providerCallId: secret, details: { [secret]: phoneNumber } }
  const calls = [{ callId: call?.callId, outcome: 'do_not_call', ...reported }]
  return client(world.manageKey).request('POST', '/api/v1/calls/report', { calls })
}

async function listOfOne(world: World) {
  await createWith(world, {})
  return client(world.readKey).listLeads({ campaignId: world.campaignId, note: secret })
}

async function duplicate(world: World) {
  await createWith(world, {})
  return createWith(world, {})
}

async function revoked(world: World) {
  await createWith(world, {})
  await revokeKey(world.writeKeyId)
  return createWith(world, {})
}

async function limited(world: World) {
  await spendHour(world.writeKeyId, 1000)
  return createWith(world, {})
}

function bulkWhileDown({ campaignId, writeKey }: World) {
  const bindings = { DB: databaseFailing(quoting).DB }
  return client(writeKey, bindings).importLeads({ campaignId, leads: [lead] })
}

async function brokenList(world: World) {
  await seedLeads(world.campaign, [
    { phoneNumber },
    ...newPhones(1200).map((phone) => ({ phoneNumber: phone })),
  ])
  const { DB, trips } = databaseThat((run) => (trips.length > 2 ? Promise.reject(new Error(quoting)) : run()))
  return client(world.readKey, { DB })
    .listLeads({ campaignId: world.campaignId })
    .catch(() => ({ status: 0 }))
}

it.each(paths)(
  'The log and the metrics hold no phone number, metadata, key or header: %s, %s',
  async (name, status, ask) => {
    const seeded = await seedWorld()
    const manage = await seedKey({ companyId: seeded.companyId, scope: 'manage' })
    const world = { ...seeded, manageKey: manage.key }
    const logs = catchLogs()
    const answer = await ask(world)
    if (status !== 'broken') expect(answer.status).toBe(status)
    const written = logs.text() + JSON.stringify(metrics.points)
    expect(logs.records).not.toEqual([])
    if (name !== 'metrics down') expect(metrics.points).not.toEqual([])
    expect(written).not.toContain(secret)
    expect(written).not.toContain(phoneNumber.slice(1))
    expect(written).not.toContain(lead.scheduledFor)
    for (const key of [world.writeKey, world.readKey]) expect(written).not.toContain(key.slice(3, -6))
    expect(written).not.toContain('insert into')
  },
)
