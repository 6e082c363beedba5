// Reads the Worker's two secrets for the operator's commands. wrangler.toml requires both. local-secrets.js creates the local
// ones, deploy.ts the deployed ones.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Place } from '../database.ts'
import { projectDir } from './wrangler.ts'

export const secretNames = ['SUPPRESSION_PEPPER', 'WEBHOOK_ROOT'] as const

export type SecretName = (typeof secretNames)[number]

/**
 * Undefined when there is none. Cloudflare never returns a deployed secret, so it can only come from the environment.
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
