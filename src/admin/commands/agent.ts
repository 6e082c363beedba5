// `agent`: a simulated agent, which claims leads and reports calls over the API but never phones. Its work is in pretend/.
import { randomInt } from 'node:crypto'
import { type Command, Option } from 'commander'
import {
  parseAgentName,
  parseConcurrency,
  parseSeed,
  parseServiceUrl,
  parseSpeed,
} from '../arguments/arguments.ts'
import { defaultStateDir } from '../database.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { readDemoKeys } from '../local/demo.ts'
import { type AgentOptions, playAgent } from '../pretend/play-agent.ts'
import { counted, printLine } from '../text/print.ts'

export function addAgentCommands(admin: Command): void {
  admin
    .command('agent')
    .description('A simulated agent, to see a campaign work')
    .command('pretend')
    .summary('Claims leads and reports random outcomes. Never phones')
    .description(
      'Claims leads and reports random outcomes. Never phones. Prints a line for each call, until Ctrl-C, which ends its calls.',
    )
    .requiredOption('--campaign <id>', 'whose leads')
    .option('--url <url>', 'the service', parseServiceUrl, 'http://localhost:8787')
    .addOption(
      new Option('--key <key>', "API key with agent scope, best in the environment; else the demo's").env(
        'LEAD_INTAKE_KEY',
      ),
    )
    .option('--speed <factor>', 'how many times as fast as people talk', parseSpeed, 1)
    .option('--concurrency <number>', 'calls at once', parseConcurrency, 5)
    .option(
      '--name <name>',
      'name of the agent; agents that run at the same time need different ones',
      parseAgentName,
      'pretend',
    )
    .addOption(new Option('--seed <number>', 'the same seed gives the same calls').argParser(parseSeed))
    .addOption(
      new Option('--persist-to <dir>', "where the demo's key is kept").default(
        defaultStateDir,
        '.wrangler/state',
      ),
    )
    .action(pretend)
}

type Options = Omit<AgentOptions, 'key' | 'seed'> & {
  readonly key?: string
  readonly seed?: number
  readonly persistTo: string
}

async function pretend(options: Options): Promise<void> {
  const key = options.key || (await readDemoKeys(options.persistTo)).agent
  if (typeof key !== 'string') throw new CommandFailed('no API key: set LEAD_INTAKE_KEY, or give --key <key>')
  const seed = options.seed ?? randomInt(2 ** 32)
  const stop = new AbortController()
  const end = () => stop.abort()
  // Once: a second Ctrl-C ends the process without waiting.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  try {
    const { released, outcomes } = await playAgent({ ...options, key, seed }, stop.signal)
    const calls = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
    const each = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`)
    printLine([`${counted(calls, 'call')}`, ...each, `${released} released`].join(', '))
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
  }
}
