// The object of a dialer: who wakes it, what it leaves behind, what it tells of itself. What it does with its calls, in
// rounds.test.ts.
import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import { listWorking } from '../../../src/channels/dialers/store/run-dialer.ts'
import { companyDb } from '../../support/database/store.ts'
import { lasting, secret, seedDialer, templateAt } from '../../support/dialers/dialer-world.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { entriesOf, listenTo } from '../../support/ledger/log.ts'
import { runCron } from '../../support/run/cron.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'
import { newPhone, seedLead } from '../../support/world.ts'

beforeEach(useFutureClock)

type Shown = { readonly type: string; readonly data: Record<string, unknown> }

const slowNumber = newPhone()
const ended = {
  state: 'ended',
  reason: 'answered',
  talked: true,
  seconds: 7,
  analysis: { outcome: 'answered' },
}

it('A lead that is created wakes the dialer of its campaign, which calls it', async () => {
  const { add, run, starts, shown } = await seedDialer()
  await run()
  expect(starts()).toEqual([])
  const { phoneNumber } = await add()
  await run()
  expect(starts().map(({ text }) => JSON.parse(text).to)).toEqual([phoneNumber])
  expect(await shown('GET')).toMatchObject({ state: { status: 'running', live: 1 } })
})

it('A lost wake-up is repaired within the minute', async () => {
  const { campaign, run, starts } = await seedDialer()
  await run()
  await seedLead(campaign)
  await run()
  expect(starts()).toEqual([])
  await runCron()
  await run()
  expect(starts()).toHaveLength(1)
})

it('What begins calls wakes the dialer: resuming, requeueing, lifting a suppression, an earlier time', async () => {
  const { add, run, starts, change, report, claim, requeue, suppress, lift, ask, ...world } =
    await seedDialer()
  await run()
  await change({ paused: true })
  await add()
  await run()
  expect(starts()).toHaveLength(0)
  await change({ paused: false })
  await run()
  expect(starts()).toHaveLength(1)

  const later = await add({ scheduledFor: '2050-01-01T00:00:00Z' })
  await run()
  expect(starts()).toHaveLength(1)
  dataOf(
    await api(world.writeKey).request('PATCH', `/api/v1/leads/${later.leadId}`, { scheduledFor: null }),
    200,
  )
  await run()
  expect(starts()).toHaveLength(2)

  const suppressed = await add({ scheduledFor: '2050-01-01T00:00:00Z' })
  await suppress([suppressed.phoneNumber])
  dataOf(
    await api(world.writeKey).request('PATCH', `/api/v1/leads/${suppressed.leadId}`, { scheduledFor: null }),
    200,
  )
  await run()
  expect(starts()).toHaveLength(2)
  await lift([suppressed.phoneNumber])
  await run()
  expect(starts()).toHaveLength(3)
})

it('A round lasts until its starts are answered, and asks for live calls meanwhile', async () => {
  let answer = (): void => {}
  const held = new Promise<void>((settle) => {
    answer = settle
  })
  const { add, run, asks, starts, callsOf, shown } = await seedDialer(async (sent) => {
    if (sent.method === 'POST' && sent.text.includes(slowNumber)) await held
    return lasting(sent)
  })
  await add()
  await run()
  const { leadId } = await add({ phoneNumber: slowNumber })
  vi.setSystemTime(Date.now() + 15_000)
  const round = run(0, 1)
  await expect.poll(() => [starts().length, asks().length]).toEqual([2, 1])
  expect((await shown('GET')).state.live).toBe(2)
  answer()
  await round
  await run(0, 2)
  expect((await callsOf(leadId))[0]?.providerCallId).toMatch(/^p-/)
  expect(starts()).toHaveLength(2)
})

it('A start and its end are events, in that order', async () => {
  let isOver = false
  const { add, run, companyId, starts, callsOf, manager } = await seedDialer((sent) =>
    isOver && sent.method === 'GET' ? Response.json(ended) : lasting(sent),
  )
  await listenTo(companyId)
  const { leadId } = await add()
  await run()
  isOver = true
  await run(15)
  expect(starts()).toHaveLength(1)
  const [call] = await callsOf(leadId)
  expect(call).toMatchObject({ outcome: 'answered', providerCallId: expect.stringMatching(/^p-/) })
  const { events } = dataOf(await manager.request('GET', '/api/v1/events'), 200) as { events: Shown[] }
  const shown = events.filter(({ type }) => type.startsWith('call.'))
  expect(shown.map(({ type, data }) => [type, data.providerCallId ?? data.outcome])).toEqual([
    ['call.started', call?.providerCallId],
    ['call.reported', 'answered'],
  ])
})

it('A provider’s call id, which may hold the number, is not in the log, and shown no more once its lead is erased', async () => {
  const [world, other] = await Promise.all(
    [1, 2].map(async () => {
      const dialer = await seedDialer((sent) =>
        sent.method === 'POST' && sent.path === '/calls'
          ? Response.json({ id: 'SIP/trunk/+4917112345678' }, { status: 201 })
          : lasting(sent),
      )
      await listenTo(dialer.companyId)
      const { leadId } = await dialer.add()
      await dialer.run()
      const started = async () => {
        const { events } = dataOf(await dialer.manager.request('GET', '/api/v1/events'), 200) as {
          events: Shown[]
        }
        return events.filter(({ type }) => type === 'call.started').map(({ data }) => data.providerCallId)
      }
      return { ...dialer, leadId, started }
    }),
  )
  if (world === undefined || other === undefined) throw new Error('no dialers')
  for (const { companyId, started } of [world, other]) {
    expect(JSON.stringify(await entriesOf(companyId))).not.toContain('4917112345678')
    expect(await started()).toEqual(['SIP/trunk/+4917112345678'])
  }
  // As versions before logged it.
  await companyDb.batch([
    companyDb
      .prepare(
        `insert into events (company_id, number, at_ms, type, actor, campaign_number, lead_seq, data)
         select company_id, number + 1000, at_ms, type, actor, campaign_number, lead_seq,
           json_set(data, '$.providerCallId', 'SIP/trunk/+4917112345678')
         from events where company_id in (?1, ?2) and type = 'call.started'`,
      )
      .bind(world.companyId, other.companyId),
  ])
  dataOf(await world.manager.request('POST', '/api/v1/erasures', { leadId: world.leadId }), 200)
  expect(await world.started()).toEqual([null, null])
  expect(await other.started()).toEqual(Array(2).fill('SIP/trunk/+4917112345678'))
})

it('A removed dialer ends its live calls, then its row is gone and its key revoked', async () => {
  let isOver = false
  const { add, run, ask, campaign, callsOf, starts, manager } = await seedDialer((sent) =>
    isOver && sent.method === 'GET' ? Response.json(ended) : lasting(sent),
  )
  const { leadId } = await add()
  await run()
  await add()
  dataOf(await ask('DELETE'), 200)
  await run()
  expect(starts()).toHaveLength(1)
  const rows = async () => {
    const count = companyDb.prepare('select count(*) as n from dialers where campaign_number = ?1')
    return (await count.bind(campaign.number).first<{ n: number }>())?.n
  }
  expect(await rows()).toBe(1)
  isOver = true
  await run(15)
  expect((await callsOf(leadId))[0]?.outcome).toBe('answered')
  expect(await rows()).toBe(1)
  // It has asked once more whether somebody has said no.
  await run(300)
  expect(await rows()).toBe(0)
  const { keys } = dataOf(await manager.request('GET', '/api/v1/keys'), 200) as {
    keys: { name: string; revokedAt: string | null }[]
  }
  expect(keys.filter(({ name, revokedAt }) => name === 'dialer' && revokedAt === null)).toEqual([])
})

it('A dialer stops when its key is revoked by any other key, and gets a new key when it is enabled', async () => {
  const { add, run, starts, shown, manager } = await seedDialer()
  await run()
  const { keys } = dataOf(await manager.request('GET', '/api/v1/keys'), 200) as {
    keys: { name: string; keyId: string }[]
  }
  const { keyId } = keys.find(({ name }) => name === 'dialer') as { keyId: string }
  dataOf(await manager.request('DELETE', `/api/v1/keys/${keyId}`), 200)
  await add()
  await run()
  expect(starts()).toEqual([])
  expect((await shown('GET')).state).toMatchObject({ status: 'stopped', reason: 'key_revoked' })
  await shown('PATCH', { enabled: true })
  await run()
  expect(starts()).toHaveLength(1)
})

it('A dialer stops when the key that set it is revoked with all that it made', async () => {
  const { add, run, starts, manager, agentKey, ...world } = await seedDialer()
  const made = dataOf(
    await manager.request('POST', '/api/v1/keys', { name: 'of the lead', scope: 'manage' }),
    201,
  )
  const { key, keyId } = made as { key: string; keyId: string }
  dataOf(await api(key).request('PATCH', `${world.campaignPath}/dialer`, { maxLive: 2 }), 200)
  dataOf(await manager.request('DELETE', `/api/v1/keys/${keyId}?withCreated=true`), 200)
  await add()
  await run()
  expect(starts()).toEqual([])
  expect((await world.shown('GET')).state).toMatchObject({ status: 'stopped', reason: 'key_revoked' })
})

it('An archived campaign has its dialer off', async () => {
  const { change, shown } = await seedDialer()
  await change({ archived: true })
  expect(await shown('GET')).toMatchObject({ enabled: false, state: { status: 'off' } })
})

it('Two live calls never share an id: an end is reported for one call only', async () => {
  let isOver = false
  const { add, run, asks, callsOf } = await seedDialer((sent) =>
    sent.method === 'POST'
      ? Response.json({ id: 'p-same' }, { status: 201 })
      : Response.json(isOver ? ended : {}),
  )
  const leads = [await add(), await add()]
  await run()
  await run(15)
  expect(asks()).toHaveLength(1)
  isOver = true
  await run(15)
  const calls = (await Promise.all(leads.map(({ leadId }) => callsOf(leadId)))).flat()
  expect(calls.map(({ outcome }) => outcome).sort()).toEqual(['answered', null])
  expect(calls.filter(({ providerCallId }) => providerCallId === 'p-same')).toHaveLength(1)
})

it('Secrets of settings that live calls still need are kept encrypted, and forgotten with the last of them', async () => {
  let isOver = false
  const { add, run, ask, object, shown, url } = await seedDialer((sent) =>
    isOver && sent.method === 'GET' ? Response.json(ended) : lasting(sent),
  )
  const stored = () => runInDurableObject(object, (_, { storage }) => JSON.stringify([...storage.kv.list()]))
  await add()
  await run()
  const template = { ...templateAt(url), started: { id: '/id' } }
  await shown('PUT', { preset: 'custom', template, secrets: { apiKey: 'another-secret-0002' } })
  await run(15)
  expect(await stored()).toContain('settings:')
  expect(await stored()).not.toContain(secret)
  dataOf(await ask('DELETE'), 200)
  isOver = true
  await run(15)
  await run(300)
  expect(await stored()).toBe('[]')
})

it('Nudges in a row are written once in five seconds', async () => {
  const { add, run, object } = await seedDialer()
  for (let i = 0; i < 3; i++) await add()
  await run()
  let writes = 0
  await runInDurableObject(object, (_, { storage }) => {
    const put = storage.kv.put.bind(storage.kv)
    storage.kv.put = (key: string, value: unknown) => {
      writes++
      put(key, value)
    }
  })
  for (let i = 0; i < 20; i++) {
    vi.setSystemTime(Date.now() + 200)
    await object.nudge(null)
  }
  expect(writes).toBe(3)
})

it('A nudge for the campaign asks for the five live calls that were asked longest ago', async () => {
  const { add, run, asks, object } = await seedDialer(lasting, { maxLive: 20 })
  for (let i = 0; i < 8; i++) await add()
  await run()
  await run(15)
  expect(asks()).toHaveLength(8)
  vi.setSystemTime(Date.now() + 6_000)
  for (let i = 0; i < 3; i++) await object.nudge(null)
  await run(0, 1)
  expect(asks()).toHaveLength(8 + 5)
  const askedFirst = new Set(
    asks()
      .slice(0, 8)
      .map(({ path }) => path),
  )
  expect(
    new Set(
      asks()
        .slice(8)
        .map(({ path }) => path),
    ).size,
  ).toBe(5)
  expect(
    asks()
      .slice(8)
      .every(({ path }) => askedFirst.has(path)),
  ).toBe(true)
  vi.setSystemTime(Date.now() + 1_000)
  await object.nudge(null)
  await run(0, 1)
  // The three that the first nudge left out, and two of the others five seconds after their last asking.
  expect(
    new Set(
      asks()
        .slice(13)
        .map(({ path }) => path),
    ).size,
  ).toBe(3)
})

it('The call of an erased person is hung up until the provider says it is live no more, and holds no place then', async () => {
  const state = { isOver: false }
  const { add, run, hungUp, shown, manager, starts } = await seedDialer((sent) =>
    state.isOver && sent.method === 'GET' ? Response.json({ state: 'ended' }) : lasting(sent),
  )
  const { leadId } = await add()
  await run()
  dataOf(await manager.request('DELETE', `/api/v1/leads/${leadId}`), 200)
  await run(15)
  expect(hungUp()).toHaveLength(1)
  await run(15)
  expect(hungUp()).toHaveLength(2)
  state.isOver = true
  await run(15)
  expect([(await shown('GET')).state.live, starts().length]).toEqual([0, 1])
})

it('A campaign without a dialer wakes no dialer', async () => {
  const { add, ask, run, starts } = await seedDialer()
  dataOf(await ask('DELETE'), 200)
  await run()
  await add()
  await run()
  expect(starts()).toEqual([])
})

it('A dialer is woken for a day after its campaign was archived, so that ends of its calls are not lost', async () => {
  const state = { isOver: false }
  const no = { ...ended, analysis: { doNotCall: true } }
  const { add, run, manager, object, ...world } = await seedDialer((sent) =>
    state.isOver && sent.method === 'GET' ? Response.json(no) : lasting(sent),
  )
  const campaign = { companyId: world.companyId, number: world.campaign.number }
  const isWorking = async () =>
    (await listWorking(companyDb, 100_000, Date.now())).some(({ number }) => number === campaign.number)
  const long = companyDb.prepare('update dialers set changed_at_ms = ?2 where campaign_number = ?1')
  await long.bind(campaign.number, Date.now() - 2 * 86_400_000).run()
  const { leadId, phoneNumber } = await add()
  await run()
  dataOf(await manager.request('PATCH', world.campaignPath, { archived: true }), 200)
  await runInDurableObject(object, (_, { storage }) => storage.deleteAlarm())
  expect(await isWorking()).toBe(true)
  state.isOver = true
  await runInDurableObject(object, (dialer) => dialer.wake(campaign, null))
  await run(60)
  expect((await world.callsOf(leadId)).map(({ outcome }) => outcome)).toEqual(['do_not_call'])
  const suppressed = companyDb.prepare('select phone_number from suppressions where company_id = ?1')
  const { results } = await suppressed.bind(campaign.companyId).all()
  expect(results).toContainEqual({ phone_number: phoneNumber })
  vi.setSystemTime(Date.now() + 86_400_000)
  expect(await isWorking()).toBe(false)
})
