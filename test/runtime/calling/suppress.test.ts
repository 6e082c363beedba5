// Suppressing and lifting, requeueing, and why a lead is not called, on a real D1.

import { describe, expect, it } from 'vitest'
import { readCampaign } from '../../../src/calling/store/campaign-overview.ts'
import { listSettings } from '../../../src/calling/store/campaign-pages.ts'
import { defaultSettings } from '../../../src/campaigns/settings.ts'
import { createLeads } from '../../../src/leads/store/create-bulk.ts'
import { listNumbers } from '../../../src/ledger/suppression/numbers.ts'
import { suppressNumbers } from '../../../src/suppression/store/suppress.ts'
import { asKey, noHashes } from '../../support/actor.ts'
import {
  dayMs,
  fillQueue,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
} from '../../support/calling.ts'
import { databaseThat } from '../../support/database.ts'
import { companyDb } from '../../support/store.ts'
import { newPhone, newPhones, seedKey } from '../../support/world.ts'

describe('A suppression (D48)', () => {
  it('takes leads of the number out of the queue of every campaign, and lists the ongoing calls', async () => {
    const world = await seedCallingWorld()
    const other = await world.another()
    const phones = newPhones(3) as [string, string, string]
    for (const phoneNumber of phones) await world.add({ phoneNumber })
    await other.add({ phoneNumber: phones[0] })
    const { calls } = await world.claim(noonMs)
    expect(await world.suppress([...phones, newPhone()])).toEqual({
      kind: 'suppressed',
      added: 4,
      existing: 0,
      removedFromQueue: 3,
      liveCalls: [calls[0]?.callId],
    })
    expect(await world.suppress(phones)).toMatchObject({ added: 0, existing: 3, removedFromQueue: 0 })
    for (const each of [world, other]) expect((await each.claim(noonMs, { maxCalls: 9 })).calls).toEqual([])
    expect(await leadRow(world.campaign, phones[1])).toMatchObject({ status: 'raw', due_at_ms: null })
  })

  it('exhausts a lead that was called before, and one that is never called stays raw', async () => {
    const world = await seedCallingWorld()
    const { phoneNumber } = await world.add()
    const { calls } = await world.claim(noonMs)
    await world.report(noonMs, [{ callId: calls[0]?.callId as string, outcome: 'busy' }])
    await world.suppress([phoneNumber])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'exhausted', due_at_ms: null })
    await world.lift([phoneNumber])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'exhausted', due_at_ms: null })
  })

  it('keeps what comes in later out of the queue, and says so', async () => {
    const world = await seedCallingWorld()
    const [suppressed, plain] = newPhones(2) as [string, string]
    await world.suppress([suppressed])
    const lead = { externalId: null, metadata: null, scheduledFor: null, priority: 0, timeZone: null }
    const origin = {
      ...world.access(world.writeKeyId, noonMs),
      token: 'token000000',
      requestKey: null,
      hashes: noHashes,
    }
    const leads = [suppressed, plain].map((phoneNumber) => ({ ...lead, phoneNumber }))
    const outcome = await createLeads(companyDb, origin, leads, {
      withSkippedIds: true,
      isDryRun: false,
      invalid: 0,
    })
    expect(outcome).toMatchObject({
      results: [{ status: 'created', suppressed: true }, { status: 'created' }],
    })
    expect(outcome.kind === 'imported' && outcome.results[1]).not.toHaveProperty('suppressed')
    const single = await world.add({ phoneNumber: newPhone() })
    await world.suppress([single.phoneNumber])
    const other = await world.another()
    await other.add({ phoneNumber: single.phoneNumber })
    expect(await leadRow(other.campaign, single.phoneNumber)).toMatchObject({
      due_at_ms: null,
      queue_rank: 0,
    })
    expect((await world.claim(noonMs, { maxCalls: 9 })).calls).toHaveLength(1)
  })

  it('stays when it was added while the answer to the removal of an older one was lost', async () => {
    const world = await seedCallingWorld()
    const { phoneNumber } = await world.add()
    await world.suppress([phoneNumber])
    let isLost = false
    const { DB } = databaseThat(async (run, { statements }) => {
      const answer = await run()
      if (isLost || !statements.some(({ sql }) => sql.startsWith('delete from suppressions'))) return answer
      isLost = true
      expect((await world.suppress([phoneNumber])).added).toBe(1)
      throw new Error('D1_ERROR: Network connection lost.')
    })
    expect(await world.lift([phoneNumber], noonMs, DB)).toEqual({ kind: 'removed', removed: 1 })
    expect(isLost).toBe(true)
    expect((await world.suppress([phoneNumber])).existing).toBe(1)
    expect((await world.claim(noonMs)).calls).toEqual([])
  })

  it('that is removed queues again what was never called, where it was due', async () => {
    const world = await seedCallingWorld()
    const scheduledFor = '2026-11-18T15:00+01'
    const { phoneNumber } = await world.add({ scheduledFor, priority: 4 })
    const plain = await world.add({ priority: 5 }, noonMs + 7)
    await world.suppress([phoneNumber, plain.phoneNumber])
    expect(await world.lift([phoneNumber, plain.phoneNumber])).toEqual({ kind: 'removed', removed: 2 })
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({
      queue_rank: 101,
      due_at_ms: noonMs + 2 * hourMs,
    })
    expect(await leadRow(world.campaign, plain.phoneNumber)).toMatchObject({
      queue_rank: 5,
      due_at_ms: noonMs + 7,
    })
  })

  it('of one campaign leaves the others alone, and lifting one leaves the other in force', async () => {
    const world = await seedCallingWorld()
    const other = await world.another()
    const phoneNumber = newPhone()
    await world.add({ phoneNumber })
    await other.add({ phoneNumber })
    const here = { phoneNumbers: [phoneNumber], campaignId: world.campaignId, reason: null }
    expect(await suppressNumbers(companyDb, world.asWriter(noonMs), here)).toMatchObject({
      removedFromQueue: 1,
    })
    await world.suppress([phoneNumber])
    expect((await other.claim(noonMs)).calls).toEqual([])
    await world.lift([phoneNumber])
    expect((await world.claim(noonMs)).calls).toEqual([])
    expect((await other.claim(noonMs)).calls).toHaveLength(1)
  })

  it("is for the company's keys, and for a campaign's key in its campaign", async () => {
    const world = await seedCallingWorld()
    const held = await seedKey({ companyId: world.companyId, campaign: world.campaign })
    const access = (keyId: string) => asKey(keyId, noonMs)
    const numbers = { phoneNumbers: [newPhone()], reason: null }
    const act = async (keyId: string, campaignId: string | null) =>
      (await suppressNumbers(companyDb, access(keyId), { ...numbers, campaignId })).kind
    expect(await act(held.id, null)).toBe('company_denied')
    expect(await act(held.id, world.campaignId)).toBe('suppressed')
    expect(await act(held.id, (await world.another()).campaign.id)).toBe('campaign_denied')
    expect(await act(world.readKeyId, null)).toBe('key_refused')
  })

  it('is listed in pages, of the company or of one campaign', async () => {
    const world = await seedCallingWorld()
    const phones = newPhones(5)
    await world.suppress(phones)
    const here = { phoneNumbers: phones.slice(0, 1), campaignId: world.campaignId, reason: 'asked' }
    await suppressNumbers(companyDb, world.asWriter(noonMs), here)
    const list = async (
      campaignId: string | null,
      after = { phoneNumber: '', campaignNumber: 0 },
      maxNumbers = 4,
    ) => {
      const page = await listNumbers(companyDb, world.asWriter(noonMs), { campaignId, maxNumbers, after })
      if (page.kind !== 'page') throw new Error(page.kind)
      return page
    }
    const first = await list(null)
    const second = await list(null, first.end as NonNullable<typeof first.end>)
    expect([...first.numbers, ...second.numbers].map((each) => each.phoneNumber)).toEqual(
      [...phones, phones[0] as string].sort(),
    )
    expect(second.end).toBeNull()
    expect((await list(world.campaignId)).numbers).toEqual([
      { phoneNumber: phones[0], campaignId: world.campaignId, reason: 'asked', createdAtMs: noonMs },
    ])
  })
})

describe('A requeue (D40)', () => {
  it.each(['answered', 'wrong_number'] as const)(
    'brings a lead back after %s, with new attempts',
    async (outcome) => {
      const numberLimits = { minGapMinutes: null, per24Hours: null, per7Days: null }
      const world = await seedCallingWorld({ ...openSettings, maxAttempts: 1, numberLimits })
      const { leadId, phoneNumber } = await world.add({ priority: 2 })
      const { calls } = await world.claim(noonMs)
      const callId = calls[0]?.callId as string
      await world.report(noonMs, [{ callId, outcome }])
      const requeued = await world.requeue(leadId, noonMs + 1)
      expect(requeued.kind === 'requeued' && JSON.parse(requeued.json)).toMatchObject({
        status: 'attempting',
        attempts: 1,
      })
      expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({
        queue_rank: 2,
        due_at_ms: noonMs + 1,
      })
      const next = (await world.claim(noonMs + 1)).calls[0]
      expect(next).toMatchObject({ attempt: 2, isLastAttempt: true })
      expect(await world.extend(noonMs + 2, [next?.callId as string])).toMatchObject([{ stop: null }])
      await world.report(noonMs + 2, [{ callId: next?.callId as string, outcome: 'busy' }])
      expect((await leadRow(world.campaign, phoneNumber)).status).toBe('exhausted')
    },
  )

  it('is refused while the lead is leased, while its number is suppressed, and for a stranger', async () => {
    const world = await seedCallingWorld()
    const stranger = await seedCallingWorld()
    const { leadId, phoneNumber } = await world.add()
    await world.claim(noonMs)
    expect((await world.requeue(leadId, noonMs)).kind).toBe('leased')
    expect((await stranger.requeue(leadId, noonMs)).kind).toBe('missing')
    expect((await world.requeue(`${leadId.slice(0, -1)}_`, noonMs)).kind).toBe('missing')
    await world.suppress([phoneNumber])
    expect((await world.requeue(leadId, noonMs + hourMs)).kind).toBe('suppressed')
    await world.lift([phoneNumber])
    expect((await world.requeue(leadId, noonMs + hourMs)).kind).toBe('requeued')
  })

  it('makes what is reported of calls before it late, so that it does not undo the requeue', async () => {
    const world = await seedCallingWorld()
    const { leadId, phoneNumber } = await world.add()
    const { calls } = await world.claim(noonMs)
    const callId = calls[0]?.callId as string
    await world.requeue(leadId, noonMs + hourMs)
    const requeued = await leadRow(world.campaign, phoneNumber)
    expect(await world.report(noonMs + hourMs, [{ callId, outcome: 'answered' }])).toMatchObject([
      { result: 'recorded_late', status: 'attempting' },
    ])
    expect(await world.release(noonMs + hourMs, [{ callId, delaySeconds: 0 }])).toMatchObject([
      { result: 'conflict' },
    ])
    expect(await leadRow(world.campaign, phoneNumber)).toEqual(requeued)
  })

  it('leaves the time of a lead that is queued as it is', async () => {
    const world = await seedCallingWorld()
    const { leadId, phoneNumber } = await world.add({ scheduledFor: '2026-11-19T12:00:00Z' })
    await world.requeue(leadId, noonMs)
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({
      status: 'raw',
      queue_rank: 101,
      due_at_ms: noonMs + dayMs,
    })
  })
})

describe('Why a lead is not called (D58)', () => {
  const codesOf = (outcome: { kind: string; blockers?: readonly { code: string }[] }) =>
    outcome.blockers?.map(({ code }) => code)

  it('lists every blocker with its end, and says when it can be called next', async () => {
    const world = await seedCallingWorld()
    const { leadId, phoneNumber } = await world.add()
    expect(await world.explain(leadId, noonMs)).toEqual({
      kind: 'explained',
      isCallable: true,
      blockers: [],
      nextCallAtMs: noonMs,
    })
    const { calls } = await world.claim(noonMs)
    expect(await world.explain(leadId, noonMs)).toMatchObject({
      isCallable: false,
      blockers: [
        { code: 'leased', untilMs: noonMs + 10 * minuteMs },
        { code: 'number_gap', untilMs: noonMs + 15 * minuteMs },
      ],
      nextCallAtMs: null,
    })
    expect(await world.explain(leadId, noonMs + 20 * minuteMs, noonMs)).toMatchObject({
      blockers: [{ code: 'spaced', untilMs: noonMs + 70 * minuteMs }],
    })
    await world.report(noonMs, [{ callId: calls[0]?.callId as string, outcome: 'no_answer' }])
    expect(await world.explain(leadId, noonMs)).toMatchObject({
      blockers: [{ code: 'number_gap' }, { code: 'spaced', untilMs: noonMs + hourMs }],
      nextCallAtMs: noonMs + hourMs,
    })
    await world.change({ paused: true, callingHours: defaultSettings.callingHours })
    await world.suppress([phoneNumber])
    const night = noonMs + 10 * hourMs
    expect(await world.explain(leadId, night)).toMatchObject({
      blockers: [
        { code: 'paused', untilMs: null },
        { code: 'final', untilMs: null },
        { code: 'suppressed', untilMs: null },
        { code: 'outside_hours', untilMs: noonMs + 21 * hourMs },
      ],
      nextCallAtMs: null,
    })
  })

  it('names the limits of the number, and its live call elsewhere', async () => {
    const world = await seedCallingWorld({ ...openSettings, numberLimits: { per24Hours: 1, per7Days: 1 } })
    const other = await world.another()
    const phoneNumber = newPhone()
    await world.add({ phoneNumber })
    const { leadId } = await other.add({ phoneNumber })
    await world.claim(noonMs)
    expect(await world.explain(leadId, noonMs)).toMatchObject({
      blockers: [
        { code: 'number_live', untilMs: noonMs + 10 * minuteMs + 2000 },
        { code: 'number_gap', untilMs: noonMs + 15 * minuteMs },
        { code: 'number_day', untilMs: noonMs + dayMs },
        { code: 'number_week', untilMs: noonMs + 7 * dayMs },
      ],
      nextCallAtMs: noonMs + 7 * dayMs,
    })
  })

  it('is computed for moments far beyond what rows know', async () => {
    const world = await seedCallingWorld({ ...openSettings, callingHours: defaultSettings.callingHours })
    const { leadId } = await world.add({ scheduledFor: '2027-11-20T12:00:00Z' })
    expect(codesOf(await world.explain(leadId, noonMs))).toEqual(['scheduled'])
    expect(await world.explain(leadId, Date.UTC(2027, 10, 21))).toMatchObject({ isCallable: true })
    const plain = await world.add()
    expect(codesOf(await world.explain(plain.leadId, Date.UTC(2027, 10, 21)))).toEqual(['outside_hours'])
    const unset = await seedCallingWorld({})
    const lead = await unset.add()
    expect(codesOf(await unset.explain(lead.leadId, noonMs))).toEqual(['not_configured'])
  })
})

describe('A campaign', () => {
  it('has the defaults until something is changed, and a queue that is counted', async () => {
    const world = await seedCallingWorld({})
    expect(await readCampaign(companyDb, world.access(world.agentKeyId, noonMs))).toMatchObject({
      campaign: { id: world.campaignId, name: world.campaignId, ...defaultSettings },
      queue: {
        queued: 0,
        leased: 0,
        isCapped: false,
        reason: 'not_configured',
        nextOpeningMs: null,
        failingAgents: [],
      },
    })
    await world.change({ timeZone: 'Europe/Berlin' })
    await fillQueue(world.campaign, 10_050)
    await world.claim(noonMs, { maxCalls: 5 })
    expect(await readCampaign(companyDb, world.access(world.agentKeyId, noonMs))).toMatchObject({
      queue: {
        queued: 10_000,
        leased: 5,
        isCapped: true,
        reason: null,
        nextOpeningMs: null,
        failingAgents: [],
      },
    })
    expect(await readCampaign(companyDb, world.access(world.agentKeyId, noonMs + 10 * hourMs))).toMatchObject(
      {
        queue: { reason: 'outside_hours', nextOpeningMs: noonMs + 20 * hourMs },
      },
    )
    const listed = await listSettings(companyDb, world.asAgent(noonMs), {
      isArchived: false,
      afterNumber: 0,
      size: 5,
    })
    expect(listed).toMatchObject({ campaigns: [{ id: world.campaignId, timeZone: 'Europe/Berlin' }] })
  })

  it('takes two changes at once, one after the other', async () => {
    const world = await seedCallingWorld()
    await Promise.all([
      world.change({ maxAttempts: 9 }),
      world.change({ leaseSeconds: 99 }),
      world.change({ paused: true }),
    ])
    expect(await readCampaign(companyDb, world.access(world.agentKeyId, noonMs))).toMatchObject({
      campaign: { maxAttempts: 9, leaseSeconds: 99, paused: true },
    })
  })
})
