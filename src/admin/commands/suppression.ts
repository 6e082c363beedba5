// `suppression`: phone numbers that must not be called, in a company or in one of its campaigns. suppression-file.ts reads the
// file of an import, suppress-all.ts sends any number of them.
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { csvCell } from '../../csv-cell.ts'
import type { NumberChange } from '../../leads/file/number-reading.ts'
import { limits } from '../../limits.ts'
import { numberCursorPattern } from '../../suppression/number-cursor.ts'
import {
  parseDelimiter,
  parseLimit,
  parseNumberChanges,
  parsePhoneNumber,
  refusedText,
} from '../arguments/arguments.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { groupLines } from '../import/group-lines.ts'
import { fromHere } from '../import/source.ts'
import { type OpenService, onService, type ServiceAction } from '../on-service.ts'
import { onceOf, removeAll, type SuppressionTally, suppressAll } from '../suppress-all.ts'
import { type RejectedRow, readSuppressions, type Suppression, writeRejected } from '../suppression-file.ts'
import { counted, logLine, printLine, printList, printResult } from '../text/print.ts'

export function addSuppressionCommands(admin: Command): void {
  const suppression = admin.command('suppression').description('Numbers that must not be called')
  const ofScope = (name: string, does: string, action: ServiceAction) =>
    onService(suppression.command(name).description(does), action).option(
      '--campaign <id>',
      'only this campaign, instead of all of the company',
    )
  ofScope('add', 'Suppresses numbers, and stops their running calls', addNumbers)
    .argument('<number...>', 'in E.164: +14155550123', parsePhoneNumber)
    .option('--reason <text>', 'for people', parseReason)
  ofScope('import', 'Suppresses the numbers of a CSV file', importNumbers)
    .argument('<file>', 'with a column phoneNumber, optional reason and campaignId; - is stdin')
    .option('--reason <text>', 'for rows without one', parseReason)
    .option('--delimiter <character>', 'between the cells; recognized without it', parseDelimiter)
    .option('--country <code>', 'reads numbers as people write them, national ones as of this country: DE')
    .option('--refuse <changes>', refusedText, parseNumberChanges)
    .option('--dry-run', 'sends nothing: shows how the numbers are read', false)
  ofScope('list', 'Lists a page of numbers, sorted by number', listNumbers)
    .option('--limit <number>', 'at most so many', parseLimit, 20)
    .option('--cursor <cursor>', 'of the previous page', parseCursor)
    .addOption(
      new Option('--csv', 'all numbers as CSV, which import accepts').conflicts(['json', 'limit', 'cursor']),
    )
  ofScope('remove', 'Removes suppressions: the numbers may be called again', removeNumbers).argument(
    '<number...>',
    'in E.164: +14155550123',
    parsePhoneNumber,
  )
}

function parseReason(text: string): string {
  const { reasonMaxChars } = limits
  if (text === '' || text.length > reasonMaxChars || !text.isWellFormed())
    throw new InvalidArgumentError(`It must be 1 to ${reasonMaxChars} characters.`)
  return text
}

function parseCursor(text: string): string {
  if (!numberCursorPattern.test(text))
    throw new InvalidArgumentError('It must be the cursor that the previous page ended with.')
  return text
}

type ScopeOptions = { readonly campaign?: string; readonly json: boolean }

async function addNumbers(
  service: OpenService,
  options: ScopeOptions & { readonly reason?: string },
  ...phoneNumbers: string[]
) {
  const { campaign: campaignId = null, reason = null } = options
  const suppressions = phoneNumbers.map((number) => ({ phoneNumber: number, campaignId, reason }))
  const { repeated: _, failed, ...tally } = await suppressAll(service, suppressions)
  printResult(tally, options.json, tallyLines(tally))
  if (failed.length === 0) return
  const numbers = failed.map(({ suppression }) => suppression.phoneNumber).join(', ')
  throw new CommandFailed(`not added: ${numbers}: ${failed[0]?.message}`)
}

type ImportOptions = ScopeOptions & {
  readonly reason?: string
  readonly delimiter?: string
  readonly country?: string
  readonly refuse?: readonly NumberChange[]
  readonly dryRun: boolean
}

async function importNumbers(service: OpenService, options: ImportOptions, name: string) {
  const { campaign: campaignId = null, reason = null, json } = options
  const file = fromHere(name)
  const { delimiter, headers, numbers, rejected: invalid, changes } = await readSuppressions(file, options)
  for (const line of groupLines({ changes, problems: [] })) logLine(line)
  const completed = numbers.map((one) => ({
    ...one,
    campaignId: one.campaignId ?? campaignId,
    reason: one.reason ?? reason,
  }))
  if (options.dryRun) return printTrial(options, completed, invalid)
  const { repeated, failed, ...tally } = await suppressAll(service, completed)
  const rejected = [
    ...invalid,
    ...failed.map(({ suppression, message }) => ({ ...suppression, message })),
  ].sort((one, other) => one.row - other.row)
  logRejected(rejected)
  const rows = numbers.length + invalid.length
  const [first, ...rest] = tallyLines(tally)
  printResult({ rows, ...tally, repeated, invalid: rejected.length }, json, [
    `${counted(rows, 'row')}, ${repeated} repeated, ${rejected.length} invalid: ${first}`,
    ...rest,
  ])
  if (rejected.length === 0) return
  if (file !== '-') logLine(`Not added: ${await writeRejected(file, headers, rejected, delimiter)}`)
  throw new CommanderError(1, 'suppression.import', 'some rows were not added')
}

function logRejected(rejected: readonly RejectedRow[]): void {
  for (const { row, phoneNumber: number, message } of rejected)
    logLine(`row ${row} invalid: ${number.slice(0, shownChars) || 'no number'}: ${message}`)
}

/** How the file is read. Only sending it says which numbers exist. */
function printTrial(
  { json }: ImportOptions,
  read: readonly Suppression[],
  invalid: readonly RejectedRow[],
): void {
  logRejected(invalid)
  const numbers = onceOf(read).length
  const counts = { rows: read.length + invalid.length, numbers, repeated: read.length - numbers }
  printResult({ ...counts, invalid: invalid.length }, json, [
    `Dry run, nothing sent: ${counted(counts.rows, 'row')}, ${counted(numbers, 'number')} to add, ${counts.repeated} repeated, ${invalid.length} invalid.`,
  ])
  if (invalid.length > 0) throw new CommanderError(1, 'suppression.import', 'some rows would not be added')
}

/** Of the cell that should be a number. */
const shownChars = 100

function tallyLines({ added, existing, removedFromQueue, liveCalls }: SuppressionTally): string[] {
  return [
    `${added} added, ${existing} existing; ${counted(removedFromQueue, 'lead')} left the queue.`,
    ...(liveCalls.length === 0 ? [] : [`Calls running on these numbers: ${liveCalls.join(', ')}`]),
  ]
}

type ListOptions = ScopeOptions & {
  readonly limit: number
  readonly cursor?: string
  readonly csv?: boolean
}

async function listNumbers({ client }: OpenService, { campaign, limit, cursor, csv, json }: ListOptions) {
  const scope = campaign === undefined ? {} : { campaignId: campaign }
  if (csv) {
    printLine('phoneNumber,campaignId,reason,createdAt')
    for await (const { phoneNumber, campaignId, reason, createdAt } of client.suppressions.list(scope))
      printLine([phoneNumber, csvCell(campaignId ?? ''), csvCell(reason ?? ''), createdAt].join())
    return
  }
  const page = await client.suppressions.list({ ...scope, limit, ...(cursor && { cursor }) }).page()
  if (json) return printResult(page, true, [])
  const rows = page.suppressions.map((number) => ({ ...number }))
  printList(rows, false, 'No such numbers.')
  if (page.nextCursor) logLine(`Next page: --cursor ${page.nextCursor}`)
}

async function removeNumbers(
  service: OpenService,
  { campaign = null, json }: { readonly campaign?: string | null; readonly json: boolean },
  ...phoneNumbers: string[]
) {
  const lifted = await removeAll(service, campaign, phoneNumbers)
  const missing = new Set(phoneNumbers).size - lifted
  printResult({ lifted }, json, [
    `${counted(lifted, 'number')} may be called again${missing === 0 ? '' : `; ${missing} not suppressed there`}.`,
  ])
}
