// `clock run`: runs the clock of a local service that was started with --clock. It is no part of the API: the service
// has it at /test/clock, for this machine alone.
import { setTimeout } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { formatLocalTime } from '../../base/time-zone.ts'
import { isTimestamp } from '../../base/timestamp.ts'
import { LeadIntake, type Statistics } from '../../sdk/src/lead-intake.ts'
import { parseServiceUrl } from '../arguments/arguments.ts'
import { clockStateDir } from '../clock/start-clock.ts'
import { CommandFailed } from '../command-failed.ts'
import { readLocalKeys, readLocalUrl } from '../local/local-keys.ts'
import { counted, openStatusLine, printLine } from '../text/print.ts'

type Shown = { readonly now: string; readonly state: 'real' | 'running' | 'jumping' | 'paused' }

export function addClockCommands(admin: Command): void {
  const clock = admin.command('clock').description('The clock of a local service started with --clock')
  clock
    .command('run')
    .description(
      'Runs it ahead, a day a minute, and faster while nobody can be called; says what each day has brought',
    )
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
  const begin = await ask(base)
  const days = await openDays(base, persistTo, begin.now)
  let { now, state } = await ask(base, { runTo: to })
  while (state === 'running' || state === 'jumping') {
    status.show(now)
    await setTimeout(1_000)
    ;({ now, state } = await ask(base))
    for (const line of await days.over(now)) status.print(line)
  }
  for (const line of await days.rest()) status.print(line)
  status.close()
  printLine(`${now}  ${state}`)
}

type Counts = Pick<Statistics['series'][number], 'created' | 'called' | 'answered'>
const nothing: Counts = { created: 0, called: 0, answered: 0 }
const add = (one: Counts, other: Counts): Counts => ({
  created: one.created + other.created,
  called: one.called + other.called,
  answered: one.answered + other.answered,
})
const describe = (day: string, { created, called, answered }: Counts) =>
  `${day}: ${counted(created, 'lead')}, ${counted(called, 'call')}, ${answered} answered`

const dayName = (day: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' })
    .format(Date.parse(day))
    .replace(',', '')

/**
 * What each day has brought, of all campaigns of LEAD_INTAKE_KEY or the local key, by the clock of each. Nothing
 * without such a key.
 */
async function openDays(base: string, stateDir: string, from: string) {
  const { manage } = await readLocalKeys(stateDir)
  const apiKey = process.env.LEAD_INTAKE_KEY ?? manage
  const client = typeof apiKey !== 'string' ? null : new LeadIntake({ baseUrl: base, apiKey })
  const printed = new Set<string>()
  const read = async (): Promise<ReadonlyMap<string, Counts>> => {
    const days = new Map<string, Counts>()
    if (client === null) return days
    const { campaigns } = await client.campaigns.pages({ limit: 25 }).page()
    for (const { id, timeZone } of campaigns) {
      const { series } = await client.campaigns.stats(id, { bucket: 'day', from })
      for (const { start, ...counts } of series) {
        const day = formatLocalTime(timeZone ?? 'UTC', Date.parse(start)).slice(0, 10)
        days.set(day, add(days.get(day) ?? nothing, counts))
      }
    }
    return days
  }
  // A key of another service says nothing of this one.
  const readOrNone = () => read().catch((): ReadonlyMap<string, Counts> => new Map())
  const linesOf = (days: ReadonlyMap<string, Counts>, until: string) =>
    [...days]
      .filter(([day]) => day < until && !printed.has(day))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([day, counts]) => {
        printed.add(day)
        return describe(dayName(day), counts)
      })
  let today = from.slice(0, 10)
  return {
    /** Lines for the days that are over by now, in every time zone. */
    async over(now: string): Promise<readonly string[]> {
      const until = new Date(Date.parse(now) - 14 * 3_600_000).toISOString().slice(0, 10)
      if (until <= today) return []
      today = until
      return linesOf(await readOrNone(), until)
    },
    /** Those of the last days, and the sum. */
    async rest(): Promise<readonly string[]> {
      const days = await readOrNone()
      const lines = linesOf(days, '9')
      return days.size === 0 ? [] : [...lines, describe('Sum', [...days.values()].reduce(add, nothing))]
    },
  }
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
