// The keys that `npm start` writes into the state directory, which git ignores: of the demo, and the operator's. Commands
// use them for the local service.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scope } from '../../access/scope.ts'
import { projectDir } from '../deploy/wrangler.ts'

/** The default of `wrangler dev`. */
export const defaultStateDir = join(projectDir, '.wrangler/state')

export type KeyName = Scope | 'operator'

export type LocalKeys = Readonly<Record<KeyName, string>>

/** The campaign of the demo. */
export const campaignId = 'demo'

/** The campaign of a local key; null: it is for a company, or for all. */
export const campaignOfKey = (name: KeyName) => (name === 'manage' || name === 'operator' ? null : campaignId)

const fileIn = (stateDir: string) => join(stateDir, 'demo-keys.json')

/** What is stored. */
export async function readLocalKeys(stateDir: string): Promise<Partial<Record<KeyName, unknown>>> {
  try {
    return (JSON.parse(await readFile(fileIn(stateDir), 'utf8')) as Partial<LocalKeys> | null) ?? {}
  } catch {
    return {}
  }
}

export const writeLocalKeys = (stateDir: string, keys: Partial<Record<KeyName, unknown>>) =>
  writeFile(fileIn(stateDir), `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
