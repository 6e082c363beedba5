// `suppression import`: a file of phone numbers that must not be called. suppression-file.ts reads it, suppress-all.ts
// sends any number of them. All other commands of suppressions come from the API description.
import { type Command, CommanderError, InvalidArgumentError } from 'commander'
import { limits } from '../../base/limits.ts'
import type { NumberChange } from '../../queue/leads/file/cells/number-reading.ts'
import { parseDelimiter, parseNumberChanges, refusedText } from '../arguments/arguments.ts'
import { encodingOption, sheetOption } from '../import/file-form.ts'
import { groupLines } from '../import/group-lines.ts'
import { fromHere } from '../import/source.ts'
import { type OpenService, onService } from '../on-service.ts'
import { onceOf, suppressAll } from '../suppress-all.ts'
import { type NumberRow, type RejectedRow, readSuppressions, writeRejected } from '../suppression-file.ts'
import { counted, logLine, printResult } from '../text/print.ts'

export function addSuppressionCommands(admin: Command): void {
  const suppression = admin.command('suppression').description('Numbers that must not be called')
  onService(
    suppression.command('import').description('Suppresses the numbers of a CSV file or an Excel workbook'),
    importNumbers,
  )
    .option('--campaign <id>', 'only this campaign, instead of all of the company')
    .argument('<file>', 'with a column phoneNumber, optional reason and campaignId; - is stdin')
    .option('--reason <text>', 'for rows without one', parseReason)
    .option('--delimiter <character>', 'between the cells; recognized without it', parseDelimiter)
    .addOption(encodingOption())
    .option(...sheetOption)
    .option('--country <code>', 'reads numbers as people write them, national ones as of this country: DE')
    .option('--refuse <changes>', refusedText, parseNumberChanges)
    .option('--dry-run', 'sends nothing: shows how the numbers are read', false)
}

function parseReason(text: string): string {
  const { reasonMaxChars } = limits
  if (text === '' || text.length > reasonMaxChars || !text.isWellFormed())
    throw new InvalidArgumentError(`It must be 1 to ${reasonMaxChars} characters.`)
  return text
}

type ImportOptions = {
  readonly campaign?: string
  readonly json: boolean
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
  const rows = countRows([...numbers, ...invalid])
  const { added, existing, removedFromQueue, liveCalls } = tally
  printResult({ rows, ...tally, repeated, invalid: rejected.length }, json, [
    `${counted(rows, 'row')}, ${repeated} repeated, ${rejected.length} invalid: ${added} added, ` +
      `${existing} existing; ${counted(removedFromQueue, 'lead')} left the queue.`,
    ...(liveCalls.length === 0 ? [] : [`Calls running on these numbers: ${liveCalls.join(', ')}`]),
  ])
  if (rejected.length === 0) return
  if (file !== '-') logLine(`Not added: ${await writeRejected(file, headers, rejected, delimiter)}`)
  throw new CommanderError(1, 'suppression.import', 'some rows were not added')
}

function logRejected(rejected: readonly RejectedRow[]): void {
  for (const { row, phoneNumber: number, message } of rejected)
    logLine(`row ${row} invalid: ${number.slice(0, shownChars) || 'no number'}: ${message}`)
}

const countRows = (found: readonly { readonly row: number }[]) => new Set(found.map(({ row }) => row)).size

/** How the file is read. Only sending it says which numbers exist. */
function printTrial(
  { json }: ImportOptions,
  read: readonly NumberRow[],
  invalid: readonly RejectedRow[],
): void {
  logRejected(invalid)
  const numbers = onceOf(read).length
  const counts = { rows: countRows([...read, ...invalid]), numbers, repeated: read.length - numbers }
  printResult({ ...counts, invalid: invalid.length }, json, [
    `Dry run, nothing sent: ${counted(counts.rows, 'row')}, ${counted(numbers, 'number')} to add, ` +
      `${counts.repeated} repeated, ${invalid.length} invalid.`,
  ])
  if (invalid.length > 0) throw new CommanderError(1, 'suppression.import', 'some rows would not be added')
}

/** How much of the cell is shown that should be a number. */
const shownChars = 100
