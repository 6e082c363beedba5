// What must hold of simulated days, whatever the agents do: cap and pace after each claim; in the end, of each lead and
// number.
import { beginsAtMs, capacities, dayMs, endOf, type SimLead } from './clock-world.ts'
import type { Findings } from './report.ts'

/** After each claim: no more leases than the cap, and between no two moments more calls than the pace allows. */
export function capacityChecker(db: D1Database, findings: Findings) {
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

/** Each lead has ended as its number says; but one that lacks a consent waits for it, in the middle of its attempts. */
export async function checkTallies(
  db: D1Database,
  leads: ReadonlyMap<string, SimLead>,
  isAllowed: (campaign: number, phone: string) => boolean,
  findings: Findings,
): Promise<void> {
  const rows = await db
    .prepare(
      `select c.id as campaignId, l.phone_number as phone, l.status, l.attempts,
         l.due_at_ms is not null or l.lease_expires_at_ms is not null as isOpen,
         l.held_due_at_ms is not null as isHeld
       from campaigns as c join leads as l on l.campaign_number = c.number`,
    )
    .bind()
    .run<{
      campaignId: string
      phone: string
      status: string
      attempts: number
      isOpen: number
      isHeld: number
    }>()
  if (rows.results.length !== leads.size)
    findings.add('leads lost', `${rows.results.length} of ${leads.size}`)
  for (const { campaignId, phone, status, attempts, isOpen, isHeld } of rows.results) {
    const lead = leads.get(`${campaignId.slice('campaign-'.length)} ${phone}`) as SimLead
    const attemptsAtEnd = Number(endOf(lead).split(' ').at(-1))
    const isHalfway = status === (attempts === 0 ? 'raw' : 'attempting') && attempts < attemptsAtEnd
    if (isHeld === 1 && isHalfway && !isAllowed(lead.campaign, phone)) continue
    const found = `${status} after ${attempts}${isOpen ? ', and not final' : ''}`
    if (found !== endOf(lead))
      findings.add('another end', `${campaignId} ${phone}: ${found}, not ${endOf(lead)}`)
  }
}

/** The limits of each number, over all calls of the company to it. */
export async function checkNumbers(db: D1Database, findings: Findings): Promise<void> {
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
