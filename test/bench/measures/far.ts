// Latency with every Durable Object call 20 ms and every D1 round trip 80 ms away, as a multiple of the two, and
// the rows that a lead costs. Cold: a key, or an address, that the Worker has not met.

import { databaseHopMs, limiterHopMs, type Trips } from '../far/far-from-home.ts'
import { requestMaker } from '../requests.ts'
import type { Runtime } from '../runtime.ts'
import { spread } from '../statistics.ts'
import { contenders, endpoints } from './throughput.ts'

export const hopsMs = limiterHopMs + databaseHopMs

export type Far = {
  readonly endpoint: string
  readonly worker: string
  readonly coldMs: number
  readonly warmMs: number
  readonly trips: Trips
}

export async function measureFar(runtime: Runtime, samples: number): Promise<Far[]> {
  const results: Far[] = []
  // Keys are the request's number modulo their count: a cold request has a number that was not used before.
  let unused = 0
  for (const { name, kind } of endpoints) {
    for (const worker of contenders) {
      const port = runtime.workers.get(worker)?.port as number
      const make = requestMaker(kind)
      const cold: number[] = []
      const warm: number[] = []
      let trips: Trips | undefined
      for (let sample = 0; sample < samples; sample++) {
        const key = unused++
        cold.push((await timed(port, make(key))).ms)
        // Far enough that no phone number returns, and the same key or address.
        const again = await timed(port, make(key + 600 * 1000))
        warm.push(again.ms)
        trips = again.trips
      }
      if (trips === undefined) continue
      const [coldMs, warmMs] = [spread(cold).median, spread(warm).median]
      results.push({ endpoint: name, worker, coldMs, warmMs, trips })
    }
  }
  return results
}

export async function timed(
  port: number,
  request: Buffer,
): Promise<{ ms: number; trips: Trips; body: string }> {
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
export async function limiterRowsPerAdmission(runtime: Runtime): Promise<number> {
  const port = runtime.workers.get('ours')?.port as number
  const rows = async () => (await fetch(`http://127.0.0.1:${port}/?rows-written-by=key:key0`)).json()
  const make = requestMaker({ path: 'list', campaignId: 'list50' })
  await timed(port, make(0))
  const before = (await rows()) as number
  await timed(port, make(0))
  return ((await rows()) as number) - before
}
