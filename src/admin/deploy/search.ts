// `npm run search -- off` and `-- on`: the search index of D1, which prevents an export.
import { Command, Option } from 'commander'
import { CommandFailed } from '../command-failed.ts'
import { switchOff, switchOn } from './search-switch.ts'
import { reasonOf, runWrangler } from './wrangler.ts'
import { databaseBinding } from './wrangler-config.ts'

const command = new Command('search')
  .description('Takes the search index of the database away, so that it can be exported, and makes it again.')
  .argument('<off|on>')
  .option('--remote', 'the deployed database instead of the local one', false)
  .addOption(
    new Option('--persist-to <dir>', 'the state directory of the local database').conflicts('remote'),
  )
  .parse()
const { remote, persistTo } = command.opts<{ remote: boolean; persistTo?: string }>()
const [wanted] = command.args

const place = remote
  ? ['--remote']
  : ['--local', ...(persistTo === undefined ? [] : ['--persist-to', persistTo])]

async function runSql(sql: string) {
  const { exitCode, stdout, output } = await runWrangler([
    ...['d1', 'execute', databaseBinding, ...place, '--json', '--yes', '--command', sql],
  ])
  if (exitCode !== 0) throw new CommandFailed(reasonOf(output))
  return (JSON.parse(stdout) as { results?: Record<string, unknown>[] }[]).map(({ results = [] }) => results)
}

const print = (text: string) => process.stdout.write(`${text}\n`)

try {
  if (wanted !== 'off' && wanted !== 'on') throw new CommandFailed('say `off` or `on`')
  print(await (wanted === 'off' ? switchOff(runSql) : switchOn(runSql, print)))
} catch (error) {
  process.stderr.write(`error: ${error instanceof CommandFailed ? error.message : reasonOf(String(error))}\n`)
  process.exitCode = 1
}
