// `event`: what happened in a company and who did it. The log of the API and the webhooks, with all event types and with the
// request ids.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { asOperator } from '../../access/store/named.ts'
import { eventIdOf, eventsOf, lastPart, placeOfEventId } from '../../events/event.ts'
import { type EventPage, toEventPage, toLogRange } from '../../events/event-page.ts'
import { type LeadKey, parseLeadId } from '../../leads/lead.ts'
import { beginEpoch } from '../../ledger/log/begin-epoch.ts'
import { type EventType, eventTypes } from '../../ledger/log/event-types.ts'
import { parseLimit, parseTimestampMs } from '../arguments/arguments.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import type { OnDatabase } from '../on-database.ts'
import { readEndOfLogOfCompany, readLogOfCompany } from '../operator-store.ts'
import { describeEvent, eventJson } from '../text/event-words.ts'
import { counted, printLine, printResult, timestamp } from '../text/print.ts'

export function addEventCommands(admin: Command, onDatabase: OnDatabase): void {
  const event = admin.command('event').description('What happened, and who did it')
  onDatabase(
    event.command('list').description('Lists the latest events, newest last; or those after an event'),
    listEvents,
  )
    .requiredOption('--company <id>', 'whose log')
    .addOption(
      new Option('--types <types>', 'only these, separated by commas')
        .argParser(parseTypes)
        .default(eventTypes, 'all'),
    )
    .option('--after <event>', 'the id of an event: lists the first ones after it')
    .option('--lead <id>', 'only of this lead', parseLead)
    .option('--limit <number>', 'at most so many', parseLimit, 20)
    .addHelpText('after', `\nTypes: ${eventTypes.join(', ')}`)
  onDatabase(
    event
      .command('restored')
      .description('Run after restoring the database: starts a new epoch of event ids'),
    beginEpochs,
  )
    .requiredOption('--to <time>', 'the time it was restored to, ISO 8601', parseTimestampMs)
    .option('--company <id>', 'only this company, instead of all')
}

function parseTypes(text: string): readonly EventType[] {
  const types = text.split(',') as EventType[]
  const unknown = types.find((type) => !eventTypes.includes(type))
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is not an event type: see --help.`)
  return types
}

function parseLead(text: string): LeadKey {
  const lead = parseLeadId(text)
  if (lead === null) throw new InvalidArgumentError('It must be the id of a lead.')
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

type RestoredOptions = { readonly to: number; readonly company?: string; readonly json: boolean }

async function beginEpochs(db: D1Database, { to, company, json }: RestoredOptions) {
  const nowMs = Date.now()
  if (to > nowMs) throw new CommandFailed('--to is in the future')
  const { epoch, companies, before } = await beginEpoch(db, company ?? null, to, nowMs)
  if (company !== undefined && companies.length + before.length === 0)
    throw new CommandFailed(`unknown company: ${company}`)
  const restoredTo = timestamp(to)
  printResult({ epoch, restoredTo, companies, before }, json, [
    `Epoch ${epoch} started in ${counted(companies.length, 'log')}, with the first entry after ${restoredTo}.`,
    ...(before.length === 0
      ? []
      : [`${counted(before.length, 'log')} already had a new epoch since this restore.`]),
  ])
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
  const result = await readEndOfLogOfCompany(db, { companyId: company, ...asOperator() }, range)
  if (result.kind !== 'read') throw new CommandFailed(`unknown company: ${company}`)
  const log = { companyId: company, epochs: result.epochs }
  const events = result.entries
    .flatMap((entry) => eventsOf(log, entry))
    .filter(({ type }) => types.includes(type))
    .slice(-limit)
  const end = { number: result.scannedUntil, part: lastPart }
  return { events, next: events.at(-1)?.id ?? eventIdOf(log, end) }
}

async function readAfter(db: D1Database, options: ListOptions, id: string): Promise<EventPage> {
  const { company, types, limit, lead = null } = options
  const after = placeOfEventId(company, id)
  if (after === null) throw new CommandFailed(`no such place in the log of company ${company}: ${id}`)
  const range = { types, after, lead, maxEvents: limit }
  const result = await readLogOfCompany(db, { companyId: company, ...asOperator() }, toLogRange(range))
  if (result.kind === 'key_refused') throw new CommandFailed(`unknown company: ${company}`)
  if (result.kind === 'place_too_old')
    throw new CommandFailed(`the events after it are no longer stored: ${id}`)
  if (result.kind === 'place_restored')
    throw new CommandFailed(`the event is gone: the log was restored to an earlier time: ${id}`)
  if (result.kind === 'no_such_place')
    throw new CommandFailed(`no such place in the log of company ${company}: ${id}`)
  return toEventPage(company, range, result)
}
