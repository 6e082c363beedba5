// A move of a company between D1 and a store of its own, both ways: what arrives, what goes on working, what an abort
// and a crash leave. Real workerd processes that are killed are in test/hard.
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { requestMove } from '../../src/control/companies/store/move-state.ts'
import { abortMove } from '../../src/control/companies/store/move-steps.ts'
import { fillWordsByTheMinute } from '../../src/queue/leads/store/mentions/fill-words.ts'
import {
  addLeads,
  claim,
  driveToEnd,
  driveUntil,
  dump,
  expectUntouched,
  fillTables,
  moveAlong,
  moveOf,
  moveTo,
  objectOf,
  report,
  runOnce,
  runUntilComparing,
  seedMoving,
  shared,
  skipPauses,
  tablesOf,
  wish,
} from '../support/companies/moving.ts'
import { addNeighbours } from '../support/companies/neighbours.ts'
import { newPhone } from '../support/database/seed.ts'
import { dataOf } from '../support/http/expectations.ts'
import { everyOther } from '../support/run/thorough.ts'
import { useFutureClock } from '../support/webhooks/webhook.ts'

// No alarm goes off but those that a test runs.
beforeEach(useFutureClock)
beforeEach(skipPauses)

const thereBackAndThere = ['own', 'shared', 'own'] as const

it('What a move copies arrives as it was, in both directions, and leaves nothing behind', async () => {
  const world = await seedMoving()
  const { companyId } = world
  await addLeads(world, 50)
  const [callId = ''] = await claim(world, 3)
  dataOf(await report(world, callId, 'busy'), 200)
  await fillTables(world)
  const before = await dump(null, companyId)
  for (const [name, rows] of Object.entries(before)) expect(rows.length, name).toBeGreaterThan(0)
  const expectNeighboursSame = await addNeighbours(shared, companyId)
  const name = await moveTo(companyId, 'own')
  expect(await dump(name, companyId)).toEqual(before)
  await driveToEnd(companyId)
  await expectNeighboursSame()
  const { companies: _, ...left } = await dump(null, companyId)
  expect(Object.values(left).flat()).toEqual([])

  const there = await dump(name, companyId)
  await moveTo(companyId, 'shared')
  expect(await dump(null, companyId)).toEqual(there)
  await driveToEnd(companyId)
  const { companies: __, ...gone } = await dump(name, companyId)
  expect(Object.values(gone).flat()).toEqual([])
  await expectNeighboursSame()
  const again = await moveTo(companyId, 'own')
  expect(await dump(again, companyId)).toEqual(there)
})

it('More bytes than are copied at once arrive in both directions', async () => {
  const { companyId } = await seedMoving()
  const numbers =
    'with recursive n (i) as (select 1 union all select i + 1 from n where i < 60) select i from n'
  await shared
    .prepare(
      `insert into consent_texts select ?1, printf('%064d', i), hex(zeroblob(10000)), 1 from (${numbers})`,
    )
    .bind(companyId)
    .run()
  const textsIn = async (name: string | null) => (await dump(name, companyId)).consent_texts
  const before = await textsIn(null)
  expect(before).toHaveLength(60)
  const name = await moveTo(companyId, 'own')
  expect(await textsIn(name)).toEqual(before)
  await driveToEnd(companyId)
  await moveTo(companyId, 'shared')
  expect(await textsIn(null)).toEqual(before)
})

it('Ids, cursors, idempotency keys, open calls, suppressions, events and rights are as before each move', async () => {
  const world = await seedMoving()
  const { companyId, campaignId, manager, writer, agent, reader, webhookId } = world
  // Else its alarm stands still while the clock moves on, which is an alert and an event.
  await runDurableObjectAlarm(env.WEBHOOK_SENDERS.getByName(webhookId))
  const leads = await addLeads(world, 30)
  const key = { 'idempotency-key': 'one' }
  const body = { campaignId, leads: [{ phoneNumber: newPhone() }, { phoneNumber: newPhone() }] }
  const stored = await writer.importLeads(body, key)
  const calls = await claim(world, 4)
  const ask = async (path: string) => (await reader.request('GET', `/api/v1/${path}`)).text
  for (const [index, to] of thereBackAndThere.entries()) {
    const suppressed = newPhone()
    dataOf(await writer.request('POST', '/api/v1/suppressions', { phoneNumbers: [suppressed] }), 200)
    const page = await reader.request('GET', `/api/v1/leads?campaignId=${campaignId}&limit=10`)
    const { nextCursor } = dataOf(page, 200) as { nextCursor: string }
    const events = await reader.request('GET', '/api/v1/events?limit=3')
    const { next } = dataOf(events, 200) as { next: string }
    const rest = await ask(`events?limit=1000&after=${next}`)
    const search = await ask('leads/search?q=crm-7')

    await moveAlong(companyId, [to])
    expect((await writer.importLeads(body, key)).text).toBe(stored.text)
    expect(await ask(`leads?campaignId=${campaignId}&limit=10`)).toBe(page.text)
    const second = await reader.request('GET', `/api/v1/leads?campaignId=${campaignId}&cursor=${nextCursor}`)
    expect(second.status).toBe(200)
    expect(await ask(`events?limit=1000&after=${next}`)).toBe(rest)
    expect(await ask('leads/search?q=crm-7')).toBe(search)
    expect((await reader.request('GET', `/api/v1/leads/${leads[20]?.leadId}`)).status).toBe(200)
    const open = await agent.request('GET', `/api/v1/calls?campaignId=${campaignId}`)
    expect((dataOf(open, 200) as { calls: { callId: string }[] }).calls.map(({ callId }) => callId)).toEqual(
      calls.slice(index),
    )
    const reported = dataOf(await report(world, calls[index] ?? '', 'answered'), 200)
    expect(reported).toMatchObject({
      results: [{ callId: calls[index], result: 'recorded', status: 'concluded' }],
    })
    const { leadId } = dataOf(await writer.createLead({ campaignId, phoneNumber: suppressed }), 201)
    const calling = await agent.request('GET', `/api/v1/leads/${leadId}/calling`)
    expect(calling.text).toContain('suppressed')
    // The same key stores nothing twice, and an archived right stays one.
    expect((await reader.createLead({ campaignId, phoneNumber: newPhone() })).status).toBe(403)
    dataOf(await manager.request('POST', '/api/v1/campaigns', { id: `later-${index}`, name: 'Later' }), 201)
    const made = dataOf(await manager.request('POST', '/api/v1/keys', { name: 'n', scope: 'read' }), 201)
    const { keyId } = made as { keyId: string }
    dataOf(await manager.request('DELETE', `/api/v1/keys/${keyId}`), 200)
  }
})

it('A webhook gets each event once, with those of before and after each move', async () => {
  const world = await seedMoving()
  const { companyId, receiver, webhookId, reader } = world
  const sender = env.WEBHOOK_SENDERS.getByName(webhookId)
  await addLeads(world, 3)
  await runDurableObjectAlarm(sender)
  for (const [index, to] of thereBackAndThere.entries()) {
    await addLeads(world, 2)
    await moveAlong(companyId, [to])
    await addLeads(world, 4)
    for (let rounds = 0; rounds < 5; rounds++) await runDurableObjectAlarm(sender)
    const listed = await reader.request('GET', '/api/v1/events?limit=1000&types=leads.created')
    const { events } = dataOf(listed, 200) as { events: { id: string }[] }
    expect(receiver.received.filter(({ body }) => body.type === 'leads.created').map(({ id }) => id)).toEqual(
      events.map(({ id }) => id),
    )
    // One for each bulk.
    expect(events).toHaveLength(3 + 2 * index)
  }
})

const targets = ['own', 'shared'] as const

async function seedHome(to: (typeof targets)[number]) {
  const world = await seedMoving()
  await addLeads(world, 20)
  await fillTables(world)
  const expectNeighboursSame = await addNeighbours(shared, world.companyId)
  const home = to === 'own' ? null : await moveAlong(world.companyId, ['own'])
  return { world, home, expectNeighboursSame }
}

// In one world, so that each wish after the first also says that an aborted move leaves a company that can move.
it.each(targets)(
  'A move that is aborted at any of its calls to D1 leaves everything as it was: to %s',
  async (to) => {
    const { world, home, expectNeighboursSame } = await seedHome(to)
    const { companyId } = world
    // After the last one it has switched.
    for (const calls of [0, 1, 2, 3, 5, 12, 25, 30, 40, 60, 70]) {
      const before = await dump(home, companyId)
      const target = await wish(companyId, to)
      if (calls > 0) await runOnce(companyId, calls)
      expect([calls, (await moveOf(companyId)).phase]).not.toEqual([calls, 'switched'])
      const move = await abortMove(shared, companyId, null, Date.now())
      expect(['aborted', 'aborting']).toContain(move?.phase)
      await driveUntil(companyId, 'aborted')
      await expectUntouched(world, home, before)
      const { companies: _, ...left } = await dump(target, companyId).catch(() => ({ companies: [] }))
      expect([calls, Object.values(left).flat()]).toEqual([calls, []])
      await expectNeighboursSame()
      // So many bulks are more than a minute may have.
      vi.setSystemTime(Date.now() + 10_000)
    }
    await moveTo(companyId, to)
    await addLeads(world, 1)
    await driveToEnd(companyId)
    await expectNeighboursSame()
  },
)

it.each(targets)('A copy that differs is made equal before the move switches: to %s', async (to) => {
  const { world, home, expectNeighboursSame } = await seedHome(to)
  const { companyId } = world
  const before = await dump(home, companyId)
  const target = await wish(companyId, to)
  const db = tablesOf(target)
  await runUntilComparing(companyId)
  const own = db.prepare('select number from campaigns where company_id = ?1').bind(companyId)
  const [found] = await db.batch<{ number: number }>([own])
  const change = `update leads set priority = 55 where campaign_number = ?1 and external_id like 'crm-3 %'`
  await db.batch([db.prepare(change).bind(found?.results[0]?.number)])
  expect(await dump(target, companyId)).not.toEqual(before)
  await driveUntil(companyId, 'switched')
  expect(await dump(target, companyId)).toEqual(before)
  await expectNeighboursSame()
})

const losses = targets.flatMap((to, place) =>
  everyOther([false, true], place).map((isLost) => [to, isLost] as const),
)

it.each(losses)(
  'A move whose object crashes again and again arrives whole: to %s, answers of D1 are lost: %s',
  async (to, isLost) => {
    const { world, home, expectNeighboursSame } = await seedHome(to)
    const { companyId } = world
    const before = await dump(home, companyId)
    const target = await wish(companyId, to)
    let crashes = 0
    while ((await moveOf(companyId)).phase !== 'switched') {
      if (!(await runOnce(companyId, 1 + (crashes % 9), isLost))) break
      crashes++
    }
    expect(crashes).toBeGreaterThan(10)
    expect(await dump(target, companyId)).toEqual(before)
    vi.setSystemTime(Date.now() + 300_000)
    for (let crash = 0; (await moveOf(companyId)).phase !== 'done'; crash++)
      await runOnce(companyId, 1 + ((crash * 7) % 60), isLost)
    expect(await dump(target, companyId)).toEqual(before)
    await expectNeighboursSame()
    await addLeads(world, 1)
  },
)

it('A move is refused while another one runs, and where the company is already', async () => {
  const { companyId } = await seedMoving()
  const [first, second] = [`:${companyId}:aaaaaaaa`, `:${companyId}:bbbbbbbb`]
  const request = (toStore: string | null) => requestMove(shared, companyId, toStore, Date.now())
  expect(await request(null)).toBeNull()
  const requested = await request(first)
  expect(requested).toMatchObject({ companyId, toStore: first, phase: 'requested' })
  vi.setSystemTime(Date.now() + 1)
  expect(await request(second)).toEqual(requested)
  expect(await request(null)).toEqual(requested)
})

it('A move leaves no number of a campaign to be used again', async () => {
  const world = await seedMoving()
  const { companyId } = world
  await moveAlong(companyId, ['own'])
  const other = await seedMoving()
  dataOf(await other.manager.request('POST', '/api/v1/campaigns', { id: 'first', name: 'First' }), 201)
  const numberOf = async (id: string, name: string | null) =>
    (JSON.parse((await dump(name, id)).campaigns?.at(-1) ?? '[]') as [number])[0]
  const { toStore } = await moveOf(companyId)
  expect(await numberOf(other.companyId, null)).toBeGreaterThan(await numberOf(companyId, toStore))
})

it('A move keeps a key out of its old store for ever, and a revoked one out of the new one', async () => {
  const world = await seedMoving()
  const { companyId, keys } = world
  dataOf(await world.manager.request('DELETE', `/api/v1/keys/${keys.read.id}`), 200)
  const name = await moveAlong(companyId, ['own'])
  expect((await world.reader.request('GET', '/api/v1/keys/self')).status).toBe(401)
  await moveAlong(companyId, ['shared'])
  expect((await world.reader.request('GET', '/api/v1/keys/self')).status).toBe(401)
  const answer = await objectOf(name ?? '')
    .batch([['select 1', []]])
    .catch((error: Error) => error.message)
  expect(answer).toContain('store moved')
})

it('A claim that waits is rung for a lead that is stored after the move', async () => {
  const world = await seedMoving()
  const { companyId, campaignId, agent } = world
  const body = { campaignId, waitSeconds: 20 }
  const waiting = agent.request('POST', '/api/v1/calls/claim', body)
  await vi.waitFor(async () => {
    const row = await shared
      .prepare(
        'select waited_for_until_ms as at from calling_settings where campaign_number in (select number ' +
          'from campaigns where company_id = ?1)',
      )
      .bind(companyId)
      .first<{ at: number }>()
    expect(row?.at).toBeGreaterThan(0)
  }, 60_000)
  await moveTo(companyId, 'own')
  await addLeads(world, 1)
  expect(dataOf(await waiting, 200)).toMatchObject({ reason: 'ready' })
  expect(await claim(world, 5)).toHaveLength(1)
})

it('D1 restored to a moment in which a move was being aborted deletes nothing of the store that was opened since', async () => {
  const world = await seedMoving()
  const { companyId } = world
  await addLeads(world, 5)
  const name = await moveTo(companyId, 'own')
  await driveUntil(companyId, 'switched')
  await runOnce(companyId, Number.POSITIVE_INFINITY)
  await addLeads(world, 1)
  const before = await dump(name, companyId)
  await shared.batch([
    shared
      .prepare(`update company_moves set phase = 'aborting', switched_at_ms = null where company_id = ?1`)
      .bind(companyId),
    shared.prepare('update companies set store = null where id = ?1').bind(companyId),
  ])
  await driveToEnd(companyId)
  expect(await dump(name, companyId)).toEqual(before)
})

it.each(['requested', 'copying'])(
  'D1 restored to a moment within a move finds the company where it is, alive: %s',
  async (phase) => {
    const world = await seedMoving()
    const { companyId, writer, reader, campaignId } = world
    await addLeads(world, 5)
    const name = await moveTo(companyId, 'own')
    await driveUntil(companyId, 'switched')
    await runOnce(companyId, Number.POSITIVE_INFINITY)
    const [since] = await addLeads(world, 1)
    const isFrozen = phase === 'copying' ? 1 : 0
    await shared.batch([
      shared
        .prepare(`update company_moves set phase = ?2, switched_at_ms = null where company_id = ?1`)
        .bind(companyId, phase),
      shared
        .prepare(`update companies set store = null, frozen_at_ms = iif(?2, 1, null) where id = ?1`)
        .bind(companyId, isFrozen),
      shared.prepare('update api_keys set frozen = ?2 where company_id = ?1').bind(companyId, isFrozen),
      shared.prepare('delete from store_keys where company_id = ?1').bind(companyId),
    ])
    await driveToEnd(companyId)
    expect((await reader.request('GET', `/api/v1/leads/${since?.leadId}`)).status).toBe(200)
    dataOf(await writer.createLead({ campaignId, phoneNumber: newPhone() }), 201)
    expect((await dump(name, companyId)).leads).toHaveLength(7)
  },
)

it('A company that moves before its leads have the words of numbers gets them where it moves to', async () => {
  const world = await seedMoving()
  const { companyId, campaignId } = world
  const partner = newPhone()
  const lead = { campaignId, phoneNumber: newPhone(), metadata: { partner } }
  const { leadId } = dataOf(await world.writer.createLead(lead), 201)
  await shared.batch([
    shared
      .prepare(
        'update leads set words = null where campaign_number in (select number from campaigns where company_id = ?1)',
      )
      .bind(companyId),
    shared.prepare('update search_place set words_place = 0'),
  ])
  const name = await moveTo(companyId, 'own')
  await shared.prepare('update search_place set words_place = 9007199254740991').run()
  // Its alarm may have done so already.
  await fillWordsByTheMinute(tablesOf(name))
  const erased = await world.manager.request('POST', '/api/v1/erasures', { phoneNumber: partner })
  expect(dataOf(erased, 200)).toMatchObject({ alsoIn: [leadId], isPartial: false })
})
