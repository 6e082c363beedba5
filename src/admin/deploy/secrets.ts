// The Worker's two secrets, as the operator's commands come by them. wrangler.toml requires both. Made are the local ones
// by local-secrets.js, the deployed ones by deploy.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Place } from '../database.ts'
import { projectDir } from './wrangler.ts'

export const secretNames = ['SUPPRESSION_PEPPER', 'WEBHOOK_ROOT'] as const

export type SecretName = (typeof secretNames)[number]

/**
 * Of the place that a command acts on; undefined when there is none. A deployed secret cannot be read back from
 * Cloudflare, so that the environment is all there is for one.
 */
export function readSecret(name: SecretName, { remote }: Pick<Place, 'remote'>): string | undefined {
  return process.env[name] || (remote ? undefined : readLocalSecret(name))
}

function readLocalSecret(name: SecretName): string | undefined {
  try {
    return parseEnv(readFileSync(join(projectDir, '.dev.vars'), 'utf8'))[name] || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
