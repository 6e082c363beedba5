// `clock run`: runs the clock of a local service that was started with --clock. It is no part of the API: the service
// has it at /test/clock, for this machine alone.
import { setTimeout } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isTimestamp } from '../../base/timestamp.ts'
import { parseServiceUrl } from '../arguments/arguments.ts'
import { clockStateDir } from '../clock/start-clock.ts'
import { CommandFailed } from '../command-failed.ts'
import { readLocalUrl } from '../local/local-keys.ts'
import { openStatusLine, printLine } from '../text/print.ts'

type Shown = { readonly now: string; readonly state: 'real' | 'running' | 'jumping' | 'paused' }

export function addClockCommands(admin: Command): void {
  const clock = admin.command('clock').description('The clock of a local service started with --clock')
  clock
    .command('run')
    .description('Runs it ahead, a day a minute, and faster while nobody can be called')
    .requiredOption('--to <time>', 'at most 31 days ahead: 2026-12-11, or 2026-12-11T09:00Z', parseTime)
    .addOption(new Option('--url <url>', 'the service').argParser(parseServiceUrl))
    .option('--persist-to <dir>', 'as it was started with', clockStateDir)
    .action(run)
}

/** A day begins at midnight UTC. */
function parseTime(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text
  if (!isTimestamp(time)) throw new InvalidArgumentError('A time is 2026-12-11, or 2026-12-11T09:00Z.')
  return time
}

async function run({ to, url, persistTo }: { to: string; url?: string; persistTo: string }): Promise<void> {
  const base = url ?? (await readLocalUrl(persistTo)) ?? 'http://localhost:8787'
  const status = openStatusLine()
  let { now, state } = await ask(base, { runTo: to })
  while (state === 'running' || state === 'jumping') {
    status.show(now)
    await setTimeout(1_000)
    ;({ now, state } = await ask(base))
  }
  status.close()
  printLine(`${now}  ${state}`)
}

async function ask(base: string, body?: object): Promise<Shown> {
  const headers = { 'Content-Type': 'application/json' }
  const post = body && { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${base}/test/clock`, post).catch(() => null)
  if (answer === null || answer.status === 404)
    throw new CommandFailed(`no test clock at ${base}: start the service with npm start -- --clock`)
  const { data, error } = (await answer.json()) as { data: Shown | null; error: string | null }
  if (data === null) throw new CommandFailed(`${base} answered ${answer.status} ${error}`)
  return data
}
