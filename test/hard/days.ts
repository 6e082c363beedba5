// Simulated days: a clock that jumps, four campaigns with leads in twenty time zones over two weekends on which clocks
// change, and fifty agents that take their time, crash, stall, give back and report late. What each lead ends as
// follows from its number alone, regardless of who calls it when: the tallies must be exactly that. Runs the store on SQLite in
// this process, because a hundred thousand leads through a server would take an hour.

import { join } from 'node:path'
import { randomBase62 } from '../../src/base62.ts'
import { timerOf } from '../../src/calling/bell/moments.ts'
import { readOutlook } from '../../src/calling/bell/store/outlook.ts'
import { ringCount } from '../../src/calling/bell/waiters.ts'
import { beginClaim, type ClaimedCall, type ClaimResult } from '../../src/calling/store/claim.ts'
import { settleAll } from '../../src/calling/store/cron/settle-all.ts'
import { extendCalls } from '../../src/calling/store/extend.ts'
import { releaseCalls } from '../../src/calling/store/release.ts'
import { reportAndClaim, reportCalls } from '../../src/calling/store/report.ts'
import type { CallReport } from '../../src/calling/store/sql/report-steps.ts'
import { defaultOutcomes, type ReportedOutcome, settleGraceMs } from '../../src/campaigns/outcomes.ts'
import type { SettingsChange } from '../../src/campaigns/settings.ts'
import { type CallingSettings, defaultSettings } from '../../src/campaigns/settings.ts'
import { changeCampaign } from '../../src/campaigns/store/configure.ts'
import { collectNotices } from '../../src/database/notices.ts'
import { createLeads } from '../../src/leads/store/create-bulk.ts'
import { asKey, noHashes } from '../support/actor.ts'
import { isOpenByTheClock } from '../unit/calling-hours-judge.ts'
import { leadsLeft } from './days-left.ts'
import { createFastDatabase } from './fast-database.ts'
import { checkHours } from './hours.ts'
import { createFindings, type Findings, type Report } from './report.ts'
import { scratchDir } from './server.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** A Thursday. Europe's clocks change on the 25th, America's on the 1st. */
const beginsAtMs = Date.UTC(2026, 9, 22)
const longestMs = 40 * dayMs

const zones = [
  ...['America/Los_Angeles', 'America/Denver', 'America/Chicago', 'America/New_York', 'America/Sao_Paulo'],
  ...[
    'America/St_Johns',
    'Atlantic/Azores',
    'Europe/London',
    'Europe/Berlin',
    'Europe/Helsinki',
    'Africa/Lagos',
  ],
  ...['Asia/Dubai', 'Asia/Kathmandu', 'Asia/Tokyo', 'Australia/Adelaide', 'Australia/Lord_Howe'],
  ...['Pacific/Auckland', 'Pacific/Chatham', 'Pacific/Honolulu', 'Asia/Kabul'],
]
const campaignZones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'UTC']
/** Of each campaign. The whole pace is a multiple of 60, so that what it allows of a second is a whole number. */
const capacities: readonly (SettingsChange & { maxLiveCalls?: number; callsPerMinute?: number })[] = [
  { maxLiveCalls: 100 },
  { callsPerMinute: 600 },
  { maxLiveCalls: 120, callsPerMinute: 1_200 },
  {},
]
const agentCount = 50
const callsPerClaim = 20
const leaseMs = defaultSettings.leaseSeconds * 1000

/** What an agent does with an attempt of a lead: the same whenever it is made. */
type Fate =
  | { readonly does: 'report' | 'stall' | 'very_late'; readonly outcome: ReportedOutcome }
  | { readonly does: 'crash' }

type SimLead = {
  readonly campaign: number
  readonly phone: string
  readonly zone: string
  isAppointment: boolean
  wasReleased: boolean
}

type Wait = { readonly agent: number }
type SimCampaign = { readonly companyId: string; readonly number: number }

/** In the order of `campaignZones`. */
async function readCampaigns(db: D1Database): Promise<readonly SimCampaign[]> {
  const rows = await db
    .prepare('select company_id as "companyId", number from campaigns order by id')
    .bind()
    .run<SimCampaign>()
  return rows.results
}

export async function days(leadCount: number): Promise<Report> {
  const findings = createFindings()
  const { db, close } = createFastDatabase(join(scratchDir, 'days.sqlite'))
  const leads = await seedDays(db, leadCount)
  const figures = await simulate(db, leads, findings)
  await checkTallies(db, leads, findings)
  await checkNumbers(db, findings)
  const drift = await checkHours(db, beginsAtMs + 100 * 24 * hourMs, findings)
  close()
  return {
    name: 'days',
    figures: { ...figures, 'leads and calls by which the hours drifted': drift },
    broken: findings.all(),
  }
}

const access = (nowMs: number, campaign: number) => ({
  ...asKey('key', nowMs),
  campaignId: `campaign-${campaign}`,
})

async function seedDays(db: D1Database, leadCount: number): Promise<Map<string, SimLead>> {
  const bare = (text: string) => db.prepare(text).bind()
  await db.batch([
    bare("insert into companies (id, name, created_at_ms) values ('hard', 'Hard', 0)"),
    ...campaignZones.map((_, index) =>
      bare(
        `insert into campaigns (id, company_id, name, created_at_ms) values ('campaign-${index}', 'hard', 'c', 0)`,
      ),
    ),
    bare(`insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms)
      values ('key', 'hard', 'manage', 'key', 'hash', 'lk_…', 0)`),
  ])
  for (const [index, timeZone] of campaignZones.entries())
    await changeCampaign(db, access(beginsAtMs, index), {
      timeZone,
      closedDates: index === 0 ? ['2026-10-31'] : [],
      ...capacities[index],
    })
  const leads = new Map<string, SimLead>()
  const perCampaign = Math.floor(leadCount / campaignZones.length)
  for (let campaign = 0; campaign < campaignZones.length; campaign++) {
    for (let first = 0; first < perCampaign; first += 1000) {
      const batch = Array.from({ length: Math.min(1000, perCampaign - first) }, (_, i) => {
        const index = first + i
        // The third and the fourth campaign share every tenth number.
        const owner = campaign === 3 && index % 10 === 0 ? 2 : campaign
        const phone = `+1${owner}${String(100_000_000 + index)}`
        const draw = hash(`${campaign} ${phone} lead`)
        const scheduledAtMs = draw % 10 === 0 ? beginsAtMs + ((draw >>> 4) % (9 * 24 * 60)) * minuteMs : null
        const zone = draw % 3 === 0 ? '' : (zones[draw % zones.length] as string)
        const isAppointment = scheduledAtMs !== null && scheduledAtMs > beginsAtMs
        leads.set(`${campaign} ${phone}`, { campaign, phone, zone, isAppointment, wasReleased: false })
        return {
          phoneNumber: phone,
          externalId: null,
          metadata: null,
          scheduledFor: scheduledAtMs === null ? null : new Date(scheduledAtMs).toISOString(),
          priority: (draw >>> 8) % 10,
          timeZone: zone || null,
        }
      })
      const origin = {
        ...access(beginsAtMs, campaign),
        token: randomBase62(11),
        requestKey: null,
        hashes: noHashes,
      }
      const outcome = await createLeads(db, origin, batch, {
        withSkippedIds: false,
        isDryRun: false,
        invalid: 0,
      })
      if (outcome.kind !== 'imported') throw new Error(outcome.kind)
    }
  }
  return leads
}

/** Outcomes of all kinds; those that end another campaign's lead too are not for shared numbers. */
function fateOf(lead: SimLead, attempt: number): Fate {
  const isShared = lead.phone.startsWith('+12') && lead.phone.endsWith('0')
  const share = hash(`${lead.campaign} ${lead.phone} ${attempt}`) % 100
  if (share < 30) return { does: 'report', outcome: 'answered' }
  if (share < 34) return { does: 'report', outcome: 'not_interested' }
  if (share < 38) return { does: 'report', outcome: 'wrong_number' }
  if (share < 40) return { does: 'report', outcome: isShared ? 'invalid_number' : 'do_not_call' }
  if (share < 60) return { does: 'report', outcome: 'no_answer' }
  if (share < 68) return { does: 'report', outcome: 'busy' }
  if (share < 75) return { does: 'report', outcome: 'voicemail' }
  if (share < 78) return { does: 'report', outcome: 'failed' }
  if (share < 79) return { does: 'report', outcome: 'abandoned' }
  if (share < 85) return { does: 'report', outcome: 'callback_requested' }
  if (share < 90) return { does: 'crash' }
  if (share < 94) return { does: 'stall', outcome: 'answered' }
  if (share < 97) return { does: 'stall', outcome: 'busy' }
  return { does: 'very_late', outcome: 'no_answer' }
}

/** What becomes of a lead, by its number alone. */
function endOf(lead: SimLead): string {
  for (let attempt = 1; attempt <= defaultSettings.maxAttempts; attempt++) {
    const fate = fateOf(lead, attempt)
    const { class: kind } = defaultOutcomes[fate.does === 'crash' ? 'unknown' : fate.outcome]
    if (kind === 'done') return `concluded after ${attempt}`
    if (kind === 'dead') return `exhausted after ${attempt}`
  }
  return `exhausted after ${defaultSettings.maxAttempts}`
}

async function simulate(plain: D1Database, leads: ReadonlyMap<string, SimLead>, findings: Findings) {
  const agenda = createAgenda()
  const rings = new Set<string>()
  const db = collectNotices(plain, { waiting: rings })
  const campaigns = await readCampaigns(plain)
  /** By campaign: the agents that wait, those that wait longest first. */
  const waits: Wait[][] = campaigns.map(() => [])
  const checkCapacity = capacityChecker(plain, findings)
  const counts = {
    claims: 0,
    empty: 0,
    atCapacity: 0,
    waits: 0,
    rung: 0,
    looksForLeft: 0,
    calls: 0,
    reports: 0,
    late: 0,
    released: 0,
    extended: 0,
    crashed: 0,
  }
  let lastCallMs = 0
  let isOver = false

  const reportOf = (callId: string, outcome: ReportedOutcome, nowMs: number): CallReport => ({
    callId,
    outcome,
    callbackAtMs: outcome === 'callback_requested' ? nowMs + (hash(callId) % (72 * 60)) * minuteMs : null,
    doNotCall: false,
    durationSeconds: null,
    providerCallId: null,
    details: null,
  })

  /** One round of an agent: reports what it has called, and claims more. */
  async function work(agent: number, nowMs: number, done: readonly CallReport[]): Promise<void> {
    const campaign = agent % campaignZones.length
    const origin = {
      ...access(nowMs, campaign),
      requestKey: null,
      requestToken: randomBase62(11),
      hashes: noHashes,
    }
    const request = { maxCalls: callsPerClaim, leaseSeconds: null, agent: `agent ${agent}` }
    let claim: ClaimResult
    let nextMs: number | null = null
    if (done.length === 0) ({ claim, nextMs } = await claimOrWait(origin, request, campaign, nowMs))
    else {
      const outcome = await reportAndClaim(db, done, origin, request)
      if (outcome.kind !== 'reported') throw new Error(outcome.kind)
      counts.reports += done.length
      for (const { result, callId } of outcome.results)
        if (result !== 'recorded') findings.add('report not recorded', `${result} ${callId}`)
      claim = outcome.claim
    }
    if (claim.kind !== 'claimed') throw new Error(claim.kind)
    counts.claims++
    counts.calls += claim.calls.length
    await checkCapacity(campaign, nowMs, claim.calls.length)
    if (claim.calls.length === 0) {
      counts.empty++
      if (claim.reason === 'at_capacity') counts.atCapacity++
      // A report's claim does not wait.
      if (done.length > 0) agenda.add(nowMs + 1_000, (atMs) => work(agent, atMs, []))
      else wait(agent, campaign, nextMs, nowMs)
      return
    }
    lastCallMs = nowMs
    const own = claim.calls.map((call) => ({ call, lead: check(call, campaign, nowMs) }))
    // Most rounds end within the lease; some go on for longer, and extend it.
    const takesMs = (hash(`${agent} ${nowMs}`) % 10 === 0 ? 14 : 2 + (nowMs % 6)) * minuteMs
    const kept: ClaimedCall[] = []
    const reports: (readonly [string, ReportedOutcome])[] = []
    for (const { call, lead } of own) {
      const fate = fateOf(lead, call.attempt)
      if (!lead.wasReleased && hash(`${call.attempt} ${lead.phone} release`) % 50 === 0) {
        lead.wasReleased = true
        agenda.add(nowMs + minuteMs, (atMs) => giveBack(call.callId, atMs))
        continue
      }
      lead.isAppointment = fate.does !== 'crash' && fate.outcome === 'callback_requested'
      if (fate.does === 'report') {
        kept.push(call)
        reports.push([call.callId, fate.outcome])
      } else if (fate.does === 'crash') counts.crashed++
      else {
        // Settled as unknown by then; stalled reports still come before the next attempt.
        const afterMs =
          fate.does === 'stall' ? leaseMs + settleGraceMs + (hash(call.callId) % 50) * minuteMs : 30 * hourMs
        agenda.add(nowMs + afterMs, (atMs) =>
          reportLate(call.callId, fate.outcome, fate.does === 'stall', atMs),
        )
      }
    }
    if (takesMs > leaseMs) agenda.add(nowMs + leaseMs / 2, (atMs) => extend(kept, atMs))
    agenda.add(nowMs + takesMs, (atMs) =>
      work(
        agent,
        atMs,
        reports.map(([id, outcome]) => reportOf(id, outcome, atMs)),
      ),
    )
  }

  /** Claims twice, as a request does that may wait (waiting-claim.ts). */
  async function claimOrWait(
    origin: Parameters<typeof beginClaim>[1],
    request: Parameters<typeof beginClaim>[2],
    campaign: number,
    nowMs: number,
  ): Promise<{ claim: ClaimResult; nextMs: number | null }> {
    const first = await beginClaim(db, origin, request, { mayWait: true })
    if (first.result.kind !== 'claimed' || first.result.calls.length > 0)
      return { claim: first.result, nextMs: null }
    deliver(nowMs)
    // A wait that goes on for days is one of 25 s again and again: what they note stays noted.
    await plain
      .prepare('update calling_settings set waited_for_until_ms = ?2 where campaign_number = ?1')
      .bind(campaigns[campaign]?.number, beginsAtMs + 2 * longestMs)
      .run()
    const { result, nextMs } = await first.tryAgain(nowMs)
    return { claim: result, nextMs }
  }

  function wait(agent: number, campaign: number, nextMs: number | null, nowMs: number): void {
    const own: Wait = { agent }
    waits[campaign]?.push(own)
    counts.waits++
    runTimer(own, campaign, nextMs, nowMs)
  }

  /** The timer of a wait rings, and looks a second later (bell/wait.ts). */
  function runTimer(own: Wait, campaign: number, momentMs: number | null, nowMs: number): void {
    if (momentMs === null) return
    agenda.add(timerOf(momentMs, nowMs), async (atMs) => {
      if (!waits[campaign]?.includes(own)) return
      ring(campaign, atMs)
      agenda.add(atMs + 1_000, async (thenMs) => {
        if (!waits[campaign]?.includes(own)) return
        const outlook = await readOutlook(plain, campaigns[campaign] as SimCampaign, thenMs)
        runTimer(own, campaign, outlook.canLease ? thenMs : outlook.nextMs, thenMs)
      })
    })
  }

  function ring(campaign: number, nowMs: number): void {
    for (const { agent } of waits[campaign]?.splice(0, ringCount) ?? []) {
      counts.rung++
      agenda.add(nowMs, (atMs) => work(agent, atMs, []))
    }
  }

  /** What was committed since the last time rings. */
  function deliver(nowMs: number): void {
    for (const text of rings) {
      const [, number, atMs] = JSON.parse(text) as [string, number, number | null]
      const campaign = campaigns.findIndex((each) => each.number === number)
      agenda.add(Math.max(nowMs, atMs ?? 0), async (thenMs) => ring(campaign, thenMs))
    }
    rings.clear()
  }

  /** No lead that could be called is left while an agent waits. A timer may be a second late, and a look another. */
  async function checkLeft(nowMs: number): Promise<void> {
    for (const campaign of campaigns.keys()) {
      if (waits[campaign]?.length === 0) continue
      counts.looksForLeft++
      const left = await leftIn(campaign, nowMs)
      if (left.length === 0) continue
      agenda.add(nowMs + 2_000, async (atMs) => {
        if (waits[campaign]?.length === 0) return
        for (const phone of await leftIn(campaign, atMs))
          if (left.includes(phone))
            findings.add('left while an agent waits', `${campaign} ${phone} ${new Date(atMs).toISOString()}`)
      })
    }
  }

  function leftIn(campaign: number, nowMs: number): Promise<string[]> {
    const { maxLiveCalls, callsPerMinute } = capacities[campaign] ?? {}
    const { number } = campaigns[campaign] as SimCampaign
    const closedDates = campaign === 0 ? ['2026-10-31'] : []
    const timeZone = campaignZones[campaign] as string
    return leadsLeft(plain, { number, timeZone, closedDates, maxLiveCalls, callsPerMinute }, nowMs)
  }

  /** What no claim may do, whatever the tallies say. */
  function check(call: ClaimedCall, campaign: number, nowMs: number): SimLead {
    const { phoneNumber } = JSON.parse(call.lead) as { phoneNumber: string }
    const lead = leads.get(`${campaign} ${phoneNumber}`) as SimLead
    const settings: CallingSettings = defaultSettings
    const hours = lead.isAppointment ? settings.appointmentHours : settings.callingHours
    const closedDates = campaign === 0 ? ['2026-10-31'] : []
    const zone = lead.zone || (campaignZones[campaign] as string)
    for (const atMs of [nowMs, call.dialBeforeMs - 1])
      if (!isOpenByTheClock(zone, hours, closedDates, atMs))
        findings.add('called outside of hours', `${phoneNumber} ${zone} ${new Date(atMs).toISOString()}`)
    return lead
  }

  async function giveBack(callId: string, nowMs: number): Promise<void> {
    const outcome = await releaseCalls(db, asKey('key', nowMs), [{ callId, delaySeconds: 60 }])
    counts.released++
    if (outcome.kind !== 'released' || outcome.results[0]?.result !== 'recorded')
      findings.add('release not recorded', callId)
  }

  async function reportLate(callId: string, outcome: ReportedOutcome, isStalled: boolean, nowMs: number) {
    const answer = await reportCalls(db, asKey('key', nowMs), [reportOf(callId, outcome, nowMs)])
    const result = answer.kind === 'reported' ? answer.results[0]?.result : answer.kind
    counts.late++
    if (result !== 'recorded' && (isStalled || result !== 'recorded_late'))
      findings.add('late report not recorded', `${result} ${callId}`)
  }

  async function extend(calls: readonly ClaimedCall[], nowMs: number): Promise<void> {
    const callIds = calls.map(({ callId }) => callId)
    const wanted = { callIds, leaseSeconds: null, dialledAtMs: nowMs }
    const outcome = await extendCalls(db, asKey('key', nowMs), wanted)
    counts.extended += callIds.length
    if (outcome.kind !== 'extended') throw new Error(outcome.kind)
    for (const { stop, callId } of outcome.calls)
      if (stop === 'lease_lost') findings.add('lease lost', callId)
  }

  async function runCron(nowMs: number): Promise<void> {
    await settleAll(db, nowMs)
    const open = await db
      .prepare("select count(*) as n from leads where status in ('raw', 'attempting')")
      .bind()
      .run<{ n: number }>()
    isOver = open.results[0]?.n === 0 && nowMs > lastCallMs + 2 * dayMs
    // Once after what the cron rings for, and once where only timers wake.
    for (const laterMs of [5_000, 5 * minuteMs]) agenda.add(nowMs + laterMs, checkLeft)
    agenda.add(nowMs + 10 * minuteMs, runCron)
  }

  for (let agent = 0; agent < agentCount; agent++)
    agenda.add(beginsAtMs + agent * 7_000, (atMs) => work(agent, atMs, []))
  agenda.add(beginsAtMs, runCron)
  let nowMs = beginsAtMs
  while (!isOver && nowMs < beginsAtMs + longestMs) {
    nowMs = await agenda.next()
    deliver(nowMs)
  }
  return {
    leads: leads.size,
    'days until the last call': ((lastCallMs - beginsAtMs) / dayMs).toFixed(1),
    claims: counts.claims,
    'of these with nothing to give': counts.empty,
    'of these at capacity': counts.atCapacity,
    waits: counts.waits,
    'of these ended by a ring': counts.rung,
    'over the cap': findings.countOf('over the cap'),
    'over the pace': findings.countOf('over the pace'),
    'leads left while an agent waits': findings.countOf('left while an agent waits'),
    'looks for such leads': counts.looksForLeft,
    calls: counts.calls,
    'reported in time': counts.reports,
    'reported after their lease': counts.late,
    'never reported': counts.crashed,
    'given back': counts.released,
    'leases extended': counts.extended,
  }
}

/** After each claim: no more leases than the cap, and between no two moments more calls than the pace allows. */
function capacityChecker(db: D1Database, findings: Findings) {
  /** By campaign: the calls so far, and the most by which a moment was behind what its pace allows from the start. */
  const paced = capacities.map(() => ({ calls: 0, least: Number.POSITIVE_INFINITY }))
  return async (campaign: number, nowMs: number, claimed: number): Promise<void> => {
    const { maxLiveCalls, callsPerMinute } = capacities[campaign] ?? {}
    if (maxLiveCalls !== undefined) {
      const { results } = await db
        .prepare(
          `select count(*) as live from campaigns as c join leads as l on l.campaign_number = c.number
           where c.id = ?1 and l.lease_expires_at_ms is not null`,
        )
        .bind(`campaign-${campaign}`)
        .run<{ live: number }>()
      const live = results[0]?.live ?? 0
      if (live > maxLiveCalls) findings.add('over the cap', `campaign ${campaign}: ${live}`)
    }
    const state = paced[campaign]
    if (callsPerMinute === undefined || state === undefined || claimed === 0) return
    const perSecond = callsPerMinute / 60
    const allowed = ((nowMs - beginsAtMs) / 1000) * perSecond
    state.least = Math.min(state.least, state.calls - allowed)
    state.calls += claimed
    const over = state.calls - allowed - state.least - Math.max(1, perSecond)
    if (over > 1e-6) findings.add('over the pace', `campaign ${campaign}: ${over.toFixed(1)}`)
  }
}

/** Each lead has ended as its number says. */
async function checkTallies(
  db: D1Database,
  leads: ReadonlyMap<string, SimLead>,
  findings: Findings,
): Promise<void> {
  const rows = await db
    .prepare(
      `select c.id as campaignId, l.phone_number as phone, l.status, l.attempts,
         l.due_at_ms is not null or l.lease_expires_at_ms is not null as isOpen
       from campaigns as c join leads as l on l.campaign_number = c.number`,
    )
    .bind()
    .run<{ campaignId: string; phone: string; status: string; attempts: number; isOpen: number }>()
  if (rows.results.length !== leads.size)
    findings.add('leads lost', `${rows.results.length} of ${leads.size}`)
  for (const { campaignId, phone, status, attempts, isOpen } of rows.results) {
    const lead = leads.get(`${campaignId.slice('campaign-'.length)} ${phone}`) as SimLead
    const found = `${status} after ${attempts}${isOpen ? ', and not final' : ''}`
    if (found !== endOf(lead))
      findings.add('another end', `${campaignId} ${phone}: ${found}, not ${endOf(lead)}`)
  }
}

/** The limits of each number, over all calls of the company to it. */
async function checkNumbers(db: D1Database, findings: Findings): Promise<void> {
  const { results } = await db
    .prepare(
      `select phone_number as phone, json_group_array(claimed_at_ms order by claimed_at_ms) as times
       from calls where outcome <> 'released' group by phone_number having count(*) > 1`,
    )
    .bind()
    .run<{ phone: string; times: string }>()
  for (const { phone, times: text } of results) {
    const times = JSON.parse(text) as number[]
    times.forEach((atMs, index) => {
      const before = (n: number) => atMs - (times[index - n] ?? Number.NEGATIVE_INFINITY)
      if (before(3) < dayMs) findings.add('four calls in a day', phone)
      if (before(7) < 7 * dayMs) findings.add('eight calls in a week', phone)
    })
  }
}

/** Things to do, by when. */
function createAgenda() {
  const heap: { atMs: number; place: number; act: (atMs: number) => Promise<void> }[] = []
  let place = 0
  const isBefore = (a: number, b: number) => {
    const [one, two] = [heap[a], heap[b]]
    if (one === undefined || two === undefined) return false
    return one.atMs < two.atMs || (one.atMs === two.atMs && one.place < two.place)
  }
  const swap = (a: number, b: number) => {
    const [one, two] = [heap[a], heap[b]]
    if (one === undefined || two === undefined) return
    heap[a] = two
    heap[b] = one
  }
  return {
    add(atMs: number, act: (atMs: number) => Promise<void>): void {
      heap.push({ atMs, place: place++, act })
      for (let i = heap.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1
        if (!isBefore(i, parent)) return
        swap(i, parent)
        i = parent
      }
    },
    /** Does the next thing, and returns when that was. */
    async next(): Promise<number> {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined) throw new Error('Nothing left to do')
      if (heap.length > 0) {
        heap[0] = last
        for (let i = 0; ; ) {
          const [left, right] = [2 * i + 1, 2 * i + 2]
          const child = isBefore(right, left) ? right : left
          if (!isBefore(child, i)) break
          swap(i, child)
          i = child
        }
      }
      await first.act(first.atMs)
      return first.atMs
    },
  }
}

/** FNV-1a, mixed once more: what an agent does must not depend on when it does it. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 12)) >>> 0
}
