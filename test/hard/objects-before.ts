// The present Worker with Durable Objects that still run the version before, as while a deployment has reached one and
// not yet the others: each call between them is made. The rate limiter counts every request, a company's own store runs
// them.
import { join } from 'node:path'
import { newStoreName } from '../../src/base/database/company-store.ts'
import { databaseWithShortcuts } from '../support/companies/own-store.ts'
import { sendJson } from './client.ts'
import type { Findings } from './report.ts'
import { migrate, scratchDir, startServer } from './server.ts'
import { newPhone, seed } from './world.ts'

const week = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['00:00', '24:00']]]),
)
const always = { timeZone: 'UTC', callingHours: week, appointmentHours: week }

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Returns how many requests it sent. */
export async function speakWithObjectsBefore(
  codes: Readonly<Record<'before' | 'present', string>>,
  findings: Findings,
): Promise<number> {
  const server = await startServer(codes.present, join(scratchDir, 'objects'), { objects: codes.before })
  const { directory } = server
  await migrate(directory)
  let requests = 0
  for (const store of [null, newStoreName('own', { location: null, jurisdiction: null })]) {
    const db = store === null ? directory : databaseWithShortcuts(server.sendTo(store))
    const { keys } = await seed(db, 1, 1, { directory, store }, store === null ? 'in-d1' : 'own')
    await db.prepare("update api_keys set scope = 'manage'").run()
    const ask: Ask = async (method, path, body, status = 200) => {
      requests++
      const answer = await sendJson(server.port, keys[0]?.key as string, method, `/api/v1${path}`, body)
      if (answer.status !== status)
        findings.add('not answered with objects before', `${method} ${path}: ${answer.status} ${answer.text}`)
      return JSON.parse(answer.text).data
    }
    await wakeBell(ask, findings)
    await send(ask, findings)
    await dial(ask, findings)
    await server.runCron()
    await ask('GET', '/leads/search?q=5550')
  }
  await server.stop()
  return requests
}

/** The data, whatever it is. */
// biome-ignore lint/suspicious/noExplicitAny: each caller knows the answer of its operation.
type Ask = (method: string, path: string, body?: object, status?: number) => Promise<any>

async function addCampaign(ask: Ask, id: string): Promise<string> {
  await ask('POST', '/campaigns', { id, name: id, ...always }, 201)
  return id
}

/** A claim that waits is answered when a lead is created, and the next one gets it. */
async function wakeBell(ask: Ask, findings: Findings): Promise<void> {
  const campaignId = await addCampaign(ask, 'waited')
  const claimed = ask('POST', '/calls/claim', { campaignId, waitSeconds: 15 })
  await sleep(500)
  await ask('POST', '/leads', { campaignId, phoneNumber: newPhone() }, 201)
  const { reason } = (await claimed) ?? {}
  if (reason !== 'ready') findings.add('not woken', `${reason}`)
  const { calls } = (await ask('POST', '/calls/claim', { campaignId })) ?? {}
  if (calls?.length !== 1) return findings.add('not claimed', `${calls?.length} calls`)
  await ask('POST', '/calls/report', { calls: [{ callId: calls[0].callId, outcome: 'answered' }] })
}

/** A sender is made, woken, asked, brought back and removed. */
async function send(ask: Ask, findings: Findings): Promise<void> {
  const wanted = { url: 'https://receiver.invalid/', types: ['campaign.changed'] }
  const { webhookId } = await ask('POST', '/webhooks', wanted, 201)
  const path = `/webhooks/${webhookId}`
  await ask('PATCH', '/campaigns/waited', { name: 'Changed' })
  let tries = 0
  while ((await ask('GET', `${path}/deliveries`))?.deliveries?.length === 0 && tries++ < 100) await sleep(100)
  if (tries > 100) findings.add('not sent', 'no delivery')
  await ask('PATCH', path, { disabled: true })
  await ask('PATCH', path, { disabled: false })
  await ask('POST', `${path}/replay`, { since: new Date(Date.now() - 60_000).toISOString() })
  if (typeof (await ask('GET', path))?.lag !== 'number') findings.add('no lag', webhookId)
  await ask('DELETE', path)
}

/** A dialer calls a lead, says how it is, and goes. */
async function dial(ask: Ask, findings: Findings): Promise<void> {
  const campaignId = await addCampaign(ask, 'dialled')
  const path = `/campaigns/${campaignId}/dialer`
  await ask('PUT', path, { preset: 'pretend', variables: { speed: '100' } })
  const phoneNumber = `${newPhone().slice(0, -2)}00`
  const { leadId } = await ask('POST', '/leads', { campaignId, phoneNumber }, 201)
  let tries = 0
  while ((await ask('GET', `/leads/${leadId}`))?.lead?.status !== 'concluded' && tries++ < 150)
    await sleep(100)
  if (tries > 150) findings.add('not dialled', leadId)
  if (typeof (await ask('GET', path))?.state?.status !== 'string') findings.add('no state', campaignId)
  await ask('DELETE', path)
}
