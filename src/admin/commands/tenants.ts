// What each administration command does with its values: asks the store, prints the answer, or says in one
// line why there is none. How a command is spelled is in main.ts.

import type { keyScopes } from '../../access/scope.ts'
import {
  createCampaign,
  createCompany,
  createKey,
  listCampaigns,
  listCompanies,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../access/store/administration.ts'
import { makeKey, statusOf } from '../keys.ts'
import { printList, printResult, timestamp } from '../print.ts'
import { CommandFailed } from '../wrangler.ts'

type Output = { readonly json: boolean }

function companyUnknown(id: string | null): CommandFailed {
  return new CommandFailed(`unknown company: ${id}`)
}

export async function addCompany(db: D1Database, { id, name, json }: { id: string; name: string } & Output) {
  const company = { id, name, createdAtMs: Date.now() }
  const { kind } = await createCompany(db, company)
  if (kind === 'id_taken') throw new CommandFailed(`company id is taken: ${id}`)
  printResult({ id, name, createdAt: timestamp(company.createdAtMs) }, json, [`Company ${id} created.`])
}

export async function showCompanies(db: D1Database, { json }: Output) {
  const companies = await listCompanies(db)
  const rows = companies.map(({ id, name, createdAtMs }) => ({ id, name, createdAt: timestamp(createdAtMs) }))
  printList(rows, json, 'No companies yet.')
}

export async function addCampaign(
  db: D1Database,
  { company, id, name, json }: { company: string; id: string; name: string } & Output,
) {
  const campaign = { id, companyId: company, name, createdAtMs: Date.now() }
  const { kind } = await createCampaign(db, campaign)
  if (kind === 'company_unknown') throw companyUnknown(company)
  if (kind === 'id_taken') throw new CommandFailed(`campaign id is taken: ${id}`)
  const value = { id, companyId: company, name, createdAt: timestamp(campaign.createdAtMs) }
  printResult(value, json, [`Campaign ${id} created for company ${company}.`])
}

export async function showCampaigns(db: D1Database, { company, json }: { company?: string } & Output) {
  const found = await listCampaigns(db, company ?? null)
  if (found.kind === 'company_unknown') throw companyUnknown(company ?? null)
  const rows = found.campaigns.map(({ id, companyId, name, createdAtMs }) => ({
    id,
    companyId,
    name,
    createdAt: timestamp(createdAtMs),
  }))
  printList(rows, json, 'No campaigns yet.')
}

export type KeyOptions = {
  readonly company: string
  readonly campaign?: string
  readonly scope: (typeof keyScopes)[number]
  readonly name: string
  readonly expires?: number
}

export async function addKey(db: D1Database, options: KeyOptions & Output) {
  const { company, campaign = null, scope, name, expires = null, json } = options
  const { key, material } = makeKey()
  const rights = { companyId: company, campaignId: campaign, scope, name, expiresAtMs: expires }
  const { kind } = await createKey(db, { ...material, ...rights, nowMs: Date.now() })
  if (kind === 'company_unknown') throw companyUnknown(company)
  if (kind === 'campaign_unknown') {
    throw new CommandFailed(`unknown campaign of company ${company}: ${campaign}`)
  }
  printResult({ id: material.id, key }, json, [
    `Key ${material.id} created: ${scope}, ${campaign === null ? `all campaigns of ${company}` : campaign}.`,
    'It is shown this once:',
    key,
  ])
}

export async function showKeys(db: D1Database, { company, json }: { company?: string } & Output) {
  const found = await listKeys(db, company ?? null)
  if (found.kind === 'company_unknown') throw companyUnknown(company ?? null)
  const nowMs = Date.now()
  const rows = found.keys.map((key) => ({
    id: key.id,
    name: key.name,
    scope: key.scope,
    companyId: key.companyId,
    campaignId: key.campaignId,
    hint: key.hint,
    status: statusOf(key, nowMs),
    createdAt: timestamp(key.createdAtMs),
    expiresAt: timestamp(key.expiresAtMs),
    revokedAt: timestamp(key.revokedAtMs),
  }))
  printList(rows, json, 'No keys yet.')
}

export async function endKey(db: D1Database, id: string, { json }: Output) {
  const outcome = await revokeKey(db, id, Date.now())
  if (outcome.kind === 'key_unknown') throw new CommandFailed(`unknown key: ${id}`)
  const revokedAt = timestamp(outcome.revokedAtMs)
  printResult({ id, revokedAt }, json, [`Key ${id} revoked at ${revokedAt}.`])
}

export async function replaceKey(db: D1Database, oldId: string, { grace, json }: { grace: number } & Output) {
  const { key, material } = makeKey()
  const nowMs = Date.now()
  const outcome = await rotateKey(db, { ...material, oldId, endsAtMs: nowMs + grace, nowMs })
  if (outcome.kind === 'key_unknown') throw new CommandFailed(`unknown key: ${oldId}`)
  if (outcome.kind === 'key_inactive') throw new CommandFailed(`key is revoked or expired: ${oldId}`)
  const oldExpiresAt = timestamp(outcome.oldExpiresAtMs)
  printResult({ id: material.id, key, oldId, oldExpiresAt }, json, [
    `Key ${material.id} created in place of ${oldId}, which ends at ${oldExpiresAt}.`,
    'It is shown this once:',
    key,
  ])
}
