import { expect } from 'vitest'
import type { Outcome } from '../../../src/queue/campaigns/outcomes.ts'
import type { defaultSettings } from '../../../src/queue/campaigns/settings.ts'
import { hourMs, minuteMs } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { countBoth, countPickUps } from '../../support/ledger/hours.ts'
import { campaignAt, type Run } from './model-run.ts'
import * as model from './naive-scheduler.ts'

/** What the service says may be waited for must not come earlier. */
export function expectNothingBefore(run: Run, campaign: number, seconds: number): void {
  const { state, nowMs } = run
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

export function blockersOf(run: Run, lead: model.ModelLead): string[] {
  const { state, nowMs } = run
  const { paused, timeZone, outcomes, maxAttempts } = state.settings[lead.campaign] as typeof defaultSettings
  const limits = model.numberLimits(state, lead, nowMs)
  const isLeased = (lead.leaseExpiresAtMs ?? 0) > nowMs
  const unreportedMs =
    lead.leaseExpiresAtMs === null
      ? 0
      : lead.leaseExpiresAtMs + outcomes['unknown' satisfies Outcome].minutes * minuteMs
  const placeMs = lead.dueAtMs ?? lead.heldDueAtMs
  const dueAtMs = placeMs ?? 0
  // The maximum was lowered since: the next claim dequeues it.
  const isUsedUp = placeMs !== null && lead.attempts - lead.forgiven >= maxAttempts
  const { fromMs } = model.consentFor(state, lead, nowMs)
  const isSpaced = (lead.rank !== 101 && dueAtMs > nowMs) || (!isLeased && unreportedMs > nowMs)
  return [
    ...(timeZone === null ? ['not_configured'] : []),
    ...(paused ? ['paused'] : []),
    ...(!isLeased && model.heldUntilMs(state, lead.campaign) > nowMs ? ['at_capacity'] : []),
    ...(model.isFinal(lead) || isUsedUp ? ['final'] : []),
    ...(model.isSuppressed(state, lead) ? ['suppressed'] : []),
    ...(isLeased ? ['leased'] : limits.live > nowMs ? ['number_live'] : []),
    ...(limits.gap > nowMs ? ['number_gap'] : []),
    ...(limits.day > nowMs ? ['number_day'] : []),
    ...(limits.week > nowMs ? ['number_week'] : []),
    ...(fromMs === null || fromMs > nowMs ? ['no_consent'] : []),
    ...(lead.rank === 101 && dueAtMs > nowMs ? ['scheduled'] : []),
    ...(isSpaced ? ['spaced'] : []),
    ...(timeZone !== null && !model.isOpenFor(state, lead, nowMs) ? ['outside_hours'] : []),
  ]
}

/** Every lead and call is in the database as it is in the model. */
export async function expectSame(run: Run): Promise<void> {
  const { first, state } = run
  const [leads, calls, paces] = await companyDb.batch<Record<string, unknown>>([
    companyDb
      .prepare(
        `select c.number, l.phone_number as phone, l.status, l.attempts, l.attempts_forgiven as forgiven,
          l.queue_rank as rank,
         l.due_at_ms as dueAtMs, l.held_due_at_ms as heldDueAtMs, l.lease_expires_at_ms as leaseExpiresAtMs
       from campaigns as c join leads as l on l.campaign_number = c.number where c.company_id = ?1
         and l.erased_at_ms is null order by l.seq`,
      )
      .bind(first.companyId),
    companyDb
      .prepare(
        `select phone_number as phone, claimed_at_ms as claimedAtMs, consent_id as consentId, attempt, outcome,
          is_done as isDone,
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
    .map(({ campaign, phone, status, attempts, forgiven, rank, dueAtMs, heldDueAtMs, leaseExpiresAtMs }) => ({
      number: campaignAt(run, campaign).campaign.number,
      ...{ phone, status, attempts, forgiven, rank, dueAtMs, heldDueAtMs, leaseExpiresAtMs },
    }))
  expect(leads?.results).toEqual(modelLeads)
  const modelCalls = state.calls
    .toSorted((a, b) =>
      a.lead.phone < b.lead.phone ? -1 : a.lead.phone > b.lead.phone ? 1 : a.claimedAtMs - b.claimedAtMs,
    )
    .map(({ lead, claimedAtMs, consentId, attempt, outcome, isDone, doNotCall, isLate }) => ({
      ...{ phone: lead.phone, claimedAtMs, consentId, attempt, outcome },
      ...{ isDone: Number(isDone), doNotCall: Number(doNotCall), isLate: Number(isLate) },
    }))
  expect(calls?.results).toEqual(modelCalls)
}

/** The hours add up to what there is. */
export async function expectCounted(run: Run): Promise<void> {
  const { campaigns, waitedMs } = run
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

export async function expectInvariants(run: Run): Promise<void> {
  const { first, state, highestMaximum, nowMs } = run
  const broken = await companyDb.batch(
    Object.values(invariants).map((query) => companyDb.prepare(query).bind(first.companyId, nowMs)),
  )
  const found = Object.keys(invariants).filter((_, index) => (broken[index]?.results.length ?? 0) > 0)
  expect(found).toEqual([])
  // No lead is held but for a consent that it lacks, until the cron has seen what else is required now.
  const held = state.leads.filter((lead) => lead.heldDueAtMs !== null && !state.returning[lead.campaign])
  expect(held.filter((lead) => model.consentFor(state, lead, nowMs).fromMs !== null)).toEqual([])
  for (const lead of state.leads)
    expect(lead.attempts - lead.forgiven).toBeLessThanOrEqual(highestMaximum[lead.campaign] as number)
}

/** What must hold, each as a query for what breaks it. ?1 is the company, ?2 the time. */
const ofCompany = `from campaigns as c join leads as l on l.campaign_number = c.number where c.company_id = ?1`
const invariants = {
  'a phone is on one live call of the company at most': `select l.phone_number ${ofCompany}
    and l.lease_expires_at_ms > ?2
    group by replace(l.phone_number, '+521', '+52') having count(*) > 1`,
  'queued, held, leased and final exclude each other': `select 1 ${ofCompany} and (l.due_at_ms is not null)
    + (l.held_due_at_ms is not null) + (l.lease_expires_at_ms is not null) + (l.status in ('exhausted',
      'concluded')) > 1 and ?2`,
  'attempts are the calls that count': `select 1 ${ofCompany} and ?2 and l.attempts <> (select count(*) from calls as k
    where k.company_id = c.company_id and k.phone_number = l.phone_number and k.seq = l.seq
      and k.outcome is not 'released')`,
  'raw is never called and not leased': `select 1 ${ofCompany} and ?2
    and (l.status = 'raw') <> (l.attempts = 0 and l.lease_expires_at_ms is null)`,
  'a lease has its one open call, and an open call its lease': `select 1 ${ofCompany} and ?2
    and (l.lease_expires_at_ms is not null) <> (select count(*) from calls as k where k.company_id = c.company_id
      and k.phone_number = l.phone_number and k.seq = l.seq and k.outcome is null
      and (l.lease_expires_at_ms is null or k.token = l.claim_token))`,
  'nothing that is suppressed is queued or held': `select 1 ${ofCompany} and ?2 and l.queue_rank is not null
    and coalesce(l.due_at_ms, l.held_due_at_ms) is not null
    and exists (select 1 from suppressions as s where s.company_id = c.company_id and s.phone_number = l.phone_number
      and s.campaign_number in (0, c.number))`,
  'no lead is due in a lane that rests': `select 1 ${ofCompany} and ?2 and exists (select 1 from resting_lanes as r
    where r.campaign_number = c.number and r.lane = l.lane and r.is_for_appointments = (l.queue_rank is 101)
      and l.due_at_ms < r.until_ms)`,
  'no calls of a number share a moment': `select 1 from calls as k where ?2 and k.company_id = ?1
    group by k.phone_number, k.claimed_at_ms having count(*) > 1`,
} as const
