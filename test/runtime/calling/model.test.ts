// The model: any sequence of what agents, CRMs, operators and the clock do, done to the database and to a naive
// scheduler (naive-scheduler.ts), a third of it with its answer lost on the way, and a
// fifth with its rings dropped. Agents wait beside all of it. After every step both must agree on
// every lead and call, and what must hold is asked of the tables in SQL. VITE_MODEL_RUNS sets how many sequences.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomBase62 } from '../../../src/base62.ts'
import { readOutlook } from '../../../src/calling/bell/store/outlook.ts'
import { beginClaim, type ClaimedCall, type ClaimResult } from '../../../src/calling/store/claim.ts'
import type { Extension } from '../../../src/calling/store/extend.ts'
import { restLanes } from '../../../src/calling/store/resting-lanes.ts'
import { defaultCallingHours } from '../../../src/campaigns/calling-hours.ts'
import { type Outcome, type ReportedOutcome, reportedOutcomes } from '../../../src/campaigns/outcomes.ts'
import { changeSettings, defaultSettings, type SettingsChange } from '../../../src/campaigns/settings.ts'
import { collectNotices } from '../../../src/database/notices.ts'
import { changeLead } from '../../../src/leads/store/change.ts'
import { removeSuppressions } from '../../../src/suppression/store/remove-suppressions.ts'
import { suppressNumbers } from '../../../src/suppression/store/suppress.ts'
import { hashesIn, noHashes } from '../../support/actor.ts'
import {
  alwaysOpen,
  dayMs,
  hourMs,
  minuteMs,
  seedCallingWorld,
  settleEverything,
} from '../../support/calling.ts'
import { databaseThat } from '../../support/database.ts'
import { countBoth, countPickUps } from '../../support/hours.ts'
import { companyDb } from '../../support/store.ts'
import { isThorough } from '../../support/thorough.ts'
import { newPhones } from '../../support/world.ts'
import * as model from './naive-scheduler.ts'
import { createWaitingAgents, type Delivery } from './waiting-agents.ts'

const { VITE_MODEL_RUNS } = (import.meta as unknown as { env: Record<string, string> }).env
const runs = Number(VITE_MODEL_RUNS ?? (isThorough ? 8 : 4))

/** The Friday before the clocks of Europe change; those of New York follow a week later. */
const startMs = Date.UTC(2026, 9, 23, 11)

const zones = ['', '', 'Asia/Tokyo', 'America/New_York']
const phoneCount = 5

const settings: readonly SettingsChange[] = [
  { timeZone: 'Europe/Berlin', callingHours: alwaysOpen, appointmentHours: alwaysOpen },
  { timeZone: 'Europe/Berlin', callingHours: defaultCallingHours, maxAttempts: 2 },
  { numberLimits: { minGapMinutes: null, per24Hours: null, per7Days: null } },
  { numberLimits: null },
  { numberLimits: { per24Hours: 1, per7Days: 2 } },
  { paused: true },
  { paused: null },
  { timeZone: null },
  { timeZone: 'Asia/Tokyo' },
  { maxAttempts: 1 },
  { maxAttempts: 9 },
  { leaseSeconds: 60 },
  { closedDates: ['2026-10-26', '2026-10-27'] },
  { closedDates: null },
  {
    outcomes: { busy: { class: 'done' }, unknown: { minutes: 0 }, answered: { class: 'retry', minutes: 1 } },
  },
  {
    outcomes: {
      unknown: { class: 'done' },
      do_not_call: { class: 'retry' },
      voicemail: { class: 'appointment' },
    },
  },
  { outcomes: null },
  { maxLiveCalls: 1 },
  { maxLiveCalls: 3 },
  { maxLiveCalls: null },
  { callsPerMinute: 1 },
  { callsPerMinute: 90 },
  { callsPerMinute: null },
]

type Action =
  | {
      do: 'add'
      campaign: number
      phone: number
      zone: number
      priority: number
      scheduledInMs: number | null
    }
  | { do: 'claim'; campaign: number; maxCalls: number; leaseSeconds: number | null; isKeyed: boolean }
  | { do: 'await'; campaign: number; maxCalls: number }
  | { do: 'repeat'; which: number }
  | { do: 'report'; which: number; outcome: ReportedOutcome; callbackInMs: number | null; doNotCall: boolean }
  | { do: 'release'; which: number; delaySeconds: number }
  | { do: 'extend'; which: number; leaseSeconds: number | null }
  | { do: 'suppress' | 'lift'; phone: number; campaign: number | null }
  | { do: 'requeue' | 'explain'; which: number }
  | {
      do: 'change'
      which: number
      priority: number | null
      zone: number | null
      /** Null: not named; empty: cleared. */
      schedule: { readonly inMs: number | null } | null
    }
  | { do: 'settings'; campaign: number; change: number }
  | { do: 'wait'; ms: number }
  | { do: 'waitFor'; what: 'due' | 'lease' | 'opening'; which: number; plusMs: number }
  | { do: 'rest'; campaign: number }
  | { do: 'cron' }

const nat = (max: number) => fc.integer({ min: 0, max })
const some = <Kind extends Action['do']>(kind: Kind, rest: object): fc.Arbitrary<Action> =>
  fc.record({ do: fc.constant(kind), ...rest }) as unknown as fc.Arbitrary<Action>
const times = [-hourMs, 0, 1, 700, 10_000, 30 * minuteMs, 5 * hourMs, 2 * dayMs]
const mostly = fc.nat({ max: 1 })

const action: fc.Arbitrary<Action & { isLost: boolean; delivery: Delivery }> = fc
  .tuple(
    fc.oneof(
      {
        weight: 6,
        arbitrary: some('add', {
          campaign: nat(1),
          phone: nat(phoneCount - 1),
          zone: nat(zones.length - 1),
          priority: fc.constantFrom(0, 0, 5, 100),
          scheduledInMs: fc.option(fc.constantFrom(...times)),
        }),
      },
      {
        weight: 9,
        arbitrary: some('claim', {
          campaign: mostly,
          maxCalls: fc.constantFrom(1, 1, 2, 5),
          leaseSeconds: fc.option(fc.constantFrom(30, 7200)),
          isKeyed: fc.boolean(),
        }),
      },
      {
        weight: 9,
        arbitrary: some('await', { campaign: mostly, maxCalls: fc.constantFrom(1, 1, 3) }),
      },
      { weight: 2, arbitrary: some('repeat', { which: nat(20) }) },
      {
        weight: 8,
        arbitrary: some('report', {
          which: nat(20),
          outcome: fc.constantFrom(...reportedOutcomes),
          callbackInMs: fc.option(fc.constantFrom(...times)),
          doNotCall: fc.constantFrom(false, false, false, true),
        }),
      },
      {
        weight: 3,
        arbitrary: some('release', { which: nat(20), delaySeconds: fc.constantFrom(0, 60, 86_400) }),
      },
      {
        weight: 2,
        arbitrary: some('extend', { which: nat(20), leaseSeconds: fc.option(fc.constantFrom(30, 600)) }),
      },
      { weight: 1, arbitrary: some('suppress', { phone: nat(phoneCount - 1), campaign: fc.option(nat(1)) }) },
      {
        weight: 2,
        arbitrary: some('lift', { phone: nat(phoneCount - 1), campaign: fc.option(nat(1), { freq: 1 }) }),
      },
      { weight: 2, arbitrary: some('requeue', { which: nat(20) }) },
      {
        weight: 4,
        arbitrary: some('change', {
          which: nat(20),
          priority: fc.option(fc.constantFrom(0, 5, 100)),
          zone: fc.option(nat(zones.length - 1)),
          schedule: fc.option(fc.record({ inMs: fc.option(fc.constantFrom(...times), { freq: 2 }) })),
        }),
      },
      { weight: 2, arbitrary: some('explain', { which: nat(20) }) },
      { weight: 2, arbitrary: some('settings', { campaign: nat(1), change: nat(settings.length - 1) }) },
      {
        weight: 3,
        arbitrary: some('wait', {
          ms: fc.constantFrom(1, 300, 1000, 8_000, 16 * minuteMs, hourMs, 9 * hourMs, dayMs, 8 * dayMs),
        }),
      },
      {
        weight: 6,
        arbitrary: some('waitFor', {
          what: fc.constantFrom('due', 'lease', 'opening'),
          which: nat(20),
          plusMs: fc.constantFrom(-5_000, -1, 0, 1, 1999, 2000),
        }),
      },
      { weight: 3, arbitrary: some('rest', { campaign: mostly }) },
      { weight: 1, arbitrary: some('cron', {}) },
    ),
    fc.constantFrom(false, false, true),
    fc.constantFrom<Delivery>('rung', 'rung', 'rung', 'doubled', 'dropped'),
  )
  .map(([each, isLost, delivery]) => ({ ...each, isLost, delivery }))

/** Loses the answer of the first trip that follows, once it is committed. */
const losing = () => {
  let isLost = false
  return databaseThat(async (run) => {
    const answer = await run()
    if (isLost) return answer
    isLost = true
    throw new Error('D1_ERROR: Network connection lost.')
  }).DB
}

/** What both have done so far, and how one more thing is done to both. */
async function createRun() {
  const first = await seedCallingWorld(settings[0])
  const second = await first.another()
  // One is always open until its settings change, the other keeps office hours.
  await second.change(settings[1] as SettingsChange)
  const campaigns = [first, second]
  const phones = newPhones(phoneCount)
  const state: model.ModelState = {
    leads: [],
    calls: [],
    suppressed: new Set(),
    settings: campaigns.map((_, index) =>
      settings.slice(0, index + 1).reduce(changeSettings, defaultSettings),
    ),
    pacedUntilUs: campaigns.map(() => 0),
    begunAtMs: campaigns.map(() => []),
  }
  const leadIds = new Map<model.ModelLead, string>()
  let claims: {
    claimedAtMs: number
    key: { requestKey: string; requestToken: string }
    campaign: number
    maxCalls: number
    leaseSeconds: number | null
    calls: model.ModelCall[]
  }[] = []
  const highestMaximum = [3, 3]
  /** Of each campaign: since when its leads may be called, and how long those that were claimed have waited. */
  const callableSinceMs = [0, 0]
  const waitedMs: number[][] = [[], []]
  await companyDb.prepare('update calling_settings set callable_since_ms = 0').run()
  /** Campaigns of leads that a Worker of before has stored. */
  let nowMs = startMs

  const at = (index: number) => campaigns[index] as (typeof campaigns)[number]
  const pick = <Value>(values: readonly Value[], which: number): Value | undefined =>
    values[values.length - 1 - (which % Math.max(1, values.length))]
  const scopeOf = (phone: number, campaign: number | null) => ({
    phoneNumbers: [phones[phone] as string],
    campaignId: campaign === null ? null : at(campaign).campaign.id,
    key: campaign === null ? (phones[phone] as string) : `${phones[phone]}@${campaign}`,
  })

  /** The model leases what the service has leased. */
  function lease(
    campaign: number,
    leaseSeconds: number | null,
    leads: readonly model.ModelLead[],
    calls: readonly ClaimedCall[],
  ): void {
    const leaseMs = (leaseSeconds ?? state.settings[campaign]?.leaseSeconds ?? 0) * 1000
    leads.forEach((lead, index) => {
      const call = calls[index]
      // Whatever the model would say: never outside of hours, never a number that was suppressed.
      expect([model.isOpenFor(state, lead, nowMs), model.isSuppressed(state, lead)]).toEqual([true, false])
      waitedMs[campaign]?.push(
        model.waitedMs(state, lead, callableSinceMs[campaign] as number, nowMs) ?? Number.NaN,
      )
      model.lease(state, lead, call?.callId as string, nowMs + leaseMs, nowMs)
      const isLastAttempt = lead.attempts - lead.forgiven >= (state.settings[campaign]?.maxAttempts ?? 0)
      expect(call).toMatchObject({
        attempt: lead.attempts,
        isLastAttempt,
        leaseExpiresAtMs: nowMs + leaseMs,
      })
      const lastMs = (call?.dialBeforeMs as number) - 1
      expect([call?.dialBeforeMs as number, model.isOpenFor(state, lead, lastMs)]).toEqual([
        Math.min(call?.dialBeforeMs as number, nowMs + leaseMs),
        true,
      ])
    })
    // Whatever the model would say: never over the cap, never over the pace.
    const [overCap, overPace] = model.overCapacity(state, campaign)
    // The cap may have been lowered below what was live then.
    expect([calls.length > 0 ? overCap : 0, overPace]).toEqual([0, 0])
  }

  /** What the batches of an action ring for. */
  function collecting(db: D1Database) {
    const waiting = new Set<string>()
    const ringsOf = () => {
      const rings = [...waiting].map((text) => {
        const [, number, atMs = null] = JSON.parse(text) as [string, number, number | null]
        return { campaign: campaigns.findIndex(({ campaign }) => campaign.number === number), atMs }
      })
      waiting.clear()
      // The cron acts on other companies too.
      return rings.filter(({ campaign }) => campaign >= 0)
    }
    return { db: collectNotices(db, { waiting }), ringsOf }
  }

  /** As a request does that may wait (waiting-claim.ts): two tries, and what the first one rings for in between. */
  async function claimOrWait(campaign: number, maxCalls: number, delivery: Delivery, lossy: D1Database) {
    const { db, ringsOf } = collecting(lossy)
    const { campaignId, hashes } = { campaignId: at(campaign).campaign.id, hashes: hashesIn(first.companyId) }
    const keys = { requestKey: null, requestToken: randomBase62(11) }
    const origin = { ...first.asAgent(nowMs), campaignId, ...keys, hashes }
    const request = { maxCalls, leaseSeconds: null, agent: randomBase62(10) }
    const beginning = await beginClaim(db, origin, request, { mayWait: true })
    const expect1 = (result: ClaimResult, isPrepared: boolean) => {
      if (result.kind !== 'claimed') throw new Error(result.kind)
      if (!isPrepared) model.settle(state, campaign, nowMs)
      const expected = isPrepared ? model.claim(state, campaign, maxCalls, nowMs) : { leads: [] }
      const said = result.calls.map((call) => JSON.parse(call.lead).phoneNumber)
      expect(said).toEqual(expected.leads.map((lead) => lead.phone))
      lease(campaign, null, expected.leads, result.calls)
      return result
    }
    const one = expect1(beginning.result, !beginning.mustTryAgain)
    await agents.deliver(ringsOf(), delivery, nowMs)
    if (one.calls.length > 0 || one.reason === 'not_configured') return null
    const again = await beginning.tryAgain(nowMs)
    const two = expect1(again.result, true)
    await agents.deliver(ringsOf(), delivery, nowMs)
    return two.calls.length > 0 ? null : { nextMs: again.nextMs }
  }

  const agents = createWaitingAgents({
    claimOrWait: (campaign, maxCalls) => claimOrWait(campaign, maxCalls, 'rung', companyDb),
    claimAfter: (campaign, maxCalls) =>
      actAndRing({ do: 'claim', campaign, maxCalls, leaseSeconds: null, isKeyed: false }, companyDb, 'rung'),
    look: (campaign) => {
      const { companyId, number } = at(campaign).campaign
      return readOutlook(companyDb, { companyId, number }, nowMs)
    },
    canLease: (campaign) => model.claim(structuredClone(state), campaign, 1, nowMs).leads.length > 0,
  })

  /** Does what happens by itself until then. */
  async function passTo(thenMs: number): Promise<void> {
    for (let event = agents.nextEvent(thenMs); event !== null; event = agents.nextEvent(thenMs)) {
      nowMs = Math.max(nowMs, event.atMs)
      await event.run()
      expectNobodyLeft()
    }
    nowMs = thenMs
  }

  /** No lead that could be called is left while an agent waits. */
  const expectNobodyLeft = () => expect(agents.left(nowMs)).toEqual([])

  async function actAndRing(action: Action, lossy: D1Database, delivery: Delivery): Promise<void> {
    const { db, ringsOf } = collecting(lossy)
    await act(action, db)
    await agents.deliver(ringsOf(), delivery, nowMs)
  }

  async function act(action: Action, db: D1Database): Promise<void> {
    switch (action.do) {
      case 'add': {
        const { campaign, priority } = action
        const phone = phones[action.phone] as string
        if (state.leads.some((lead) => lead.campaign === campaign && lead.phone === phone)) return
        const zone = zones[action.zone] as string
        const scheduledAtMs = action.scheduledInMs === null ? null : nowMs + action.scheduledInMs
        const scheduledFor = scheduledAtMs === null ? null : new Date(scheduledAtMs).toISOString()
        const lead = { phoneNumber: phone, priority, scheduledFor, timeZone: zone || null }
        const { leadId } = await at(campaign).add(lead, nowMs, db)
        model.addLead(state, { campaign, phone, zone, priority, scheduledAtMs, createdAtMs: nowMs })
        leadIds.set(state.leads.at(-1) as model.ModelLead, leadId)
        return
      }
      case 'claim': {
        const { campaign, maxCalls, leaseSeconds, isKeyed } = action
        const key = { requestKey: randomBase62(20), requestToken: randomBase62(11) }
        // Each claim is another agent's: none is blocked for leases that ended without a report.
        const request = { maxCalls, leaseSeconds, agent: randomBase62(10) }
        const got = await at(campaign).tryClaim(nowMs, request, db, isKeyed ? key : null)
        if (got.kind !== 'claimed') throw new Error(got.kind)
        const expected = model.claim(state, campaign, maxCalls, nowMs)
        const said = got.calls.map((call) => JSON.parse(call.lead).phoneNumber)
        expect([said, got.reason]).toEqual([expected.leads.map((lead) => lead.phone), expected.reason])
        expect(got.isReplay).toBe(false)
        lease(campaign, leaseSeconds, expected.leads, got.calls)
        if (isKeyed && expected.leads.length > 0)
          claims.push({
            claimedAtMs: nowMs,
            key,
            campaign,
            maxCalls,
            leaseSeconds,
            calls: expected.leads.map((lead) => lead.lastCall as model.ModelCall),
          })
        if (got.reason === null) expect(got.retryAfterSeconds).toBeNull()
        else if (got.reason === 'at_capacity')
          expect(got.retryAfterSeconds).toBe(
            Math.min(30, Math.ceil((model.heldUntilMs(state, campaign) - nowMs) / 1000)),
          )
        else expectNothingBefore(campaign, got.retryAfterSeconds ?? 0)
        return
      }
      case 'await':
        return agents.begin(action.campaign, action.maxCalls, nowMs)
      case 'repeat': {
        const earlier = pick(claims, action.which)
        if (earlier === undefined) return
        const got = await at(earlier.campaign).tryClaim(
          nowMs,
          { maxCalls: earlier.maxCalls, leaseSeconds: earlier.leaseSeconds },
          db,
          earlier.key,
        )
        // A claim that comes again settles and queues like any other, and picks nothing.
        model.settle(state, earlier.campaign, nowMs)
        const isPaused = state.settings[earlier.campaign]?.paused === true
        const open = earlier.calls.filter(
          (call) =>
            !isPaused &&
            call.outcome === null &&
            call.lead.lastCall === call &&
            (call.lead.leaseExpiresAtMs ?? 0) > nowMs &&
            !model.isSuppressed(state, call.lead),
        )
        expect(got).toMatchObject({ kind: 'claimed', isReplay: true })
        expect(got.kind === 'claimed' && got.calls.map((call) => call.callId)).toEqual(
          open.map((call) => call.id),
        )
        return
      }
      case 'report': {
        const call = pick(state.calls, action.which)
        if (call === undefined) return
        const callbackAtMs = action.callbackInMs === null ? null : nowMs + action.callbackInMs
        const { outcome, doNotCall } = action
        const [got] = await first.report(nowMs, [{ callId: call.id, outcome, callbackAtMs, doNotCall }], db)
        const result = model.report(state, call, { outcome, callbackAtMs, doNotCall }, nowMs)
        const { status, attempts, dueAtMs } = call.lead
        expect(got).toMatchObject({
          result,
          status,
          attempts,
          nextCallAtMs: dueAtMs,
          leadId: leadIds.get(call.lead),
        })
        return
      }
      case 'release': {
        const call = pick(state.calls, action.which)
        if (call === undefined) return
        const [got] = await first.release(nowMs, [{ callId: call.id, delaySeconds: action.delaySeconds }], db)
        expect(got).toMatchObject({ result: model.release(state, call, action.delaySeconds * 1000, nowMs) })
        return
      }
      case 'extend': {
        const call = pick(state.calls, action.which)
        if (call === undefined) return
        const { leaseSeconds } = action
        const [got] = await first.extend(nowMs, [call.id], leaseSeconds, db)
        const expected = model.extend(state, call, leaseSeconds && leaseSeconds * 1000, nowMs)
        expect(got).toMatchObject(expected)
        const { leaseExpiresAtMs, dialBeforeMs } = got as Extension
        if (leaseExpiresAtMs === null || !model.isOpenFor(state, call.lead, nowMs))
          return expect(dialBeforeMs).toBe(leaseExpiresAtMs && nowMs)
        expect(dialBeforeMs).toBeLessThanOrEqual(leaseExpiresAtMs)
        const isOpenAt = (atMs: number) => model.isOpenFor(state, call.lead, atMs)
        const endMs = dialBeforeMs as number
        expect([isOpenAt(endMs - 1), endMs < leaseExpiresAtMs && isOpenAt(endMs)]).toEqual([true, false])
        return
      }
      case 'suppress': {
        const { key, ...scope } = scopeOf(action.phone, action.campaign)
        const outcome = await suppressNumbers(db, first.asWriter(nowMs), { ...scope, reason: null })
        const live = state.calls.filter(
          (call) =>
            call.outcome === null &&
            call.lead.phone === scope.phoneNumbers[0] &&
            (call.lead.leaseExpiresAtMs ?? 0) > nowMs &&
            (action.campaign === null || action.campaign === call.lead.campaign),
        )
        const added = state.suppressed.has(key) ? 0 : 1
        model.suppress(state, key)
        expect(outcome).toMatchObject({ kind: 'suppressed', added, existing: 1 - added })
        expect(outcome.kind === 'suppressed' && outcome.liveCalls.toSorted()).toEqual(
          live.map((call) => call.id).sort(),
        )
        return
      }
      case 'lift': {
        const { key, ...scope } = scopeOf(action.phone, action.campaign)
        expect((await removeSuppressions(db, first.asManager(nowMs), scope, noHashes)).kind).toBe('removed')
        model.lift(state, key)
        return
      }
      case 'requeue': {
        const lead = pick(state.leads, action.which)
        if (lead === undefined) return
        const got = await first.requeue(leadIds.get(lead) as string, nowMs, db)
        expect(got.result).toBe(model.requeue(state, lead, nowMs))
        return
      }
      case 'change': {
        const lead = pick(state.leads, action.which)
        if (lead === undefined) return
        const { priority, zone, schedule } = action
        const scheduledAtMs = schedule?.inMs == null ? null : nowMs + schedule.inMs
        const access = first.asWriter(nowMs)
        const said = {
          ...(priority !== null && { priority }),
          ...(zone !== null && { timeZone: zones[zone] || null }),
          ...(schedule !== null && {
            scheduledFor: scheduledAtMs === null ? null : new Date(scheduledAtMs).toISOString(),
          }),
        }
        const got = await changeLead(db, access, leadIds.get(lead) as string, said, null)
        expect(got.kind).toBe('found')
        const change = {
          ...(priority !== null && { priority }),
          ...(zone !== null && { zone: zones[zone] as string }),
          ...(schedule !== null && { scheduledAtMs }),
        }
        model.changeLead(state, lead, change, nowMs)
        return
      }
      case 'explain': {
        const lead = pick(state.leads, action.which)
        if (lead === undefined || lead.rank === null) return
        const got = await first.explain(leadIds.get(lead) as string, nowMs)
        expect(got.kind === 'explained' && got.blockers.map(({ code }) => code).sort()).toEqual(
          blockersOf(lead).sort(),
        )
        return
      }
      case 'settings': {
        const { campaign } = action
        const change = settings[action.change] as SettingsChange
        await at(campaign).change(change, nowMs, db)
        const changed = changeSettings(state.settings[campaign] as typeof defaultSettings, change)
        if (mayBeCallableSince(state.settings[campaign] as typeof defaultSettings, changed))
          callableSinceMs[campaign] = nowMs
        model.changeSettings(state, campaign, changed)
        highestMaximum[campaign] = Math.max(highestMaximum[campaign] as number, changed.maxAttempts)
        return
      }
      case 'wait':
        return passTo(nowMs + action.ms)
      case 'waitFor': {
        const momentOf = {
          due: (lead: model.ModelLead) => lead.dueAtMs,
          lease: (lead: model.ModelLead) => lead.leaseExpiresAtMs,
          opening: (lead: model.ModelLead) => model.nextOpeningMs(state, lead, nowMs),
        }[action.what]
        const moments = state.leads.flatMap((lead) => momentOf(lead) ?? [])
        return passTo(Math.max(nowMs, (pick(moments, action.which) ?? 0) + action.plusMs))
      }
      case 'rest': {
        // What a claim does where it had much to look at: no claim after it is different.
        const { pepperCheck } = hashesIn(first.companyId)
        const access = at(action.campaign).access(first.agentKeyId, nowMs)
        await restLanes(db, { ...access, pepperCheck })
        return
      }
      case 'cron':
        await settleEverything(nowMs, db)
        model.settle(state, null, nowMs)
        // Claims are kept for a day (D59).
        claims = claims.filter((each) => each.claimedAtMs >= nowMs - dayMs)
        return
    }
  }

  /** What the service says may be waited for must not come earlier. */
  function expectNothingBefore(campaign: number, seconds: number): void {
    const { paused, timeZone } = state.settings[campaign] as typeof defaultSettings
    if (paused || timeZone === null || seconds === 1) return
    for (const share of [0, 0.3, 0.6, 0.99]) {
      const thenMs = nowMs + Math.floor(Math.max(0, seconds * 1000 - 1000) * share)
      const ready = state.leads.filter(
        (lead) =>
          lead.campaign === campaign &&
          lead.dueAtMs !== null &&
          lead.dueAtMs <= thenMs &&
          model.isOpenFor(state, lead, thenMs),
      )
      if (seconds > 5) expect([thenMs, ready]).toEqual([thenMs, []])
    }
  }

  function blockersOf(lead: model.ModelLead): string[] {
    const { paused, timeZone, outcomes } = state.settings[lead.campaign] as typeof defaultSettings
    const limits = model.numberLimits(state, lead, nowMs)
    const isLeased = (lead.leaseExpiresAtMs ?? 0) > nowMs
    const unreportedMs =
      lead.leaseExpiresAtMs === null
        ? 0
        : lead.leaseExpiresAtMs + outcomes['unknown' satisfies Outcome].minutes * minuteMs
    const isSpaced = (lead.rank !== 101 && (lead.dueAtMs ?? 0) > nowMs) || (!isLeased && unreportedMs > nowMs)
    return [
      ...(timeZone === null ? ['not_configured'] : []),
      ...(paused ? ['paused'] : []),
      ...(!isLeased && model.heldUntilMs(state, lead.campaign) > nowMs ? ['at_capacity'] : []),
      ...(model.isFinal(lead) ? ['final'] : []),
      ...(model.isSuppressed(state, lead) ? ['suppressed'] : []),
      ...(isLeased ? ['leased'] : limits.live > nowMs ? ['number_live'] : []),
      ...(limits.gap > nowMs ? ['number_gap'] : []),
      ...(limits.day > nowMs ? ['number_day'] : []),
      ...(limits.week > nowMs ? ['number_week'] : []),
      ...(lead.rank === 101 && (lead.dueAtMs ?? 0) > nowMs ? ['scheduled'] : []),
      ...(isSpaced ? ['spaced'] : []),
      ...(timeZone !== null && !model.isOpenFor(state, lead, nowMs) ? ['outside_hours'] : []),
    ]
  }

  /** Every lead and call is in the database as it is in the model. */
  async function expectSame(): Promise<void> {
    const [leads, calls, paces] = await companyDb.batch<Record<string, unknown>>([
      companyDb
        .prepare(
          `select c.number, l.phone_number as phone, l.status, l.attempts, l.attempts_forgiven as forgiven, l.queue_rank as rank,
           l.due_at_ms as dueAtMs, l.lease_expires_at_ms as leaseExpiresAtMs
         from campaigns as c join leads as l on l.campaign_number = c.number where c.company_id = ?1 order by l.seq`,
        )
        .bind(first.companyId),
      companyDb
        .prepare(
          `select phone_number as phone, claimed_at_ms as claimedAtMs, attempt, outcome, is_done as isDone,
           do_not_call as doNotCall, is_late as isLate from calls where company_id = ?1 order by 1, 2`,
        )
        .bind(first.companyId),
      companyDb
        .prepare(
          `select coalesce(s.paced_until_us, 0) as pacedUntilUs from campaigns as c
         join calling_settings as s on s.campaign_number = c.number where c.company_id = ?1 order by c.number`,
        )
        .bind(first.companyId),
    ])
    expect(paces?.results.map((row) => row.pacedUntilUs)).toEqual(state.pacedUntilUs)
    const modelLeads = state.leads
      .toSorted((a, b) => a.campaign - b.campaign || a.place - b.place)
      .map(({ campaign, phone, status, attempts, forgiven, rank, dueAtMs, leaseExpiresAtMs }) => ({
        number: at(campaign).campaign.number,
        ...{ phone, status, attempts, forgiven, rank, dueAtMs, leaseExpiresAtMs },
      }))
    expect(leads?.results).toEqual(modelLeads)
    const modelCalls = state.calls
      .toSorted((a, b) =>
        a.lead.phone < b.lead.phone ? -1 : a.lead.phone > b.lead.phone ? 1 : a.claimedAtMs - b.claimedAtMs,
      )
      .map(({ lead, claimedAtMs, attempt, outcome, isDone, doNotCall, isLate }) => ({
        ...{ phone: lead.phone, claimedAtMs, attempt, outcome },
        ...{ isDone: Number(isDone), doNotCall: Number(doNotCall), isLate: Number(isLate) },
      }))
    expect(calls?.results).toEqual(modelCalls)
  }

  /** The hours add up to what there is. */
  async function expectCounted(): Promise<void> {
    for (const [index, { campaign }] of campaigns.entries()) {
      const [hours, tables] = await countBoth(campaign.number)
      expect(hours).toEqual(tables)
      const within = (least: number, most: number) =>
        waitedMs[index]?.filter((ms) => ms > least && ms <= most).length
      expect(await countPickUps(campaign.number)).toEqual([
        ...[within(-1, 1_000), within(1_000, 5_000), within(5_000, 30_000)],
        ...[within(30_000, 5 * minuteMs), within(5 * minuteMs, hourMs), within(hourMs, Infinity)],
      ])
    }
  }

  async function expectInvariants(): Promise<void> {
    const broken = await companyDb.batch(
      Object.values(invariants).map((query) => companyDb.prepare(query).bind(first.companyId, nowMs)),
    )
    const found = Object.keys(invariants).filter((_, index) => (broken[index]?.results.length ?? 0) > 0)
    expect(found).toEqual([])
    for (const lead of state.leads)
      expect(lead.attempts - lead.forgiven).toBeLessThanOrEqual(highestMaximum[lead.campaign] as number)
  }

  return { actAndRing, expectNobodyLeft, expectSame, expectCounted, expectInvariants }
}

/** The campaign was resumed, or keeps other hours. */
const mayBeCallableSince = (before: typeof defaultSettings, after: typeof defaultSettings) =>
  (before.paused && !after.paused) || hoursOf(before) !== hoursOf(after)
const hoursOf = ({ timeZone, callingHours, appointmentHours, closedDates }: typeof defaultSettings) =>
  JSON.stringify([timeZone, callingHours, appointmentHours, closedDates])

/** What must hold, each as a query for what breaks it. ?1 is the company, ?2 the time. */
const ofCompany = `from campaigns as c join leads as l on l.campaign_number = c.number where c.company_id = ?1`
const invariants = {
  'a number is on one live call of the company at most': `select l.phone_number ${ofCompany} and l.lease_expires_at_ms > ?2
    group by l.phone_number having count(*) > 1`,
  'queued, leased and final exclude each other': `select 1 ${ofCompany} and (l.due_at_ms is not null)
    + (l.lease_expires_at_ms is not null) + (l.status in ('exhausted', 'concluded')) > 1 and ?2`,
  'attempts are the calls that count': `select 1 ${ofCompany} and ?2 and l.attempts <> (select count(*) from calls as k
    where k.company_id = c.company_id and k.phone_number = l.phone_number and k.seq = l.seq and k.outcome is not 'released')`,
  'raw is never called and not leased': `select 1 ${ofCompany} and ?2
    and (l.status = 'raw') <> (l.attempts = 0 and l.lease_expires_at_ms is null)`,
  'a lease has its one open call, and an open call its lease': `select 1 ${ofCompany} and ?2
    and (l.lease_expires_at_ms is not null) <> (select count(*) from calls as k where k.company_id = c.company_id
      and k.phone_number = l.phone_number and k.seq = l.seq and k.outcome is null
      and (l.lease_expires_at_ms is null or k.token = l.claim_token))`,
  'nothing that is suppressed is queued': `select 1 ${ofCompany} and ?2 and l.due_at_ms is not null and l.queue_rank is not null
    and exists (select 1 from suppressions as s where s.company_id = c.company_id and s.phone_number = l.phone_number
      and s.campaign_number in (0, c.number))`,
  'no lead is due in a lane that rests': `select 1 ${ofCompany} and ?2 and exists (select 1 from resting_lanes as r
    where r.campaign_number = c.number and r.lane = l.lane and r.is_for_appointments = (l.queue_rank is 101)
      and l.due_at_ms < r.until_ms)`,
  'no calls of a number share a moment': `select 1 from calls as k where ?2 and k.company_id = ?1
    group by k.phone_number, k.claimed_at_ms having count(*) > 1`,
} as const

describe('Whatever is done, and whichever answers are lost', () => {
  it(
    'leaves the database as a naive scheduler has it, and breaks no invariant',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60, size: 'max' }), async (actions) => {
          const run = await createRun()
          for (const each of actions) {
            await run.actAndRing(each, each.isLost ? losing() : companyDb, each.delivery)
            run.expectNobodyLeft()
            await run.expectSame()
            await run.expectCounted()
            await run.expectInvariants()
          }
        }),
        { numRuns: runs, interruptAfterTimeLimit: runs * 5_000 },
      )
    },
    runs * 20_000,
  )
})
