import { expect } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import type { ClaimedCall } from '../../../src/queue/calling/store/claim.ts'
import type { Extension } from '../../../src/queue/calling/store/extend.ts'
import { restLanes } from '../../../src/queue/calling/store/resting-lanes.ts'
import type { CallResult } from '../../../src/queue/calling/store/sql/call-result.ts'
import {
  changeSettings,
  type defaultSettings,
  type SettingsChange,
} from '../../../src/queue/campaigns/settings.ts'
import { returnHeldLeads } from '../../../src/queue/consents/store/tend-consents.ts'
import { changeLead } from '../../../src/queue/leads/store/change.ts'
import { removeSuppressions } from '../../../src/queue/suppression/store/remove-suppressions.ts'
import { suppressNumbers } from '../../../src/queue/suppression/store/suppress.ts'
import { hashesIn } from '../../support/access/actor.ts'
import { dayMs, settleEverything } from '../../support/calling/calling.ts'
import { settings, zones } from './model-actions.ts'
import { blockersOf, expectNothingBefore } from './model-checks.ts'
import { consentActs, consentSent, noteStored } from './model-consents.ts'
import { type Act, campaignAt, type Kind, pick, type Run } from './model-run.ts'
import * as model from './naive-scheduler.ts'

const scopeOf = (run: Run, phone: number, campaign: number | null) => ({
  phoneNumbers: [run.phones[phone] as string],
  campaignId: campaign === null ? null : campaignAt(run, campaign).campaign.id,
  key: campaign === null ? (run.phones[phone] as string) : `${run.phones[phone]}@${campaign}`,
})

/** The model leases what the service has leased. */
export function lease(
  run: Run,
  campaign: number,
  leaseSeconds: number | null,
  leads: readonly model.ModelLead[],
  calls: readonly ClaimedCall[],
): void {
  const { state, callableSinceMs, waitedMs, nowMs } = run
  const leaseMs = (leaseSeconds ?? state.settings[campaign]?.leaseSeconds ?? 0) * 1000
  leads.forEach((lead, index) => {
    const call = calls[index]
    // Whatever the model would say: never outside of hours, never a number that was suppressed, never without a
    // consent.
    expect([model.isOpenFor(state, lead, nowMs), model.isSuppressed(state, lead)]).toEqual([true, false])
    expect(model.consentFor(state, lead, nowMs).by === null).toBe(
      state.settings[campaign]?.requireConsent === null,
    )
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

const add: Act<'add'> = async (run, action, db) => {
  const { phones, state, leadIds, nowMs } = run
  const { campaign, priority } = action
  const phone = phones[action.phone] as string
  if (state.leads.some((lead) => lead.campaign === campaign && lead.phone === phone)) return
  const zone = zones[action.zone] as string
  const scheduledAtMs = action.scheduledInMs === null ? null : nowMs + action.scheduledInMs
  const scheduledFor = scheduledAtMs === null ? null : new Date(scheduledAtMs).toISOString()
  const lead = { phoneNumber: phone, priority, scheduledFor, timeZone: zone || null }
  const consent = action.consent && consentSent(phone, action.consent, nowMs)
  const { leadId } = await campaignAt(run, campaign).add(lead, nowMs, db, consent)
  model.addLead(state, { campaign, phone, zone, priority, scheduledAtMs, createdAtMs: nowMs })
  leadIds.set(state.leads.at(-1) as model.ModelLead, leadId)
  if (consent !== null) await noteStored(run, consent)
}

const claim: Act<'claim'> = async (run, action, db) => {
  const { state, nowMs, claims } = run
  const { campaign, maxCalls, leaseSeconds, isKeyed } = action
  const key = { requestKey: randomBase62(20), requestToken: randomBase62(11) }
  // Each claim is another agent's: none is blocked for leases that ended without a report.
  const request = { maxCalls, leaseSeconds, agent: randomBase62(10) }
  const got = await campaignAt(run, campaign).tryClaim(nowMs, request, db, isKeyed ? key : null)
  if (got.kind !== 'claimed') throw new Error(got.kind)
  const expected = model.claim(state, campaign, maxCalls, nowMs)
  const said = got.calls.map((call) => JSON.parse(call.lead).phoneNumber)
  expect([said, got.reason]).toEqual([expected.leads.map((lead) => lead.phone), expected.reason])
  expect(got.isReplay).toBe(false)
  lease(run, campaign, leaseSeconds, expected.leads, got.calls)
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
  else expectNothingBefore(run, campaign, got.retryAfterSeconds ?? 0)
}

const repeat: Act<'repeat'> = async (run, action, db) => {
  const { state, nowMs, claims } = run
  const earlier = pick(claims, action.which)
  if (earlier === undefined) return
  const got = await campaignAt(run, earlier.campaign).tryClaim(
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
      !model.isSuppressed(state, call.lead) &&
      !model.isConsentLost(state, call),
  )
  expect(got).toMatchObject({ kind: 'claimed', isReplay: true })
  expect(got.kind === 'claimed' && got.calls.map((call) => call.callId)).toEqual(open.map((call) => call.id))
}

const report: Act<'report'> = async (run, action, db) => {
  const { first, state, leadIds, nowMs } = run
  const call = pick(state.calls, action.which)
  if (call === undefined) return
  const callbackAtMs = action.callbackInMs === null ? null : nowMs + action.callbackInMs
  const { outcome, doNotCall } = action
  const [got] = await first.report(nowMs, [{ callId: call.id, outcome, callbackAtMs, doNotCall }], db)
  const result = model.report(state, call, { outcome, callbackAtMs, doNotCall }, nowMs)
  const { status, attempts } = call.lead
  const leadId = leadIds.get(call.lead)
  expect(got).toMatchObject({ result, status, attempts, leadId })
  await expectAgreement(run, got, db)
}

const release: Act<'release'> = async (run, action, db) => {
  const { first, state, nowMs } = run
  const call = pick(state.calls, action.which)
  if (call === undefined) return
  const [got] = await first.release(nowMs, [{ callId: call.id, delaySeconds: action.delaySeconds }], db)
  expect(got).toMatchObject({ result: model.release(state, call, action.delaySeconds * 1000, nowMs) })
  await expectAgreement(run, got, db)
}

/** An answer says of a lead when it can be called, as its explanation does. */
async function expectAgreement(
  { first, nowMs }: Run,
  got: CallResult | undefined,
  db: D1Database,
): Promise<void> {
  if (got === undefined || got.leadId === null) return
  const explained = await first.explain(got.leadId, nowMs, nowMs, db)
  expect(explained).toMatchObject({ kind: 'explained', nextCallAtMs: got.nextCallAtMs })
}

const extend: Act<'extend'> = async (run, action, db) => {
  const { first, state, nowMs } = run
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
}

const suppress: Act<'suppress'> = async (run, action, db) => {
  const { first, state, nowMs } = run
  const { key, ...scope } = scopeOf(run, action.phone, action.campaign)
  const outcome = await suppressNumbers(db, first.asWriter(nowMs), { ...scope, reason: null })
  const live = state.calls.filter(
    (call) =>
      call.outcome === null &&
      model.isSamePhone(call.lead.phone, scope.phoneNumbers[0] as string) &&
      (call.lead.leaseExpiresAtMs ?? 0) > nowMs &&
      (action.campaign === null || action.campaign === call.lead.campaign),
  )
  const added = state.suppressed.has(key) ? 0 : 1
  model.suppress(state, key, nowMs)
  expect(outcome).toMatchObject({ kind: 'suppressed', added, existing: 1 - added })
  expect(outcome.kind === 'suppressed' && outcome.liveCalls.toSorted()).toEqual(
    live.map((call) => call.id).sort(),
  )
}

const lift: Act<'lift'> = async (run, action, db) => {
  const { first, state, nowMs } = run
  const { key, ...scope } = scopeOf(run, action.phone, action.campaign)
  expect((await removeSuppressions(db, first.asManager(nowMs), scope, hashesIn(first.companyId))).kind).toBe(
    'removed',
  )
  model.lift(state, key)
}

const requeue: Act<'requeue'> = async (run, action, db) => {
  const { first, state, leadIds, nowMs } = run
  const lead = pick(state.leads, action.which)
  if (lead === undefined) return
  const got = await first.requeue(leadIds.get(lead) as string, nowMs, db)
  expect(got.result).toBe(model.requeue(state, lead, nowMs))
}

const changeTheLead: Act<'change'> = async (run, action, db) => {
  const { first, state, leadIds, nowMs } = run
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
}

const explain: Act<'explain'> = async (run, action, _db) => {
  const { first, state, leadIds, nowMs } = run
  const lead = pick(state.leads, action.which)
  if (lead === undefined || lead.rank === null) return
  const got = await first.explain(leadIds.get(lead) as string, nowMs)
  expect(got.kind === 'explained' && got.blockers.map(({ code }) => code).sort()).toEqual(
    blockersOf(run, lead).sort(),
  )
}

const changeTheSettings: Act<'settings'> = async (run, action, db) => {
  const { state, highestMaximum, callableSinceMs, nowMs } = run
  const { campaign } = action
  const change = settings[action.change] as SettingsChange
  await campaignAt(run, campaign).change(change, nowMs, db)
  const changed = changeSettings(state.settings[campaign] as typeof defaultSettings, change)
  if (mayBeCallableSince(state.settings[campaign] as typeof defaultSettings, changed))
    callableSinceMs[campaign] = nowMs
  model.changeSettings(state, campaign, changed)
  highestMaximum[campaign] = Math.max(highestMaximum[campaign] as number, changed.maxAttempts)
}

const rest: Act<'rest'> = async (run, action, db) => {
  const { first, nowMs } = run
  // What a claim does where it had much to look at: no claim after it is different.
  const { pepperCheck } = hashesIn(first.companyId)
  const access = campaignAt(run, action.campaign).access(first.agentKeyId, nowMs)
  await restLanes(db, { ...access, pepperCheck })
}

const cron: Act<'cron'> = async (run, _, db) => {
  const { state, nowMs } = run
  await returnHeldLeads(db, nowMs)
  model.returnAfterChange(state, nowMs)
  await settleEverything(nowMs, db)
  model.settle(state, null, nowMs)
  // Claims are kept for a day (D59).
  run.claims = run.claims.filter((each) => each.claimedAtMs >= nowMs - dayMs)
}

/** The campaign was resumed, or keeps other hours. */
const mayBeCallableSince = (before: typeof defaultSettings, after: typeof defaultSettings) =>
  (before.paused && !after.paused) || hoursOf(before) !== hoursOf(after)
const hoursOf = ({ timeZone, callingHours, appointmentHours, closedDates }: typeof defaultSettings) =>
  JSON.stringify([timeZone, callingHours, appointmentHours, closedDates])

export const acts: { readonly [Done in Kind]: Act<Done> } = {
  add,
  claim,
  repeat,
  report,
  release,
  extend,
  suppress,
  lift,
  requeue,
  change: changeTheLead,
  explain,
  settings: changeTheSettings,
  ...consentActs,
  rest,
  cron,
}
