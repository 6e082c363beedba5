// Simulated days: a clock that jumps, four campaigns with leads in twenty time zones over two weekends on which clocks
// change, and fifty agents that take their time, crash, stall, give back and report late. What each lead ends as
// follows from its number alone, regardless of who calls it when: the tallies must be exactly that. Runs the store on
// SQLite in this process, because a hundred thousand leads through a server would take an hour.
import { join } from 'node:path'
import { collectNotices } from '../../src/base/database/notices.ts'
import { settleAll } from '../../src/queue/calling/store/settling/settle-all.ts'
import { returnHeldLeads } from '../../src/queue/consents/store/tend-consents.ts'
import { createFastDatabase } from '../support/database/fast-database.ts'
import { createAgenda } from './days-agenda.ts'
import { createAgents } from './days-agents.ts'
import { checkNumbers, checkTallies } from './days-checks.ts'
import { createConsents } from './days-consents.ts'
import { noCounts, type Simulation } from './days-state.ts'
import {
  beginsAtMs,
  dayMs,
  hourMs,
  longestMs,
  minuteMs,
  readCampaigns,
  type SimLead,
  seedDays,
} from './days-world.ts'
import { checkHours } from './hours.ts'
import { createFindings, type Findings, type Report } from './report.ts'
import { scratchDir } from './server.ts'

const agentCount = 50

export async function days(leadCount: number): Promise<Report> {
  const findings = createFindings()
  const { db, close } = createFastDatabase(join(scratchDir, 'days.sqlite'))
  const leads = await seedDays(db, leadCount)
  const figures = await simulate(db, leads, findings)
  await checkNumbers(db, findings)
  const drift = await checkHours(db, beginsAtMs + 100 * 24 * hourMs, findings)
  close()
  return {
    name: 'days',
    figures: { ...figures, 'leads and calls by which the hours drifted': drift },
    broken: findings.all(),
  }
}

async function simulate(plain: D1Database, leads: ReadonlyMap<string, SimLead>, findings: Findings) {
  const agenda = createAgenda()
  const rings = new Set<string>()
  const counts = noCounts()
  const db = collectNotices(plain, { waiting: rings })
  const campaigns = await readCampaigns(plain)
  const consents = await createConsents(db, leads, agenda, findings)
  const shared = { db, plain, rings, campaigns, leads, consents, agenda, findings, counts }
  const sim: Simulation = { ...shared, lastCallMs: 0 }
  const agents = createAgents(sim)
  let isOver = false

  async function runCron(nowMs: number): Promise<void> {
    await returnHeldLeads(db, nowMs)
    await settleAll(db, nowMs)
    await consents.checkHeld(nowMs)
    const open = await db
      .prepare(
        "select count(*) as n from leads where status in ('raw', 'attempting') and held_due_at_ms is null",
      )
      .bind()
      .run<{ n: number }>()
    isOver = open.results[0]?.n === 0 && nowMs > Math.max(sim.lastCallMs + 2 * dayMs, consents.overAtMs)
    // Once after what the cron rings for, and once where only timers wake.
    for (const laterMs of [5_000, 5 * minuteMs]) agenda.add(nowMs + laterMs, agents.bells.checkLeft)
    agenda.add(nowMs + 10 * minuteMs, runCron)
  }

  for (let agent = 0; agent < agentCount; agent++)
    agenda.add(beginsAtMs + agent * 7_000, (atMs) => agents.work(agent, atMs, []))
  agenda.add(beginsAtMs, runCron)
  let nowMs = beginsAtMs
  while (!isOver && nowMs < beginsAtMs + longestMs) {
    nowMs = await agenda.next()
    agents.bells.deliver(nowMs)
  }
  await checkTallies(plain, leads, (campaign, phone) => consents.isAllowed(campaign, phone, nowMs), findings)
  return {
    leads: leads.size,
    'calls by a consent': consents.counts.used,
    'of these told to stop': consents.counts.stopped,
    'days until the last call': ((sim.lastCallMs - beginsAtMs) / dayMs).toFixed(1),
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
