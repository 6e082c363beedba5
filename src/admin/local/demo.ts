// The demo of the local server: a company, a campaign that may call at all hours, and a random key of each scope. The manage
// key is for the company, since a campaign's key may not erase people; the others are for the campaign. The keys are stored
// in the state directory, which git ignores. Caller must pass a local database, never a deployed one.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashApiKey, isWellFormedApiKey } from '../../access/api-key.ts'
import { keyScopes, type Scope } from '../../access/scope.ts'
import {
  createCampaign,
  createCompany,
  createKey,
  listKeys,
  revokeKey,
} from '../../access/store/administration.ts'
import { findCompany } from '../../access/store/directory.ts'
import { findApiKey } from '../../access/store/rights.ts'
import type { WeeklyHours } from '../../campaigns/calling-hours.ts'
import { configureOnce } from '../../campaigns/store/configure.ts'
import { logCampaignCreated, logKeyCreated, logKeyRevoked } from '../../ledger/log/audit.ts'
import { readHours } from '../api/readers.ts'
import { CommandFailed } from '../command-failed.ts'
import { makeKey, statusOf } from '../keys.ts'

export type Demo = { readonly campaignId: string; readonly keys: Record<Scope, string> }

export const companyId = 'demo'
export const campaignId = 'demo'

/** Returns the demo, and creates what is missing. Throws CommandFailed when the demo has a store of its own (own-demo.ts). */
export async function ensureDemo(db: D1Database, stateDir: string): Promise<Demo> {
  const createdAtMs = Date.now()
  const company = await findCompany(db, companyId)
  if (company !== null && company.store !== null)
    throw new CommandFailed(
      `the demo in ${stateDir} has a store of its own: use another --persist-to, or \`npm start -- --demo-store own\``,
    )
  await createCompany(db, { id: companyId, name: 'Demo', createdAtMs })
  await createCampaign(db, { id: campaignId, companyId, name: 'Demo', createdAtMs }, logCampaignCreated)
  await configureOnce(db, { companyId, campaignId }, atAllHours)
  const kept = await readDemoKeys(stateDir)
  const keys = {
    write: await ensureKey(db, 'write', kept.write),
    read: await ensureKey(db, 'read', kept.read),
    agent: await ensureKey(db, 'agent', kept.agent),
    manage: await ensureKey(db, 'manage', kept.manage),
  }
  if (keyScopes.some((scope) => keys[scope] !== kept[scope])) await writeDemoKeys(stateDir, keys)
  return { campaignId, keys }
}

/** The campaign of the scope's key; null: it is for the company. */
export const campaignOfKey = (scope: Scope) => (scope === 'manage' ? null : campaignId)

export const writeDemoKeys = (stateDir: string, keys: Demo['keys']) =>
  writeFile(fileIn(stateDir), `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })

const allHours = readHours('daily 00:00-24:00') as WeeklyHours
export const atAllHours = { timeZone: 'UTC', callingHours: allHours, appointmentHours: allHours }

const fileIn = (stateDir: string) => join(stateDir, 'demo-keys.json')

type LocalKeys = Partial<Record<Scope | 'operator', unknown>>

/** The stored keys. */
export async function readDemoKeys(stateDir: string): Promise<LocalKeys> {
  try {
    return (JSON.parse(await readFile(fileIn(stateDir), 'utf8')) as LocalKeys | null) ?? {}
  } catch {
    return {}
  }
}

/** `kept` if it still has its rights in the database; else a new key, which revokes the older ones of its name. */
async function ensureKey(db: D1Database, scope: Scope, kept: unknown): Promise<string> {
  const nowMs = Date.now()
  const listed = await listKeys(db, companyId, nowMs)
  const earlier = listed.kind === 'found' ? listed.keys : []
  const ofCampaign = campaignOfKey(scope)
  if (typeof kept === 'string' && isWellFormedApiKey(kept)) {
    const found = await findApiKey(db, hashApiKey(kept), nowMs)
    const own = earlier.find(({ id }) => found.kind === 'active' && id === found.apiKey.id)
    if (own?.scope === scope && own.campaignId === ofCampaign) return kept
  }
  const name = `demo ${scope}`
  for (const old of earlier) {
    if (old.name === name && statusOf(old, nowMs) === 'active')
      await revokeKey(db, old.id, nowMs, logKeyRevoked)
  }
  const { key, material } = makeKey()
  const rights = { companyId, campaignId: ofCampaign, scope, name, expiresAtMs: null }
  await createKey(db, { ...material, ...rights, nowMs }, logKeyCreated)
  return key
}
