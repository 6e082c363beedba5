// Somebody rings whom a dialer has leased: the endpoint asks the object of that dialer. At each await, without objects:
// ring-back.test.ts.
import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import { claimCalls } from '../../../src/queue/calling/store/claim.ts'
import { asKey, hashesIn } from '../../support/access/actor.ts'
import { companyDb } from '../../support/database/store.ts'
import { lasting, seedDialer } from '../../support/dialers/dialer-world.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'
import { seedKey } from '../../support/world.ts'

beforeEach(useFutureClock)

type World = Awaited<ReturnType<typeof seedDialer>>
type Rung = { taken: boolean; call: { callId: string } | null; openCall: Record<string, unknown> | null }

const take = async ({ agentKey }: World, from: string, key = agentKey) => {
  const answer = await api(key).request('POST', '/api/v1/calls/inbound', { from, take: true })
  return dataOf(answer, 200) as Rung
}

/** A claim whose answer the object has lost. */
async function leaseAsDialer({ campaign, campaignId, companyId }: World): Promise<void> {
  const row = await companyDb
    .prepare('select key_id as "keyId" from dialers where campaign_number = ?1')
    .bind(campaign.number)
    .first<{ keyId: string }>()
  const access = { ...asKey(row?.keyId ?? '', Date.now(), companyId), campaignId }
  const origin = { ...access, requestKey: null, requestToken: randomBase62(11), hashes: hashesIn(companyId) }
  const wanted = { maxCalls: 5, leaseSeconds: 600, agent: 'dialer', isDialer: true } as const
  const claimed = await claimCalls(companyDb, origin, wanted)
  if (claimed.kind !== 'claimed' || claimed.calls.length === 0) throw new Error('nothing was claimed')
}

it('A lease whose start is not noted is stopped, whoever of the company takes the call', async () => {
  const [world, foreign] = [await seedDialer(), await seedDialer()]
  const other = await world.another()
  const { phoneNumber, leadId } = await world.add()
  await other.add({ phoneNumber })
  await foreign.add({ phoneNumber })
  await leaseAsDialer(world)
  await leaseAsDialer(foreign)
  const { key } = await seedKey({ companyId: world.companyId, scope: 'agent', campaign: other.campaign })
  const { taken, openCall } = await take(world, phoneNumber, key)
  expect([taken, openCall]).toEqual([true, null])
  expect(await world.history(leadId)).toMatchObject([
    { agent: 'dialer', outcome: 'released', direction: 'outbound' },
  ])
  await world.run(0)
  await world.run(90)
  await foreign.run(0)
  expect([world.starts().length, foreign.starts().length]).toEqual([0, 1])
})

it('A start that is sent goes on: the call is answered as open, and not taken', async () => {
  const state = { mayAnswer: false }
  const world = await seedDialer(async (sent) => {
    while (!state.mayAnswer && sent.method === 'POST') await new Promise((resolve) => setTimeout(resolve, 5))
    return lasting(sent)
  })
  const { phoneNumber, leadId } = await world.add()
  await world.run(0, 1)
  const round = runDurableObjectAlarm(world.object)
  await vi.waitFor(() => expect(world.starts()).toHaveLength(1))
  const { taken, call, openCall } = await take(world, phoneNumber)
  expect([taken, call]).toEqual([false, null])
  expect(openCall).toMatchObject({ leadId, direction: 'outbound', agent: 'dialer', dialledAt: null })
  state.mayAnswer = true
  await round
  await world.run(1)
  expect(await world.history(leadId)).toMatchObject([{ outcome: null }])
  expect((await take(world, phoneNumber)).openCall).toMatchObject({ dialledAt: expect.any(String) })
})

it('A dialled call is not stopped, though the object of its dialer has forgotten it', async () => {
  const world = await seedDialer()
  const { phoneNumber, leadId } = await world.add()
  await leaseAsDialer(world)
  await companyDb
    .prepare('update calls set dialled_at_ms = claimed_at_ms where company_id = ?1 and phone_number = ?2')
    .bind(world.companyId, phoneNumber)
    .run()
  const { taken, openCall } = await take(world, phoneNumber)
  expect([taken, openCall?.leadId, openCall?.dialledAt]).toEqual([false, leadId, expect.any(String)])
  expect(await world.history(leadId)).toMatchObject([{ outcome: null }])
})
