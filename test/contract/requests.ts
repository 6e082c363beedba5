// For each operation, requests that together get every answer the API description tells: the inputs of every message,
// keys of every kind, faults. Who judges the answers is document.ts.
import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import {
  wrongBulkQueries,
  wrongBulks,
  wrongCreates,
  wrongItems,
  wrongListQueries,
} from '../../src/docs/invalid-leads.ts'
import worker from '../../src/index.ts'
import { healthPerAddress } from '../../src/rate-limits/rate-limit.ts'
import type { RateLimiter } from '../../src/rate-limits/rate-limiter.ts'
import { randomAddress } from '../support/api.ts'
import { databaseFailing } from '../support/database.ts'
import {
  newPhone,
  newPhones,
  seedCampaign,
  seedCompany,
  seedKey,
  seedWorld,
  spendHour,
} from '../support/world.ts'
import type { Answer } from './document.ts'

type Sending = {
  key?: string
  headers?: Record<string, string>
  body?: unknown
  bindings?: { [Name in keyof Env]?: unknown }
}
type World = Awaited<ReturnType<typeof seedWorld>>

/** Sends the operation's request; the path may have a query. */
async function send(
  method: string,
  path: string,
  { key, headers, body, bindings }: Sending,
): Promise<Answer> {
  const request = new Request(`http://lead-intake.test${path}`, {
    method,
    headers: {
      'cf-connecting-ip': randomAddress(),
      ...(key !== undefined && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const response =
    bindings === undefined
      ? await exports.default.fetch(request)
      : await worker.fetch(request, { ...env, ...bindings } as Env, createExecutionContext())
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Refuses in a way that the service foresees, and in one that it does not. */
const unavailable = databaseFailing('D1_ERROR: D1 DB is overloaded. Too many requests queued.')
const faulty = { DB: {} }

async function freshKey(world: World, scope: 'read' | 'write' = 'write'): Promise<string> {
  return (await seedKey({ companyId: world.companyId, scope })).key
}

async function spentKey(world: World): Promise<string> {
  const { id, key } = await seedKey({ companyId: world.companyId })
  await spendHour(id, 1000)
  return key
}

/** The answers that every request with a key can get. `ask` sends a right one. */
async function keyedAnswers(world: World, ask: (sending: Sending) => Promise<Answer>): Promise<Answer[]> {
  const key = await freshKey(world)
  return [
    await ask({}),
    await ask({ key: await spentKey(world) }),
    // Before and after the isolate remembers the key.
    await ask({ key, bindings: { DB: unavailable.DB } }),
    await ask({ key }),
    await ask({ key, bindings: { DB: unavailable.DB } }),
    await ask({ key, bindings: faulty }),
    await ask({ key: await freshKey(world), bindings: faulty }),
  ]
}

/** The answers that every request with a body can get, besides. */
async function writeAnswers(
  world: World,
  path: string,
  body: () => object,
  maxBytes: number,
): Promise<Answer[]> {
  const post = async (sending: Sending) =>
    send('POST', path, { key: await freshKey(world), body: body(), ...sending })
  const denied = await seedCampaign(await seedCompany())
  const idempotencyKey = { 'idempotency-key': newPhone() }
  const key = await freshKey(world)
  const sent = body()
  return [
    await post({ key, body: sent, headers: idempotencyKey }),
    await post({ key, body: sent, headers: idempotencyKey }),
    await post({ key, headers: idempotencyKey }),
    await post({ headers: { 'idempotency-key': 'not visible' } }),
    await post({ key: await freshKey(world, 'read') }),
    await post({ body: { ...body(), campaignId: denied.id } }),
    await post({ headers: { 'content-type': 'text/plain' } }),
    await post({ body: ' '.repeat(maxBytes + 1) }),
    await post({ body: '{' }),
  ]
}

export const answersOf: Readonly<Record<string, () => Promise<Answer[]>>> = {
  async createLead() {
    const world = await seedWorld()
    const path = '/api/v1/leads'
    const body = () => ({ campaignId: world.campaignId, phoneNumber: newPhone() })
    const taken = { campaignId: world.campaignId, phoneNumber: newPhone() }
    const key = await freshKey(world)
    const answers = [
      ...(await keyedAnswers(world, (sending) => send('POST', path, { body: body(), ...sending }))),
      ...(await writeAnswers(world, path, body, 64 * 1024)),
      await send('POST', path, { key, body: taken }),
      await send('POST', path, { key, body: taken }),
    ]
    for (const wrong of wrongCreates) answers.push(await send('POST', path, { key, body: wrong }))
    return answers
  },

  async createLeads() {
    const world = await seedWorld()
    const path = '/api/v1/leads/bulk'
    const { campaignId } = world
    const [first = '', second = ''] = newPhones(2)
    const body = () => ({ campaignId, leads: [{ phoneNumber: newPhone() }] })
    const mixed = {
      campaignId,
      leads: [first, first, second, 'no number'].map((phoneNumber) => ({ phoneNumber })),
    }
    const answers = [
      ...(await keyedAnswers(world, (sending) => send('POST', path, { body: body(), ...sending }))),
      ...(await writeAnswers(world, path, body, 8 * 1024 * 1024)),
    ]
    const post = async (query: string, sent: unknown) =>
      answers.push(await send('POST', path + query, { key: await freshKey(world), body: sent }))
    await post('?results=true&onInvalid=skip&dryRun=true', mixed)
    await post('?results=true&onInvalid=skip', mixed)
    await post('?results=true&onInvalid=skip', mixed)
    await post('?onInvalid=skip', mixed)
    for (const wrong of wrongBulks) await post('', wrong)
    for (const wrong of wrongItems)
      await post('', { campaignId, leads: [{ phoneNumber: newPhone() }, wrong] })
    for (const wrong of wrongBulkQueries) await post(`?${queryOf(wrong)}`, body())
    return answers
  },

  async listLeads() {
    const world = await seedWorld()
    const { campaignId } = world
    const list = (query: object, sending: Sending) => send('GET', `/api/v1/leads?${queryOf(query)}`, sending)
    const key = await freshKey(world, 'read')
    const lead = { phoneNumber: newPhone(), externalId: '=1', metadata: { a: [null] }, priority: 3 }
    const leads = [{ ...lead, scheduledFor: '2027-01-15T09:30+0100' }, { phoneNumber: newPhone() }]
    await send('POST', '/api/v1/leads/bulk', { key: world.writeKey, body: { campaignId, leads } })
    const denied = await seedCampaign(await seedCompany())
    const answers = [
      ...(await keyedAnswers(world, (sending) => list({ campaignId }, sending))),
      await list({ campaignId: denied.id }, { key }),
      await list({ campaignId }, { key, headers: { accept: 'text/csv' } }),
      await list({ campaignId, limit: '1' }, { key }),
      await list({ campaignId, limit: '1000' }, { key }),
    ]
    for (const wrong of wrongListQueries) answers.push(await list(wrong, { key }))
    return answers
  },

  async getLead() {
    const world = await seedWorld()
    const body = { campaignId: world.campaignId, phoneNumber: newPhone(), metadata: {} }
    const created = await send('POST', '/api/v1/leads', { key: world.writeKey, body })
    const path = created.headers.get('location') as string
    const missing = `${path.slice(0, -11)}00000000000`
    return [
      ...(await keyedAnswers(world, (sending) => send('GET', path, sending))),
      await send('GET', missing, { key: world.readKey }),
      await send('GET', '/api/v1/leads/42', { key: world.readKey }),
    ]
  },

  checkHealth: () => healthAnswers('GET'),
  checkHealthBriefly: () => healthAnswers('HEAD'),
}

async function healthAnswers(method: string): Promise<Answer[]> {
  const address = randomAddress()
  await runInDurableObject(env.RATE_LIMITER.getByName(`ip:${address}`), (limiter: RateLimiter) => {
    for (let request = 0; request < healthPerAddress.limit; request++) limiter.admit([healthPerAddress])
  })
  return [
    await send(method, '/api/health', {}),
    await send(method, '/api/health', { bindings: { DB: unavailable.DB } }),
    await send(method, '/api/health', { bindings: faulty }),
    await send(method, '/api/health', { headers: { 'cf-connecting-ip': address } }),
  ]
}

function queryOf(fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given).toString()
}
