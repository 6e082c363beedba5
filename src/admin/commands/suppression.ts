// `suppression`: phone numbers that must not be called, in a company or in one of its campaigns. The effect on queue and
// calls is in src/suppression; suppression-file.ts reads the file of an import.

import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { asOperator } from '../../access/store/named.ts'
import { csvCell } from '../../csv-cell.ts'
import { judge } from '../../http/reading.ts'
import { phoneNumber } from '../../leads/fields.ts'
import { logExport } from '../../ledger/log/audit.ts'
import type { NumberPlace } from '../../ledger/suppression/numbers.ts'
import { limits } from '../../limits.ts'
import {
  beforeAllNumbers,
  cursorOfNumber,
  numberCursorPattern,
  numberOfCursor,
} from '../../suppression/number-cursor.ts'
import { parseDelimiter, parseLimit } from '../arguments/arguments.ts'
import type { OfPlace } from '../deploy/pepper.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { fromHere } from '../import/source.ts'
import type { OnDatabase } from '../on-database.ts'
import { listForCompany } from '../operator-store.ts'
import { refusalOf, removeAll, type SuppressionTally, suppressAll } from '../suppress-all.ts'
import { readSuppressions, writeRejected } from '../suppression-file.ts'
import { counted, logLine, printLine, printList, printResult, timestamp } from '../text/print.ts'

type Action = Parameters<OnDatabase>[1]
type Access = Parameters<OnDatabase>[2]

export function addSuppressionCommands(admin: Command, onDatabase: OnDatabase): void {
  const suppression = admin.command('suppression').description('Numbers that must not be called')
  const ofScope = (name: string, does: string, ...how: [action: Action, access?: Access]) =>
    onDatabase(suppression.command(name).description(does), ...how)
      .requiredOption('--company <id>', 'whose campaigns')
      .option('--campaign <id>', 'only this campaign, instead of all of the company')
  ofScope('add', 'Suppresses numbers, and stops their running calls', addNumbers)
    .argument('<number...>', 'in E.164: +14155550123', parsePhoneNumber)
    .option('--reason <text>', 'for people', parseReason)
  // Stdin can be read only once, even if the database is locked.
  ofScope('import', 'Suppresses the numbers of a CSV file', importNumbers, { waitsItself: true })
    .argument('<file>', 'with a column phoneNumber, optional reason and campaignId; - is stdin')
    .option('--reason <text>', 'for rows without one', parseReason)
    .option('--delimiter <character>', 'between the cells', parseDelimiter, ',')
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

function parsePhoneNumber(text: string): string {
  const reading = judge(phoneNumber, text)
  if (!reading.isValid) throw new InvalidArgumentError('It must be in E.164: +14155550123.')
  return text
}

function parseReason(text: string): string {
  const { reasonMaxChars } = limits
  if (text === '' || text.length > reasonMaxChars || !text.isWellFormed())
    throw new InvalidArgumentError(`It must be 1 to ${reasonMaxChars} characters.`)
  return text
}

function parseCursor(text: string): NumberPlace {
  if (!numberCursorPattern.test(text))
    throw new InvalidArgumentError('It must be the cursor that the previous page ended with.')
  return numberOfCursor(text)
}

type ScopeOptions = { readonly company: string; readonly campaign?: string; readonly json: boolean }

async function addNumbers(
  db: D1Database,
  options: ScopeOptions & { readonly reason?: string },
  ...phoneNumbers: string[]
) {
  const { campaign: campaignId = null, reason = null } = options
  const suppressions = phoneNumbers.map((number) => ({ phoneNumber: number, campaignId, reason }))
  const { repeated: _, failed, ...tally } = await suppressAll(db, options.company, suppressions)
  printResult(tally, options.json, tallyLines(tally))
  if (failed.length === 0) return
  const numbers = failed.map(({ suppression }) => suppression.phoneNumber).join(', ')
  throw new CommandFailed(`not added: ${numbers}: ${failed[0]?.message}`)
}

type ImportOptions = ScopeOptions & { readonly reason?: string; readonly delimiter: string }

async function importNumbers(db: D1Database, options: ImportOptions, name: string) {
  const { campaign: campaignId = null, reason = null, delimiter, json, company } = options
  const file = fromHere(name)
  const { headers, numbers, rejected: invalid } = await readSuppressions(file, delimiter)
  const completed = numbers.map((one) => ({
    ...one,
    campaignId: one.campaignId ?? campaignId,
    reason: one.reason ?? reason,
  }))
  const { repeated, failed, ...tally } = await suppressAll(db, company, completed)
  const rejected = [
    ...invalid,
    ...failed.map(({ suppression, message }) => ({ ...suppression, message })),
  ].sort((one, other) => one.row - other.row)
  for (const { row, phoneNumber: number, message } of rejected)
    logLine(`row ${row} invalid: ${number.slice(0, shownChars) || 'no number'}: ${message}`)
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
  readonly cursor?: NumberPlace
  readonly csv?: boolean
}

async function readPage(db: D1Database, options: ListOptions, maxNumbers: number, after: NumberPlace) {
  const campaignId = options.campaign ?? null
  const who = { companyId: options.company, ...asOperator() }
  const page = await listForCompany(db, who, { campaignId, maxNumbers, after })
  if (page.kind !== 'page') throw refusalOf(page, options.company, campaignId)
  const rows = page.numbers.map(({ createdAtMs, ...number }) => ({
    ...number,
    createdAt: timestamp(createdAtMs),
  }))
  return { rows, end: page.end }
}

async function listNumbers(db: D1Database, options: ListOptions) {
  const { limit, cursor = beforeAllNumbers, csv, json } = options
  if (csv) return listAsCsv(db, options)
  const { rows, end } = await readPage(db, options, limit, cursor)
  const nextCursor = end === null ? null : cursorOfNumber(end)
  // Like the API.
  if (json) return printResult({ suppressions: rows, nextCursor }, true, [])
  printList(rows, false, 'No such numbers.')
  if (nextCursor !== null) logLine(`Next page: --cursor ${nextCursor}`)
}

async function listAsCsv(db: D1Database, options: ListOptions) {
  await logExport(db, options.company, 'suppressions')
  printLine('phoneNumber,campaignId,reason,createdAt')
  for (let after: NumberPlace | null = beforeAllNumbers; after !== null; ) {
    const page = await readPage(db, options, limits.phoneNumbersPerSuppression, after)
    for (const { phoneNumber: number, campaignId, reason, createdAt } of page.rows)
      printLine([number, csvCell(campaignId ?? ''), csvCell(reason ?? ''), createdAt].join())
    after = page.end
  }
}

async function removeNumbers(db: D1Database, options: ScopeOptions & OfPlace, ...phoneNumbers: string[]) {
  const { company, campaign: campaignId = null, json } = options
  const lifted = await removeAll(db, options, company, campaignId, phoneNumbers)
  const missing = new Set(phoneNumbers).size - lifted
  printResult({ lifted }, json, [
    `${counted(lifted, 'number')} may be called again${missing === 0 ? '' : `; ${missing} not suppressed there`}.`,
  ])
}
