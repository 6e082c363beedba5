// `npm run deploy`: the database, its migrations, then the Worker with the secrets that it lacks. In this order the
// Worker always has its tables, also the first time, when there is no database yet.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { ofVersion1, selectVersion1 } from '../../base/database/first-migration.ts'
import { CommandFailed } from '../command-failed.ts'
import { endOperatorKeys, prepareKey } from './deployed-operator-keys.ts'
import { backupAdvice, listDeployedSecrets, newSecrets, withSecretsFile } from './deployed-secrets.ts'
import { showDeployed } from './diagnose.ts'
import { redirectWarnings, targetsOf } from './redirects.ts'
import { NoDatabase, queryRemote } from './remote-database.ts'
import { reasonOf, runWrangler, spawnWrangler } from './wrangler.ts'
import { databaseBinding, readDatabaseName } from './wrangler-config.ts'

const { newWebhookRoot, operatorKey, revokeOperatorKeys } = new Command('deploy')
  .description('Migrates the deployed database, creating it the first time, and deploys the Worker.')
  .option(
    '--new-webhook-root',
    'create a WEBHOOK_ROOT although there are webhooks: the receiver of each needs a new secret',
    false,
  )
  .option(
    '--operator-key [file]',
    'create an operator key, and print it on the terminal, or write it into a new file that only you can read',
    false,
  )
  .option('--revoke-operator-keys', 'first revoke all operator keys', false)
  .allowExcessArguments(false)
  .parse()
  .opts<{ newWebhookRoot: boolean; operatorKey: string | boolean; revokeOperatorKeys: boolean }>()

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

try {
  const makeKey = await prepareKey(operatorKey)
  const isNew = await requireVersion2().then(
    () => false,
    async (error) => {
      if (!(error instanceof NoDatabase)) throw error
      await createRemoteDatabase()
      return true
    },
  )
  // Before a migration or an upload can fail.
  if (revokeOperatorKeys && !isNew) process.stdout.write(`${await endOperatorKeys()}\n`)
  const listing = listDeployedSecrets()
  // A failure is said once no migration runs any more.
  listing.catch(() => {})
  await runVisibly(['d1', 'migrations', 'apply', databaseBinding, '--remote'])
  // Finds the database by its name: wrangler.toml has no id.
  const report = join(tmpdir(), `lead-intake-deploy-${process.pid}.json`)
  process.env.WRANGLER_OUTPUT_FILE_PATH = report
  await deployWorker(await listing, isNew).finally(() => delete process.env.WRANGLER_OUTPUT_FILE_PATH)
  const targets = targetsOf(report)
  for (const warning of await redirectWarnings(targets)) process.stderr.write(warning)
  rmSync(report, { force: true })
  if (makeKey !== null) process.stdout.write(await makeKey())
  await showDeployed(targets)
} catch (error) {
  process.stderr.write(`error: ${error instanceof CommandFailed ? error.message : reasonOf(String(error))}\n`)
  process.exitCode = 1
}

async function createRemoteDatabase(): Promise<void> {
  const name = readDatabaseName()
  process.stdout.write(`Creating the database ${name} ...\n`)
  const { exitCode, output } = await runWrangler(['d1', 'create', name, '--update-config=false'])
  if (exitCode !== 0) throw new CommandFailed(`creating the database failed: ${reasonOf(output)}`)
}

/**
 * Stops before anything is applied: migrations would begin among the tables of a version before 2.0. Throws NoDatabase.
 */
async function requireVersion2(): Promise<void> {
  // Without their table it was created, and nothing was applied yet.
  const found = (await queryRemote(selectVersion1)) ?? []
  if (found.length > 0)
    throw new CommandFailed(
      `the database ${readDatabaseName()} ${ofVersion1}: give database_name in wrangler.toml another name, ` +
        `and deploy creates a new one`,
    )
}

/** Uploads secrets with the code: a missing Worker cannot have secrets, and the code cannot run without them. */
async function deployWorker(deployed: readonly string[], isNew: boolean): Promise<void> {
  const secrets = await newSecrets(deployed, isNew, newWebhookRoot)
  if (Object.keys(secrets.values).length === 0) return runVisibly(['deploy'])
  if (secrets.made.length > 0) process.stdout.write(backupAdvice(secrets))
  await withSecretsFile(secrets.values, (path) => runVisibly(['deploy', '--secrets-file', path]))
  if (secrets.made.length > 0)
    process.stdout.write(`Set ${secrets.made.join(' and ')}: see above for the backup.\n`)
}

/** Without input, so that wrangler uses its answers for unattended runs. */
async function runVisibly(args: readonly string[]): Promise<void> {
  const child = spawnWrangler(args, { stdio: ['ignore', 'inherit', 'inherit'] })
  // A terminal interrupts both processes, but this one still has to clean up.
  const passOn = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of signals) process.on(signal, passOn)
  const [exitCode] = await once(child, 'exit')
  for (const signal of signals) process.off(signal, passOn)
  if (exitCode !== 0) throw new CommandFailed(`wrangler ${args.join(' ')} failed: see above`)
}
