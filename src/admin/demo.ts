// The demo of the local server: one company, one campaign, a write and a read key. The keys are random, and
// kept beside the local database in the state directory, which git ignores. Caller must pass a local database:
// nothing here may ever reach a deployed one.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashApiKey, isWellFormedApiKey } from '../access/api-key.ts'
import {
  createCampaign,
  createCompany,
  createKey,
  listKeys,
  revokeKey,
} from '../access/store/administration.ts'
import { findApiKey } from '../access/store/rights.ts'
import { makeKey, statusOf } from './keys.ts'

type Scope = 'read' | 'write'

export type Demo = { readonly campaignId: string; readonly keys: Record<Scope, string> }

const companyId = 'demo'
const campaignId = 'demo'

/** The demo as it is, and what is missing of it made anew. */
export async function ensureDemo(db: D1Database, stateDir: string): Promise<Demo> {
  const createdAtMs = Date.now()
  await createCompany(db, { id: companyId, name: 'Demo', createdAtMs })
  await createCampaign(db, { id: campaignId, companyId, name: 'Demo', createdAtMs })
  const file = join(stateDir, 'demo-keys.json')
  const kept = await readKeys(file)
  const keys = {
    write: await ensureKey(db, 'write', kept.write),
    read: await ensureKey(db, 'read', kept.read),
  }
  if (keys.write !== kept.write || keys.read !== kept.read) {
    await writeFile(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
  }
  return { campaignId, keys }
}

async function readKeys(file: string): Promise<Partial<Record<Scope, unknown>>> {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as Partial<Record<Scope, unknown>> | null) ?? {}
  } catch {
    return {}
  }
}

/** `kept` when it still opens the database; else a new key, and an end to those that nobody can read any more. */
async function ensureKey(db: D1Database, scope: Scope, kept: unknown): Promise<string> {
  const nowMs = Date.now()
  if (typeof kept === 'string' && isWellFormedApiKey(kept)) {
    const found = await findApiKey(db, hashApiKey(kept), nowMs)
    if (found?.scope === scope) return kept
  }
  const name = `demo ${scope}`
  const earlier = await listKeys(db, companyId)
  for (const old of earlier.kind === 'found' ? earlier.keys : []) {
    if (old.name === name && statusOf(old, nowMs) === 'active') await revokeKey(db, old.id, nowMs)
  }
  const { key, material } = makeKey()
  const rights = { companyId, campaignId, scope, name, expiresAtMs: null }
  await createKey(db, { ...material, ...rights, nowMs })
  return key
}
