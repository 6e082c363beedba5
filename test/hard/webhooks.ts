// Webhooks on real sockets: receivers that fail in every way beside one that is well, SIGKILL to workerd at random
// moments while leads come in, and thousands of events through one endpoint. Then: did the one that is well get all, in
// order, each with one id, without waiting for the others?
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { behaviours, insertEvents, type SocketReceiver } from '../support/webhooks/socket-receiver.ts'
import { keepBusy, sendJson, Unanswered } from './client.ts'
import { createFindings, type Findings, percentile, type Report } from './report.ts'
import { addWebhook, type Company, seedCompany, timeFromCommit, timeSending, until } from './sending.ts'
import { migrate, type Server, scratchDir, startServer } from './server.ts'
import { newPhone } from './world.ts'

const longestLifeMs = 700
const unsteadyMs = 60_000

export async function webhooks(code: string, events: number, kills: number): Promise<Report> {
  const stateDir = join(scratchDir, 'webhooks')
  const findings = createFindings()
  let server = await startServer(code, stateDir)
  await migrate(server.db)

  const beside = await besideDead(server, findings)
  const volume = await sendMany(server, findings, events)
  const many = await sendToMany(server, findings, 100, Math.ceil(events / 200))
  const moments = await fromCommit(server, findings, 200)
  const unsteady = await sendToUnsteady(server, findings, events)

  const company = await seedCompany(server.db, 'killed')
  const receiver = await addWebhook(server, company, behaviours.well, ['leads.created'])
  let acknowledged = 0
  for (let round = 0; round < kills; round++) {
    let isDead = false
    const working = keepBusy(
      2,
      () => isDead,
      async () => {
        try {
          const lead = { campaignId: company.campaignId, phoneNumber: newPhone() }
          const { status } = await sendJson(server.port, company.key(), 'POST', '/api/v1/leads', lead)
          if (status === 201) acknowledged++
          else findings.add('answer', String(status))
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error
        }
      },
    )
    await sleep(Math.random() * longestLifeMs)
    isDead = true
    await server.kill()
    await working
    server = await startServer(code, stateDir)
  }
  // What was to wake it may have died with it.
  await server.runCron()
  const logged = await loggedIds(server, company.companyId, 'leads.created')
  await until(() => new Set(receiver.received.map(({ id }) => id)).size >= logged)
  const killed = judge(receiver, findings)
  if (killed.distinct !== logged) findings.add('lost', `${killed.distinct} of ${logged} came`)
  if (acknowledged > logged) findings.add('lost', `${acknowledged} acknowledged, ${logged} logged`)
  receiver.close()
  await server.stop()

  return {
    name: 'webhooks',
    figures: {
      ...beside,
      ...volume,
      ...many,
      ...moments,
      ...unsteady,
      'kills (SIGKILL to workerd)': kills,
      'leads acknowledged, events logged': `${acknowledged}, ${logged}`,
      'events delivered, of these again': `${receiver.received.length}, ${receiver.received.length - killed.distinct}`,
      'events lost': findings.countOf('lost'),
      'events out of order': findings.countOf('out of order'),
      'signatures that do not hold': findings.countOf('forged'),
    },
    broken: findings.all(),
  }
}

/** What a webhook's last try was, as the service lists it. */
async function lastTry(server: Server, { manageKey }: Company, webhookId: string): Promise<string> {
  const path = `/api/v1/webhooks/${webhookId}/deliveries?limit=1`
  const { text } = await sendJson(server.port, manageKey, 'GET', path)
  const { deliveries } = (JSON.parse(text) as { data: { deliveries: { error: string | null }[] } }).data
  const [last] = deliveries
  return last === undefined ? 'nothing was sent' : (last.error ?? 'delivered')
}

const expected = {
  well: 'delivered',
  verbose: 'delivered',
  endless: 'delivered',
  breaking: 'delivered',
  slow: 'delivered',
  failing: 'answered 500',
  gone: 'answered 410',
  busy: 'answered 429',
  redirecting: 'redirects are not followed',
  closing: 'no connection',
  silent: 'no answer within 10 s',
} as const

/** All at once: the one that is well is not to be late. */
async function besideDead(server: Server, findings: Findings): Promise<Report['figures']> {
  const events = 30
  const company = await seedCompany(server.db, 'beside')
  const names = Object.keys(expected) as (keyof typeof expected)[]
  const receivers = new Map<string, Awaited<ReturnType<typeof addWebhook>>>()
  for (const name of names) receivers.set(name, await addWebhook(server, company, behaviours[name]))
  await insertEvents(server.db, company.companyId, 1, events).run()
  const startedAtMs = Date.now()
  await server.runCron()
  const well = receivers.get('well')
  if (well === undefined) throw new Error('nobody is well')
  await until(() => well.received.length >= events)
  const wellMs = (well.received.at(-1)?.atMs ?? Number.NaN) - startedAtMs
  await until(
    async () =>
      (await lastTry(server, company, receivers.get('silent')?.webhookId ?? '')) !== 'nothing was sent',
  )
  for (const name of names) {
    const receiver = receivers.get(name)
    if (receiver === undefined) continue
    await until(() => expected[name] !== 'delivered' || receiver.received.length >= events)
    await until(async () => (await lastTry(server, company, receiver.webhookId)) === expected[name])
    const found = await lastTry(server, company, receiver.webhookId)
    if (found !== expected[name]) findings.add('delivery', `${name}: ${found}`)
    judge(receiver, findings)
    if (expected[name] === 'delivered' && receiver.received.length !== events)
      findings.add('lost', `${name}: ${receiver.received.length} of ${events}`)
  }
  // One after the other, the five tries of the one that is silent alone would take 50 s.
  if (!(wellMs < 40_000)) findings.add('late', `${wellMs} ms beside those that fail`)
  for (const receiver of receivers.values()) receiver.close()
  return { [`${events} events to one that is well, beside ${names.length - 1} others`]: `${wellMs} ms` }
}

async function sendMany(server: Server, findings: Findings, events: number): Promise<Report['figures']> {
  const { receivers, perSecond } = await timeSending(server, 'many', 1, events)
  judgeAll(receivers, events, findings)
  const atMs = receivers.flatMap(({ received }) => received.map((event) => event.atMs))
  const waits = atMs.slice(1).map((ms, i) => ms - (atMs[i] ?? 0))
  return {
    'events through one endpoint, in order': events,
    'of these a second': Math.round(perSecond),
    'ms between two: p50, p99': `${percentile(waits, 0.5)}, ${percentile(waits, 0.99)}`,
  }
}

async function sendToMany(
  server: Server,
  findings: Findings,
  endpoints: number,
  events: number,
): Promise<Report['figures']> {
  const { receivers, perSecond } = await timeSending(server, 'to-many', endpoints, events)
  judgeAll(receivers, events, findings)
  return { [`through ${endpoints} endpoints, ${events} each: a second in all`]: Math.round(perSecond) }
}

async function fromCommit(server: Server, findings: Findings, creates: number): Promise<Report['figures']> {
  const { receiver, waitsMs } = await timeFromCommit(server, 'moments', creates)
  judgeAll([receiver], creates, findings)
  return {
    'ms from the answer to the receipt: p50, p99': `${percentile(waitsMs, 0.5)}, ${percentile(waitsMs, 0.99)}`,
  }
}

/** It fails one time in five. What it accepts of one lead is in order. */
async function sendToUnsteady(
  server: Server,
  findings: Findings,
  events: number,
): Promise<Report['figures']> {
  const leads = Math.ceil(events / 6)
  const company = await seedCompany(server.db, 'unsteady')
  const accepted = new Map<number, number>()
  let count = 0
  const receiver = await addWebhook(server, company, (response) => {
    if (Math.random() < 0.2) return void response.writeHead(500).end()
    const n = Number(receiver.received.at(-1)?.data.n)
    const before = accepted.get(n % leads) ?? 0
    if (n < before) findings.add('out of order', `${n} after ${before}`)
    accepted.set(n % leads, n)
    count++
    response.writeHead(204).end()
  })
  await insertEvents(server.db, company.companyId, 1, events, leads).run()
  await server.runCron()
  await until(() => count >= events, unsteadyMs)
  receiver.close()
  return { [`of ${events} to one that fails one time in five, within ${unsteadyMs / 1000} s`]: count }
}

/** All of so many events came to each, once. */
function judgeAll(receivers: readonly SocketReceiver[], events: number, findings: Findings): void {
  for (const receiver of receivers) {
    judge(receiver, findings)
    if (receiver.received.length !== events) findings.add('lost', `${receiver.received.length} of ${events}`)
    receiver.close()
  }
}

/** In order, but for what comes again; and an id is of one event. */
function judge({ received, forged }: SocketReceiver, findings: Findings): { readonly distinct: number } {
  for (const reason of forged) findings.add('forged', reason)
  const bodies = new Map<string, string>()
  let last = ''
  for (const { id, data } of received) {
    const body = JSON.stringify(data)
    const before = bodies.get(id)
    if (before !== undefined && before !== body) findings.add('one id for two', `${before} ${body}`)
    // Ids rise with the place in the log.
    if (before === undefined && id < last) findings.add('out of order', `${id} after ${last}`)
    if (id > last) last = id
    bodies.set(id, body)
  }
  return { distinct: bodies.size }
}

async function loggedIds({ db }: Server, companyId: string, type: string): Promise<number> {
  const count = db.prepare('select count(*) as n from events where company_id = ?1 and type = ?2')
  const row = await count.bind(companyId, type).first<{ n: number }>()
  return row?.n ?? 0
}
