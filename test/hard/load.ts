// Minutes of mixed traffic, as much as the machine holds: is every answer one that the contract knows, does the
// table hold exactly what was acknowledged, and does workerd's memory stay flat?
import { join } from 'node:path'
import { breaches } from '../support/http/every-answer.ts'
import { type Answer, keepBusy, sendJson } from './client.ts'
import { createFindings, type Findings, percentile, type Report } from './report.ts'
import { migrate, residentMib, scratchDir, startServer } from './server.ts'
import { newPhone, pick, seed, smallNumber } from './world.ts'

const concurrency = 24
const sampleEveryMs = 2_000
/** Growth from the second quarter of the run to the last that still counts as flat. */
const flatMib = 48
/** Before that workerd is still warming up: each key's Durable Object comes into memory, code is compiled. */
const judgedFromMinutes = 2

type Kind = 'create' | 'create again' | 'bulk' | 'list' | 'read one' | 'health' | 'bad'

export async function load(code: string, minutes: number): Promise<Report> {
  const server = await startServer(code, join(scratchDir, 'load'))
  await migrate(server.db)
  // Each key may send 1000 requests an hour, and so far no machine sent more than 2000 a second.
  const { campaignIds, keys } = await seed(server.db, 50, Math.max(500, Math.ceil(minutes * 120)))
  const findings = createFindings()
  const tally = new Map<Kind, number>()
  const latenciesMs: number[] = []
  const memoryMib: number[] = []
  let sent = 0
  const traffic = createTraffic(campaignIds, keys, ask, findings)

  const endsAtMs = Date.now() + minutes * 60_000
  const sampling = setInterval(() => memoryMib.push(residentMib(server.pid)), sampleEveryMs)
  await keepBusy(concurrency, () => Date.now() >= endsAtMs, traffic.step)
  clearInterval(sampling)

  const row = await server.db.prepare('select count(*) as stored from leads').first<{ stored: number }>()
  const stored = row?.stored ?? 0
  const acknowledged = traffic.acknowledged()
  if (stored !== acknowledged) findings.add('totals', `${stored} in the table, ${acknowledged} acknowledged`)
  const quarter = Math.floor(memoryMib.length / 4)
  const early = percentile(memoryMib.slice(quarter, 2 * quarter), 0.5)
  const late = percentile(memoryMib.slice(-quarter), 0.5)
  if (minutes >= judgedFromMinutes && late - early > flatMib)
    findings.add('memory', `${early} MiB, then ${late} MiB`)
  await server.stop()
  const requests = latenciesMs.length
  return {
    name: 'load',
    figures: {
      minutes,
      requests,
      'requests a second': Math.round(requests / minutes / 60),
      ...Object.fromEntries([...tally].map(([kind, count]) => [`  ${kind}`, count])),
      'answers outside the contract': findings.countOf('answer'),
      'no answer': findings.countOf('no answer'),
      'leads acknowledged': acknowledged,
      'leads in the table': stored,
      'latency p50, p99, longest, ms': [0.5, 0.99, 1]
        .map((share) => percentile(latenciesMs, share))
        .join(', '),
      'memory, second quarter (median MiB)': Math.round(early),
      'memory, last quarter (median MiB)': Math.round(late),
      'memory, most (MiB)': Math.round(Math.max(...memoryMib)),
    },
    broken: findings.all(),
  }

  async function ask(
    kind: Kind,
    key: string,
    method: string,
    path: string,
    body: unknown,
    expected: number,
    use: (data: Record<string, unknown>) => void = () => {},
  ): Promise<void> {
    const startedAtMs = performance.now()
    let answer: Answer
    try {
      // Addresses change, or health checks would meet their limit.
      const address = `10.3.${(++sent >> 4) & 255}.${sent & 15}`
      answer = await sendJson(server.port, key, method, path, body, { 'cf-connecting-ip': address })
    } catch (error) {
      findings.add('no answer', `${method} ${path}: ${(error as Error).message}`)
      return
    }
    latenciesMs.push(Math.round(performance.now() - startedAtMs))
    tally.set(kind, (tally.get(kind) ?? 0) + 1)
    const header = (name: string) => (answer.headers[name] as string | undefined) ?? null
    const amiss = breaches({ method, path, requestId: undefined }, { ...answer, header })
    if (answer.status !== expected || amiss.length > 0) {
      findings.add('answer', `${kind} ${answer.status} ${amiss.join()} ${answer.text}`)
    } else if (expected < 300) use((JSON.parse(answer.text) as { data: Record<string, unknown> }).data)
  }
}

type Ask = (
  kind: Kind,
  key: string,
  method: string,
  path: string,
  body: unknown,
  expected: number,
  use?: (data: Record<string, unknown>) => void,
) => Promise<void>

/** One request after another, of keys in turn. */
function createTraffic(
  campaignIds: readonly string[],
  keys: readonly { readonly key: string }[],
  ask: Ask,
  findings: Findings,
) {
  let acknowledged = 0
  let turn = 0
  let bulks = 0
  let lastLead = { phoneNumber: '', campaignId: '', leadId: '' }
  return { step, acknowledged: () => acknowledged }

  async function step(): Promise<void> {
    const { key } = keys[turn++ % keys.length] as { key: string }
    const campaignId = pick(campaignIds)
    const die = Math.random()
    if (die < 0.6) return create(key, campaignId)
    if (die < 0.65) return createAgain(key)
    // In turn, so that none sends more bulks a minute than it may.
    if (die < 0.7) return bulk((keys[bulks++ % keys.length] as { key: string }).key, campaignId)
    if (die < 0.88) return list(key, campaignId)
    if (die < 0.94) return readOne(key)
    if (die < 0.96) return ask('health', '', 'GET', '/api/health', undefined, 200)
    return bad(key, campaignId)
  }

  function create(key: string, campaignId: string): Promise<void> {
    const phoneNumber = newPhone()
    const body = {
      campaignId,
      phoneNumber,
      externalId: `crm-${phoneNumber}`,
      metadata: { name: 'Ada', note: phoneNumber },
    }
    return ask('create', key, 'POST', '/api/v1/leads', body, 201, ({ leadId }) => {
      acknowledged++
      lastLead = { phoneNumber, campaignId, leadId: leadId as string }
    })
  }

  async function createAgain(key: string): Promise<void> {
    const { leadId, ...body } = lastLead
    if (leadId !== '') await ask('create again', key, 'POST', '/api/v1/leads', body, 409)
  }

  function bulk(key: string, campaignId: string): Promise<void> {
    const leads = Array.from({ length: smallNumber(300) }, () => ({ phoneNumber: newPhone(), priority: 5 }))
    const body = { campaignId, leads }
    return ask('bulk', key, 'POST', '/api/v1/leads/bulk', body, 200, ({ created, createdIds }) => {
      acknowledged += created as number
      if (created !== leads.length || (createdIds as string[]).length !== created) {
        findings.add('answer', `bulk of ${leads.length} created ${created}`)
      }
    })
  }

  function list(key: string, campaignId: string): Promise<void> {
    const path = `/api/v1/leads?campaignId=${campaignId}&limit=${pick([1, 50, 200])}`
    return ask('list', key, 'GET', path, undefined, 200)
  }

  async function readOne(key: string): Promise<void> {
    const { leadId } = lastLead
    if (leadId !== '') await ask('read one', key, 'GET', `/api/v1/leads/${leadId}`, undefined, 200)
  }

  function bad(key: string, campaignId: string): Promise<void> {
    const body = pick([
      {},
      { campaignId },
      { campaignId, phoneNumber: 'x' },
      [],
      { campaignId, priority: 1e9 },
    ])
    return ask('bad', key, 'POST', '/api/v1/leads', body, 400)
  }
}
