// Claims that wait: as many as an isolate holds, in 100 campaigns; and as many as five isolates hold, all in one
// campaign. How soon one of them has a lead that is created, and what it costs to hold them. The answers are read by
// this process, which shares the machine.
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../src/base/limits.ts'
import { until } from '../../hard/sending.ts'
import { newPhone } from '../../support/database/seed.ts'
import { type Connection, open, untilServed } from '../connection.ts'
import { cpuSeconds, memoryMib } from '../process-usage.ts'
import type { Build, RunningWorker, Runtime } from '../runtime.ts'
import { address, apiKey, keyCount } from '../subjects.ts'
import { withRuntime } from '../with-runtime.ts'

/** `isolates` hold as many waits as each may. */
type Shape = { readonly isolates: number; readonly campaigns: number }

export const shapes = {
  many: { isolates: 1, campaigns: 100 },
  one: { isolates: 5, campaigns: 1 },
} as const satisfies Record<string, Shape>

export const waiterCountOf = ({ isolates }: Shape) => isolates * limits.waitsPerIsolate

const campaignIdsOf = ({ campaigns }: Shape) =>
  Array.from({ length: campaigns }, (_, number) => `wait-${number}`)

const waitSeconds = 25
/** All waits end and begin again once within it. */
const idleMs = waitSeconds * 1000
/** Of creates: no campaign has its next lead before its agents wait again. */
const gapMs = 60

export type Waits = {
  /** From the answer of the create. 0: the other answer was there first. */
  readonly readyMs: readonly number[]
  readonly claimedMs: readonly number[]
  /** Of workerd, D1's share included, for each wait of 25 s. */
  readonly cpuMsPerWait: number
  readonly memoryMib: number
}

/** What has happened to the lead that a campaign got last. */
type Timed = { answeredAtMs?: number; readyAtMs?: number; claimedAtMs?: number }

type Answer = { readonly calls: readonly unknown[]; readonly reason: string | null }

export function measureWaits(
  build: Build,
  shape: Shape,
  isQuick: boolean,
  say: (text: string) => void,
): Promise<Waits> {
  const campaigns = Object.fromEntries(campaignIdsOf(shape).map((id) => [id, 0]))
  const others = Array.from({ length: shape.isolates - 1 }, (_, i) => `isolate${i + 2}`)
  const workers = {
    ours: { build, campaigns },
    ...Object.fromEntries(others.map((name) => [name, { build, objectsOf: 'ours' }])),
  }
  return withRuntime(workers, (runtime) => holdWaits(runtime, shape, isQuick ? 100 : 500, say))
}

async function holdWaits(
  runtime: Runtime,
  shape: Shape,
  creates: number,
  say: (text: string) => void,
): Promise<Waits> {
  const ports = [...runtime.workers.values()].map(({ port }) => port)
  const { port } = runtime.workers.get('ours') as RunningWorker
  const campaignIds = campaignIdsOf(shape)
  const waiterCount = waiterCountOf(shape)
  const timed: Timed[] = []
  const lastOf = new Map<string, Timed>()
  let [waiting, ended] = [0, 0]
  let isOver = false

  async function wait(connection: Connection, number: number): Promise<void> {
    const campaignId = campaignIds[number % campaignIds.length] as string
    while (!isOver) {
      waiting++
      const { calls, reason } = await ask<Answer>(connection, number, '/calls/claim', {
        campaignId,
        waitSeconds,
      })
      waiting--
      ended++
      const atMs = performance.now()
      const last = lastOf.get(campaignId)
      if (last !== undefined && reason === 'ready') last.readyAtMs ??= atMs
      if (last !== undefined && calls.length > 0) last.claimedAtMs ??= atMs
    }
  }

  const first = await open(port)
  const connections = await Promise.all(
    Array.from({ length: waiterCount }, (_, number) => open(ports[number % ports.length] as number)),
  )
  await idleFor(first, campaignIds)
  const idleMib = memoryMib(runtime.pid)
  const waits = connections.map((connection, number) =>
    wait(connection, number).catch(failUnless(() => isOver)),
  )
  await until(() => waiting === waiterCount)
  say(`${waiting} wait`)
  await sleep(idleMs)
  const [endedBefore, cpuBefore] = [ended, cpuSeconds(runtime.pid)]
  await sleep(idleMs)
  const cpuMs = (cpuSeconds(runtime.pid) - cpuBefore) * 1000
  const cpuMsPerWait = cpuMs / (ended - endedBefore)
  const heldMib = memoryMib(runtime.pid) - idleMib

  // The first connection was closed while it was idle.
  const creator = await open(port)
  for (let number = 0; number < creates; number++) {
    const campaignId = campaignIds[number % campaignIds.length] as string
    const lead: Timed = {}
    timed.push(lead)
    lastOf.set(campaignId, lead)
    await ask(creator, number, '/leads', { campaignId, phoneNumber: newPhone() })
    lead.answeredAtMs = performance.now()
    // The next one would be taken for the last one of its campaign.
    if (campaignIds.length === 1) await until(() => lead.claimedAtMs !== undefined)
    await sleep(gapMs)
  }
  await until(() => timed.every(({ claimedAtMs }) => claimedAtMs !== undefined))
  say('leads are claimed')
  isOver = true
  for (const connection of [first, creator, ...connections]) connection.close()
  await Promise.all(waits)
  // A lead that was claimed before its `ready` was seen has none.
  const since = (name: 'readyAtMs' | 'claimedAtMs') =>
    timed.flatMap(({ [name]: atMs, answeredAtMs }) =>
      atMs === undefined || answeredAtMs === undefined ? [] : [Math.max(0, atMs - answeredAtMs)],
    )
  return { readyMs: since('readyAtMs'), claimedMs: since('claimedAtMs'), cpuMsPerWait, memoryMib: heldMib }
}

/** So that the isolate and its caches are there before they are measured. */
async function idleFor(connection: Connection, campaignIds: readonly string[]): Promise<void> {
  for (let number = 0; number < 200; number++)
    await ask(connection, number, '/calls/claim', { campaignId: campaignIds[number % campaignIds.length] })
  await sleep(1_500)
}

/** A key in turn: each may send 1,000 requests an hour. */
async function ask<Data>(connection: Connection, number: number, path: string, body: object): Promise<Data> {
  const json = JSON.stringify(body)
  const head = [
    `POST /api/v1${path} HTTP/1.1`,
    'host: localhost',
    `x-api-key: ${apiKey(number % keyCount)}`,
    `cf-connecting-ip: ${address(number)}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(json)}`,
  ]
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n${json}`)
  const { status, body: text } = await untilServed(connection, () => connection.sendForBody(request))
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`)
  return (JSON.parse(text) as { data: Data }).data
}

const failUnless = (isOver: () => boolean) => (error: unknown) => {
  if (!isOver()) throw error
}
