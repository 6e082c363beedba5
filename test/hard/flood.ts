// A hundred thousand well-formed keys that nobody was given, half from one address, half from as many as there are
// requests: what they cost in D1 and in Durable Objects, and what those who hold keys notice of it.
import { join } from 'node:path'
import { generateApiKey } from '../../src/base/access/api-key.ts'
import { keepBusy, send, sendJson } from './client.ts'
import { createFindings, type Report } from './report.ts'
import { migrate, type Server, scratchDir, startServer } from './server.ts'
import { seed } from './world.ts'

const concurrency = 32
// What one isolate may spend on guesses a minute: see src/base/access/key-memory.ts and limiter-client.ts.
const lookupsPerMinute = { oneAddress: 600, manyAddresses: 6_000 }
const objectsPerMinute = 1_000

type Flood = { readonly name: 'oneAddress' | 'manyAddresses'; readonly address: () => string }

const floods: readonly Flood[] = [
  { name: 'oneAddress', address: () => '203.0.113.9' },
  { name: 'manyAddresses', address: randomAddress },
]

export async function flood(code: string, guesses: number, isTimeUp: () => boolean): Promise<Report> {
  const server = await startServer(code, join(scratchDir, 'flood'), { isCounted: true })
  await migrate(server.db)
  const { keys, campaignIds } = await seed(server.db, 1, 400)
  const path = `/api/v1/leads?campaignId=${campaignIds[0]}&limit=1`
  const findings = createFindings()
  const figures: Record<string, string | number> = {}
  const regulars = keys.slice(0, 20)
  const strangers = keys.slice(20)
  for (const [index] of regulars.entries()) await knock(regulars[index]?.key as string, `10.1.0.${index}`)
  await readCounts(server)

  for (const { name, address } of floods) {
    const tally = new Map<number, number>()
    const honest = { asked: 0, firstAsked: 0, firstServed: 0 }
    const startedAtMs = Date.now()
    let left = guesses / floods.length
    let isOver = false
    const knocking = knockAlong()
    await keepBusy(
      concurrency,
      () => left <= 0 || isTimeUp(),
      async () => {
        left--
        const { status } = await send(server.port, {
          method: 'GET',
          path,
          headers: { 'x-api-key': generateApiKey(), 'cf-connecting-ip': address() },
        })
        tally.set(status, (tally.get(status) ?? 0) + 1)
      },
    )
    isOver = true
    await knocking

    // A window that begins in one minute ends in the next.
    const minutes = Math.ceil((Date.now() - startedAtMs) / 60_000)
    const { databaseTrips, limiterObjects } = await readCounts(server)
    // An honest request is one trip, and one more for its key.
    const lookups = databaseTrips - 2 * honest.asked - 2 * honest.firstServed
    if (lookups > minutes * lookupsPerMinute[name]) findings.add('look-ups', `${name}: ${lookups}`)
    if (limiterObjects > minutes * objectsPerMinute + 800)
      findings.add('objects', `${name}: ${limiterObjects}`)
    for (const status of tally.keys()) {
      if (![401, 429, 503].includes(status)) findings.add('let in', `${name}: ${status}`)
    }
    const is = name === 'oneAddress' ? 'one address' : 'many addresses'
    figures[`${is}: guesses`] = guesses / floods.length - Math.max(0, left)
    figures[`${is}: seconds`] = Math.round((Date.now() - startedAtMs) / 1000)
    for (const [status, count] of [...tally].sort()) figures[`${is}: answered ${status}`] = count
    figures[`${is}: D1 look-ups for guesses, at most`] = Math.max(
      0,
      databaseTrips - honest.asked - honest.firstServed,
    )
    figures[`${is}: Durable Objects asked`] = limiterObjects
    figures[`${is}: keys in use, requests refused`] =
      `${findings.countOf(`${name}: honest`)} of ${honest.asked}`
    figures[`${is}: keys first seen, served`] = `${honest.firstServed} of ${honest.firstAsked}`

    /** Those who have used the service before, and some who come for the first time, each from its own address. */
    async function knockAlong(): Promise<void> {
      for (let turn = 0; !isOver; turn++) {
        const index = turn % regulars.length
        honest.asked++
        const status = await knock(regulars[index]?.key as string, `10.1.0.${index}`)
        if (status !== 200) findings.add(`${name}: honest`, String(status))
        const stranger = turn % 10 === 0 ? strangers.pop() : undefined
        if (stranger !== undefined) {
          honest.firstAsked++
          const first = await knock(stranger.key, `10.2.${turn >> 8}.${turn & 255}`)
          if (first === 200) honest.firstServed++
          else if (name === 'oneAddress') findings.add(`${name}: first`, String(first))
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  await server.stop()
  return { name: 'flood', figures, broken: findings.all() }

  async function knock(key: string, address: string): Promise<number> {
    const { status } = await sendJson(server.port, key, 'GET', path, undefined, {
      'cf-connecting-ip': address,
    })
    return status
  }
}

type Counts = { databaseTrips: number; limiterCalls: number; limiterObjects: number }

async function readCounts({ port }: Server): Promise<Counts> {
  return JSON.parse((await sendJson(port, '', 'GET', '/counts')).text) as Counts
}

/** IPv4, or an IPv6 network of its own. */
function randomAddress(): string {
  const [a = 0, b = 0, c = 0] = crypto.getRandomValues(new Uint8Array(3))
  return Math.random() < 0.5
    ? `198.${a}.${b}.${c}`
    : `2001:db8:${(a * 256 + b).toString(16)}:${c.toString(16)}::1`
}
