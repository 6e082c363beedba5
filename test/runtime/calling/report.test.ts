// What a report, a release, an extension and a lease that runs out do (D40 to D42, D47, D54 to D56), on a real D1.

import { describe, expect, it } from 'vitest'
import { readCampaign } from '../../../src/calling/store/campaign-overview.ts'
import { listCallsOfLead, listOpenCalls } from '../../../src/calling/store/history.ts'
import { reportAndClaim } from '../../../src/calling/store/report.ts'
import { type ReportedOutcome, resolveOutcomes } from '../../../src/campaigns/outcomes.ts'
import { removeSuppressions } from '../../../src/suppression/store/remove-suppressions.ts'
import { asKey, noHashes } from '../../support/actor.ts'
import {
  type CallingWorld,
  dayMs,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  settleEverything,
} from '../../support/calling.ts'
import { databaseLosingAnswers, databaseThat } from '../../support/database.ts'
import { mistyped } from '../../support/seed.ts'
import { companyDb } from '../../support/store.ts'
import { newPhone, newPhones, seedKey } from '../../support/world.ts'

const leaseMs = 600_000
const noLimits = { minGapMinutes: null, per24Hours: null, per7Days: null }
const seedFree = (more: object = {}) => seedCallingWorld({ ...openSettings, numberLimits: noLimits, ...more })

/** A lead that is on the phone, and the id of its call. */
async function onThePhone(world: CallingWorld, nowMs = noonMs, priority = 3) {
  const lead = await world.add({ priority }, nowMs)
  const { calls } = await world.claim(nowMs)
  return { ...lead, callId: calls[0]?.callId as string }
}

const again = async (world: CallingWorld, nowMs: number) =>
  (await world.claim(nowMs)).calls[0]?.callId as string

describe('A report', () => {
  it.each<[ReportedOutcome, string, number | null]>([
    ['answered', 'concluded', null],
    ['not_interested', 'concluded', null],
    ['wrong_number', 'exhausted', null],
    ['invalid_number', 'exhausted', null],
    ['do_not_call', 'exhausted', null],
    ['no_answer', 'attempting', 60],
    ['busy', 'attempting', 15],
    ['voicemail', 'attempting', 240],
    ['failed', 'attempting', 30],
    ['abandoned', 'attempting', 4320],
    ['callback_requested', 'attempting', 60],
  ])('of %s leaves the lead %s, due after %s minutes', async (outcome, status, minutes) => {
    const world = await seedFree()
    const { callId, leadId, phoneNumber } = await onThePhone(world)
    const nowMs = noonMs + minuteMs
    const nextCallAtMs = minutes === null ? null : nowMs + minutes * minuteMs
    expect(await world.report(nowMs, [{ callId, outcome }])).toEqual([
      { callId, leadId, result: 'recorded', status, attempts: 1, nextCallAtMs },
    ])
    const row = await leadRow(world.campaign, phoneNumber)
    expect(row).toMatchObject({ status, attempts: 1, due_at_ms: nextCallAtMs, lease_expires_at_ms: null })
    if (minutes !== null) expect(row.queue_rank).toBe(3)
  })

  it('of a time that was agreed makes an appointment, now when the time has come already', async () => {
    const world = await seedFree()
    const one = await onThePhone(world)
    const two = await onThePhone(world)
    const callbackAtMs = noonMs + dayMs
    await world.report(noonMs + 1, [
      { callId: one.callId, outcome: 'callback_requested', callbackAtMs },
      { callId: two.callId, outcome: 'callback_requested', callbackAtMs: noonMs - dayMs },
    ])
    expect(await leadRow(world.campaign, one.phoneNumber)).toMatchObject({
      queue_rank: 101,
      due_at_ms: callbackAtMs,
    })
    expect(await leadRow(world.campaign, two.phoneNumber)).toMatchObject({
      queue_rank: 101,
      due_at_ms: noonMs + 1,
    })
    // A retry after an appointment falls back to its priority.
    const callId = await again(world, noonMs + 2)
    await world.report(noonMs + 3, [{ callId, outcome: 'busy' }])
    expect((await leadRow(world.campaign, two.phoneNumber)).queue_rank).toBe(3)
  })

  it.each<[ReportedOutcome, string]>([
    ['busy', 'exhausted'],
    ['callback_requested', 'exhausted'],
    ['answered', 'concluded'],
  ])('of %s on the last attempt leaves the lead %s', async (outcome, status) => {
    const world = await seedFree({ maxAttempts: 1 })
    const lead = await world.add()
    const { calls } = await world.claim(noonMs)
    expect(calls[0]?.isLastAttempt).toBe(true)
    const callId = calls[0]?.callId as string
    await world.report(noonMs, [{ callId, outcome, callbackAtMs: noonMs + hourMs }])
    expect(await leadRow(world.campaign, lead.phoneNumber)).toMatchObject({ status, due_at_ms: null })
  })

  it('follows what the campaign has made of an outcome, except that do_not_call suppresses', async () => {
    const world = await seedFree({
      outcomes: {
        busy: { class: 'done' },
        answered: { class: 'retry', minutes: 7 },
        do_not_call: { class: 'retry' },
      },
    })
    const [busy, answered, forbidden] = [
      await onThePhone(world),
      await onThePhone(world),
      await onThePhone(world),
    ]
    const results = await world.report(noonMs, [
      { callId: busy.callId, outcome: 'busy' },
      { callId: answered.callId, outcome: 'answered' },
      { callId: forbidden.callId, outcome: 'do_not_call' },
    ])
    expect(results).toMatchObject([
      { status: 'concluded' },
      { status: 'attempting', nextCallAtMs: noonMs + 7 * minuteMs },
      { status: 'exhausted' },
    ])
  })

  it('of an outcome that is newer than the stored settings follows its default', async () => {
    const world = await seedFree({ outcomes: { busy: { minutes: 5 } } })
    const lease = { ...(await onThePhone(world)), atMs: noonMs }
    await companyDb
      .prepare(
        `update calling_settings set outcomes = json_remove(outcomes, '$.answered', '$.voicemail', '$.unknown')
       where campaign_number = ?1`,
      )
      .bind(world.campaign.number)
      .run()
    // A lease that runs out is an outcome too.
    await settleEverything(lease.atMs + leaseMs + 2000)
    expect(await leadRow(world.campaign, lease.phoneNumber)).toMatchObject({
      status: 'attempting',
      due_at_ms: lease.atMs + leaseMs + hourMs,
    })

    const [answered, voicemail, busy] = [
      await onThePhone(world),
      await onThePhone(world),
      await onThePhone(world),
    ]
    expect(
      await world.report(noonMs, [
        { callId: answered.callId, outcome: 'answered' },
        { callId: voicemail.callId, outcome: 'voicemail' },
        { callId: busy.callId, outcome: 'busy' },
      ]),
    ).toMatchObject([
      { result: 'recorded', status: 'concluded', nextCallAtMs: null },
      { result: 'recorded', status: 'attempting', nextCallAtMs: noonMs + 240 * minuteMs },
      { result: 'recorded', status: 'attempting', nextCallAtMs: noonMs + 5 * minuteMs },
    ])
    const read = await readCampaign(companyDb, world.access(world.manageKeyId, noonMs))
    if (read.kind !== 'found') throw new Error(read.kind)
    expect(read.campaign.outcomes).toEqual(resolveOutcomes({ busy: { minutes: 5 } }))

    // A change writes all of them again: an earlier version reads the stored ones alone.
    await world.change({ maxAttempts: 4 })
    const stored = await companyDb
      .prepare('select outcomes from calling_settings where campaign_number = ?1')
      .bind(world.campaign.number)
      .first<{ outcomes: string }>()
    expect(JSON.parse(stored?.outcomes ?? '')).toEqual(read.campaign.outcomes)
  })

  it('that comes again is replayed, and one that says something else is a conflict', async () => {
    const world = await seedFree()
    const { callId } = await onThePhone(world)
    await world.report(noonMs, [{ callId, outcome: 'busy' }])
    const same = await world.report(noonMs + hourMs, [{ callId, outcome: 'busy' }])
    expect(same).toMatchObject([{ result: 'replayed', nextCallAtMs: noonMs + 15 * minuteMs }])
    const other = await world.report(noonMs, [{ callId, outcome: 'answered' }])
    expect(other).toMatchObject([{ result: 'conflict', status: 'attempting' }])
  })

  it('of a call that nobody knows, or of another company, changes nothing', async () => {
    const world = await seedFree()
    const { callId, phoneNumber } = await onThePhone(world)
    const stranger = await seedFree()
    const forged = mistyped(callId)
    const held = await seedKey({
      companyId: world.companyId,
      campaign: (await world.another()).campaign,
      scope: 'agent',
    })
    expect(await stranger.report(noonMs, [{ callId, outcome: 'answered' }])).toEqual([
      { callId, result: 'unknown_call' },
    ])
    expect(
      await world.report(noonMs, [
        { callId: forged, outcome: 'answered' },
        { callId: 'x', outcome: 'busy' },
      ]),
    ).toEqual([
      { callId: forged, result: 'unknown_call' },
      { callId: 'x', result: 'unknown_call' },
    ])
    const { reportCalls } = await import('../../../src/calling/store/report.ts')
    const report = { callId, outcome: 'answered', callbackAtMs: null, doNotCall: true } as const
    const rest = { durationSeconds: null, providerCallId: null, details: null }
    for (const [keyId, expected] of [
      [held.id, { kind: 'reported', results: [{ callId, result: 'unknown_call' }] }],
      [world.writeKeyId, { kind: 'key_refused' }],
    ] as const)
      expect(await reportCalls(companyDb, asKey(keyId, noonMs), [{ ...report, ...rest }])).toEqual(expected)
    expect((await leadRow(world.campaign, phoneNumber)).lease_expires_at_ms).toBe(noonMs + leaseMs)
  })

  it('takes details of any size that is allowed, and the history gives them back', async () => {
    const world = await seedFree()
    await Promise.all(newPhones(100).map((phoneNumber) => world.add({ phoneNumber })))
    const { calls } = await world.claim(noonMs, { maxCalls: 100, agent: 'Ada' })
    const details = JSON.stringify({ text: '"'.repeat(8_000) })
    const reports = calls.map(({ callId }) => ({
      callId,
      outcome: 'busy' as const,
      details,
      durationSeconds: 7,
      providerCallId: 'p',
    }))
    expect(new Set((await world.report(noonMs + 5, reports)).map(({ result }) => result))).toEqual(
      new Set(['recorded']),
    )
    const lead = JSON.parse(calls[99]?.lead as string)._id
    const history = await listCallsOfLead(companyDb, world.asAgent(noonMs), lead)
    expect(history).toEqual({
      kind: 'found',
      endMs: null,
      calls: [
        {
          callId: calls[99]?.callId,
          attempt: 1,
          agent: 'Ada',
          claimedAtMs: noonMs,
          outcome: 'busy',
          endedAtMs: noonMs + 5,
          doNotCall: false,
          isLate: false,
          callbackAtMs: null,
          durationSeconds: 7,
          providerCallId: 'p',
          details,
        },
      ],
    })
  })
})

describe('A do-not-call', () => {
  it('suppresses the number in the whole company, with any outcome (D42, D56)', async () => {
    const world = await seedFree()
    const other = await world.another()
    const phoneNumber = newPhone()
    await world.add({ phoneNumber })
    await other.add({ phoneNumber })
    const { calls } = await world.claim(noonMs)
    const callId = calls[0]?.callId as string
    const results = await world.report(noonMs, [{ callId, outcome: 'answered', doNotCall: true }])
    expect(results).toMatchObject([{ result: 'recorded', status: 'concluded' }])
    expect(await leadRow(other.campaign, phoneNumber)).toMatchObject({ status: 'raw', due_at_ms: null })
    expect((await other.claim(noonMs + dayMs)).calls).toEqual([])
  })

  it('is applied to a call that was recorded already, and then replayed', async () => {
    const world = await seedFree()
    const { callId, phoneNumber } = await onThePhone(world)
    await world.report(noonMs, [{ callId, outcome: 'busy' }])
    const { DB } = databaseLosingAnswers(1)
    expect(await world.report(noonMs, [{ callId, outcome: 'do_not_call' }], DB)).toMatchObject([
      { result: 'do_not_call_recorded', status: 'exhausted' },
    ])
    expect(await world.report(noonMs, [{ callId, outcome: 'do_not_call' }])).toMatchObject([
      { result: 'replayed' },
    ])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'exhausted', due_at_ms: null })
  })
})

describe('A do-not-call of a call that had one before', () => {
  it.each(['no_answer', 'answered'] as const)(
    'takes effect again once the suppression was removed, also with the outcome %s',
    async (outcome) => {
      const world = await seedFree()
      const { callId, phoneNumber } = await onThePhone(world)
      const forbidding = [{ callId, outcome: 'answered' as const, doNotCall: true }]
      await world.report(noonMs, forbidding)
      const scope = { phoneNumbers: [phoneNumber], campaignId: null }
      await removeSuppressions(companyDb, world.asManager(noonMs), scope, noHashes)
      const other = await world.another()
      await other.add({ phoneNumber })
      const { DB } = databaseLosingAnswers(1)
      expect(await world.report(noonMs, [{ callId, outcome, doNotCall: true }], DB)).toMatchObject([
        { result: 'do_not_call_recorded', status: 'concluded' },
      ])
      expect((await other.claim(noonMs + dayMs)).calls).toEqual([])
      expect(await world.report(noonMs, [{ callId, outcome, doNotCall: true }])).toMatchObject([
        { result: 'replayed' },
      ])
    },
  )
})

describe('A lease that runs out', () => {
  it('counts as an attempt, and spaces the retry from its end (D54)', async () => {
    const world = await seedFree()
    const { phoneNumber } = await onThePhone(world)
    await world.claim(noonMs + leaseMs + 1999)
    expect((await leadRow(world.campaign, phoneNumber)).lease_expires_at_ms).toBe(noonMs + leaseMs)
    await world.claim(noonMs + leaseMs + 2000)
    expect(await leadRow(world.campaign, phoneNumber)).toEqual({
      status: 'attempting',
      attempts: 1,
      queue_rank: 3,
      due_at_ms: noonMs + leaseMs + hourMs,
      lease_expires_at_ms: null,
    })
  })

  it('is settled by the cron in any campaign', async () => {
    const world = await seedFree({ maxAttempts: 1 })
    const { phoneNumber } = await onThePhone(world)
    await settleEverything(noonMs + leaseMs + 1999)
    expect((await leadRow(world.campaign, phoneNumber)).status).toBe('attempting')
    await settleEverything(noonMs + leaseMs + 2000)
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'exhausted', due_at_ms: null })
  })

  it.each([0, leaseMs, leaseMs + hourMs - 1])(
    'can be reported after %i ms as if in time, while nobody claimed since',
    async (afterMs) => {
      const world = await seedFree()
      const { callId, phoneNumber } = await onThePhone(world)
      await settleEverything(noonMs + afterMs)
      const results = await world.report(noonMs + afterMs, [{ callId, outcome: 'answered' }])
      expect(results).toMatchObject([{ result: 'recorded', status: 'concluded', attempts: 1 }])
      expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({
        due_at_ms: null,
        lease_expires_at_ms: null,
      })
    },
  )

  it('can be reported after a newer claim: history and suppression follow, the newer lease stands (D47)', async () => {
    const world = await seedFree()
    const { callId, leadId, phoneNumber } = await onThePhone(world)
    await settleEverything(noonMs + leaseMs + 2000)
    const laterMs = noonMs + 2 * hourMs
    const newer = await again(world, laterMs)
    const results = await world.report(laterMs + 1, [{ callId, outcome: 'answered' }])
    expect(results).toMatchObject([
      { result: 'recorded_late', status: 'attempting', attempts: 2, nextCallAtMs: null },
    ])
    expect((await leadRow(world.campaign, phoneNumber)).lease_expires_at_ms).toBe(laterMs + leaseMs)
    expect(await world.extend(laterMs + 2, [newer])).toMatchObject([{ stop: 'concluded' }])
    // A person who was reached is not called a third time, however the second call ends.
    await world.report(laterMs + 3, [{ callId: newer, outcome: 'busy' }])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'concluded', due_at_ms: null })
    const history = await listCallsOfLead(companyDb, world.asAgent(noonMs), leadId)
    expect(history.kind === 'found' && history.calls.map((call) => [call.outcome, call.isLate])).toEqual([
      ['answered', true],
      ['busy', false],
    ])
  })

  it.each<[ReportedOutcome, ReportedOutcome, string]>([
    ['answered', 'busy', 'concluded'],
    ['busy', 'answered', 'concluded'],
    ['answered', 'wrong_number', 'exhausted'],
    ['wrong_number', 'busy', 'attempting'],
  ])(
    'of %s that comes late, in a request with %s of the latest call, leaves the lead %s',
    async (ofLate, ofLatest, status) => {
      for (const isLateFirst of [true, false]) {
        const world = await seedFree()
        const { callId, phoneNumber } = await onThePhone(world)
        const laterMs = noonMs + 2 * hourMs
        const late = { callId, outcome: ofLate }
        const latest = { callId: await again(world, laterMs), outcome: ofLatest }
        await world.report(laterMs + 1, isLateFirst ? [late, latest] : [latest, late])
        const dueAtMs = status === 'attempting' ? laterMs + 1 + 15 * minuteMs : null
        const row = await leadRow(world.campaign, phoneNumber)
        expect(row).toMatchObject({ status, due_at_ms: dueAtMs, lease_expires_at_ms: null })
      }
    },
  )

  it('of a call before the latest ends the lead now, which the latest would have called again', async () => {
    const world = await seedFree({ maxAttempts: 2 })
    const { callId, phoneNumber } = await onThePhone(world)
    await settleEverything(noonMs + leaseMs + 2000)
    const laterMs = noonMs + 2 * hourMs
    const newer = await again(world, laterMs)
    await settleEverything(laterMs + leaseMs + 2000)
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'exhausted' })
    await world.change({ maxAttempts: 5 })
    const endMs = laterMs + hourMs
    await world.report(endMs, [
      { callId, outcome: 'answered' },
      { callId: newer, outcome: 'busy' },
    ])
    const row = await companyDb
      .prepare('select status, finished_at_ms as ms from leads where phone_number = ?1')
      .bind(phoneNumber)
      .first()
    expect(row).toEqual({ status: 'concluded', ms: endMs })
  })

  it('concludes a lead that is back in the queue when it is reported late as answered', async () => {
    const world = await seedFree()
    const { callId, phoneNumber } = await onThePhone(world)
    await settleEverything(noonMs + leaseMs + 2000)
    const newer = await again(world, noonMs + 2 * hourMs)
    await world.report(noonMs + 2 * hourMs, [{ callId: newer, outcome: 'busy' }])
    await world.report(noonMs + 2 * hourMs, [{ callId, outcome: 'answered' }])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'concluded', due_at_ms: null })
  })
})

describe('A release (D55)', () => {
  it('gives the attempt back, and queues the lead after its delay', async () => {
    const world = await seedFree()
    const { callId, phoneNumber } = await onThePhone(world)
    const release = [{ callId, delaySeconds: 60 }]
    expect(await world.release(noonMs, release)).toMatchObject([
      { result: 'recorded', status: 'raw', attempts: 0, nextCallAtMs: noonMs + minuteMs },
    ])
    expect(await world.release(noonMs + 1, release)).toMatchObject([{ result: 'replayed', attempts: 0 }])
    expect(await world.report(noonMs + 1, [{ callId, outcome: 'busy' }])).toMatchObject([
      { result: 'conflict' },
    ])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({
      status: 'raw',
      due_at_ms: noonMs + minuteMs,
    })
    expect((await world.claim(noonMs + minuteMs)).calls[0]?.attempt).toBe(1)
  })

  it('keeps an appointment one', async () => {
    const world = await seedFree()
    const { callId, phoneNumber } = await onThePhone(world)
    await world.report(noonMs, [{ callId, outcome: 'callback_requested', callbackAtMs: noonMs + 1 }])
    const second = await again(world, noonMs + 1)
    await world.release(noonMs + 1, [{ callId: second, delaySeconds: 0 }])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({
      status: 'attempting',
      attempts: 1,
      queue_rank: 101,
    })
  })

  it('that comes late takes the unknown back, unless the lead was claimed since', async () => {
    const world = await seedFree({ maxAttempts: 1 })
    const { callId, phoneNumber } = await onThePhone(world)
    await settleEverything(noonMs + hourMs)
    expect(await world.release(noonMs + hourMs, [{ callId, delaySeconds: 0 }])).toMatchObject([
      { result: 'recorded' },
    ])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'raw', attempts: 0 })
    const second = await again(world, noonMs + hourMs)
    await world.report(noonMs + hourMs, [{ callId: second, outcome: 'busy' }])
    expect(await world.release(noonMs + hourMs, [{ callId: second, delaySeconds: 0 }])).toMatchObject([
      { result: 'conflict' },
    ])
  })

  it('that comes late keeps an appointment one too', async () => {
    const world = await seedFree()
    const lead = { scheduledFor: new Date(noonMs).toISOString(), priority: 3 }
    const { phoneNumber } = await world.add(lead, noonMs - hourMs)
    const callId = (await world.claim(noonMs)).calls[0]?.callId as string
    await settleEverything(noonMs + hourMs)
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ queue_rank: 3 })
    await world.release(noonMs + hourMs, [{ callId, delaySeconds: 0 }])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'raw', queue_rank: 101 })
  })

  it('of a suppressed number does not queue it', async () => {
    const world = await seedFree()
    const { callId, phoneNumber } = await onThePhone(world)
    await world.suppress([phoneNumber])
    await world.release(noonMs, [{ callId, delaySeconds: 0 }])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'raw', due_at_ms: null })
  })
})

describe('An extension', () => {
  it('moves the end of the lease, and never shortens it', async () => {
    const world = await seedFree()
    const { callId } = await onThePhone(world)
    expect(await world.extend(noonMs + minuteMs, [callId])).toEqual([
      {
        callId,
        leaseExpiresAtMs: noonMs + minuteMs + leaseMs,
        dialBeforeMs: noonMs + minuteMs + leaseMs,
        stop: null,
      },
    ])
    expect(await world.extend(noonMs + minuteMs, [callId], 30)).toMatchObject([
      { leaseExpiresAtMs: noonMs + minuteMs + leaseMs },
    ])
  })

  it.each([
    ['suppressed', async (world: CallingWorld, phone: string) => void (await world.suppress([phone]))],
    ['paused', async (world: CallingWorld) => void (await world.change({ paused: true }))],
  ])('says %s, and extends all the same', async (stop, act) => {
    const world = await seedFree()
    const { callId, phoneNumber } = await onThePhone(world)
    await act(world, phoneNumber)
    expect(await world.extend(noonMs + 1, [callId])).toEqual([
      { callId, leaseExpiresAtMs: noonMs + 1 + leaseMs, dialBeforeMs: noonMs + 1 + leaseMs, stop },
    ])
  })

  it('cannot bring back a lease that ran out, or was ended, or is not known', async () => {
    const world = await seedFree()
    const [one, two] = [await onThePhone(world), await onThePhone(world)]
    await world.report(noonMs, [{ callId: two.callId, outcome: 'busy' }])
    const lost = (callId: string) => ({
      callId,
      leaseExpiresAtMs: null,
      dialBeforeMs: null,
      stop: 'lease_lost',
    })
    expect(await world.extend(noonMs + leaseMs, [one.callId, two.callId, 'x'])).toEqual([
      lost(one.callId),
      lost(two.callId),
      lost('x'),
    ])
  })
})

describe('Open calls', () => {
  it('are listed a page at a time, by agent, while their lease lasts', async () => {
    const world = await seedFree()
    for (let i = 0; i < 6; i++) await world.add({}, noonMs)
    await world.claim(noonMs, { maxCalls: 4, agent: 'Ada' })
    await world.claim(noonMs + 1, { maxCalls: 2, agent: 'Bob' })
    const list = async (range: object, nowMs = noonMs + 1) => {
      const page = await listOpenCalls(companyDb, world.access(world.agentKeyId, nowMs), {
        agent: null,
        maxCalls: 10,
        after: null,
        ...range,
      })
      if (page.kind !== 'page') throw new Error(page.kind)
      return page
    }
    const first = await list({ maxCalls: 3 })
    const second = await list({ maxCalls: 3, after: first.end })
    expect([...first.calls, ...second.calls].map((call) => call.agent)).toEqual([
      'Ada',
      'Ada',
      'Ada',
      'Ada',
      'Bob',
      'Bob',
    ])
    expect(new Set([...first.calls, ...second.calls].map((call) => call.callId)).size).toBe(6)
    expect(second.end).toBeNull()
    expect((await list({ agent: 'Bob' })).calls).toHaveLength(2)
    expect((await list({}, noonMs + leaseMs)).calls.map((call) => call.agent)).toEqual(['Bob', 'Bob'])
  })
})

describe('A report with a claim (D53)', () => {
  const one = {
    callbackAtMs: null,
    doNotCall: false,
    durationSeconds: null,
    providerCallId: null,
    details: null,
  }
  const request = { maxCalls: 1, leaseSeconds: null, agent: null }

  it('is one transaction, and gives both answers', async () => {
    const world = await seedFree()
    const { callId } = await onThePhone(world)
    await world.add()
    const origin = {
      ...world.access(world.agentKeyId, noonMs),
      requestKey: 'k',
      requestToken: 't',
      hashes: noHashes,
    }
    const outcome = await reportAndClaim(companyDb, [{ ...one, callId, outcome: 'busy' }], origin, request)
    expect(outcome).toMatchObject({
      kind: 'reported',
      results: [{ result: 'recorded' }],
      claim: { kind: 'claimed', calls: [{}] },
    })
  })

  it('records nothing when the campaign of the claim is denied', async () => {
    const world = await seedFree()
    const { callId, phoneNumber } = await onThePhone(world)
    const origin = {
      ...asKey(world.agentKeyId, noonMs),
      campaignId: 'elsewhere',
      requestKey: null,
      hashes: noHashes,
      requestToken: 't',
    }
    const reports = [{ ...one, callId, outcome: 'do_not_call' as const, details: '{}' }]
    expect(await reportAndClaim(companyDb, reports, origin, request)).toEqual({ kind: 'campaign_denied' })
    expect((await leadRow(world.campaign, phoneNumber)).lease_expires_at_ms).toBe(noonMs + leaseMs)
    const { n } = (await companyDb
      .prepare('select count(*) as n from suppressions where company_id = ?1')
      .bind(world.companyId)
      .first<{ n: number }>()) ?? { n: -1 }
    expect(n).toBe(0)
  })
})

describe('A lost answer', () => {
  /** Commits the first call's writes, then does what another client would do in between, and loses the answer. */
  const losing = (between: () => Promise<unknown>) => {
    let calls = 0
    return databaseThat(async (run) => {
      const answer = await run()
      if (++calls > 1) return answer
      await between()
      throw new Error('D1_ERROR: Network connection lost.')
    }).DB
  }

  it('of a report does not undo what came after it', async () => {
    const world = await seedFree()
    const { callId, phoneNumber } = await onThePhone(world)
    let newer = ''
    const db = losing(async () => {
      newer = await again(world, noonMs + 15 * minuteMs)
    })
    const results = await world.report(noonMs, [{ callId, outcome: 'busy' }], db)
    expect(results).toMatchObject([{ result: 'recorded', attempts: 2 }])
    expect(newer).not.toBe('')
    expect((await leadRow(world.campaign, phoneNumber)).lease_expires_at_ms).toBe(
      noonMs + 15 * minuteMs + leaseMs,
    )
  })

  it('of a claim does not lease what was released since', async () => {
    const world = await seedFree()
    const { phoneNumber } = await world.add()
    await world
      .claim(noonMs - 1, { maxCalls: 1 })
      .then(({ calls }) =>
        world.release(noonMs - 1, [{ callId: calls[0]?.callId as string, delaySeconds: 0 }]),
      )
    const db = losing(async () => {
      const page = await listOpenCalls(companyDb, world.access(world.agentKeyId, noonMs), {
        agent: null,
        maxCalls: 1,
        after: null,
      })
      const callId = page.kind === 'page' ? (page.calls[0]?.callId as string) : ''
      await world.release(noonMs, [{ callId, delaySeconds: 0 }])
    })
    expect((await world.claim(noonMs, {}, db)).calls).toEqual([])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({
      status: 'raw',
      lease_expires_at_ms: null,
    })
  })

  it('of a release, an extension, a suppression or a report is repeated as if it had arrived', async () => {
    const world = await seedFree()
    const { callId, phoneNumber } = await onThePhone(world)
    const two = await onThePhone(world)
    const three = await world.add()
    const lost = () => losing(async () => {})
    expect(await world.extend(noonMs, [callId], null, lost())).toMatchObject([{ stop: null }])
    expect(await world.release(noonMs, [{ callId, delaySeconds: 60 }], lost())).toMatchObject([
      { result: 'recorded', attempts: 0 },
    ])
    expect(await world.report(noonMs, [{ callId: two.callId, outcome: 'busy' }], lost())).toMatchObject([
      { result: 'recorded' },
    ])
    expect(await world.suppress([three.phoneNumber, phoneNumber], noonMs, lost())).toMatchObject({
      added: 2,
      existing: 0,
      removedFromQueue: 2,
    })
    expect((await world.requeue(two.leadId, noonMs, lost())).kind).toBe('requeued')
    await world.lift([phoneNumber], noonMs, lost())
    expect((await leadRow(world.campaign, phoneNumber)).due_at_ms).not.toBeNull()
    await settleEverything(noonMs + hourMs, lost())
  })
})
