// `event`: what happened in a company and who did it, for the operator. The same log that clients and webhooks are told
// from, with all of its types, and with the requests that things came of.
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
  onDatabase(
    event.command('restored').description('after a restore of the database: events get ids of a new epoch'),
    beginEpochs,
  )
    .requiredOption('--to <time>', 'to what time it was restored, ISO 8601', parseTimestampMs)
    .option('--company <id>', 'of this company alone, instead of all')
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

type RestoredOptions = { readonly to: number; readonly company?: string; readonly json: boolean }

async function beginEpochs(db: D1Database, { to, company, json }: RestoredOptions) {
  const nowMs = Date.now()
  if (to > nowMs) throw new CommandFailed('--to is a time that is yet to come')
  const { epoch, companies, before } = await beginEpoch(db, company ?? null, to, nowMs)
  if (company !== undefined && companies.length + before.length === 0)
    throw new CommandFailed(`unknown company: ${company}`)
  const restoredTo = timestamp(to)
  printResult({ epoch, restoredTo, companies, before }, json, [
    `Epoch ${epoch} has begun in ${counted(companies.length, 'log')}, with the first entry after ${restoredTo}.`,
    ...(before.length === 0
      ? []
      : [`In ${counted(before.length, 'log')} one has begun after this restore already.`]),
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
  const outcome = await readEndOfLogOfCompany(db, { companyId: company, ...asOperator() }, range)
  if (outcome.kind !== 'read') throw new CommandFailed(`unknown company: ${company}`)
  const log = { companyId: company, epochs: outcome.epochs }
  const events = outcome.entries
    .flatMap((entry) => eventsOf(log, entry))
    .filter(({ type }) => types.includes(type))
    .slice(-limit)
  const end = { number: outcome.scannedUntil, part: lastPart }
  return { events, next: events.at(-1)?.id ?? eventIdOf(log, end) }
}

async function readAfter(db: D1Database, options: ListOptions, id: string): Promise<EventPage> {
  const { company, types, limit, lead = null } = options
  const after = placeOfEventId(company, id)
  if (after === null) throw new CommandFailed(`no such place in the log of company ${company}: ${id}`)
  const range = { types, after, lead, maxEvents: limit }
  const outcome = await readLogOfCompany(db, { companyId: company, ...asOperator() }, toLogRange(range))
  if (outcome.kind === 'key_refused') throw new CommandFailed(`unknown company: ${company}`)
  if (outcome.kind === 'place_too_old') throw new CommandFailed(`what followed is kept no longer: ${id}`)
  if (outcome.kind === 'place_restored')
    throw new CommandFailed(`it is gone, since the log was restored to an earlier time: ${id}`)
  if (outcome.kind === 'no_such_place')
    throw new CommandFailed(`no such place in the log of company ${company}: ${id}`)
  return toEventPage(company, range, outcome)
}
