// The rows of an import's file as leads, and a first reading of all of them, so that a broken file fails before any
// lead is stored.
import { createHash } from 'node:crypto'
import { limits } from '../../base/limits.ts'
import { type Column, type FileField, filled, type Meaning, saysNo } from '../../queue/leads/file/columns.ts'
import type { NumberedRow } from '../../queue/leads/file/csv-rows.ts'
import { type Group, openGroups } from '../../queue/leads/file/groups.ts'
import { isHeader, madeHeaders } from '../../queue/leads/file/header.ts'
import { openDoubts } from '../../queue/leads/file/held/doubts.ts'
import { collectDoNotCall, emptyHoldList, type Held } from '../../queue/leads/file/held/held-numbers.ts'
import { doNotCallColumns } from '../../queue/leads/file/held/said-rows.ts'
import { type Change, heldBack, itemOf, type Readers, type RowItem } from '../../queue/leads/file/row-item.ts'
import { numbersOf, type SeenNumbers, see } from '../../queue/leads/file/tally.ts'
import type { ColumnName } from '../arguments/arguments.ts'
import { guessedColumns, type OrColumn, readHeader, refuseDoubts } from './columns.ts'
import { readRows, type Source } from './source.ts'

export type CsvForm = {
  readonly delimiter: string
  readonly columnNames: readonly ColumnName[]
  readonly orColumn?: OrColumn
  /** Without one, cells are sent as they are. */
  readonly readers?: Readers
  /** What the whole file holds. */
  readonly held?: Held
}

/** `phoneNumber`: as it is sent; of a row that is not, as it is in the file. */
export type LeadRow = NumberedRow & { readonly item: RowItem; readonly phoneNumber: string }

type Listener = {
  readonly onHeader?: (columns: readonly Column[], hasHeader: boolean) => void
  readonly onPiece?: (piece: Uint8Array) => void
}

/** Row by row, in bounded memory. Throws CommandFailed. */
export async function* readLeads(
  source: Source,
  form: CsvForm,
  listener: Listener = {},
): AsyncGenerator<LeadRow> {
  const { readers, held } = form
  for await (const { row, cells, columns } of readCells(source, form, listener)) {
    const place = columns.findIndex(({ meaning }) => meaning === 'phoneNumber')
    const used = filled(columns, cells)
    const item = heldBack(itemOf(columns, used, readers), held)
    const number = 'lead' in item ? item.lead.phoneNumber : item.no
    yield { row, cells, item, phoneNumber: String(number ?? used[place] ?? '') }
  }
}

/**
 * Of all rows that say no, without reading the others. Throws CommandFailed, also where a person has to say first which
 * columns say no.
 */
export async function findHeld(source: Source, form: CsvForm): Promise<Held> {
  const held = emptyHoldList()
  let all: readonly Column[] = []
  let doubts: ReturnType<typeof openDoubts> | null = null
  for await (const { row, cells, columns } of readCells(source, form)) {
    all = columns
    doubts ??= openDoubts(columns.map(({ header }) => header))
    doubts.add(row, cells)
    if (doNotCallColumns(columns).length > 0) collectDoNotCall(held, columns, cells, form.readers)
  }
  if (doubts !== null) refuseDoubts(doubts.all(), all, form.columnNames)
  return held
}

async function* readCells(
  source: Source,
  { delimiter, columnNames, orColumn }: CsvForm,
  { onHeader = () => {}, onPiece }: Listener = {},
): AsyncGenerator<NumberedRow & { readonly columns: readonly Column[] }> {
  let columns: readonly Column[] | null = null
  for await (const { row, cells } of readRows(source, delimiter, onPiece)) {
    if (columns === null) {
      // Naming columns says that there is a header.
      const hasHeader = columnNames.length > 0 || isHeader(cells)
      columns = readHeader(hasHeader ? cells : madeHeaders(cells), columnNames, orColumn)
      onHeader(columns, hasHeader)
      if (hasHeader) continue
    }
    yield { row, cells, columns }
  }
}

export type Survey = {
  readonly headers: readonly string[]
  /** Those whose field was guessed: `Phone is phoneNumber`. */
  readonly guessed: readonly string[]
  /** The header of the column that is used where the phone number is empty. Null: there is none. */
  readonly instead: string | null
  readonly meanings: readonly Meaning[]
  /** False: the first row is a lead. */
  readonly hasHeader: boolean
  /** Whether there is a column for the time of a consent. */
  readonly hasConsents: boolean
  /** Whether there is a column for time zones. */
  readonly hasTimeZones: boolean
  /** How many numbers there are of each country. Empty in a file with time zones. */
  readonly countries: ReadonlyMap<string, number>
  readonly rows: number
  /** Bulk requests, about. */
  readonly requests: number
  readonly hash: string
  /** Numbers that are sent in E.164, by how they were written, and dates that are read in the campaign's time zone. */
  readonly changes: readonly Group<Change['kind']>[]
  /** Rows that are not sent, by problem. */
  readonly problems: readonly Group<string>[]
  readonly doNotCall: {
    /** The columns that say so. Empty: there is none. */
    readonly headers: readonly string[]
    /** That are not sent for it. */
    readonly rows: number
    readonly numbers: readonly string[]
    /** Rows that say no of a number that cannot be read. */
    readonly unreadable: readonly number[]
  }
}

/** Throws CommandFailed. */
export async function surveySource(source: Source, form: CsvForm): Promise<Survey> {
  const hash = createHash('sha256')
  let columns: readonly Column[] = []
  let hasHeader = true
  const onHeader = (found: readonly Column[], isThere: boolean) => {
    columns = found
    hasHeader = isThere
  }
  const placeOf = (wanted: FileField = 'phoneNumber') =>
    columns.findIndex(({ meaning }) => meaning === wanted)
  const changes = openGroups<Change['kind']>()
  const problems = openGroups<string>()
  const countries = new Map<string, number>()
  const seen: SeenNumbers = new Set()
  const unreadable: number[] = []
  let [rows, leads, bytes, held] = [0, 0, 0, 0]
  for await (const { row, cells, item, phoneNumber } of readLeads(source, form, {
    onHeader,
    onPiece: (piece) => hash.update(piece),
  })) {
    rows++
    const value = filled(columns, cells)[placeOf()] ?? ''
    for (const { kind, before, after } of item.changes ?? [])
      changes.add(kind, { row, value: before, number: after })
    if ('problem' in item) {
      if (item.no != null) {
        held++
        continue
      }
      if (item.no === null) unreadable.push(row)
      // Large metadata is of several cells.
      const wrong = item.field === 'metadata' ? undefined : cells[placeOf(item.field)]
      problems.add(item.problem, { row, value: wrong ?? value })
      continue
    }
    if (item.country !== undefined && !see(seen, phoneNumber))
      countries.set(item.country, (countries.get(item.country) ?? 0) + 1)
    leads++
    bytes += Buffer.byteLength(item.json) + 1
  }
  const requests = Math.ceil(Math.max(leads / limits.leadsPerBulk, bytes / limits.bulkBodyMaxBytes))
  const groups = { changes: changes.all(), problems: problems.all() }
  const hasConsents = placeOf('consentGivenAt') !== -1
  const hasTimeZones = placeOf('timeZone') !== -1
  const [headers, meanings] = [columns.map(({ header }) => header), columns.map(({ meaning }) => meaning)]
  const numbers = numbersOf(form.held?.nos ?? new Set())
  const doNotCall = {
    headers: headers.filter(
      (_, at) =>
        saysNo(meanings[at] ?? 'keep') || (numbers.length > 0 && doNotCallColumns(columns).includes(at)),
    ),
    rows: held,
    numbers,
    unreadable,
  }
  const instead = columns.find(({ isInstead }) => isInstead)?.header ?? null
  const ofColumns = { headers, guessed: guessedColumns(columns), instead, meanings }
  const found = { ...ofColumns, countries, rows, requests, doNotCall }
  return { ...found, hasHeader, hasConsents, hasTimeZones, hash: hash.digest('hex'), ...groups }
}
