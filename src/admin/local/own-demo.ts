// The demo of demo.ts for a company with a store of its own: requests what is missing, which the store carries out once the
// server runs.
import { hashApiKey, isWellFormedApiKey } from '../../access/api-key.ts'
import { keyScopes, type Scope } from '../../access/scope.ts'
import { createCompany } from '../../access/store/administration.ts'
import { findCompany } from '../../access/store/directory.ts'
import { findApiKey } from '../../access/store/rights.ts'
import { type CompanyRequest, findPending } from '../../companies/store/requests.ts'
import { newStoreName } from '../../database/company-store.ts'
import { CommandFailed } from '../command-failed.ts'
import { makeKey } from '../keys.ts'
import { addAll } from '../store-requests.ts'
import {
  atAllHours,
  campaignId,
  campaignOfKey,
  companyId,
  type Demo,
  readDemoKeys,
  writeDemoKeys,
} from './demo.ts'

/** Whether the demo has a store of its own; null: there is no demo yet. */
export async function hasOwnStore(db: D1Database): Promise<boolean | null> {
  const company = await findCompany(db, companyId)
  return company && company.store !== null
}

/**
 * Keys whose file was lost stay active: their store alone knows their names. Throws CommandFailed when the demo is in the
 * shared database.
 */
export async function requestDemo(db: D1Database, stateDir: string): Promise<Demo> {
  const createdAtMs = Date.now()
  if ((await hasOwnStore(db)) === false)
    throw new CommandFailed(
      `the demo in ${stateDir} is in the shared database: use another --persist-to, or leave out --demo-store own`,
    )
  const store = newStoreName(companyId, { location: null, jurisdiction: null })
  await createCompany(db, { id: companyId, name: 'Demo', createdAtMs }, store)
  const kept = await readDemoKeys(stateDir)
  const keys: Partial<Record<Scope, string>> = {}
  const requests: CompanyRequest[] = []
  for (const scope of keyScopes) {
    const old = kept[scope]
    if (typeof old === 'string' && (await isEntered(db, old))) {
      keys[scope] = old
      continue
    }
    const { key, material } = makeKey()
    const rights = { companyId, campaignId: campaignOfKey(scope), scope, name: `demo ${scope}` }
    requests.push({ kind: 'key.create', ...material, ...rights, expiresAtMs: null, nowMs: createdAtMs })
    keys[scope] = key
  }
  const demo = { campaignId, keys: keys as Record<Scope, string> }
  if (requests.length === 0) return demo
  const campaign = { companyId, id: campaignId, name: 'Demo', createdAtMs, settings: atAllHours }
  await addAll(db, [{ kind: 'campaign.create', ...campaign }, ...requests])
  await writeDemoKeys(stateDir, demo.keys)
  return demo
}

/** In the directory, and not revoked. */
async function isEntered(db: D1Database, key: string): Promise<boolean> {
  if (!isWellFormedApiKey(key)) return false
  return (await findApiKey(db, hashApiKey(key), Date.now())).kind === 'elsewhere'
}

/** Whether the store has carried out everything. */
export async function isDemoReady(db: D1Database): Promise<boolean> {
  return (await findPending(db, companyId)).length === 0
}
