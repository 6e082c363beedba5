// `npm run deploy`: the database, its migrations, then the Worker. In this order the Worker never runs on
// tables it does not have, the first time included, when not even the database is there.
import { findRemoteDatabase } from './database.ts'
import { CommandFailed, reasonOf, runWrangler, spawnWrangler } from './wrangler.ts'
import { databaseBinding, readDatabaseName } from './wrangler-config.ts'

try {
  if ((await findRemoteDatabase()) === null) await createRemoteDatabase()
  await runVisibly(['d1', 'migrations', 'apply', databaseBinding, '--remote'])
  // Finds the database by its name: wrangler.toml holds no id, and gets none.
  await runVisibly(['deploy'])
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

/** With no input, so that it takes the answers meant for unattended runs. */
async function runVisibly(args: readonly string[]): Promise<void> {
  const child = spawnWrangler(args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })
  if (exitCode !== 0) throw new CommandFailed(`wrangler ${args.join(' ')} failed: see above`)
}
