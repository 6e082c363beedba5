// What a request costs, with every Durable Object call 20 ms and every D1 round trip 80 ms away: rows, trips, what is
// sent to D1, and how long it takes as a multiple of the two. The floor is one only if it writes as many rows as ours.
import { setTimeout as sleep } from 'node:timers/promises'
import { callingTalk, type Talk } from '../calling-requests.ts'
import { agent } from '../endpoints.ts'
import { requestMaker } from '../requests.ts'
import type { Runtime } from '../runtime.ts'
import { spread } from '../statistics.ts'
import { keyCount } from '../subjects.ts'

/** One call and one round trip, as far-from-home.js delays them. */
const hopsMs = 100

export const costSeed = { create: 0, list50: 50, list1000: 1000, bulk: 0, calls: 50_000 }

/** `sqlBytes`: the text of the statements, without what is bound to them. `objects`: calls of Durable Objects, stores included. */
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
  /** Time as a multiple of one call and one round trip, median. Cold: a key that the Worker has not met; null: not measured. */
  readonly hops: number
  readonly coldHops: number | null
}

type Answer = { readonly ms: number; readonly trips: Trips; readonly body: string }
type Asked = {
  readonly request: string
  readonly ask: () => Promise<Answer>
  readonly askCold?: () => Promise<Answer>
  readonly afterMs?: number
}

export async function measureCosts(
  runtime: Runtime,
  workers: readonly string[],
  samples: number,
): Promise<Cost[]> {
  const costs: Cost[] = []
  const makers = leadRequests.map(({ kind }) => sameEachTime(requestMaker(kind)))
  for (const worker of workers) {
    const port = runtime.workers.get(worker)?.port as number
    for (const asked of await requestsTo(port, makers))
      costs.push({ worker, ...(await measure(port, asked, samples)) })
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
  // A key is the request's number modulo their count. A cold request has a number that was not used before; a warm one
  // the same key, and a number so far that no phone number returns.
  let number = 0
  let times = 0
  await timed(port, requestMaker(leadRequests[1].kind)(number))
  const ofLeads = makers.map((make, index): Asked => {
    const { request, afterMs } = leadRequests[index] as (typeof leadRequests)[number]
    return {
      request,
      afterMs,
      askCold: () => timed(port, make(++number)),
      ask: () => timed(port, make(number + keyCount * 100 * ++times)),
    }
  })
  const talking = async (talk: Talk) => {
    const answer = await timed(port, talk.request(0) as Buffer)
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

async function measure(
  port: number,
  { request, ask, askCold, afterMs = 0 }: Asked,
  samples: number,
): Promise<Omit<Cost, 'worker'>> {
  // Counted first, while nothing is left to do of other requests to the campaign.
  const { trips } = await ask()
  await sleep(afterMs)
  const inAll = await lastOf(port)
  const coldMs: number[] = []
  const ms: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    if (askCold !== undefined) coldMs.push((await askCold()).ms)
    ms.push((await ask()).ms)
  }
  return {
    request,
    trips,
    inAll,
    hops: spread(ms).median / hopsMs,
    coldHops: coldMs.length === 0 ? null : spread(coldMs).median / hopsMs,
  }
}

async function timed(port: number, request: Buffer): Promise<Answer> {
  const text = request.toString('latin1')
  const [head = '', body] = text.split(/\r\n\r\n(.*)/s)
  const [start = '', ...lines] = head.split('\r\n')
  const [method = 'GET', path] = start.split(' ')
  const headers = lines
    .map((line) => line.split(': ') as [string, string])
    .filter(([name]) => name !== 'host' && name !== 'content-length')
  const startedAt = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body ? { body } : {}),
  })
  const bytes = await answer.arrayBuffer()
  const ms = performance.now() - startedAt
  if (!answer.ok) throw new Error(`${path} far from home: ${answer.status}`)
  const trips = JSON.parse(answer.headers.get('x-bench-trips') ?? '')
  return { ms, trips, body: Buffer.from(bytes).toString('latin1') }
}

/** Rows that the limiter writes for one more admission of a key it knows. */
export async function limiterRows(runtime: Runtime, worker: string): Promise<number> {
  const port = runtime.workers.get(worker)?.port as number
  const make = requestMaker({ path: 'list', campaignId: 'list50' })
  const rowsAfter = async () => {
    await timed(port, make(0))
    return (await lastOf(port)).limiterRows
  }
  return -(await rowsAfter()) + (await rowsAfter())
}

async function lastOf(port: number): Promise<Trips & { readonly limiterRows: number }> {
  return (await fetch(`http://127.0.0.1:${port}/far/last`)).json() as never
}
