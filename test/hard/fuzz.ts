// Tens of thousands of odd requests to a real server, a tally of the answers, and whether each was one that the
// contract knows. In the end the table must hold exactly what the answers said was created.
import { join } from 'node:path'
import fc from 'fast-check'
import { type OddRequest, oddRequest } from '../attack/odd-requests.ts'
import { breaches } from '../support/http/every-answer.ts'
import { keepBusy, send } from './client.ts'
import { frameOddly } from './framing.ts'
import { createFindings, type Report } from './report.ts'
import { migrate, scratchDir, startServer } from './server.ts'
import { seed } from './world.ts'

const concurrency = 32

export async function fuzz(
  code: string,
  requests: number,
  isTimeUp: () => boolean,
  randomSeed = Date.now(),
): Promise<Report> {
  const server = await startServer(code, join(scratchDir, 'fuzz'))
  await migrate(server.db)
  const world = await seed(server.db, 20, 20 + Math.ceil(requests / 40))
  const findings = createFindings()
  const tally = new Map<string, number>()
  let created = 0
  let slowestMs = 0

  const rested = { ...world, keys: world.keys.slice(0, 20) }
  const keys = world.keys.slice(20).map(({ key }) => key)
  const arbitrary = oddRequest({ ...world, keys })
  const requestsAtOnce = 2_000
  for (let done = 0; done < requests && !isTimeUp(); done += requestsAtOnce) {
    const numRuns = Math.min(requestsAtOnce, requests - done)
    const queue = fc.sample(arbitrary, { numRuns, seed: randomSeed + done })
    await keepBusy(
      concurrency,
      () => queue.length === 0,
      () => ask(queue.pop() as OddRequest),
    )
  }
  const row = await server.db.prepare('select count(*) as stored from leads').first<{ stored: number }>()
  const stored = row?.stored ?? 0
  if (stored !== created) findings.add('half stored', `${stored} in the table, ${created} reported`)
  for (const breach of await frameOddly(server.port, rested)) findings.add('framing', breach)
  await server.stop()
  return {
    name: 'fuzz',
    figures: {
      requests: [...tally.values()].reduce((sum, count) => sum + count, 0),
      seed: randomSeed,
      ...Object.fromEntries([...tally].sort().map(([status, count]) => [`answered ${status}`, count])),
      'answers outside the contract': findings.countOf('outside the contract'),
      'no answer': findings.countOf('no answer'),
      'leads reported as created': created,
      'leads in the table': stored,
      'slowest answer, ms': slowestMs,
    },
    broken: findings.all(),
  }

  async function ask(odd: OddRequest): Promise<void> {
    const sentText = () => `${odd.method} ${odd.path} ${JSON.stringify(odd.headers)} ${textOf(odd.body)}`
    const address = `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`
    const startedAtMs = Date.now()
    try {
      const answer = await send(server.port, {
        ...odd,
        headers: { 'cf-connecting-ip': address, ...odd.headers },
      })
      slowestMs = Math.max(slowestMs, Date.now() - startedAtMs)
      tally.set(String(answer.status), (tally.get(String(answer.status)) ?? 0) + 1)
      const header = (name: string) => (answer.headers[name] as string | undefined) ?? null
      const asked = { method: odd.method, path: odd.path, requestId: odd.headers['x-request-id'] }
      const amiss = breaches(asked, { ...answer, header })
      if (amiss.length > 0)
        findings.add('outside the contract', `${amiss.join()}: ${sentText()} -> ${answer.text}`)
      created += createdBy(odd, answer.status, answer.text, header)
    } catch (error) {
      findings.add('no answer', `${(error as Error).message}: ${sentText()}`)
    }
  }
}

function createdBy(
  { method, path }: OddRequest,
  status: number,
  text: string,
  header: (name: string) => string | null,
): number {
  if (method !== 'POST' || status >= 300 || header('idempotent-replayed') !== null) return 0
  if (status === 201) return 1
  if (/[?&]dryRun=true/.test(path)) return 0
  return (JSON.parse(text) as { data: { created: number } }).data.created
}

const textOf = (body: Uint8Array | undefined) =>
  body === undefined ? '' : Buffer.from(body).toString('latin1')
