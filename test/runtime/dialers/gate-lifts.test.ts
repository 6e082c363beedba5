// One request undoes what gates have done: since when, in which campaign, and how much of it in one request.
import { beforeEach, expect, it, vi } from 'vitest'
import { watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { type GateWorld, refuses, seedGate } from '../../support/dialers/gate-world.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'
import { newPhones, seedKey } from '../../support/world.ts'

beforeEach(useFutureClock)

type Lifted = { lifted: number; requeued: number; more: boolean }
const pathSince = (sinceMs: number, more = '') =>
  `/api/v1/suppressions?source=gate&since=${new Date(sinceMs).toISOString()}${more}`
const lift = async ({ manager }: Pick<GateWorld, 'manager'>, sinceMs: number, more = '') =>
  dataOf(await manager.request('DELETE', pathSince(sinceMs, more)), 200) as Lifted

async function seedRefused(more: object = {}, world?: GateWorld) {
  const gate = await seedGate(refuses, { suppress: 'campaign', ...more }, world)
  const { leadId } = await gate.add()
  await gate.pass(2)
  return { ...gate, leadId, statusNow: async () => (await gate.lead(leadId)).status }
}

it('It undoes what was done since then and nothing before, in this company alone', async () => {
  const [gate, foreign] = [await seedRefused(), await seedRefused()]
  const sinceMs = Date.now() + 60_000
  vi.setSystemTime(sinceMs)
  expect(await lift(gate, sinceMs)).toEqual({ lifted: 0, requeued: 0, more: false })
  const { leadId } = await gate.add()
  await gate.pass(2)
  expect(await lift(gate, sinceMs)).toEqual({ lifted: 1, requeued: 1, more: false })
  expect([await gate.statusNow(), (await gate.lead(leadId)).status]).toEqual(['exhausted', 'raw'])
  expect(await lift(gate, sinceMs - 3_600_000)).toEqual({ lifted: 1, requeued: 1, more: false })
  expect(await foreign.statusNow()).toBe('exhausted')
})

it('A lead that a gate ended before that stays, though nothing else holds it', async () => {
  const gate = await seedRefused({ suppress: 'none' })
  const endedMs = Date.now()
  vi.setSystemTime(endedMs + 60_000)
  expect(await lift(gate, endedMs + 1)).toEqual({ lifted: 0, requeued: 0, more: false })
  expect(await lift(gate, endedMs - 60_000)).toEqual({ lifted: 0, requeued: 1, more: false })
})

it('With a campaign it undoes what that one’s gate did, which is all that a key of the campaign may', async () => {
  const gate = await seedRefused()
  const other = await seedRefused({}, { ...gate, ...(await gate.another()) } as unknown as GateWorld)
  const { key } = await seedKey({ companyId: gate.companyId, scope: 'manage', campaign: gate.campaign })
  const sinceMs = Date.now() - 3_600_000
  expectFailure(await api(key).request('DELETE', pathSince(sinceMs)), 403, 'Insufficient permissions')
  const answer = await api(key).request('DELETE', pathSince(sinceMs, `&campaignId=${gate.campaignId}`))
  expect(dataOf(answer, 200)).toEqual({ lifted: 1, requeued: 1, more: false })
  expect([await gate.statusNow(), await other.statusNow()]).toEqual(['raw', 'exhausted'])
})

it('A lead whose number somebody has suppressed meanwhile stays, and is no reason to go on', async () => {
  const gate = await seedRefused({ suppress: 'none' })
  const { phoneNumber } = await gate.lead(gate.leadId)
  await gate.suppress([phoneNumber])
  expect(await lift(gate, Date.now() - 3_600_000)).toEqual({ lifted: 0, requeued: 0, more: false })
  expect(await gate.statusNow()).toBe('exhausted')
})

it('A person’s no in the place of a gate’s is in the log, and one in the place of a person’s is not', async () => {
  const [gate, foreign] = [await seedRefused({ suppress: 'company' }), await seedRefused()]
  const { phoneNumber } = await gate.lead(gate.leadId)
  await foreign.suppress([phoneNumber])
  const suppressAgain = async () => {
    const body = { phoneNumbers: [phoneNumber] }
    const answer = await gate.manager.request('POST', '/api/v1/suppressions', body)
    const { added } = dataOf(answer, 200) as { added: number }
    const path = '/api/v1/events?types=suppression.added'
    const page = dataOf(await gate.manager.request('GET', path), 200)
    const { events } = page as { events: { actor: string }[] }
    return { added, bySystem: events.map(({ actor }) => actor === 'system') }
  }
  expect(await suppressAgain()).toEqual({ added: 1, bySystem: [true, false] })
  expect(await suppressAgain()).toEqual({ added: 0, bySystem: [true, false] })
})

it('Of many it undoes as much as D1 allows statements for, and the same request again the rest', async () => {
  const gate = await seedGate()
  const numbers = JSON.stringify(newPhones(450))
  await companyDb
    .prepare(
      `insert into suppressions (company_id, phone_number, campaign_number, reason, token, created_at_ms, leads_removed)
       select ?1, item.value, ?2, 'gate', 'gate:' || ?2 || ':1', ?3, 0 from json_each(?4) as item`,
    )
    .bind(gate.companyId, gate.campaign.number, Date.now(), numbers)
    .run()
  const { DB, trips } = watchedDatabase()
  const client = api(gate.manageKey, { bindings: { DB } })
  const path = pathSince(Date.now() - 1_000)
  expect(dataOf(await client.request('DELETE', path), 200)).toEqual({ lifted: 400, requeued: 0, more: true })
  expect(trips.flatMap(({ statements }) => statements).length).toBeLessThan(1_000)
  expect(await lift(gate, Date.now() - 1_000)).toEqual({ lifted: 50, requeued: 0, more: false })
})
