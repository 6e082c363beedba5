// What stands around a gate: alerts, erasures, and that who has none pays nothing.
import { beforeEach, expect, it } from 'vitest'
import { seedAgent } from '../../support/calling/agent.ts'
import { companyDb } from '../../support/database/store.ts'
import { refuses, said, seedGate } from '../../support/dialers/gate-world.ts'
import { dataOf } from '../../support/http/expectations.ts'
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
