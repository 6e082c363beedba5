// Kills workerd at random moments of claims and reports, starts it again on the same state, and sends again what was
// not answered. Then: is every claim there whole or not at all, is every report that was acknowledged there once, and
// does the queue hold what must hold? The store speaks to the database that is killed; routes are not needed for it.

import { join } from 'node:path'
import { randomBase62 } from '../../src/base/base62.ts'
import { claimCalls } from '../../src/queue/calling/store/claim.ts'
import { reportCalls } from '../../src/queue/calling/store/report.ts'
import { settleAll } from '../../src/queue/calling/store/settling/settle-all.ts'
import type { ReportedOutcome } from '../../src/queue/campaigns/outcomes.ts'
import { changeCampaign } from '../../src/queue/campaigns/store/configure.ts'
import { asKey, noHashes } from '../support/access/actor.ts'
import { checkHours } from './hours.ts'
import { createFindings, type Findings, type Report } from './report.ts'
import { migrate, type Server, scratchDir, startServer } from './server.ts'
import { pick, seed, smallNumber } from './world.ts'

const agents = 8
const longestLifeMs = 1_000
const leadCount = 40_000
const nowMs = Date.UTC(2026, 10, 18, 12)
const outcomes: readonly ReportedOutcome[] = ['answered', 'no_answer', 'busy', 'wrong_number', 'do_not_call']

type Claim = { readonly requestKey: string; readonly requestToken: string; readonly maxCalls: number }
type Said = { readonly callId: string; readonly outcome: ReportedOutcome }

/** `store`: the name of the company's own; null: it is in D1. */
export async function killCalls(code: string, rounds: number, store: string | null = null): Promise<Report> {
  const name = store === null ? 'calls' : 'calls-own'
  const stateDir = join(scratchDir, name)
  const findings = createFindings()
  let server = await startServer(code, stateDir, { store })
  await migrate(server.directory)
  const world = await seed(server.db, 1, 1, { ...server, store })
  const access = { ...asKey(world.keys[0]?.id as string, nowMs), campaignId: world.campaignIds[0] as string }
  await prepare(server.db, access)

  /** Calls that an agent was given and has not yet had a report of acknowledged. */
  const given: string[] = []
  const acknowledged = new Map<string, ReportedOutcome>()
  const counts = { claims: 0, reports: 0, cutOff: 0, claimsStored: 0, reportsStored: 0 }

  for (let round = 0; round < rounds; round++) {
    const unanswered: (() => Promise<void>)[] = []
    let isDead = false
    const { db } = server
    const work = async () => {
      while (!isDead) {
        const batch = given.splice(0, smallNumber(30))
        const isReport = batch.length > 0 && Math.random() < 0.5
        if (!isReport) given.push(...batch)
        const said = batch.map((callId): Said => ({ callId, outcome: pick(outcomes) }))
        const claim = {
          requestKey: randomBase62(20),
          requestToken: randomBase62(11),
          maxCalls: smallNumber(50),
        }
        counts[isReport ? 'reports' : 'claims']++
        const send = (on: Server['db'], isAgain: boolean) =>
          isReport ? sendReport(on, said, isAgain) : sendClaim(on, claim, isAgain)
        // A killed runtime may answer a call with an error, or never.
        const answered = await Promise.race([
          send(db, false).then(
            () => true,
            () => false,
          ),
          new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 4_000)),
        ])
        if (!answered) unanswered.push(() => send(server.db, true))
      }
    }
    const working = Promise.all(Array.from({ length: agents }, work))
    await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * longestLifeMs))
    isDead = true
    await server.kill()
    await working
    counts.cutOff += unanswered.length
    server = await startServer(code, stateDir, { store })
    await checkWhole(server.db, findings)
    for (const again of unanswered) await again()
  }

  await checkWhole(server.db, findings)
  await checkReports(server.db, acknowledged, findings)
  await settleAll(server.db, nowMs)
  const drift = await checkHours(server.db, nowMs, findings)
  await server.stop()
  return {
    name,
    figures: {
      'kills (SIGKILL to workerd)': rounds,
      'claims sent': counts.claims,
      'reports sent': counts.reports,
      'cut off by a kill, sent again': counts.cutOff,
      'of these, claims found stored': counts.claimsStored,
      'of these, calls found reported': counts.reportsStored,
      'reports acknowledged': acknowledged.size,
      'reports lost': findings.countOf('report lost'),
      'claims in part': findings.countOf('claim in part'),
      'leads twice': findings.countOf('lead twice'),
      'leads and calls by which the hours drifted': drift,
    },
    broken: findings.all(),
  }

  async function sendClaim(db: D1Database, { maxCalls, ...key }: Claim, isAgain: boolean): Promise<void> {
    const outcome = await claimCalls(
      db,
      { ...access, ...key, hashes: noHashes },
      { maxCalls, leaseSeconds: 7_200, agent: null },
    )
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
    if (isAgain && outcome.isReplay) counts.claimsStored++
    for (const { callId } of outcome.calls) given.push(callId)
  }

  async function sendReport(db: D1Database, said: readonly Said[], isAgain: boolean): Promise<void> {
    const rest = {
      callbackAtMs: null,
      doNotCall: false,
      durationSeconds: null,
      providerCallId: null,
      details: '{"n":1}',
    }
    const outcome = await reportCalls(
      db,
      access,
      said.map((each) => ({ ...each, ...rest })),
    )
    if (outcome.kind !== 'reported') throw new Error(outcome.kind)
    const results = new Set(outcome.results.map(({ result }) => result))
    if (results.size !== 1) findings.add('report in part', JSON.stringify([...results]))
    if (isAgain && results.has('replayed')) counts.reportsStored += said.length
    if (!results.has('recorded') && !(isAgain && results.has('replayed')))
      findings.add('report refused', JSON.stringify([...results]))
    for (const { callId, outcome: reported } of said) acknowledged.set(callId, reported)
  }
}

async function prepare(db: D1Database, access: Parameters<typeof changeCampaign>[1]): Promise<void> {
  await db.prepare("update api_keys set scope = 'manage'").run()
  const settings = {
    timeZone: 'UTC',
    maxAttempts: 50,
    outcomes: { no_answer: { minutes: 0 }, busy: { minutes: 0 } },
  }
  const numberLimits = { minGapMinutes: null, per24Hours: null, per7Days: null }
  await changeCampaign(db, access, { ...settings, numberLimits })
  await db
    .prepare(
      `with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ?1)
       insert into leads (seq, campaign_number, phone_number, created_at_ms, token, queue_rank, due_at_ms)
       select (c.number << 32) + i, c.number, '+49' || (10000000000 + i), 0, 'seed0000000', i % 5, 1
       from campaigns as c cross join counted`,
    )
    .bind(leadCount)
    .run()
  await db
    .prepare('insert into campaign_hours (campaign_number, hour, d_raw) select number, 0, ?1 from campaigns')
    .bind(leadCount)
    .run()
}

/** At rest: every claim is done, and its leads are leased; nothing stands in two states. */
async function checkWhole(db: D1Database, findings: Findings): Promise<void> {
  const checks = {
    'claim in part': 'select 1 from claims where is_done = 0',
    'lead twice': `select 1 from calls as k join leads as l on l.seq = k.seq where k.outcome is null
      group by k.seq having count(*) > 1 or max(l.lease_expires_at_ms) is null`,
    'call without details': `select 1 from calls as k where k.outcome is not null and not exists (
      select 1 from call_details as d where d.seq = k.seq and d.claimed_at_ms = k.claimed_at_ms)`,
    'attempts that are no calls': `select 1 from leads as l where l.attempts <> (select count(*) from calls as k
      where k.company_id = 'hard' and k.phone_number = l.phone_number)`,
    'suppressed and queued': `select 1 from leads as l join suppressions as s on s.phone_number = l.phone_number
      where l.due_at_ms is not null`,
  }
  const results = await db.batch(Object.values(checks).map((query) => db.prepare(query)))
  for (const [index, kind] of Object.keys(checks).entries())
    for (const row of results[index]?.results ?? []) findings.add(kind, JSON.stringify(row))
}

async function checkReports(
  db: D1Database,
  acknowledged: ReadonlyMap<string, string>,
  findings: Findings,
): Promise<void> {
  const { results } = await db
    .prepare(
      `select printf('%011x%014x', claimed_at_ms, seq) || token as callId, outcome from calls
        where outcome is not null`,
    )
    .all<{ callId: string; outcome: string }>()
  const stored = new Map(results.map((row) => [row.callId, row.outcome]))
  for (const [callId, outcome] of acknowledged)
    if (stored.get(callId) !== outcome)
      findings.add('report lost', `${callId} ${outcome} ${stored.get(callId)}`)
  for (const callId of stored.keys()) if (!acknowledged.has(callId)) findings.add('report of nobody', callId)
}
