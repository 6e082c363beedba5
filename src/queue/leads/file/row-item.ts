// Converts a row of a CSV file to a lead of a bulk request. The service validates leads, so a cell that does not fit
// its column's type stays text. An unusable consent is found here, for both.

import { limits } from '../../../base/limits.ts'
import { type LeadFieldName, leadFieldNames, leadFieldTable } from '../field-table.ts'
import type { ConsentCells, ReadConsent } from './cells/consent-cells.ts'
import type { ReadDate } from './cells/date-cell.ts'
import { describeCause, type NumberChange, withoutScheme } from './cells/number-reading.ts'
import { type Column, type FileField, isKept, isOfConsent } from './columns.ts'
import {
  anotherMaySayDoNotCall,
  anotherSaysDoNotCall,
  saysDoNotCall,
  unclearDoNotCall,
} from './do-not-call.ts'
import {
  type Held,
  type NumberReaders,
  numbersBeside,
  saidCountry,
  saidElsewhere,
} from './held/held-numbers.ts'
import { hasMovedNo, readDoNotCall } from './held/said-rows.ts'

export type Draft = { [field in LeadFieldName]?: unknown } & { consent?: object }

export type RowItem =
  /**
   * `json`: what is sent. Numbers of the metadata have all their digits there, and may be rounded in `lead`. `country`:
   * of the phone number, by two letters.
   */
  | {
      readonly lead: Draft
      readonly json: string
      readonly changes: readonly Change[]
      readonly country?: string | undefined
    }
  /**
   * `field`: the column that it is about, where it is one. `no`: the number that must not be called, null where the row
   * says no, or may say so, and its number cannot be read. `changes`: of a number that no country has, or offered.
   */
  | {
      readonly problem: string
      readonly field?: FileField
      readonly no?: string | null
      readonly changes?: readonly Change[]
    }

/**
 * A cell that is not sent as it is in the file, or (`costly`) one to look at: its number is premium-rate or by
 * satellite.
 */
export type Change = {
  readonly kind: NumberChange | 'date' | 'costly'
  readonly before: string
  readonly after: string
}

/** How cells are read that people wrote. Without one, a cell is sent as it is. */
export type Readers = NumberReaders & {
  readonly date?: ReadDate | undefined
  /** Without one, none is sent. */
  readonly consent?: ReadConsent | undefined
  /** The country of a number in E.164, by two letters; null: it is not known. */
  readonly country?: ((number: string) => string | null) | undefined
  /** Whether a call to a number in E.164 can be expensive. Without one, none is named. */
  readonly isCostly?: ((number: string) => boolean) | undefined
  /** The time zone of leads with numbers of a country; undefined: the campaign's. */
  readonly zone?: ((country: string) => string | undefined) | undefined
}

/** A row of one cell is a title, a sum or a note. */
const otherLength = (cells: number, columns: number) =>
  cells === 1
    ? `not a data row (1 column instead of ${columns})`
    : `the row has ${cells} columns instead of ${columns}`

export function itemOf(columns: readonly Column[], cells: readonly string[], readers: Readers = {}): RowItem {
  const said = readDoNotCall(columns, cells)
  // Whatever else is wrong with the row.
  if (said === 'yes') return itemOfNo(columns, cells, readers)
  if (cells.length !== columns.length) {
    const problem = otherLength(cells.length, columns.length)
    return hasMovedNo(columns, cells)
      ? { problem: `${problem}, and the row may say do not call`, no: null }
      : { problem }
  }
  if (said === 'unclear') return { problem: unclearDoNotCall, field: 'doNotCall' }
  const placeOf = (field: FileField) => columns.findIndex(({ meaning }) => meaning === field)
  const read = [...cells]
  const numberPlace = placeOf('phoneNumber')
  const reading = readers.number?.(cells[numberPlace] ?? '', saidCountry(columns, cells))
  if (reading?.kind === 'error') {
    const { withPlus } = reading
    const problem = { problem: describeCause(reading), field: 'phoneNumber' } as const
    // Offered: it is not made unless a person asks for it.
    const offered = { kind: 'plus', before: cells[numberPlace] ?? '', after: withPlus ?? '' } as const
    return withPlus === undefined ? problem : { ...problem, changes: [offered] }
  }
  if (numberPlace !== -1) read[numberPlace] = reading?.number ?? withoutScheme(cells[numberPlace] ?? '')
  const changes: Change[] = []
  if (reading?.changed !== undefined)
    changes.push({ kind: reading.changed, before: cells[numberPlace] ?? '', after: reading.number })
  const number = read[numberPlace] ?? ''
  if (readers.isCostly?.(number))
    changes.push({ kind: 'costly', before: cells[numberPlace] ?? '', after: number })
  for (const field of dateFields) {
    const cell = cells[placeOf(field)] ?? ''
    const isUsed = cell !== '' && (!isOfConsent(field) || cells[placeOf('consentGivenAt')] !== '')
    const date = isUsed ? readers.date?.(cell) : null
    if (date == null) continue
    if ('problem' in date) return { problem: `${field} ${date.problem}`, field }
    read[placeOf(field)] = date.timestamp
    changes.push({ kind: 'date', before: cell, after: date.timestamp })
  }
  // A column of time zones, also where a cell of it is empty, has the last word.
  const country =
    placeOf('timeZone') === -1
      ? (reading?.country ?? readers.country?.(read[numberPlace] ?? '') ?? undefined)
      : undefined
  const zone = country === undefined ? undefined : readers.zone?.(country)
  const item = itemOfCells(columns, read, readers.consent, zone)
  return 'problem' in item ? item : { ...item, changes, country }
}

function itemOfNo(columns: readonly Column[], cells: readonly string[], readers: Readers): RowItem {
  const beside = numbersBeside(columns, cells, readers)
  const changes = beside.flatMap(({ number, changed, cell }) =>
    changed === 'unknown' ? [{ kind: changed, before: cell, after: number }] : [],
  )
  if (beside[0] !== undefined)
    return { problem: saysDoNotCall, field: 'doNotCall', no: beside[0].number, changes }
  const cell = cells[columns.findIndex(({ meaning }) => meaning === 'phoneNumber')] ?? ''
  const reading = (readers.numberOfNo ?? readers.number)?.(cell, saidCountry(columns, cells))
  const why = describeCause(reading?.kind === 'error' ? reading : { cause: 'invalid' })
  return { problem: `${why}, and ${saysDoNotCall}`, field: 'phoneNumber', no: null }
}

/** A row is not sent either when another row says no of its number, or may say so. */
export function heldBack(item: RowItem, held: Held | undefined): RowItem {
  if (held === undefined || 'problem' in item) return item
  const number = String(item.lead.phoneNumber)
  const said = saidElsewhere(number, held)
  if (said === 'no') return { problem: anotherSaysDoNotCall, field: 'phoneNumber', no: number }
  return said === 'unclear' ? { problem: anotherMaySayDoNotCall, field: 'phoneNumber' } : item
}

const dateFields = [
  ...leadFieldNames.filter((name) => leadFieldTable[name].kind === 'time'),
  ...(['consentGivenAt', 'consentExpiresAt'] as const),
]

function itemOfCells(
  columns: readonly Column[],
  cells: readonly string[],
  readConsent: ReadConsent | undefined,
  timeZone: string | undefined,
) {
  const lead: Draft = timeZone === undefined ? {} : { timeZone }
  const consentCells: ConsentCells = {}
  const kept: [string, string][] = []
  let [own, chars] = ['', 0]
  for (const [index, { meaning, name }] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '' || meaning === 'ignore' || meaning === 'ask' || meaning === 'doNotCall') continue
    chars += cell.length
    if (isKept(meaning)) kept.push([name, cell])
    else if (meaning === 'metadata') own = cell.trim()
    else if (isOfConsent(meaning)) consentCells[meaning] = cell
    else {
      const isNumber = leadFieldTable[meaning].kind === 'number' && /^-?\d{1,15}$/.test(cell)
      lead[meaning] = isNumber ? Number(cell) : cell
    }
  }
  // Before work is spent on it.
  if (chars > limits.leadBodyMaxBytes) return tooLarge
  const read = readConsent?.(consentCells) ?? { consent: undefined }
  if ('problem' in read) return read
  if (read.consent !== undefined) lead.consent = read.consent
  const members = own === '' ? {} : objectOf(own)
  const others = Object.fromEntries(kept.filter(([name]) => !Object.hasOwn(members ?? {}, name)))
  const fields = JSON.stringify(lead)
  if (own === '' && kept.length === 0) return checked({ lead, json: fields })
  lead.metadata = members === null ? own : { ...others, ...members }
  const metadata = members === null ? JSON.stringify(own) : joined(own || '{}', JSON.stringify(others))
  return checked({ lead, json: joined(fields, `{"metadata":${metadata}}`) })
}

const checked = (item: { readonly lead: Draft; readonly json: string }) =>
  new TextEncoder().encode(item.json).length > limits.leadBodyMaxBytes ? tooLarge : item

const tooLarge = {
  problem: `the row is larger than ${limits.leadBodyMaxBytes / 1024} KiB`,
  field: 'metadata',
} as const

/** Two JSON objects as one, each text unchanged, so that numbers keep all their digits. */
function joined(first: string, second: string): string {
  if (second === '{}') return first
  return /^\{\s*\}$/.test(first) ? second : `${first.slice(0, -1)},${second.slice(1)}`
}

function objectOf(json: string): object | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Whether a spreadsheet has turned a long number into one such as `4.9E+12`. */
export const isRounded = (cell: string) => /^['+]?\d([.,]\d+)?E\+?\d+$/i.test(cell)
