// The consents of simulated days: two campaigns require one. What each number has, and when, follows from the number
// alone; whether a call may be made by it is judged by the rules (consent-judge.ts), beside the product.

import type { NewConsent } from '../../src/base/ledger/consent/consents.ts'
import type { ClaimedCall } from '../../src/queue/calling/store/claim.ts'
import { changeCampaign } from '../../src/queue/campaigns/store/configure.ts'
import { storeConsentsAlone, withdrawConsents } from '../../src/queue/consents/store/keep-consents.ts'
import { asKey, hashesIn } from '../support/access/actor.ts'
import {
  consentOf,
  isWithdrawn,
  type JudgedConsent,
  judge,
  type NumberConsents,
  type Requirement,
} from '../support/calling/consent-judge.ts'
import type { Agenda } from './clock-agenda.ts'
import { access, beginsAtMs, campaignZones, dayMs, hash, hourMs, type SimLead } from './clock-world.ts'
import type { Findings } from './report.ts'

const purpose = 'calls'
const anyAge = { purpose, maxAgeDays: null }
const offers = { purpose: 'offers', maxAgeDays: null }
/** Of each campaign, from day to day. The last one stays: only leads without its consent are left when all is over. */
const requirements: readonly (readonly (readonly [fromDay: number, Requirement])[])[] = [
  [],
  [0, 5, 8].map((day, index) => [day, [anyAge, offers, null][index] as Requirement]),
  [],
  [0, 3].map((day, index) => [day, [anyAge, { purpose, maxAgeDays: 9 }][index] as Requirement]),
]
const lastDay = 10

type Plan = {
  readonly given: readonly { readonly atMs: number; readonly consent: NewConsent }[]
  readonly withdrawnAtMs: number | null
}

function planOf(phone: string): Plan {
  const draw = hash(`${phone} consent`)
  const at = (day: number) => beginsAtMs + (day + ((draw >>> 8) % 100) / 50) * dayMs
  const give = (atMs: number, more: Partial<NewConsent> = {}, own = purpose) => ({
    atMs: Math.round(atMs),
    consent: consentOf(phone, own, Math.round(atMs) - (draw % 3) * hourMs, more),
  })
  const [none, first] = [[], [give(beginsAtMs)]] as const
  const ends = give(beginsAtMs, { expiresAtMs: Math.round(at(2)) })
  const kinds: readonly (readonly [given: Plan['given'], isWithdrawn?: true])[] = [
    [none],
    [first],
    [[...first, give(at(1)), give(at(2), { reference: 'again' })]],
    [[ends]],
    [first, true],
    [[...first, give(at(4))], true],
    [[give(at(1))]],
    [[give(beginsAtMs, {}, 'offers')]],
  ]
  const [given, isWithdrawn = false] = kinds[draw % kinds.length] as (typeof kinds)[number]
  return { given, withdrawnAtMs: isWithdrawn ? Math.round(at(1)) : null }
}

export type Consents = Awaited<ReturnType<typeof createConsents>>

/** Stores what there is from the first moment, and has the agenda do the rest. */
export async function createConsents(
  db: D1Database,
  leads: ReadonlyMap<string, SimLead>,
  agenda: Agenda,
  findings: Findings,
) {
  const known = new Map<string, NumberConsents>()
  const required: Requirement[] = campaignZones.map(() => null)
  const usedBy = new Map<string, readonly [NumberConsents, JudgedConsent]>()
  const counts = { used: 0, stopped: 0 }

  async function store(consents: readonly NewConsent[], nowMs: number): Promise<void> {
    const outcome = await storeConsentsAlone(db, asKey('key', nowMs), consents, hashesIn('hard'))
    if (outcome.kind !== 'stored') throw new Error(outcome.kind)
    consents.forEach((sent, index) => {
      const id = outcome.results[index]?.consentId as string
      known.get(sent.phoneNumber)?.consents.push({ id, sent })
    })
  }

  async function withdraw(phoneNumber: string, nowMs: number): Promise<void> {
    const said = { phoneNumber, purpose: null, withdrawnAtMs: null, reason: null }
    await withdrawConsents(db, asKey('key', nowMs), said)
    known.get(phoneNumber)?.withdrawals.push({ purpose: null, atMs: nowMs })
  }

  for (const [campaign, changes] of requirements.entries())
    for (const [day, requireConsent] of changes)
      agenda.add(beginsAtMs + day * dayMs, async (atMs) => {
        await changeCampaign(db, access(atMs, campaign), { requireConsent })
        required[campaign] = requireConsent
      })
  const atOnce: NewConsent[] = []
  for (const { campaign, phone } of leads.values()) {
    if (requirements[campaign]?.length === 0) continue
    known.set(phone, { consents: [], withdrawals: [] })
    const { given, withdrawnAtMs } = planOf(phone)
    for (const { atMs, consent } of given)
      if (atMs === beginsAtMs) atOnce.push(consent)
      else agenda.add(atMs, (nowMs) => store([consent], nowMs))
    if (withdrawnAtMs !== null) agenda.add(withdrawnAtMs, (nowMs) => withdraw(phone, nowMs))
  }
  for (let from = 0; from < atOnce.length; from += 1000)
    await store(atOnce.slice(from, from + 1000), beginsAtMs)

  const judged = (campaign: number, phone: string, nowMs: number) =>
    judge(known.get(phone), required[campaign] ?? null, nowMs)

  return {
    counts,
    /** From then on nothing changes any more. */
    overAtMs: beginsAtMs + lastDay * dayMs,
    isAllowed: (campaign: number, phone: string, nowMs: number) =>
      judged(campaign, phone, nowMs).fromMs === 0,

    /** Each call has used the consent that the rules name. */
    async check(calls: readonly ClaimedCall[], campaign: number, nowMs: number): Promise<void> {
      if (requirements[campaign]?.length === 0 || calls.length === 0) return
      const phones = calls.map((call) => (JSON.parse(call.lead) as { phoneNumber: string }).phoneNumber)
      const { results } = await db
        .prepare(
          `select item.value as phone, (select k.consent_id from calls as k where k.company_id = 'hard'
             and k.phone_number = item.value order by k.claimed_at_ms desc limit 1) as consentId
           from json_each(?1) as item order by item.key`,
        )
        .bind(JSON.stringify(phones))
        .run<{ phone: string; consentId: string | null }>()
      for (const [index, { phone, consentId }] of results.entries()) {
        const { by, fromMs } = judged(campaign, phone, nowMs)
        if (fromMs !== 0) findings.add('called without a consent', `${campaign} ${phone}`)
        if ((by?.id ?? null) !== consentId) findings.add('another consent', `${phone}: ${consentId}`)
        if (by === null) continue
        counts.used++
        usedBy.set(calls[index]?.callId as string, [known.get(phone) as NumberConsents, by])
      }
    },

    /** Every other one of these calls is one too many for the person. */
    async withdrawDuring(calls: readonly ClaimedCall[], nowMs: number): Promise<void> {
      for (const { callId } of calls) {
        const used = usedBy.get(callId)
        if (used !== undefined && hash(callId) % 2 === 0) await withdraw(used[1].sent.phoneNumber, nowMs)
      }
    },

    /** `consent_withdrawn` exactly when it is. Nothing here comes before it. */
    checkStop(callId: string, stop: string | null): void {
      const used = usedBy.get(callId)
      const isLost = used !== undefined && isWithdrawn(...used)
      if (isLost) counts.stopped++
      if (isLost !== (stop === 'consent_withdrawn')) findings.add('another stop', `${callId}: ${stop}`)
    },

    /** No lead is held that has a consent, but for those that the cron has not come to yet. */
    async checkHeld(nowMs: number): Promise<void> {
      const { results } = await db
        .prepare(
          `select c.id as campaignId, l.phone_number as phone from campaigns as c
           join calling_settings as s on s.campaign_number = c.number and s.returns_held_after is null
           join leads as l on l.campaign_number = c.number and l.held_due_at_ms is not null`,
        )
        .bind()
        .run<{ campaignId: string; phone: string }>()
      for (const { campaignId, phone } of results)
        if (judged(Number(campaignId.slice('campaign-'.length)), phone, nowMs).fromMs !== null)
          findings.add('held with a consent', `${campaignId} ${phone} ${new Date(nowMs).toISOString()}`)
    },
  }
}
