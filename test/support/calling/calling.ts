// What tests of calling need below HTTP: a campaign that may call at all hours, keys of the scopes agent and manage, a
// clock that tests set, and leads in the queue.
import type { KeyAccess } from '../../../src/base/access/store/rights.ts'
import { randomBase62 } from '../../../src/base/base62.ts'
import type { NewConsent } from '../../../src/base/ledger/consent/consents.ts'
import { explainLead } from '../../../src/queue/calling/store/blockers/explain.ts'
import { readCampaign } from '../../../src/queue/calling/store/campaign-overview.ts'
import { type ClaimRequest, type ClaimResult, claimCalls } from '../../../src/queue/calling/store/claim.ts'
import { extendCalls } from '../../../src/queue/calling/store/extend.ts'
import { type Release, releaseCalls } from '../../../src/queue/calling/store/release.ts'
import { reportCalls } from '../../../src/queue/calling/store/report.ts'
import { requeueSelection } from '../../../src/queue/calling/store/requeue.ts'
import { settleAll } from '../../../src/queue/calling/store/settling/settle-all.ts'
import type { CallReport } from '../../../src/queue/calling/store/sql/report-steps.ts'
import type { WeeklyHours } from '../../../src/queue/campaigns/calling-hours.ts'
import type { SettingsChange } from '../../../src/queue/campaigns/settings.ts'
import { type CampaignChange, changeCampaign } from '../../../src/queue/campaigns/store/configure.ts'
import type { NewLead } from '../../../src/queue/leads/fields.ts'
import { createLead } from '../../../src/queue/leads/store/create.ts'
import { removeSuppressions } from '../../../src/queue/suppression/store/remove-suppressions.ts'
import { suppressNumbers } from '../../../src/queue/suppression/store/suppress.ts'
import { asKey, hashesIn } from '../access/actor.ts'
import { companyDb } from '../database/store.ts'
import { newLead } from '../leads/new-lead.ts'
import { type Campaign, newPhone, seedCampaign, seedKey, seedWorld } from '../world.ts'

/** A Wednesday, at noon in UTC. */
export const noonMs = Date.UTC(2026, 10, 18, 12)

export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000

const allDay = [['00:00', '24:00']] as const
export const alwaysOpen = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, allDay]),
) as unknown as WeeklyHours

export const openSettings: SettingsChange = {
  timeZone: 'UTC',
  callingHours: alwaysOpen,
  appointmentHours: alwaysOpen,
}

export type CallingWorld = Awaited<ReturnType<typeof seedCallingWorld>>

/** A company with a campaign that may call at all hours, unless given, and what can be done there. */
export async function seedCallingWorld(settings: SettingsChange = openSettings) {
  const world = await seedWorld()
  const { companyId, campaign } = world
  const [agent, manage] = await Promise.all([
    seedKey({ companyId, scope: 'agent' }),
    seedKey({ companyId, scope: 'manage' }),
  ])
  const inCampaign = (of: Campaign) => callingIn(of, world.writeKeyId, agent.id, manage.id)
  const here = inCampaign(campaign)
  await here.change(settings)
  return {
    ...world,
    ...here,
    agentKeyId: agent.id,
    manageKeyId: manage.id,
    /** Another campaign of the company, with the same settings. */
    async another() {
      const other = inCampaign(await seedCampaign(companyId))
      await other.change(settings)
      return other
    },
  }
}

function callingIn(campaign: Campaign, writeKeyId: string, agentKeyId: string, manageKeyId: string) {
  const campaignId = campaign.id
  const hashes = hashesIn(campaign.companyId)
  const as = (keyId: string, nowMs: number) => asKey(keyId, nowMs, campaign.companyId)
  const access = (keyId: string, nowMs: number) => ({ ...as(keyId, nowMs), campaignId })
  return {
    campaign,
    access,
    asAgent: (nowMs: number): KeyAccess => as(agentKeyId, nowMs),
    asManager: (nowMs: number): KeyAccess => as(manageKeyId, nowMs),
    asWriter: (nowMs: number): KeyAccess => as(writeKeyId, nowMs),
    async change(change: CampaignChange, nowMs = noonMs, db: D1Database = companyDb) {
      const outcome = await changeCampaign(db, access(manageKeyId, nowMs), change)
      if (outcome.kind !== 'changed') throw new Error(outcome.kind)
      return outcome.campaign
    },
    /** Stores a lead as the API does, and gives its id and number. */
    async add(
      lead: Partial<NewLead> = {},
      nowMs = noonMs,
      db: D1Database = companyDb,
      consent: NewConsent | null = null,
    ) {
      const phoneNumber = lead.phoneNumber ?? newPhone()
      const origin = { ...access(writeKeyId, nowMs), token: randomBase62(11), requestKey: null, hashes }
      const outcome = await createLead(db, origin, newLead({ ...lead, phoneNumber }), consent)
      if (outcome.kind !== 'created') throw new Error(outcome.kind)
      return { leadId: outcome.leadId, phoneNumber }
    },
    async claim(nowMs = noonMs, request: Partial<ClaimRequest> = {}, db: D1Database = companyDb) {
      const outcome = await this.tryClaim(nowMs, request, db)
      if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
      return outcome
    },
    tryClaim(
      nowMs: number,
      request: Partial<ClaimRequest> = {},
      db: D1Database = companyDb,
      key: { requestKey: string; requestToken: string } | null = null,
    ): Promise<ClaimResult> {
      const { requestKey = null, requestToken = randomBase62(11) } = key ?? {}
      const origin = { ...access(agentKeyId, nowMs), requestKey, requestToken, hashes }
      return claimCalls(db, origin, { maxCalls: 1, leaseSeconds: null, agent: null, ...request })
    },
    async report(
      nowMs: number,
      reports: readonly (Pick<CallReport, 'callId' | 'outcome'> & Partial<CallReport>)[],
      db: D1Database = companyDb,
    ) {
      const outcome = await reportCalls(
        db,
        as(agentKeyId, nowMs),
        reports.map((report) => ({
          callbackAtMs: null,
          doNotCall: false,
          durationSeconds: null,
          providerCallId: null,
          details: null,
          ...report,
        })),
      )
      if (outcome.kind !== 'reported') throw new Error(outcome.kind)
      return outcome.results
    },
    async release(nowMs: number, releases: readonly Release[], db: D1Database = companyDb) {
      const outcome = await releaseCalls(db, as(agentKeyId, nowMs), releases)
      if (outcome.kind !== 'released') throw new Error(outcome.kind)
      return outcome.results
    },
    async extend(
      nowMs: number,
      callIds: readonly string[],
      leaseSeconds: number | null = null,
      db = companyDb,
    ) {
      const outcome = await extendCalls(db, as(agentKeyId, nowMs), {
        callIds,
        leaseSeconds,
        dialledAtMs: null,
      })
      if (outcome.kind !== 'extended') throw new Error(outcome.kind)
      return outcome.calls
    },
    async readQueued(nowMs = noonMs) {
      const outcome = await readCampaign(companyDb, access(agentKeyId, nowMs))
      if (outcome.kind !== 'found') throw new Error(outcome.kind)
      return outcome.queue
    },
    /** In the whole company. */
    async suppress(phoneNumbers: readonly string[], nowMs = noonMs, db: D1Database = companyDb) {
      const scope = { phoneNumbers, campaignId: null, reason: 'opt-out' }
      const outcome = await suppressNumbers(db, as(writeKeyId, nowMs), scope)
      if (outcome.kind !== 'suppressed') throw new Error(outcome.kind)
      return outcome
    },
    async lift(phoneNumbers: readonly string[], nowMs = noonMs, db: D1Database = companyDb) {
      const outcome = await removeSuppressions(
        db,
        as(manageKeyId, nowMs),
        { phoneNumbers, campaignId: null },
        hashes,
      )
      if (outcome.kind !== 'removed') throw new Error(outcome.kind)
      return outcome
    },
    /** Of one lead, as its endpoint does. */
    async requeue(leadId: string, nowMs: number, db: D1Database = companyDb) {
      const access = as(writeKeyId, nowMs)
      const outcome = await requeueSelection(db, access, [leadId], hashes, { withLeads: true })
      return (outcome.kind === 'requeued' && outcome.leads[0]) || { result: outcome.kind, json: null }
    },
    explain: (leadId: string, atMs: number, nowMs = atMs, db: D1Database = companyDb) =>
      explainLead(db, as(agentKeyId, nowMs), leadId, atMs, hashes),
  }
}

/** As the cron does in as many minutes as it takes: other tests leave leases that ran out, too. */
export async function settleEverything(nowMs: number, db: D1Database = companyDb): Promise<void> {
  while (await settleAll(db, nowMs));
}

export type QueueRow = {
  status: string
  attempts: number
  queue_rank: number | null
  due_at_ms: number | null
  held_due_at_ms: number | null
  lease_expires_at_ms: number | null
}

/** How a lead stands in the table. */
export async function leadRow(campaign: Campaign, phoneNumber: string): Promise<QueueRow> {
  const row = await companyDb
    .prepare(
      `select status, attempts, queue_rank, due_at_ms, held_due_at_ms, lease_expires_at_ms from leads
     where campaign_number = ?1 and phone_number = ?2`,
    )
    .bind(campaign.number, phoneNumber)
    .first<QueueRow>()
  if (row === null) throw new Error('no such lead')
  return row
}

const suppressions =
  'suppressions (company_id, phone_number, campaign_number, created_at_ms, token, leads_removed)'

/** As if a Worker of before had stored them: their leads are in the queue all the same. */
export async function suppressUnseen(companyId: string, phones: readonly string[]): Promise<void> {
  await companyDb
    .prepare(`insert into ${suppressions} select ?1, item.value, 0, 0, 't', 0 from json_each(?2) as item`)
    .bind(companyId, JSON.stringify(phones))
    .run()
}

/** The same of the first leads of a campaign, or of all. */
export async function suppressFirst({ number, companyId }: Campaign, count = -1): Promise<void> {
  await companyDb
    .prepare(
      `insert into ${suppressions}
       select ?1, phone_number, 0, 0, 't', 0 from leads where campaign_number = ?2 order by seq limit ?3`,
    )
    .bind(companyId, number, count)
    .run()
}

/** Many due leads at once, straight into the table; `shape` is SQL of the columns by the number `i`, from 1. */
export async function fillQueue(
  campaign: Campaign,
  count: number,
  shape: { rank?: string; due?: string; lane?: string; phone?: string } = {},
): Promise<void> {
  const { rank = '0', due = `${noonMs - hourMs}`, lane = "''", phone = "'+1' || (2000000000 + i)" } = shape
  const before = await companyDb
    .prepare('select count(*) as n from leads where campaign_number = ?1')
    .bind(campaign.number)
    .first<{ n: number }>()
  await companyDb
    .prepare(
      `with recursive counted(i) as (select ?2 + 1 union all select i + 1 from counted where i < ?2 + ?3)
     insert into leads (seq, campaign_number, phone_number, priority, created_at_ms, token, lane, queue_rank, due_at_ms)
     select (?1 << 32) + i, ?1, ${phone}, iif(${rank} = 101, 0, ${rank}), 0, 'seed0000000', ${lane}, ${rank},
       ${due} from counted`,
    )
    .bind(campaign.number, before?.n ?? 0, count)
    .run()
}
