// The leads that a claim could lease now, judged lead by lead and by the clock on the wall: for the simulated days,
// whose agents wait. Shares no statement with the product.
import { defaultSettings } from '../../src/queue/campaigns/settings.ts'
import { callsThatFit } from '../support/calling/pace.ts'
import { isOpenByTheClock } from '../unit/campaigns/calling-hours-judge.ts'

const dayMs = 86_400_000

type QueueOf = {
  readonly number: number
  readonly timeZone: string
  readonly closedDates: readonly string[]
  readonly maxLiveCalls: number | undefined
  readonly callsPerMinute: number | undefined
}

type DueLead = { readonly phone: string; readonly lane: string; readonly isAppointment: number }

/** Their numbers; none while cap or pace is reached. */
export async function leadsLeft(db: D1Database, campaign: QueueOf, nowMs: number): Promise<string[]> {
  if (!(await hasRoom(db, campaign, nowMs))) return []
  const { results } = await db
    .prepare(
      `select phone_number as phone, lane, queue_rank = 101 as isAppointment from leads
       where campaign_number = ?1 and due_at_ms <= ?2`,
    )
    .bind(campaign.number, nowMs)
    .run<DueLead>()
  const isOpen = openAt(campaign, nowMs)
  const left: string[] = []
  for (const lead of results) if (isOpen(lead) && (await isNumberFree(db, lead, nowMs))) left.push(lead.phone)
  return left
}

async function hasRoom(db: D1Database, campaign: QueueOf, nowMs: number): Promise<boolean> {
  const { results } = await db
    .prepare(
      `select count(l.lease_expires_at_ms) as live, s.paced_until_us as pacedUntilUs
       from calling_settings as s left join leads as l on l.campaign_number = s.campaign_number
       where s.campaign_number = ?1`,
    )
    .bind(campaign.number)
    .run<{ live: number; pacedUntilUs: number | null }>()
  const { live = 0, pacedUntilUs = null } = results[0] ?? {}
  const { maxLiveCalls = Number.POSITIVE_INFINITY, callsPerMinute } = campaign
  const isPaced = callsPerMinute !== undefined && callsThatFit(callsPerMinute, pacedUntilUs ?? 0, nowMs) < 1
  return live < maxLiveCalls && !isPaced
}

/** Leads of a time zone share the answer. */
function openAt({ timeZone, closedDates }: QueueOf, nowMs: number) {
  const known = new Map<string, boolean>()
  const { appointmentHours, callingHours } = defaultSettings
  return ({ lane, isAppointment }: DueLead): boolean => {
    const key = `${lane} ${isAppointment}`
    const hours = isAppointment === 1 ? appointmentHours : callingHours
    const isOpen = known.get(key) ?? isOpenByTheClock(lane || timeZone, hours, closedDates, nowMs)
    known.set(key, isOpen)
    return isOpen
  }
}

async function isNumberFree(
  db: D1Database,
  { phone, isAppointment }: DueLead,
  nowMs: number,
): Promise<boolean> {
  const { minGapMinutes, per24Hours, per7Days } = defaultSettings.numberLimits
  const { results } = await db
    .prepare(
      `select claimed_at_ms as atMs, exists (select 1 from leads as l
         where l.seq = k.seq and l.claim_token = k.token and l.lease_expires_at_ms is not null) as isLive
       from calls as k where phone_number = ?1 and outcome is not 'released' order by claimed_at_ms desc`,
    )
    .bind(phone)
    .run<{ atMs: number; isLive: number }>()
  const nth = (n: number | null, lastsMs: number) =>
    n !== null && (results[n - 1]?.atMs ?? Number.NEGATIVE_INFINITY) + lastsMs > nowMs
  if (results.some(({ isLive }) => isLive === 1)) return false
  if (isAppointment === 0 && minGapMinutes !== null && nth(1, minGapMinutes * 60_000)) return false
  return !nth(per24Hours, dayMs) && !nth(per7Days, 7 * dayMs)
}
