// What a request costs: rows, trips and what is sent to D1, as counted.js counts them. The floor is one only if it
// writes as many rows as ours.
import { setTimeout as sleep } from 'node:timers/promises'
import { callingTalk, type Talk } from '../calling-requests.ts'
import { agent } from '../endpoints.ts'
import { requestMaker } from '../requests.ts'
import type { Runtime } from '../runtime.ts'
import { keyCount } from '../subjects.ts'

export const costSeed = { create: 0, list50: 50, list1000: 1000, bulk: 0, calls: 50_000 }

/**
 * `sqlBytes`: the text of the statements, without what is bound to them. `objects`: calls of Durable Objects, stores
 * included.
 */
export type Trips = Readonly<
  Record<'objects' | 'database' | 'rowsRead' | 'rowsWritten' | 'statements' | 'sqlBytes', number>
>

export type Cost = {
  readonly request: string
  readonly worker: string
  /** Before the answer. */
  readonly trips: Trips
  /** With what is done behind the answer. */
  readonly inAll: Trips
}

type Answer = { readonly trips: Trips; readonly body: string }
type Asked = {
  readonly request: string
  readonly ask: () => Promise<Answer>
  readonly afterMs?: number
}

export async function measureCosts(runtime: Runtime, workers: readonly string[]): Promise<Cost[]> {
  const costs: Cost[] = []
  const makers = leadRequests.map(({ kind }) => sameEachTime(requestMaker(kind)))
  for (const worker of workers) {
    const port = runtime.workers.get(worker)?.port as number
    for (const asked of await requestsTo(port, makers))
      costs.push({ worker, ...(await measure(asked, port)) })
  }
  return costs
}

type Maker = ReturnType<typeof requestMaker>

/** `afterMs`: how long the request has something to do behind its answer. */
const leadRequests = [
  { request: 'create', kind: { path: 'create', campaignId: 'create' }, afterMs: 1_500 },
  { request: 'list of 50', kind: { path: 'list', campaignId: 'list50' }, afterMs: 0 },
  { request: 'list of 1000', kind: { path: 'list', campaignId: 'list1000' }, afterMs: 0 },
  {
    request: 'bulk of 1000',
    kind: { path: 'bulk', campaignId: 'bulk', leads: 1000, metadataBytes: 214 },
    afterMs: 3_000,
  },
] as const

/** Texts are random, and the number of their words with them: all Workers get the same. */
function sameEachTime(make: Maker): Maker {
  const made = new Map<number, Buffer>()
  return (number) => {
    const request = made.get(number) ?? make(number)
    made.set(number, request)
    return request
  }
}

async function requestsTo(port: number, makers: readonly Maker[]): Promise<Asked[]> {
  // So that their key is known: a request's number modulo their count.
  await send(port, requestMaker(leadRequests[1].kind)(0))
  const ofLeads = makers.map((make, index): Asked => {
    const { request, afterMs } = leadRequests[index] as (typeof leadRequests)[number]
    return { request, afterMs, ask: () => send(port, make(keyCount * 100 * (index + 1))) }
  })
  const talking = async (talk: Talk) => {
    const answer = await send(port, talk.request(0) as Buffer)
    talk.read(answer.body)
    return answer
  }
  const together = callingTalk({ ...agent, requestsPerRound: 1 }, port)
  await talking(together)
  const claiming = (calls: number) => callingTalk({ ...agent, calls, requestsPerRound: 2 }, port)
  const reporting = async (calls: number) => {
    const talk = claiming(calls)
    await talking(talk)
    return talking(talk)
  }
  return [
    ...ofLeads,
    { request: 'claim of 10', ask: () => talking(claiming(10)) },
    { request: 'report of 10', ask: () => reporting(10) },
    { request: 'report of 100', ask: () => reporting(100) },
    { request: 'claim + report of 10', ask: () => talking(together) },
  ]
}

async function measure({ request, ask, afterMs = 0 }: Asked, port: number): Promise<Omit<Cost, 'worker'>> {
  const { trips } = await ask()
  await sleep(afterMs)
  return { request, trips, inAll: await lastOf(port) }
}

/** `tries`: on a busy machine a request may be answered 503, by time limits. */
async function send(port: number, request: Buffer, tries = 10): Promise<Answer> {
  const text = request.toString('latin1')
  const [head = '', body] = text.split(/\r\n\r\n(.*)/s)
  const [start = '', ...lines] = head.split('\r\n')
  const [method = 'GET', path] = start.split(' ')
  const headers = lines
    .map((line) => line.split(': ') as [string, string])
    .filter(([name]) => name !== 'host' && name !== 'content-length')
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body ? { body } : {}),
  })
  const bytes = await answer.arrayBuffer()
  if (answer.status === 503 && tries > 1) {
    await sleep(5_000)
    return send(port, request, tries - 1)
  }
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
  const trips = JSON.parse(answer.headers.get('x-bench-trips') ?? '')
  return { trips, body: Buffer.from(bytes).toString('latin1') }
}

/** Rows that the limiter writes for one more admission of a key it knows. */
export async function limiterRows(runtime: Runtime, worker: string): Promise<number> {
  const port = runtime.workers.get(worker)?.port as number
  const make = requestMaker({ path: 'list', campaignId: 'list50' })
  const rowsAfter = async () => {
    await send(port, make(0))
    return (await lastOf(port)).limiterRows
  }
  return -(await rowsAfter()) + (await rowsAfter())
}

async function lastOf(port: number): Promise<Trips & { readonly limiterRows: number }> {
  return (await fetch(`http://127.0.0.1:${port}/counted/last`)).json() as never
}
