// A hundred campaigns with dialers, at a provider in this process, which shares the machine: how soon a start arrives
// there after a create is answered, or a form is posted to a source, and what a call costs from its start to its
// report.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../hard/sending.ts'
import { newPhone } from '../../support/database/seed.ts'
import { type Connection, open, untilServed } from '../connection.ts'
import { cpuSeconds } from '../process-usage.ts'
import type { Build, RunningWorker, Runtime } from '../runtime.ts'
import { address, apiKey, keyCount } from '../subjects.ts'
import { withRuntime } from '../with-runtime.ts'

export const dialerCount = 100
const campaignIds = Array.from({ length: dialerCount }, (_, number) => `dial-${number}`)
/** Of creates. */
const gapMs = 60
/** Of each campaign, at once: as many as a dialer follows. */
const callsAtOnce = 5

export type Dialling = {
  /** From the answer of the create. 0: the start was there first. */
  readonly receivedMs: readonly number[]
  /** From the post of a form to a source. */
  readonly postedMs: readonly number[]
  /** Of workerd, D1's share included. */
  readonly cpuMsPerCall: number
}

export function measureDialers(
  build: Build,
  isQuick: boolean,
  say: (text: string) => void,
): Promise<Dialling> {
  const campaigns = Object.fromEntries(campaignIds.map((id) => [id, 0]))
  return withRuntime({ ours: { build, campaigns } }, (runtime) => dial(runtime, isQuick ? 200 : 1000, say))
}

async function dial(runtime: Runtime, creates: number, say: (text: string) => void): Promise<Dialling> {
  const { port } = runtime.workers.get('ours') as RunningWorker
  const provider = await openProvider()
  let connection = await open(port)
  const ask = (number: number, method: string, path: string, body: object) =>
    send(connection, number, method, path, body)
  async function set(enabled: boolean): Promise<void> {
    for (const [number, id] of campaignIds.entries())
      await ask(number, 'PUT', `/campaigns/${id}/dialer`, { ...dialerAt(provider.url), enabled })
  }
  const create = (number: number, phoneNumber: string) =>
    ask(number, 'POST', '/leads', { campaignId: campaignIds[number % dialerCount], phoneNumber })

  await set(true)
  // So that all objects are there.
  for (let number = 0; number < dialerCount; number++) await create(number, newPhone())
  await until(() => provider.received.size === dialerCount)
  say('all dialers have called')
  const answered = new Map<string, number>()
  for (let number = 0; number < creates; number++) {
    const phoneNumber = newPhone()
    await create(number, phoneNumber)
    answered.set(phoneNumber, performance.now())
    await sleep(gapMs)
  }
  const timed = [...answered.keys()]
  await until(() => timed.every((phoneNumber) => provider.received.has(phoneNumber)))
  const receivedMs = timed.map((phoneNumber) =>
    Math.max(
      0,
      (provider.received.get(phoneNumber) ?? Number.NaN) - (answered.get(phoneNumber) ?? Number.NaN),
    ),
  )
  say('leads are called')
  const urls: string[] = []
  for (const [number, id] of campaignIds.entries()) {
    const body = { name: 'Form', countries: ['DE'] }
    const { data } = JSON.parse(await ask(number, 'POST', `/campaigns/${id}/sources`, body))
    urls.push(new URL(data.url).pathname)
  }
  const posted = new Map<string, number>()
  for (let number = -dialerCount; number < creates; number++) {
    const phoneNumber = `+4915112${String(100_000 + number).padStart(6, '0')}`
    // The first of each source loads the rules of phone numbers, and makes objects.
    if (number >= 0) posted.set(phoneNumber, performance.now())
    const url = urls[(number + dialerCount) % dialerCount] ?? ''
    await exchange(connection, `POST ${url}`, [`cf-connecting-ip: ${address(number + dialerCount)}`], {
      name: 'Ada',
      phone: `0${phoneNumber.slice(3)}`,
    })
    await sleep(gapMs)
  }
  await until(() => [...posted.keys()].every((phoneNumber) => provider.received.has(phoneNumber)))
  const postedMs = [...posted].map(
    ([phoneNumber, at]) => (provider.received.get(phoneNumber) ?? Number.NaN) - at,
  )
  say('posts are called')

  provider.endCalls()
  await sleep(20_000)
  // The first connection was closed while it was idle.
  connection = await open(port)
  await set(false)
  const calls = dialerCount * callsAtOnce
  for (const [number, campaignId] of campaignIds.entries()) {
    const leads = Array.from({ length: callsAtOnce }, () => ({ phoneNumber: newPhone() }))
    await ask(number, 'POST', '/leads/bulk', { campaignId, leads })
  }
  const before = provider.received.size
  const [cpuBefore, askedBefore] = [cpuSeconds(runtime.pid), provider.asked()]
  await set(true)
  await until(() => provider.received.size === before + calls && provider.asked() >= askedBefore + calls)
  await sleep(2_000)
  const cpuMsPerCall = ((cpuSeconds(runtime.pid) - cpuBefore) * 1000) / calls
  connection.close()
  await provider.close()
  return { receivedMs, postedMs, cpuMsPerCall }
}

/** Answers each start at once. Calls last until `endCalls`. */
async function openProvider() {
  const received = new Map<string, number>()
  let isOver = false
  let asked = 0
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      const { to } = JSON.parse(await text(request)) as { to: string }
      received.set(to, performance.now())
      response.writeHead(201).end(JSON.stringify({ id: `p-${received.size}` }))
      return
    }
    asked++
    response.end(JSON.stringify(isOver ? { state: 'ended', reason: 'answered' } : { state: 'talking' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    asked: () => asked,
    endCalls: () => {
      isOver = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const dialerAt = (url: string) => ({
  preset: 'custom',
  maxLive: 100,
  secrets: { apiKey: 'secret of the benchmark' },
  template: {
    auth: { kind: 'bearer', secret: 'apiKey' },
    start: { method: 'POST', url: `${url}/calls`, body: { to: '{{lead.phoneNumber}}' } },
    started: { id: '/id' },
    status: {
      method: 'GET',
      url: `${url}/calls/{{provider.id}}`,
      over: { at: '/state', equals: 'ended' },
      reason: ['/reason'],
      outcomes: { answered: 'answered' },
    },
  },
})

/** A key in turn: each may send 1,000 requests an hour. */
const send = (connection: Connection, number: number, method: string, path: string, body: object) =>
  exchange(
    connection,
    `${method} /api/v1${path}`,
    [`x-api-key: ${apiKey(number % keyCount)}`, `cf-connecting-ip: ${address(number)}`],
    body,
  )

async function exchange(connection: Connection, target: string, headers: readonly string[], body: object) {
  const json = JSON.stringify(body)
  const head = [
    `${target} HTTP/1.1`,
    'host: localhost',
    ...headers,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(json)}`,
  ]
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n${json}`)
  const { status, body: answer } = await untilServed(connection, () => connection.sendForBody(request))
  if (status >= 300) throw new Error(`${target}: ${status} ${answer}`)
  return answer
}
