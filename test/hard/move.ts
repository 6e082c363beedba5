// Moves a company of 100,000 leads into a store of its own, back, and there again: once undisturbed, to measure, and
// then with SIGKILL to workerd at each step. Every row must arrive once, and what a client remembers of before must go
// on working; and no row of two other companies with equal keys may change. What they hold is in move-world.ts.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newStoreName } from '../../src/base/database/company-store.ts'
import { type Move, readMove, requestMove } from '../../src/control/companies/store/move-state.ts'
import { behaviours } from '../support/webhooks/socket-receiver.ts'
import { sendJson } from './client.ts'
import {
  addNeighbours,
  checkRemembered,
  digest,
  fillCompany,
  remember,
  suppressedBefore,
} from './move-world.ts'
import { createFindings, type Findings, type Report } from './report.ts'
import { addWebhook, type Company } from './sending.ts'
import { migrate, scratchDir, startServer } from './server.ts'

const companyId = 'mover'
const latestMs = 15 * 60_000
const keysRememberedMs = 61_000
/**
 * Each life goes on where the one before was killed; deleting begins with the first table again. Each fourth life gets
 * on further, the more rows there are.
 */
const callsPerLife = 12
const deletesPerLife = 60

const moves = [
  ['own', false],
  ['shared', false],
  ['own', true],
  ['shared', true],
] as const

export async function moveCompany(code: string, leads: number, isKilledToo: boolean): Promise<Report> {
  const stateDir = join(scratchDir, 'move')
  const findings = createFindings()
  const figures: Record<string, string | number> = { leads }
  let server = await startServer(code, stateDir)
  await migrate(server.db)
  const company = await fillCompany(server, companyId, leads)
  const receiver = await addWebhook(server, company, behaviours.well, ['leads.created'])
  const changedNeighbours = await addNeighbours(server, companyId)
  const killedAt = new Map<string, number>()
  let lives = 0
  let store: string | null = null

  for (const [kind, isKilled] of isKilledToo ? moves : moves.slice(0, 1)) {
    const known = await remember(server, company)
    const before = await digest(server, store, companyId)
    const beganAtMs = Date.now()
    const toStore = kind === 'own' ? newStoreName(companyId, { location: null, jurisdiction: null }) : null
    await requestMove(server.db, companyId, toStore, Date.now())
    const refusals = isKilled ? null : watchRefusals(server.port, company)
    if (isKilled)
      await killAtEachStep(
        ({ switchedAtMs }) => switchedAtMs !== null,
        (life) => 1 + (life % 4 === 3 ? life * Math.ceil(leads / 10_000) : life % callsPerLife),
      )
    const move = await finish('switched')
    await refusals?.stop()
    const seconds = ((move.switchedAtMs ?? 0) - (move.frozenAtMs ?? 0)) / 1000
    const rows = move.progress.ofRows ?? 0
    const what = `to ${kind}${isKilled ? ', killed' : ''}`
    figures[`${what}: rows; writes refused`] = `${rows}; ${seconds.toFixed(1)} s`
    if (!isKilled)
      figures[`${what}: rows a second, compared while writes are refused`] = Math.round(rows / seconds)
    if (refusals) figures[`${what}: refused at a client`] = `${(refusals.refusedMs() / 1000).toFixed(1)} s`
    if (refusals) for (const odd of refusals.odd) findings.add('odd answer while it moves', odd)
    figures[`${what}: in all`] = `${Math.round((Date.now() - beganAtMs) / 1000)} s`

    const after = await digest(server, toStore, companyId)
    for (const name of Object.keys(before))
      if (before[name] !== after[name])
        findings.add('table differs', `${what} ${name} ${before[name]} ${after[name]}`)
    await checkNeighbours(what)
    await checkRemembered(server, company, known, findings)
    // Only measured.
    if (!isKilledToo) break
    // As after five minutes: by then no isolate remembers where its keys were.
    await sleep(keysRememberedMs)
    await server.db
      .prepare('update company_moves set switched_at_ms = switched_at_ms - 300000 where company_id = ?1')
      .bind(companyId)
      .run()
    const emptiedFromMs = Date.now()
    if (isKilled)
      await killAtEachStep(
        ({ endedAtMs }) => endedAtMs !== null,
        (life) => 1 + (life % 4 === 3 ? life * Math.ceil(leads / 1_000) : life % deletesPerLife),
      )
    await finish('done')
    await checkNeighbours(`${what}, deleted`)
    figures[`${what}: deleting what was left`] = `${Math.round((Date.now() - emptiedFromMs) / 1000)} s`
    store = toStore
    await checkRemembered(server, company, await remember(server, company), findings)
  }

  const received = await checkEvents(server.port, company, receiver.received, findings)
  await receiver.close()
  await server.stop()
  figures['kills (SIGKILL to workerd)'] = [...killedAt.values()].reduce((sum, count) => sum + count, 0)
  for (const [place, count] of killedAt) figures[`killed at: ${place}`] = count
  figures['events sent; of these repeated'] =
    `${receiver.received.length}; ${receiver.received.length - received}`
  return { name: 'move', figures, broken: findings.all() }

  async function checkNeighbours(when: string): Promise<void> {
    for (const name of await changedNeighbours(server))
      findings.add('row of another company changed', `${when} ${name}`)
  }

  /** Before a call of D1 or after it, until the phase is over. */
  async function killAtEachStep(
    isOver: (move: Move) => boolean,
    callOf: (life: number) => number,
  ): Promise<void> {
    await server.db
      .prepare('create table if not exists halted (life integer not null, step text not null)')
      .run()
    await server.kill()
    for (let life = 0; ; life++) {
      const halt = { life: ++lives, call: callOf(life), isAfter: life % 2 === 1 }
      server = await startServer(code, stateDir, { halt })
      const step = await runUntilHalted(halt.life, isOver)
      if (step === null) break
      const place = `${(await moveNow()).toStore === null ? 'to shared' : 'to own'}, ${step}`
      killedAt.set(place, (killedAt.get(place) ?? 0) + 1)
      await server.kill()
    }
    await server.stop()
    server = await startServer(code, stateDir)
  }

  /** Null: the phase is over. */
  async function runUntilHalted(life: number, isOver: (move: Move) => boolean): Promise<string | null> {
    for (const giveUpAtMs = Date.now() + latestMs; Date.now() < giveUpAtMs; ) {
      void server.runCron().catch(() => {})
      for (const cronAtMs = Date.now() + 1_000; Date.now() < cronAtMs; await sleep(10)) {
        const halted = server.db.prepare('select step from halted where life = ?1').bind(life)
        const step = await halted.first<string>('step')
        if (step !== null) return step
        if (isOver(await moveNow())) return null
      }
    }
    throw new Error(JSON.stringify(await moveNow()))
  }

  async function moveNow(): Promise<Move> {
    return (await readMove(server.db, companyId)) as Move
  }

  async function finish(phase: Move['phase']): Promise<Move> {
    for (const giveUpAtMs = Date.now() + latestMs; ; ) {
      const move = (await readMove(server.db, companyId)) as Move
      if (move.phase === phase || move.phase === 'done') return move
      if (move.phase === 'aborted' || Date.now() > giveUpAtMs) throw new Error(JSON.stringify(move))
      await server.runCron()
      await sleep(250)
    }
  }
}

/** Repeats a write that changes nothing, and a read, until it is stopped. */
function watchRefusals(port: number, { key }: Company) {
  const odd: string[] = []
  let [firstMs, lastMs, isStopped] = [0, 0, false]
  const body = { phoneNumbers: [suppressedBefore] }
  const watching = (async () => {
    while (!isStopped) {
      const write = await sendJson(port, key(), 'POST', '/api/v1/suppressions', body)
      const read = await sendJson(port, key(), 'GET', '/api/v1/leads?campaignId=campaign&limit=5')
      if (write.status === 503) {
        firstMs ||= Date.now()
        lastMs = Date.now()
        if (!write.headers['retry-after']) odd.push(`503 without Retry-After`)
      } else if (write.status !== 200) odd.push(`write ${write.status} ${write.text}`)
      if (read.status !== 200) odd.push(`read ${read.status} ${read.text}`)
      await sleep(100)
    }
  })()
  return {
    odd,
    refusedMs: () => lastMs - firstMs,
    async stop() {
      isStopped = true
      await watching
    },
  }
}

async function readEvents(
  port: number,
  company: Company,
): Promise<{ ids: string[]; last: string | undefined }> {
  const ids: string[] = []
  for (let path = '/api/v1/events?limit=1000&types=leads.created'; ; ) {
    const { data } = JSON.parse((await sendJson(port, company.key(), 'GET', path)).text)
    ids.push(...data.events.map(({ id }: { id: string }) => id))
    if (data.events.length === 0) return { ids, last: ids.at(-1) }
    path = `/api/v1/events?limit=1000&types=leads.created&after=${data.next}`
  }
}

/** Each event of the company was received. Returns how many were, each counted once. */
async function checkEvents(
  port: number,
  company: Company,
  deliveries: readonly { readonly id: string }[],
  findings: Findings,
): Promise<number> {
  const { ids, last } = await readEvents(port, company)
  for (let waited = 0; waited < 100 && !deliveries.some(({ id }) => id === last); waited++) await sleep(100)
  const received = new Set(deliveries.map(({ id }) => id))
  for (const id of ids) if (!received.has(id)) findings.add('event lost', id)
  return received.size
}
