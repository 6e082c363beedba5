// What simulated days begin with, and what follows from each lead's number alone: four campaigns, their leads in twenty
// time zones, what agents do with an attempt, and what the lead ends as.
import { randomBase62 } from '../../src/base/base62.ts'
import { defaultOutcomes, type ReportedOutcome } from '../../src/queue/campaigns/outcomes.ts'
import { defaultSettings, type SettingsChange } from '../../src/queue/campaigns/settings.ts'
import { changeCampaign } from '../../src/queue/campaigns/store/configure.ts'
import { createLeads } from '../../src/queue/leads/store/create-bulk.ts'
import { asKey, noHashes } from '../support/access/actor.ts'
import { newLead } from '../support/leads/new-lead.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
/** A Thursday. Europe's clocks change on the 25th, America's on the 1st. */
export const beginsAtMs = Date.UTC(2026, 9, 22)

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
export const campaignZones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'UTC']
/** Of each campaign. The whole pace is a multiple of 60, so that what it allows of a second is a whole number. */
export const capacities: readonly (SettingsChange & { maxLiveCalls?: number; callsPerMinute?: number })[] = [
  { maxLiveCalls: 100 },
  { callsPerMinute: 600 },
  { maxLiveCalls: 120, callsPerMinute: 1_200 },
  {},
]

/** What an agent does with an attempt of a lead: the same whenever it is made. */
type Fate =
  | { readonly does: 'report' | 'stall' | 'very_late'; readonly outcome: ReportedOutcome }
  | { readonly does: 'crash' }

export type SimLead = {
  readonly campaign: number
  readonly phone: string
  readonly zone: string
  isAppointment: boolean
  wasReleased: boolean
}

export type SimCampaign = { readonly companyId: string; readonly number: number }

/** In the order of `campaignZones`. */
export async function readCampaigns(db: D1Database): Promise<readonly SimCampaign[]> {
  const rows = await db
    .prepare('select company_id as "companyId", number from campaigns order by id')
    .bind()
    .run<SimCampaign>()
  return rows.results
}

export const access = (nowMs: number, campaign: number) => ({
  ...asKey('key', nowMs),
  campaignId: `campaign-${campaign}`,
})

export async function seedDays(db: D1Database, leadCount: number): Promise<Map<string, SimLead>> {
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
        return newLead({
          phoneNumber: phone,
          scheduledFor: scheduledAtMs === null ? null : new Date(scheduledAtMs).toISOString(),
          priority: (draw >>> 8) % 10,
          timeZone: zone || null,
        })
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
export function fateOf(lead: SimLead, attempt: number): Fate {
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
export function endOf(lead: SimLead): string {
  for (let attempt = 1; attempt <= defaultSettings.maxAttempts; attempt++) {
    const fate = fateOf(lead, attempt)
    const { class: kind } = defaultOutcomes[fate.does === 'crash' ? 'unknown' : fate.outcome]
    if (kind === 'done') return `concluded after ${attempt}`
    if (kind === 'dead') return `exhausted after ${attempt}`
  }
  return `exhausted after ${defaultSettings.maxAttempts}`
}

/** FNV-1a, mixed once more: what an agent does must not depend on when it does it. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 12)) >>> 0
}
