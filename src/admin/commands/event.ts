// `event`: what happened in a company and who did it, for the operator. The same log that clients and webhooks are told
// from, with all of its types, and with the requests that things came of.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { asOperator } from '../../access/store/named.ts'
import { readEndOfLogOfCompany, readLogOfCompany } from '../../calling/store/operate.ts'
import { eventIdOf, eventsOf, type LogPlace, lastPart, placeOfEventId } from '../../events/event.ts'
import { type EventType, eventTypes } from '../../events/store/event-types.ts'
import { type EventPage, logRangeOf, tellLog } from '../../events/tell-log.ts'
import { type LeadKey, parseLeadId } from '../../leads/lead.ts'
import { parseLimit } from '../arguments.ts'
import { describeEvent, eventJson } from '../event-words.ts'
import type { OnDatabase } from '../on-database.ts'
import { printLine, printResult } from '../print.ts'
import { CommandFailed } from '../wrangler.ts'

export function addEventCommands(admin: Command, onDatabase: OnDatabase): void {
  const event = admin.command('event').description('what happened, and who did it')
  onDatabase(event.command('list').description('the latest, newest last; or those after a place'), listEvents)
    .requiredOption('--company <id>', 'whose log')
    .addOption(
      new Option('--types <types>', 'only these, separated by commas')
        .argParser(parseTypes)
        .default(eventTypes, 'all'),
    )
    .option('--after <event>', 'the id of an event: the first ones after it')
    .option('--lead <id>', 'only of this lead', parseLead)
    .option('--limit <number>', 'at most so many', parseLimit, 20)
    .addHelpText('after', `\nTypes: ${eventTypes.join(', ')}`)
}

function parseTypes(text: string): readonly EventType[] {
  const types = text.split(',') as EventType[]
  const unknown = types.find((type) => !eventTypes.includes(type))
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is no type of event: see --help.`)
  return types
}

function parseLead(text: string): LeadKey {
  const lead = parseLeadId(text)
  if (lead === null) throw new InvalidArgumentError('It is the id of a lead.')
  return lead
}

type ListOptions = {
  readonly company: string
  readonly types: readonly EventType[]
  readonly after?: string
  readonly lead?: LeadKey | null
  readonly limit: number
  readonly json: boolean
}

async function listEvents(db: D1Database, options: ListOptions) {
  const { events, next } =
    options.after === undefined ? await readLatest(db, options) : await readAfter(db, options, options.after)
  printResult({ events: events.map(eventJson), next }, options.json, events.map(describeEvent))
  if (!options.json && events.length === 0) printLine('No such events.')
}

async function readLatest(
  db: D1Database,
  { company, types, limit, lead = null }: ListOptions,
): Promise<EventPage> {
  const range = { types, lead, after: null, maxEntries: limit }
  const outcome = await readEndOfLogOfCompany(db, { companyId: company, ...asOperator() }, range)
  if (outcome.kind !== 'read') throw new CommandFailed(`unknown company: ${company}`)
  const events = outcome.entries
    .flatMap((entry) => eventsOf(company, entry))
    .filter(({ type }) => types.includes(type))
    .slice(-limit)
  const end = { number: outcome.scannedUntil, part: lastPart }
  return { events, next: events.at(-1)?.id ?? eventIdOf(company, end) }
}

async function readAfter(db: D1Database, options: ListOptions, id: string): Promise<EventPage> {
  const { company, types, limit, lead = null } = options
  const after: LogPlace | null = placeOfEventId(company, id)
  if (after === null) throw new CommandFailed(`no such place in the log of company ${company}: ${id}`)
  const range = { types, after, lead, maxEvents: limit }
  const outcome = await readLogOfCompany(db, { companyId: company, ...asOperator() }, logRangeOf(range))
  if (outcome.kind === 'key_refused') throw new CommandFailed(`unknown company: ${company}`)
  if (outcome.kind === 'place_too_old') throw new CommandFailed(`what followed is kept no longer: ${id}`)
  if (outcome.kind === 'no_such_place')
    throw new CommandFailed(`no such place in the log of company ${company}: ${id}`)
  return tellLog(company, range, outcome)
}
