// What stands around a gate: alerts, erasures, and that who has none pays nothing.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { seedAgent } from '../../support/calling/agent.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { refuses, said, seedGate } from '../../support/dialers/gate-world.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

type Alerts = { alerts: { kind: string }[] }

it('Ten minutes of silence raise an alert, and an answer clears it; no other campaign has one', async () => {
  let isSilent = true
  const gate = await seedGate(() => said({ status: 'clear' }, isSilent ? 500 : 200))
  const other = await seedGate()
  const alertsOf = async (world: typeof gate) =>
    (
      dataOf(await world.manager.request('GET', `${world.campaignPath}/overview`), 200) as Alerts
    ).alerts.flatMap(({ kind }) => (kind.startsWith('gate_') ? kind : []))
  await gate.add()
  await other.add()
  for (const one of [gate, other]) await one.run()
  await runCron()
  expect(await alertsOf(gate)).toEqual([])
  await gate.run(600)
  await runCron()
  expect(await alertsOf(gate)).toEqual(['gate_silent'])
  expect(await alertsOf(other)).toEqual([])
  isSilent = false
  await gate.run(700)
  await runCron()
  expect(await alertsOf(gate)).toEqual([])
})

it('A gate that has stopped raises an alert until somebody says go on', async () => {
  const gate = await seedGate(refuses)
  for (let i = 0; i < 52; i++) await gate.add()
  await gate.run(1, 20)
  await runCron()
  const overview = async () =>
    (dataOf(await gate.manager.request('GET', `${gate.campaignPath}/overview`), 200) as Alerts).alerts
  expect((await overview()).map(({ kind }) => kind)).toContain('gate_refusing')
  await gate.shown('POST', undefined, '/go-on')
  await runCron()
  expect((await overview()).map(({ kind }) => kind)).not.toContain('gate_refusing')
})

it('Letting a gate go on takes one round trip, so that its answer is of the gate that it has changed', async () => {
  const [gate, other] = [await seedGate(), await seedGate()]
  const kept = await other.shown()
  const { DB, trips } = watchedDatabase()
  const client = api(gate.manageKey, { bindings: { DB } })
  const answer = await client.request('POST', `${gate.campaignPath}/gate/go-on`)
  expect(dataOf(answer, 200)).toEqual(await gate.shown())
  expect(trips.filter(({ statements }) => statements.some(({ sql }) => sql.includes('gates')))).toHaveLength(
    1,
  )
  dataOf(await gate.gateAsk('DELETE'), 200)
  expectFailure(await gate.gateAsk('POST', '/go-on'), 404, 'Campaign has no gate', 'gate_not_found')
  expect(await other.shown()).toEqual(kept)
})

it('After an erasure nothing of the gate’s answer is left of the lead, and its trace forgets it', async () => {
  const gate = await seedGate(refuses)
  const [lead, kept] = [await gate.add(), await gate.add()]
  await gate.run()
  dataOf(await gate.manager.request('DELETE', `/api/v1/leads/${lead.leadId}`), 200)
  const { results } = await companyDb
    .prepare('select gate_refused_by as pointer from leads where campaign_number = ?1 order by seq')
    .bind(gate.campaign.number)
    .all()
  expect(results).toEqual([{ pointer: null }, { pointer: '/litigator' }])
  const { exchanges } = dataOf(await gate.gateAsk('GET', '/trace'), 200) as {
    exchanges: { leadId: string }[]
  }
  expect(exchanges.map(({ leadId }) => leadId)).toEqual([kept.leadId])
})

it('A gate that is set before the campaign has hours holds its leads once it has them', async () => {
  const agent = await seedAgent({})
  const gate = await seedGate(() => said({}, 500), {}, agent)
  await gate.add()
  await gate.change({ timeZone: 'UTC', callingHours: { mon: [['00:00', '24:00']] } })
  const { results } = await companyDb
    .prepare('select gate_version as version from calling_settings where campaign_number = ?1')
    .bind(gate.campaign.number)
    .all()
  expect(results).toEqual([{ version: 1 }])
  expect(await gate.claimed()).toEqual([])
})

it('A campaign without a gate has no row of one, and wakes no object, while its neighbour asks', async () => {
  const gate = await seedGate()
  const other = await gate.another()
  await gate.add()
  const { leadId } = await other.add()
  const [call] = (await other.claim()).calls
  await other.report([{ callId: call?.callId, outcome: 'busy' }])
  await other.claim()
  await runCron()
  const object = env.DIALERS.getByName(`${gate.companyId}/${other.campaign.number}/gate`)
  const left = (of: typeof object) =>
    runInDurableObject(of, async (_: unknown, { storage }) => [
      await storage.getAlarm(),
      (await storage.list()).size,
    ])
  expect(await left(object)).toEqual([null, 0])
  expect(await left(gate.object)).not.toEqual([null, 0])
  const { results } = await companyDb
    .prepare(
      `select l.gate_version, l.gate_until_ms, l.gate_refused_by, l.gate_asks_at_ms, s.gate_version as version,
         (select count(*) from gates as g where g.campaign_number = l.campaign_number) as gates
       from leads as l join calling_settings as s on s.campaign_number = l.campaign_number
       where l.campaign_number = ?1`,
    )
    .bind(other.campaign.number)
    .all()
  expect(results).toEqual([
    {
      gate_version: null,
      gate_until_ms: null,
      gate_refused_by: null,
      gate_asks_at_ms: null,
      version: null,
      gates: 0,
    },
  ])
  expect((await other.lead(leadId)).status).toBe('attempting')
})
