// Seeds what a test needs, straight into the database: companies, campaigns, keys of every kind, leads (seed.ts). Every
// id is random, so that no two tests meet. Reads back what is stored. Spends rate limits without sending requests.
import { env } from 'cloudflare:workers'
import { generateApiKey, makeOperatorKey } from '../../src/base/access/api-key.ts'
import type { Scope } from '../../src/base/access/scope.ts'
import { randomBase62 } from '../../src/base/base62.ts'
import { bulkPerKey, healthPerAddress, hourlyPerKey } from '../../src/base/rate-limits/rate-limit.ts'
import { leadIdOf, leadTokenChars } from '../../src/queue/leads/lead.ts'
import {
  insertCampaigns,
  insertCompanies,
  insertKeys,
  insertLeads,
  newPhone,
  newPhones,
  type SeededLead,
} from './database/seed.ts'
import { companyDb, enterSeeded } from './database/store.ts'
import { spend } from './rate-limits/quick-limiters.ts'

export { newPhone, newPhones, type SeededLead }

export type Campaign = { id: string; number: number; companyId: string }
export type Key = { id: string; key: string }

/** A company with one campaign, and a company-wide key of each scope. */
export async function seedWorld() {
  const company = newCompany()
  const campaign = newCampaign(company.id)
  const [write, read] = [newKey({ companyId: company.id }), newKey({ companyId: company.id, scope: 'read' })]
  await enterSeeded(
    [company.id],
    [write, read].map((key) => ({ ...key, companyId: company.id })),
  )
  const inserted = await companyDb.batch<{ number: number }>([
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
  await enterSeeded([id])
  await insert.run()
  return id
}

/** With an id that no other campaign has, unless given. */
export async function seedCampaign(companyId: string, wantedId?: string): Promise<Campaign> {
  const { id, insert } = newCampaign(companyId, wantedId)
  const row = await insert.first<{ number: number }>()
  return { id, companyId, number: row?.number as number }
}

export type KeyKind = {
  companyId: string
  campaign?: Campaign
  scope?: Scope
  expiresAtMs?: number
  revokedAtMs?: number
}

/** One that is not there. */
export const absentCampaign: Campaign = { id: 'no-such-campaign', number: 2 ** 21 - 1, companyId: 'none' }

/** An active, company-wide write key, unless given. */
export async function seedKey(kind: KeyKind): Promise<Key> {
  const { id, key, insert } = newKey(kind)
  await enterSeeded([], [{ id, key, companyId: kind.companyId }])
  await insert.run()
  return { id, key }
}

/** Many at once, in the order of the kinds. */
export async function seedKeys(kinds: readonly KeyKind[]): Promise<readonly Key[]> {
  const keys = kinds.map(newKeyRow)
  await enterSeeded([], keys)
  await insertKeys(companyDb, keys).run()
  return keys
}

function newCompany() {
  const id = `company-${randomBase62(10)}`
  return { id, insert: insertCompanies(companyDb, [id]) }
}

function newCampaign(companyId: string, id = `campaign-${randomBase62(10)}`) {
  return { id, insert: insertCampaigns(companyDb, companyId, [id]) }
}

function newKey(kind: KeyKind) {
  const row = newKeyRow(kind)
  return { ...row, insert: insertKeys(companyDb, [row]) }
}

function newKeyRow({ campaign, ...kind }: KeyKind) {
  return { ...kind, id: `key-${randomBase62(10)}`, key: generateApiKey(), campaignNumber: campaign?.number }
}

/** An active key of the operator, unless given. */
export async function seedOperatorKey({
  expiresAtMs = Date.now() + 365 * 86_400_000,
  revokedAtMs,
}: Pick<KeyKind, 'expiresAtMs' | 'revokedAtMs'> = {}): Promise<Key> {
  const { key, material } = makeOperatorKey()
  await env.DB.prepare(
    `insert into operator_keys (id, hash, hint, created_at_ms, expires_at_ms, revoked_at_ms)
     values (?1, ?2, ?3, 0, ?4, ?5)`,
  )
    .bind(material.id, material.hash, material.hint, expiresAtMs, revokedAtMs ?? null)
    .run()
  return { id: material.id, key }
}

/** A key of the right form that nobody was ever given. */
export const unknownKey = generateApiKey

/** A company's key, or an operator's. */
export async function revokeKey(keyId: string, revokedAtMs = Date.now()): Promise<void> {
  const revoke = (db: D1Database, table: string) =>
    db.prepare(`update ${table} set revoked_at_ms = ?2 where id = ?1`).bind(keyId, revokedAtMs).run()
  await revoke(companyDb, 'api_keys')
  await revoke(env.DB, 'operator_keys')
}

/** Stores leads as other parts of the product would leave them, in this order, after those that are there. */
export async function seedLeads(campaign: Campaign, leads: readonly SeededLead[]): Promise<void> {
  await insertLeads(companyDb, campaign.number, leads).run()
}

/** Stores one lead, and returns its id: of a campaign that is not there, one that was never given. */
export async function seedLead(campaign: Campaign): Promise<string> {
  const token = randomBase62(leadTokenChars)
  const lead = { phoneNumber: newPhone(), token }
  const isAbsent = campaign.number === absentCampaign.number
  const row = isAbsent ? null : await insertLeads(companyDb, campaign.number, [lead]).first<{ seq: number }>()
  return leadIdOf({ seq: row?.seq ?? 1, createdAtMs: 0, token })
}

/** Changes a lead as the calling agent would. */
export async function setLeadStatus(phoneNumber: string, status: string, attempts: number): Promise<void> {
  await companyDb
    .prepare('update leads set status = ?2, attempts = ?3 where phone_number = ?1')
    .bind(phoneNumber, status, attempts)
    .run()
}

/** The phone numbers stored in a campaign, in commit order. */
export async function storedPhones(campaign: Campaign): Promise<string[]> {
  const { results } = await companyDb
    .prepare('select phone_number as phone from leads where campaign_number = ?1 order by seq')
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
