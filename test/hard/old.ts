// The calling queue is deployed over a service of version 1.1.0, rolled back, and deployed again, on one state. That
// version's code, as the history has it, goes on working on the new tables, and every lead that it stores is handed
// out once, in order. What the migration takes on a million leads is in queue.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { generateApiKey } from '../../src/access/api-key.ts'
import { hasCommit, unpackCommit } from '../support/commit.ts'
import { bundle } from '../support/local-worker.ts'
import { readMigrations } from '../support/migrations.ts'
import { insertKeys } from '../support/seed.ts'
import { createAgent } from './old-agent.ts'
import { isOfTomorrow, type ListedLead, makeLead, makeLeads, placesOf } from './old-leads.ts'
import { type Asked, createService, oldVersion } from './old-service.ts'
import { createFindings, type Report } from './report.ts'
import { scratchDir } from './server.ts'
import { newPhone, seed } from './world.ts'

const oldCommit = 'b2adc87e063720614723750928f64f73e5006b12'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const allWeek = Object.fromEntries(days.map((day) => [day, [['00:00', '24:00']]]))

export async function deployOverOld(newCode: string): Promise<Report> {
  if (!hasCommit(oldCommit))
    return { name: 'old', figures: { 'not run': `this history has no version ${oldVersion}` }, broken: [] }
  const oldDir = join(scratchDir, 'old')
  unpackCommit(oldCommit, oldDir)
  const { script } = await bundle(join(scratchDir, 'old-bundle'), join(oldDir, 'wrangler.toml'))
  const oldMigrations = await readMigrations(join(oldDir, 'migrations'))
  const newMigrations = (await readMigrations()).slice(oldMigrations.length)

  const codes = { old: readFileSync(script, 'utf8'), new: newCode }
  const service = createService(codes, join(scratchDir, 'old-state'))
  const findings = createFindings()
  const [agentKey, manageKey] = [generateApiKey(), generateApiKey()]
  const agent = createAgent(service, agentKey, findings)
  let writes = 0

  await service.run('old')
  await service.migrate(oldMigrations)
  const { campaignIds, keys } = await seed(service.db(), 2, 1)
  const [spring, autumn] = campaignIds as [string, string]
  const writeKey = keys[0]?.key as string
  await create(spring, 20)
  await service.migrate(newMigrations)
  const scoped = (id: 'agent' | 'manage', key: string) => ({ id, key, scope: id, companyId: 'hard' })
  await insertKeys(service.db(), [scoped('agent', agentKey), scoped('manage', manageKey)]).run()
  await create(spring, 60)
  const keyed = [
    { path: '/leads', status: 201, body: { campaignId: spring, ...makeLead() } },
    { path: '/leads/bulk', body: { campaignId: spring, leads: makeLeads(1_000) } },
  ].map((asked) => ({ ...asked, headers: { 'idempotency-key': crypto.randomUUID() } }))
  const answers = await writeAll(keyed)
  await create(spring, 60)
  await create(autumn, 5)
  const before = await checkList(20 + 60 + 1 + 1_000 + 60)

  await service.run('new')
  await checkSame(before)
  for (const [index, { data, headers }] of (await writeAll(keyed)).entries()) {
    if (headers['idempotent-replayed'] !== 'true' || !isDeepStrictEqual(data, answers[index]?.data))
      findings.add('not known to be sent again', keyed[index]?.path ?? '')
  }
  await agent.expectNothing(spring, 'not_configured')
  // The first that was stored, one of the bulk, one of tomorrow, and two that are stored after the roll-back.
  const later = [newPhone(), newPhone()]
  const stored = [0, 100, placesOf(before).findIndex(isOfTomorrow)].map((index) => before[index]?.phoneNumber)
  for (const phoneNumber of [...stored, ...later]) agent.suppressed.add(phoneNumber as string)
  await write({ path: '/suppressions', body: { phoneNumbers: [...agent.suppressed] } })
  await configure({ callingHours: allWeek, appointmentHours: allWeek })
  await agent.expectNothing(spring, 'not_configured')
  await configure({ timeZone: 'Europe/Berlin' })
  const calls = await agent.claimAll(spring, before)
  await agent.report(calls.slice(0, 100), 'answered', 'concluded')
  await agent.report(calls.slice(100, 200), 'wrong_number', 'exhausted')
  await agent.report(calls.slice(200, 300), 'no_answer', 'attempting')
  await create(spring, 10, { timeZone: 'Asia/Tokyo' })

  await service.run('old')
  const rolledBack = await checkList(before.length + 10)
  await checkFilters(rolledBack)
  for (const phoneNumber of later) await createOne({ campaignId: spring, phoneNumber })
  await create(spring, 40)
  const known = { campaignId: spring, phoneNumber: before[1]?.phoneNumber }
  await createOne(known, 409)
  await write({ path: '/leads/bulk', body: { campaignId: spring, leads: makeLeads(200) } })
  const after = await checkList(rolledBack.length + later.length + 40 + 200)

  await service.run('new')
  await checkSame(after)
  // Calls that were made while the old Worker ran.
  await agent.report(calls.slice(300, 400), 'answered', 'concluded')
  await agent.claimAll(spring, after.slice(before.length))
  await checkList(after.length)
  const ofTomorrow = placesOf(after).filter(isOfTomorrow)
  await agent.checkTomorrow(ofTomorrow)
  await agent.expectNothing(autumn, 'not_configured')
  const left = Number((await createOne(known, 409)).headers['x-ratelimit-remaining'])
  if (left > 1_000 - writes) findings.add('admissions forgotten', `${writes} answers, ${left} left of 1000`)
  await service.stop()

  return {
    name: 'old',
    figures: {
      [`leads that ${oldVersion} stored`]: before.length + after.length - rolledBack.length,
      'of these, before the migration': 20,
      'of these, after the roll-back': after.length - rolledBack.length,
      claims: agent.counts.claims,
      'leads claimed, with those of the new Worker': agent.counts.handedOut,
      'suppressed; of tomorrow': `${agent.suppressed.size}; ${ofTomorrow.length}`,
      'claimed twice, or wrongly': findings.countOf('claimed twice, or wrongly'),
      'never claimed': findings.countOf('never claimed'),
      'out of order': findings.countOf('out of order'),
      'listed otherwise': findings.countOf('listed otherwise'),
    },
    broken: findings.all(),
  }

  async function write(asked: Omit<Asked, 'key' | 'method'>) {
    writes++
    return service.ask<{ leadId: string }>({ key: writeKey, method: 'POST', ...asked })
  }

  function createOne(body: object, status = 201) {
    return write({ path: '/leads', body, status })
  }

  async function create(campaignId: string, count: number, more: object = {}): Promise<void> {
    for (const lead of makeLeads(count)) await createOne({ campaignId, ...lead, ...more })
  }

  async function writeAll(all: readonly Omit<Asked, 'key' | 'method'>[]) {
    const answered = []
    for (const asked of all) answered.push(await write(asked))
    return answered
  }

  async function configure(body: object): Promise<void> {
    await service.ask({ key: manageKey, method: 'PATCH', path: `/campaigns/${spring}`, body })
  }

  async function list(filter = ''): Promise<readonly ListedLead[]> {
    const path = `/leads?campaignId=${spring}${filter}`
    return (await service.ask<{ leads: ListedLead[] }>({ key: manageKey, path })).data.leads
  }

  /** In each version alike. */
  async function checkList(count: number): Promise<readonly ListedLead[]> {
    const listed = await list()
    if (listed.length !== count) findings.add('listed otherwise', `${listed.length} of ${count} leads`)
    for (const { _id, status, attempts } of listed)
      if (!isDeepStrictEqual({ status, attempts }, agent.standingOf(_id)))
        findings.add('listed otherwise', `${_id}: ${status}, ${attempts}`)
    return listed
  }

  /** As the old Worker listed them, which knows no time zone of a lead. */
  async function checkSame(listed: readonly ListedLead[]): Promise<void> {
    const now = (await list()).map(({ timeZone: _, ...lead }) => lead)
    if (!isDeepStrictEqual(now, listed)) findings.add('listed otherwise', 'by the new Worker')
  }

  async function checkFilters(listed: readonly ListedLead[]): Promise<void> {
    for (const status of ['raw', 'attempting', 'exhausted', 'concluded']) {
      const found = await list(`&status=${status}`)
      const must = listed.filter((lead) => lead.status === status)
      if (!isDeepStrictEqual(found, must)) findings.add('listed otherwise', `those that are ${status}`)
    }
  }
}
