// The present version is deployed over the tag before it, rolled back, and deployed again, on one state. Migrations
// come first, as `npm run deploy` applies them, so the Worker before has to work on the new tables; then either version
// goes on with what the other has left.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { newStoreName } from '../../src/base/database/company-store.ts'
import { databaseWithShortcuts } from '../support/companies/own-store.ts'
import { applyMigrations, readMigrations } from '../support/database/migrations.ts'
import { workerCode } from '../support/run/bundle.ts'
import { unpackCommit } from '../support/run/commit.ts'
import { projectDir } from '../support/run/local-worker.ts'
import { listTags, tagBefore } from '../support/run/tag-before.ts'
import { sendJson } from './client.ts'
import { speakWithObjectsBefore } from './objects-before.ts'
import { createFindings, type Findings, type Report } from './report.ts'
import { scratchDir, startServer } from './server.ts'
import { newPhone, seed } from './world.ts'

const packageFile = readFileSync(join(projectDir, 'package.json'), 'utf8')
const { version } = JSON.parse(packageFile) as { readonly version: string }

/** Null: there is no such tag. */
export const deployedBefore = () => tagBefore(listTags(), version)

/** Fails when there is a tag before, and it cannot be deployed. */
export async function upgrade(code: string): Promise<Report> {
  const tag = deployedBefore()
  if (tag !== null) return upgradeFrom(tag, code, true)
  const figures = { 'not run': `there is no tag from 2.0 on and before ${version}` }
  return { name: 'upgrade', figures, broken: [] }
}

type Migrations = Awaited<ReturnType<typeof readMigrations>>
type Codes = Readonly<Record<'before' | 'present', string>>

/** From the version that a commit has. `withObjects`: then the present Worker with its objects. */
export async function upgradeFrom(commit: string, code: string, withObjects = false): Promise<Report> {
  const findings = createFindings()
  const dir = join(scratchDir, 'before')
  unpackCommit(commit, dir)
  const codes = { before: await workerCode(join(dir, 'src/index.ts')), present: code }
  const [before, present] = [await readMigrations(join(dir, 'migrations')), await readMigrations()]
  for (const [index, { name, queries }] of before.entries())
    if (!isDeepStrictEqual(present[index]?.queries, queries)) findings.add('migration changed', name)
  const added = present.slice(before.length)
  const inTurns = await deployInTurns(codes, before, added, findings)
  const requests = inTurns + (withObjects ? await speakWithObjectsBefore(codes, findings) : 0)
  const figures = { deployed: commit, 'migrations since': added.length, requests }
  return { name: 'upgrade', figures, broken: findings.all() }
}

/** With a company in D1 and one in a store of its own. Returns how many requests it sent. */
async function deployInTurns(
  codes: Codes,
  before: Migrations,
  added: Migrations,
  findings: Findings,
): Promise<number> {
  const stateDir = join(scratchDir, 'upgrade')
  const own = newStoreName('hard', { location: null, jurisdiction: null })
  let server = await startServer(codes.before, stateDir)
  await applyMigrations(server.directory, before)
  const clients: ReturnType<typeof createClient>[] = []
  for (const store of [null, own]) {
    const { directory } = server
    const db = store === null ? directory : databaseWithShortcuts(server.sendTo(store))
    const companyId = store === null ? 'shared' : 'hard'
    const { campaignIds, keys } = await seed(db, 1, 1, { directory, store }, companyId)
    await db.prepare("update api_keys set scope = 'manage'").run()
    clients.push(createClient(() => server.port, keys[0]?.key as string, campaignIds[0] as string, findings))
  }
  const work = () => Promise.all(clients.map((client) => client.work()))
  await Promise.all(clients.map((client) => client.configure()))
  await work()
  await applyMigrations(server.directory, added)
  await work()
  for (const version of ['present', 'before', 'present'] as const) {
    await server.stop()
    server = await startServer(codes[version], stateDir)
    await work()
  }
  await server.stop()
  return clients.reduce((sum, client) => sum + client.requests(), 0)
}

type Lead = { readonly _id: string; readonly phoneNumber: string; readonly status: string }
type Call = { readonly callId: string; readonly lead: Lead }

const week = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['00:00', '24:00']]]),
)

/** One client, which goes on where it was whichever version answers. */
function createClient(port: () => number, key: string, campaignId: string, findings: Findings) {
  /** By number. */
  const expected = new Map<string, string>()
  /** The create that the next version gets again, and the call that is reported to it. */
  let sent: { readonly body: object; readonly key: string; readonly leadId: string } | undefined
  let open: Call | undefined
  let requests = 0

  async function ask<Data>(method: string, path: string, body?: object, headers = {}, status = 200) {
    requests++
    const answer = await sendJson(port(), key, method, `/api/v1${path}`, body, headers)
    const what = `${method} ${path}: ${answer.status} ${answer.text}`
    if (answer.status !== status) findings.add('not answered as it must be', what)
    return { data: JSON.parse(answer.text).data as Data, headers: answer.headers }
  }

  async function create(): Promise<void> {
    if (sent !== undefined) {
      const again = { 'idempotency-key': sent.key }
      const { data, headers } = await ask<{ leadId: string }>('POST', '/leads', sent.body, again, 201)
      if (data?.leadId !== sent.leadId || headers['idempotent-replayed'] !== 'true')
        findings.add('not known when it was sent again', sent.leadId)
    }
    const phoneNumber = newPhone()
    const body = { campaignId, phoneNumber, externalId: `crm-${phoneNumber}`, metadata: { name: 'Ada' } }
    const idempotencyKey = crypto.randomUUID()
    const headers = { 'idempotency-key': idempotencyKey }
    const { data } = await ask<{ leadId: string }>('POST', '/leads', body, headers, 201)
    expected.set(phoneNumber, 'raw')
    sent = { body, key: idempotencyKey, leadId: data?.leadId }
    const leads = [newPhone(), newPhone(), newPhone()].map((phone) => ({ phoneNumber: phone }))
    await ask('POST', '/leads/bulk', { campaignId, leads })
    for (const lead of leads) expected.set(lead.phoneNumber, 'raw')
  }

  async function call(): Promise<void> {
    if (open !== undefined) await report(open, 'answered', 'concluded')
    const { data } = await ask<{ calls: readonly Call[] }>('POST', '/calls/claim', { campaignId, limit: 2 })
    const calls = data?.calls ?? []
    if (calls.length !== 2) findings.add('not claimed', `${calls.length} of 2`)
    for (const { lead } of calls) {
      if (expected.get(lead.phoneNumber) !== 'raw') findings.add('claimed twice', lead._id)
      expected.set(lead.phoneNumber, 'attempting')
    }
    if (calls[0] !== undefined) await report(calls[0], 'wrong_number', 'exhausted')
    open = calls[1]
  }

  async function report({ callId, lead }: Call, outcome: string, status: string): Promise<void> {
    await ask('POST', '/calls/report', { calls: [{ callId, outcome }] })
    expected.set(lead.phoneNumber, status)
  }

  async function look(): Promise<void> {
    const { data } = await ask<{ leads: readonly Lead[] }>('GET', `/leads?campaignId=${campaignId}`)
    const listed = Object.fromEntries(
      (data?.leads ?? []).map(({ phoneNumber, status }) => [phoneNumber, status]),
    )
    const must = Object.fromEntries(expected)
    if (!isDeepStrictEqual(listed, must))
      findings.add('listed otherwise', `${JSON.stringify(listed)} instead of ${JSON.stringify(must)}`)
    const [phoneNumber] = [...expected.keys()]
    const found = await ask<{ leads: readonly Lead[] }>('GET', `/leads/search?q=${phoneNumber?.slice(1)}`)
    if (found.data?.leads?.[0]?.phoneNumber !== phoneNumber) findings.add('not found', phoneNumber ?? '')
  }

  return {
    requests: () => requests,
    configure: () =>
      ask('PATCH', `/campaigns/${campaignId}`, {
        timeZone: 'UTC',
        callingHours: week,
        appointmentHours: week,
      }),
    async work(): Promise<void> {
      await create()
      await call()
      await look()
    },
  }
}
