// What a report, a release, an extension and a lease that runs out do (D40 to D42, D47, D54 to D56), on a real D1.

import { describe, expect, it } from 'vitest'
import { readCampaign } from '../../../src/queue/calling/store/campaign-overview.ts'
import { listOpenCalls } from '../../../src/queue/calling/store/history.ts'
import { type ReportedOutcome, resolveOutcomes } from '../../../src/queue/campaigns/outcomes.ts'
import { removeSuppressions } from '../../../src/queue/suppression/store/remove-suppressions.ts'
import { noHashes } from '../../support/access/actor.ts'
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
} from '../../support/calling/calling.ts'
import { databaseLosingAnswers, databaseThat } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'

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

it('A report of an outcome that is newer than the stored settings follows its default', async () => {
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

  // A change writes all of them again.
  await world.change({ maxAttempts: 4 })
  const stored = await companyDb
    .prepare('select outcomes from calling_settings where campaign_number = ?1')
    .bind(world.campaign.number)
    .first<{ outcomes: string }>()
  expect(JSON.parse(stored?.outcomes ?? '')).toEqual(read.campaign.outcomes)
})

it.each(['no_answer', 'answered'] as const)(
  'A do-not-call of a call that had one before takes effect again once the suppression was removed, also with the outcome %s',
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

it.each<[ReportedOutcome, ReportedOutcome, string]>([
  ['answered', 'busy', 'concluded'],
  ['busy', 'answered', 'concluded'],
  ['answered', 'wrong_number', 'exhausted'],
  ['wrong_number', 'busy', 'exhausted'],
  ['no_answer', 'busy', 'attempting'],
])(
  'A report of %s that comes late, in a request with %s of the latest call, leaves the lead %s',
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

it('A late report of a call before the latest ends the lead now, which the latest would have called again', async () => {
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

it('A late report of an answered call concludes a lead that is back in the queue', async () => {
  const world = await seedFree()
  const { callId, phoneNumber } = await onThePhone(world)
  await settleEverything(noonMs + leaseMs + 2000)
  const newer = await again(world, noonMs + 2 * hourMs)
  await world.report(noonMs + 2 * hourMs, [{ callId: newer, outcome: 'busy' }])
  await world.report(noonMs + 2 * hourMs, [{ callId, outcome: 'answered' }])
  expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'concluded', due_at_ms: null })
})

it('A release keeps an appointment one', async () => {
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

it('A release that comes late keeps an appointment one too', async () => {
  const world = await seedFree()
  const lead = { scheduledFor: new Date(noonMs).toISOString(), priority: 3 }
  const { phoneNumber } = await world.add(lead, noonMs - hourMs)
  const callId = (await world.claim(noonMs)).calls[0]?.callId as string
  await settleEverything(noonMs + hourMs)
  expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ queue_rank: 3 })
  await world.release(noonMs + hourMs, [{ callId, delaySeconds: 0 }])
  expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'raw', queue_rank: 101 })
})

it('A release of a suppressed number does not queue it', async () => {
  const world = await seedFree()
  const { callId, phoneNumber } = await onThePhone(world)
  await world.suppress([phoneNumber])
  await world.release(noonMs, [{ callId, delaySeconds: 0 }])
  expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'raw', due_at_ms: null })
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

  it('A lost answer of a report does not undo what came after it', async () => {
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

  it('A lost answer of a claim does not lease what was released since', async () => {
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

  it('A lost answer of a release, an extension, a suppression or a report is repeated as if it had arrived', async () => {
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
    expect((await world.requeue(two.leadId, noonMs, lost())).result).toBe('requeued')
    await world.lift([phoneNumber], noonMs, lost())
    expect((await leadRow(world.campaign, phoneNumber)).due_at_ms).not.toBeNull()
    await settleEverything(noonMs + hourMs, lost())
  })
})
