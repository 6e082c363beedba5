// `agent`: a simulated agent, which claims leads and reports calls over the API but never phones. Its work is in
// pretend/.
import { randomInt } from 'node:crypto'
import { type Command, Option } from 'commander'
import { parseAgentName, parseConcurrency, parseSeed, parseSpeed } from '../arguments/arguments.ts'
import { chooseService, withService } from '../on-service.ts'
import { type AgentOptions, playAgent } from '../pretend/play-agent.ts'
import { counted, printLine } from '../text/print.ts'

export function addAgentCommands(admin: Command): void {
  const agent = admin.command('agent').description('A simulated agent, to see a campaign work')
  withService(agent.command('pretend'), 'agent')
    .summary('Claims leads and reports random outcomes. Never phones')
    .description(
      'Claims leads and reports random outcomes. Never phones. Prints a line for each call, until ' +
        'Ctrl-C, which ends its calls.',
    )
    .requiredOption('--campaign <id>', 'whose leads')
    .option('--speed <factor>', 'how many times as fast as people talk', parseSpeed, 1)
    .option('--concurrency <number>', 'calls at once', parseConcurrency, 5)
    .option(
      '--name <name>',
      'name of the agent; agents that run at the same time need different ones',
      parseAgentName,
      'pretend',
    )
    .addOption(new Option('--seed <number>', 'the same seed gives the same calls').argParser(parseSeed))
    .action(pretend)
}

type Options = Omit<AgentOptions, 'url' | 'key' | 'seed'> & { readonly seed?: number }

async function pretend(options: Options, command: Command): Promise<void> {
  const { url, apiKey: key } = await chooseService(command, 'agent')
  const seed = options.seed ?? randomInt(2 ** 32)
  const stop = new AbortController()
  const end = () => stop.abort()
  // Once: a second Ctrl-C ends the process without waiting.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  try {
    const { released, outcomes } = await playAgent({ ...options, url, key, seed }, stop.signal)
    const calls = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
    const each = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`)
    printLine([`${counted(calls, 'call')}`, ...each, `${released} released`].join(', '))
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
  }
}
