// Seeds what a test needs, straight into the database: companies, campaigns, keys of every kind, leads. Every id
// is random, so that no two tests meet. Reads back what is stored. Spends rate limits without sending requests.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { generateApiKey, hashApiKey, hintApiKey } from '../../src/access/api-key.ts'
import type { Scope } from '../../src/access/scope.ts'
import { randomBase62 } from '../../src/base62.ts'
import { leadIdOf, leadTokenChars } from '../../src/leads/lead.ts'
import { bulkPerKey, healthPerAddress, hourlyPerKey } from '../../src/rate-limits/rate-limit.ts'
import type { RateLimiter } from '../../src/rate-limits/rate-limiter.ts'

export type Campaign = { id: string; number: number; companyId: string }
export type Key = { id: string; key: string }

/** A company with one campaign, and a company-wide key of each scope. */
export async function seedWorld() {
  const company = newCompany()
  const campaign = newCampaign(company.id)
  const [write, read] = [newKey({ companyId: company.id }), newKey({ companyId: company.id, scope: 'read' })]
  const inserted = await env.DB.batch<{ number: number }>([
    company.insert,
    campaign.insert,
    write.insert,
    read.insert,
  ])
  return {
    companyId: company.id,
    campaign: { id: campaign.id, companyId: company.id, number: inserted[1]?.results[0]?.number as number },
    campaignId: campaign.id,
    writeKey: write.key,
    readKey: read.key,
    writeKeyId: write.id,
    readKeyId: read.id,
  }
}

export async function seedCompany(): Promise<string> {
  const { id, insert } = newCompany()
  await insert.run()
  return id
}

/** `campaignId`: where its spelling matters. */
export async function seedCampaign(companyId: string, campaignId?: string): Promise<Campaign> {
  const { id, insert } = newCampaign(companyId, campaignId)
  const row = await insert.first<{ number: number }>()
  return { id, companyId, number: row?.number as number }
}

type KeyKind = {
  companyId: string
  campaign?: Campaign
  scope?: Scope
  expiresAtMs?: number
  revokedAtMs?: number
}

/** One that is not there. */
export const absentCampaign: Campaign = { id: 'no-such-campaign', number: 2 ** 21 - 1, companyId: 'none' }

/** An active, company-wide write key, unless told otherwise. */
export async function seedKey(kind: KeyKind): Promise<Key> {
  const { id, key, insert } = newKey(kind)
  await insert.run()
  return { id, key }
}

function newCompany() {
  const id = `company-${randomBase62(10)}`
  const insert = env.DB.prepare('insert into companies (id, name, created_at_ms) values (?1, ?1, 0)').bind(id)
  return { id, insert }
}

function newCampaign(companyId: string, id = `campaign-${randomBase62(10)}`) {
  const insert = env.DB.prepare(
    'insert into campaigns (id, company_id, name, created_at_ms) values (?1, ?2, ?1, 0) returning number',
  ).bind(id, companyId)
  return { id, insert }
}

function newKey({ companyId, campaign, scope = 'write', expiresAtMs, revokedAtMs }: KeyKind) {
  const id = `key-${randomBase62(10)}`
  const key = generateApiKey()
  const insert = env.DB.prepare(
    `insert into api_keys (id, company_id, campaign_number, scope, name, hash, hint, created_at_ms, expires_at_ms, revoked_at_ms)
     values (?1, ?2, ?3, ?4, ?1, ?5, ?6, 0, ?7, ?8)`,
  ).bind(
    id,
    companyId,
    campaign?.number ?? null,
    scope,
    hashApiKey(key),
    hintApiKey(key),
    expiresAtMs ?? null,
    revokedAtMs ?? null,
  )
  return { id, key, insert }
}

/** A key of the right form that nobody was ever given. */
export const unknownKey = generateApiKey

export async function revokeKey(keyId: string, revokedAtMs = Date.now()): Promise<void> {
  await env.DB.prepare('update api_keys set revoked_at_ms = ?2 where id = ?1').bind(keyId, revokedAtMs).run()
}

let numbers = Math.floor(Math.random() * 1e9)

/** A phone number that no other test has. */
export function newPhone(): string {
  return `+49${String(1e10 + ++numbers)}`
}

export function newPhones(count: number): string[] {
  return Array.from({ length: count }, newPhone)
}

export type SeededLead = { phoneNumber: string; status?: string; attempts?: number }

/** Stores leads as other parts of the product would leave them, in this order, after those that are there. */
export async function seedLeads(campaign: Campaign, leads: readonly SeededLead[]): Promise<void> {
  await env.DB.prepare(
    `insert into leads (seq, campaign_number, phone_number, status, attempts, created_at_ms, token)
     select coalesce((select max(seq) from leads where seq between ?1 << 32 and ((?1 + 1) << 32) - 1), ?1 << 32) + item.key + 1,
       ?1, item.value ->> 0, item.value ->> 1, item.value ->> 2, 0, 'seededlead0'
     from json_each(?2) as item`,
  )
    .bind(
      campaign.number,
      JSON.stringify(
        leads.map(({ phoneNumber, status = 'raw', attempts = 0 }) => [phoneNumber, status, attempts]),
      ),
    )
    .run()
}

/** Stores one lead, and returns its id: of a campaign that is not there, one that was never given. */
export async function seedLead({ number }: Campaign): Promise<string> {
  const token = randomBase62(leadTokenChars)
  const row = await env.DB.prepare(
    `insert into leads (seq, campaign_number, phone_number, created_at_ms, token)
     select coalesce((select max(seq) from leads where seq between ?1 << 32 and ((?1 + 1) << 32) - 1), ?1 << 32) + 1, ?1, ?2, 0, ?3
     from campaigns where number = ?1 returning seq`,
  )
    .bind(number, newPhone(), token)
    .first<{ seq: number }>()
  return leadIdOf({ seq: row?.seq ?? 1, createdAtMs: 0, token })
}

/** Changes a lead as the calling agent would. */
export async function setLeadStatus(phoneNumber: string, status: string, attempts: number): Promise<void> {
  await env.DB.prepare('update leads set status = ?2, attempts = ?3 where phone_number = ?1')
    .bind(phoneNumber, status, attempts)
    .run()
}

/** The phone numbers stored in a campaign, in commit order. */
export async function storedPhones(campaign: Campaign): Promise<string[]> {
  const { results } = await env.DB.prepare(
    'select phone_number as phone from leads where campaign_number = ?1 order by seq',
  )
    .bind(campaign.number)
    .all<{ phone: string }>()
  return results.map((row) => row.phone)
}

/** Takes units of a key's hour, as that many requests would. */
export function spendHour(keyId: string, units: number): Promise<void> {
  return spend(`key:${keyId}`, units, [hourlyPerKey])
}

/** Takes units of a key's bulk minute, and of its hour, as that many bulks would. */
export function spendBulks(keyId: string, units: number): Promise<void> {
  return spend(`key:${keyId}`, units, [hourlyPerKey, bulkPerKey])
}

/** Takes units of an address's minute of health checks. */
export function spendHealth(address: string, units: number): Promise<void> {
  return spend(`ip:${address}`, units, [healthPerAddress])
}

async function spend(
  subject: string,
  units: number,
  windows: Parameters<RateLimiter['admit']>[0],
): Promise<void> {
  await runInDurableObject(env.RATE_LIMITER.getByName(subject), (limiter: RateLimiter) => {
    for (let unit = 0; unit < units; unit++) limiter.admit(windows)
  })
}
