// The secrets of a deployment: those that the Worker does not have yet, from the environment or created here. Existing
// ones never change. local-secrets.js creates the local ones.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandFailed } from '../command-failed.ts'
import { queryRemote } from './remote-database.ts'
import { reasonOf, runWrangler } from './wrangler.ts'

/** wrangler.toml requires both. */
export const secretNames = ['SUPPRESSION_PEPPER', 'WEBHOOK_ROOT'] as const

type SecretName = (typeof secretNames)[number]

type Secrets = Readonly<Partial<Record<SecretName, string>>>

type NewSecrets = Awaited<ReturnType<typeof newSecrets>>

/**
 * The secrets that are not among the deployed ones; `made` are created here, and have no backup yet. Caller has
 * migrated the database. `isNew`: it was created a moment ago. `mayReplaceRoot`: the operator accepts that every
 * webhook gets another secret.
 */
export async function newSecrets(deployed: readonly string[], isNew: boolean, mayReplaceRoot: boolean) {
  const missing = secretNames.filter((name) => !deployed.includes(name))
  const made = missing.filter((name) => !process.env[name])
  if (made.length > 0 && !isNew) await requireUnused(made, mayReplaceRoot)
  const takeOrMake = (name: SecretName) => process.env[name] || randomBytes(32).toString('base64url')
  const values: Secrets = Object.fromEntries(missing.map((name) => [name, takeOrMake(name)]))
  return { values, made }
}

/** The names of those that the Worker has. */
export async function listDeployedSecrets(): Promise<string[]> {
  const { exitCode, stdout, output } = await runWrangler(['secret', 'list', '--format', 'json'])
  if (exitCode === 0) {
    const listed = JSON.parse(stdout.slice(stdout.indexOf('['))) as { name: string }[]
    return listed.map(({ name }) => name)
  }
  // Before the first deployment.
  if (/Worker ".+" not found/.test(output)) return []
  throw new CommandFailed(`listing the secrets failed: ${reasonOf(output)}`)
}

/** A new secret would silently break what was created with the old one. */
async function requireUnused(made: readonly SecretName[], mayReplaceRoot: boolean): Promise<void> {
  const sql =
    'select exists (select 1 from suppressed_hashes) as hashes, exists (select 1 from webhooks) as webhooks'
  const used = (await queryRemote(sql))?.[0]
  if (made.includes('SUPPRESSION_PEPPER') && used?.hashes !== 0)
    throw new CommandFailed(
      'the database has hashes of erased people, but the Worker has no pepper: deploy with your backup, ' +
        'SUPPRESSION_PEPPER=... npm run deploy',
    )
  if (made.includes('WEBHOOK_ROOT') && used?.webhooks !== 0 && !mayReplaceRoot)
    throw new CommandFailed(
      'the database has webhooks, but the Worker has no root for their secrets: deploy with your backup, ' +
        'WEBHOOK_ROOT=... npm run deploy, or give every webhook another secret, ' +
        'npm run deploy -- --new-webhook-root',
    )
}

/** The file for `wrangler deploy --secrets-file`, while `work` runs. JSON: in a .env file `$` would be expanded. */
export async function withSecretsFile<Result>(
  values: Secrets,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), 'lead-intake-deploy-'))
  try {
    const path = join(dir, 'secrets.json')
    await writeFile(path, JSON.stringify(values), { mode: 0o600 })
    return await work(path)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const losses: Readonly<Record<SecretName, string>> = {
  SUPPRESSION_PEPPER: 'Without it, intake and claims of companies with erased people stop (503).',
  WEBHOOK_ROOT: 'Without it, the receiver of every webhook needs a new secret.',
}

/** Printed before the upload, which may succeed and still end with an error. */
export function backupAdvice({ values, made }: NewSecrets): string {
  return `
  Created for this Worker. Back ${made.length === 1 ? 'it' : 'them'} up now: Cloudflare never shows them again.

${made.map((name) => `  ${name}=${values[name]}\n    ${losses[name]}\n`).join('')}
  If this deployment fails, the next one checks whether they are set, and creates new ones if they are not.

`
}
