// What `npm start` writes into the state directory, which git ignores: the keys of the demo and the operator's, and
// where it serves. Commands use them for the local service.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scope } from '../../base/access/scope.ts'
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

const urlFileIn = (stateDir: string) => join(stateDir, 'url')

/** Where the service of this state directory was last served; undefined: it never was. */
export const readLocalUrl = (stateDir: string): Promise<string | undefined> =>
  readFile(urlFileIn(stateDir), 'utf8').catch(() => undefined)

export const writeLocalUrl = (stateDir: string, url: string) => writeFile(urlFileIn(stateDir), url)
