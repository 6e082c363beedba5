// `event`: what happened in a company and who did it, with all event types that the key may read; and the epoch that begins
// after the database was restored.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseLeadId } from '../../leads/lead.ts'
import { type EventType, eventTypes } from '../../ledger/log/event-types.ts'
import { limits } from '../../limits.ts'
import type { EventQuery, LeadIntakeEvent } from '../../sdk/src/lead-intake.ts'
import { parseLimit, parseTimestampMs } from '../arguments/arguments.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import type { OnDatabase } from '../on-database.ts'
import { type OpenService, onService } from '../on-service.ts'
import { carryOutOrWait, pendingText } from '../store-requests.ts'
import { describeEvent } from '../text/event-words.ts'
import { counted, printLine, printResult, timestamp } from '../text/print.ts'
import { requireKeptFile, restoreKeptFile, writeKeptFile } from './kept-file.ts'

export function addEventCommands(admin: Command, onDatabase: OnDatabase): void {
  const event = admin.command('event').description('What happened, and who did it')
  onService(
    event.command('list').description('Lists the latest events, newest last; or those after an event'),
    listEvents,
  )
    .addOption(
      new Option('--types <types>', 'only these, separated by commas; all when left out').argParser(
        parseTypes,
      ),
    )
    .option('--after <event>', 'the id of an event: lists the first ones after it')
    .option('--lead <id>', 'only of this lead', parseLead)
    .option('--limit <number>', 'at most so many', parseLimit, 20)
    .addHelpText('after', `\nTypes: ${eventTypes.join(', ')}`)
  onDatabase(
    event
      .command('restored')
      .description(
        'Run after restoring the database: pauses all campaigns and starts a new epoch of event ids',
      ),
    beginEpochs,
  )
    .requiredOption('--to <time>', 'the time it was restored to, ISO 8601', parseTimestampMs)
    .addOption(new Option('--kept <file>', 'writes again what `event keep` has kept').conflicts('company'))
    .option('--company <id>', 'only this company, instead of all that have no store of their own')
  onDatabase(
    event
      .command('keep')
      .description(
        'Run before restoring the database: keeps suppressions, calls and erasures since in a file',
      ),
    keepRows,
  )
    .requiredOption('--to <time>', 'the time that you restore to, ISO 8601', parseTimestampMs)
    .requiredOption('--file <file>', 'a new file, which has phone numbers')
}

function parseTypes(text: string): readonly EventType[] {
  const types = text.split(',') as EventType[]
  const unknown = types.find((type) => !eventTypes.includes(type))
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is not an event type: see --help.`)
  return types
}

function parseLead(text: string): string {
  if (parseLeadId(text) === null) throw new InvalidArgumentError('It must be the id of a lead.')
  return text
}

type ListOptions = {
  readonly types?: readonly EventType[]
  readonly after?: string
  readonly lead?: string
  readonly limit: number
  readonly json: boolean
}

type KeepOptions = { readonly to: number; readonly file: string; readonly json: boolean }

async function keepRows(db: D1Database, { to, file, json }: KeepOptions) {
  if (to > Date.now()) throw new CommandFailed('--to is in the future')
  const rows = await writeKeptFile(db, file, to)
  printResult({ file, rows }, json, [
    `${counted(rows, 'row')} kept in ${file}. Restore to ${timestamp(to)} now, then run \`event restored --kept ${file}\`.`,
  ])
}

type RestoredOptions = {
  readonly to: number
  readonly company?: string
  readonly kept?: string
  readonly json: boolean
}

async function beginEpochs(db: D1Database, { to, company, kept, json }: RestoredOptions) {
  const nowMs = Date.now()
  if (to > nowMs) throw new CommandFailed('--to is in the future')
  if (kept !== undefined) await requireKeptFile(kept, to)
  const result = await carryOutOrWait(db, {
    kind: 'event.restored',
    companyId: company ?? null,
    restoredToMs: to,
    nowMs,
  })
  if (result.kind === 'pending') throw new CommandFailed(pendingText)
  const { epoch, companies, before } = result
  if (company !== undefined && companies.length + before.length === 0)
    throw new CommandFailed(`unknown company: ${company}`)
  const restoredTo = timestamp(to)
  // Once nobody is called.
  const written = kept === undefined ? null : await restoreKeptFile(db, kept)
  printResult({ epoch, restoredTo, companies, before, ...(written !== null && { written }) }, json, [
    `Epoch ${epoch} started in ${counted(companies.length, 'log')}, with the first entry after ${restoredTo}.`,
    ...(companies.length === 0 ? [] : ['Their campaigns are paused: resume each with `campaign resume`.']),
    ...(written === null ? [] : [`${counted(written, 'row')} written again.`]),
    ...(before.length === 0
      ? []
      : [`${counted(before.length, 'log')} already had a new epoch since this restore.`]),
  ])
}

async function listEvents({ client }: OpenService, { types, after, lead, limit, json }: ListOptions) {
  const query: EventQuery = { ...(types && { types }), ...(lead && { leadId: lead }) }
  const page =
    after === undefined
      ? await readLatest(client, query, limit)
      : await client.events.list({ ...query, after, limit }).page()
  printResult(page, json, page.events.map(describeEvent))
  if (!json && page.events.length === 0) printLine('No such events.')
}

/** The API lists the oldest first, so this reads the whole log. */
async function readLatest(client: OpenService['client'], query: EventQuery, limit: number) {
  const list = client.events.list({ ...query, limit: limits.eventsPerPage })
  let events: readonly LeadIntakeEvent[] = []
  for await (const page of list.pages()) events = [...events, ...page.events].slice(-limit)
  return { events, next: events.at(-1)?.id ?? list.next }
}
