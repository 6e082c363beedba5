// Two weeks of simulated days through the whole service with a test clock: over HTTP, with its cron, its alarms and
// its rate limits. What each lead ends as follows from its number alone, regardless of who calls it when. The agents
// claim while the clock runs. What they do with a call, and what people do, is on the agenda, to whose next moment the
// clock is run each time: so it is done on time however slow the machine is.
import { makeKey } from '../../src/base/access/api-key.ts'
import { createAgenda } from './clock-agenda.ts'
import { createClockAgents } from './clock-agents.ts'
import { checkNumbers, checkTallies } from './clock-checks.ts'
import { createConsents } from './clock-consents.ts'
import { type ClockedService, startClocked } from './clock-driver.ts'
import { noCounts, type Simulation } from './clock-state.ts'
import { beginsAtMs, dayMs, readCampaigns, seedDays } from './clock-world.ts'
import { createFindings, type Report } from './report.ts'

const leastMs = 14 * dayMs
/** Some leads are called a third time by then. */
const mostMs = 24 * dayMs

export async function clock(leadCount: number): Promise<Report> {
  const service = await startClocked(beginsAtMs)
  const { db } = service
  const findings = createFindings()
  const leads = await seedDays(db, leadCount)
  const { key, material } = makeKey()
  await db.prepare("update api_keys set hash = ?1 where id = 'key'").bind(material.hash).run()
  const [agenda, counts] = [createAgenda(), noCounts()]
  const campaigns = await readCampaigns(db)
  const consents = await createConsents(db, leads, agenda, findings)
  const shared = {
    db,
    campaigns,
    leads,
    consents,
    agenda,
    findings,
    counts,
  }
  const beganAtMs = Date.now()
  const days = await simulate({ ...shared, lastCallMs: 0 }, service, key)
  const seconds = Math.round((Date.now() - beganAtMs) / 1000)
  const { nowMs: endedAtMs } = await service.read()
  await checkTallies(db, leads, (campaign, phone) => consents.isAllowed(campaign, phone, endedAtMs), findings)
  await checkNumbers(db, findings)
  await service.stop()
  return {
    name: 'clock',
    figures: {
      leads: leads.size,
      'days of the clock': ((endedAtMs - beginsAtMs) / dayMs).toFixed(1),
      'days until the last call': days.toFixed(1),
      seconds,
      claims: counts.claims,
      calls: counts.calls,
      'reported in time': counts.reports,
      'reported after their lease': counts.late,
      'never reported': counts.crashed,
      'given back': counts.released,
      'leases extended': counts.extended,
      'calls by a consent': consents.counts.used,
    },
    broken: findings.all(),
  }
}

/** Returns on which day the last call was made. */
async function simulate(sim: Simulation, service: ClockedService, key: string): Promise<number> {
  const { agenda } = sim
  const agents = createClockAgents(sim, service.port, key)
  for (;;) {
    let { nowMs } = await service.read()
    if (nowMs > beginsAtMs + leastMs && (nowMs > beginsAtMs + mostMs || (await isOver(sim)))) break
    const targetMs = Math.min(agenda.nextAtMs(), nowMs + dayMs)
    if (targetMs > nowMs) await runTo(targetMs)
    await agents.idle()
    nowMs = (await service.read()).nowMs
    while (agenda.nextAtMs() <= nowMs) await agenda.next(nowMs)
  }
  return (sim.lastCallMs - beginsAtMs) / dayMs

  /** Until then, or until something is to be done before. */
  async function runTo(targetMs: number): Promise<void> {
    await service.runTo(targetMs)
    for (;;) {
      const { state, atMs } = await service.step()
      if (state === 'running') agents.claim(atMs)
      // A line may be older than the answer.
      if (state === 'real' && (await service.read()).isReal) return
      if (agenda.nextAtMs() < targetMs) return service.pause()
    }
  }
}

async function isOver({ db }: Simulation): Promise<boolean> {
  const { results } = await db
    .prepare("select 1 from leads where status in ('raw', 'attempting') and held_due_at_ms is null limit 1")
    .bind()
    .run()
  return results.length === 0
}
