// Webhooks of a running server, and how long their events take to come: to one receiver or to many, and from the
// commit. For the attacks and the benchmark; the caller judges the answers.
import { setTimeout as sleep } from 'node:timers/promises'
import { generateApiKey } from '../../src/base/access/api-key.ts'
import { insertCampaigns, insertCompanies, insertKeys, newPhone } from '../support/database/seed.ts'
import {
  type Behaviour,
  behaviours,
  insertEvents,
  openSocketReceiver,
  type SocketReceiver,
} from '../support/webhooks/socket-receiver.ts'
import { sendJson } from './client.ts'

type Target = {
  readonly port: number
  readonly db: D1Database
  readonly runCron: () => Promise<void>
}

export type Company = {
  readonly companyId: string
  readonly campaignId: string
  readonly manageKey: string
  /** Each may send 1000 requests an hour. */
  readonly key: () => string
}

export async function seedCompany(db: D1Database, companyId: string): Promise<Company> {
  const keys = Array.from({ length: 40 }, (_, i) => ({
    id: `${companyId}-${i}`,
    key: generateApiKey(),
    companyId,
    scope: 'manage' as const,
  }))
  const campaignId = 'campaign'
  await db.batch([
    insertCompanies(db, [companyId]),
    insertCampaigns(db, companyId, [campaignId]),
    insertKeys(db, keys),
  ])
  let asked = 0
  const key = () => keys[asked++ % keys.length]?.key ?? ''
  return { companyId, campaignId, manageKey: key(), key }
}

export async function addWebhook(
  { port }: Pick<Target, 'port'>,
  { manageKey }: Pick<Company, 'manageKey'>,
  behave: Behaviour,
  types: readonly string[] = ['campaign.changed'],
): Promise<SocketReceiver & { readonly webhookId: string }> {
  const receiver = await openSocketReceiver(behave)
  const body = { url: receiver.url, types }
  const { status, text } = await sendJson(port, manageKey, 'POST', '/api/v1/webhooks', body)
  if (status !== 201) throw new Error(text)
  const { webhookId, secret } = (JSON.parse(text) as { data: { webhookId: string; secret: string } }).data
  receiver.secret = secret
  return Object.assign(receiver, { webhookId })
}

const patienceMs = 60_000
const patienceOfManyMs = 600_000

/** As many events to each of so many receivers that are well. Close them when they were judged. */
export async function timeSending(
  server: Target,
  companyId: string,
  endpoints: number,
  events: number,
): Promise<{ readonly receivers: readonly SocketReceiver[]; readonly perSecond: number }> {
  const company = await seedCompany(server.db, companyId)
  const receivers: SocketReceiver[] = []
  while (receivers.length < endpoints) receivers.push(await addWebhook(server, company, behaviours.well))
  await insertEvents(server.db, companyId, 1, events).run()
  const startedAtMs = Date.now()
  await server.runCron()
  await until(() => receivers.every(({ received }) => received.length >= events), patienceOfManyMs)
  return { receivers, perSecond: (endpoints * events * 1000) / (Date.now() - startedAtMs) }
}

/** From the answer to a create, which follows its commit, to the receipt of its event. Close the receiver then. */
export async function timeFromCommit(
  server: Target,
  companyId: string,
  creates: number,
): Promise<{ readonly receiver: SocketReceiver; readonly waitsMs: readonly number[] }> {
  const company = await seedCompany(server.db, companyId)
  const receiver = await addWebhook(server, company, behaviours.well, ['leads.created'])
  const answeredAtMs: number[] = []
  for (let i = 0; i < creates; i++) {
    const lead = { campaignId: company.campaignId, phoneNumber: newPhone() }
    await sendJson(server.port, company.key(), 'POST', '/api/v1/leads', lead)
    answeredAtMs.push(Date.now())
    await sleep(20)
  }
  await until(() => receiver.received.length >= creates)
  const waitsMs = receiver.received.map(({ atMs }, i) => Math.max(0, atMs - (answeredAtMs[i] ?? Number.NaN)))
  return { receiver, waitsMs }
}

export async function until(isSo: () => boolean | Promise<boolean>, forMs = patienceMs): Promise<void> {
  const endsAtMs = Date.now() + forMs
  while (!(await isSo()) && Date.now() < endsAtMs) await sleep(20)
}
