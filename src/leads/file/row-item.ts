// Converts a row of a CSV file to a lead of a bulk request. The service validates leads, so a cell that does not fit its
// column's type stays text.
import { limits } from '../../limits.ts'
import type { Column, LeadField } from './columns.ts'
import { describeDateCause, type ReadDate } from './date-reading.ts'
import { describeCause, type NumberChange, type ReadNumber } from './number-reading.ts'

export type Draft = { [field in LeadField]?: unknown }

export type RowItem =
  /**
   * `json`: what is sent. Numbers of the metadata have all their digits there, and may be rounded in `lead`. `changed`: how
   * the phone number was written. `dated`: whether its date was read.
   */
  | { readonly lead: Draft; readonly json: string; readonly changed?: NumberChange; readonly dated?: true }
  /** `field`: the column that it is about, where it is one. */
  | { readonly problem: string; readonly field?: LeadField }

/** How cells are read that people wrote. Without one, a cell is sent as it is. */
export type Readers = { readonly number?: ReadNumber | undefined; readonly date?: ReadDate | undefined }

export function itemOf(columns: readonly Column[], cells: readonly string[], readers: Readers = {}): RowItem {
  if (cells.length !== columns.length)
    return { problem: `the row has ${cells.length} cells, the header ${columns.length}` }
  const placeOf = (field: LeadField) => columns.findIndex(({ meaning }) => meaning === field)
  const read = [...cells]
  const numberPlace = placeOf('phoneNumber')
  const reading = readers.number?.(cells[numberPlace] ?? '')
  if (reading?.kind === 'error') return { problem: describeCause(reading), field: 'phoneNumber' }
  if (reading !== undefined) read[numberPlace] = reading.number
  const datePlace = placeOf('scheduledFor')
  const date = datePlace === -1 ? undefined : readers.date?.(cells[datePlace] ?? '')
  if (date?.kind === 'error') return { problem: describeDateCause(date.cause), field: 'scheduledFor' }
  if (date?.kind === 'ok') read[datePlace] = date.timestamp
  const item = itemOfCells(columns, read)
  if ('problem' in item) return item
  return {
    ...item,
    ...(reading?.changed !== undefined && { changed: reading.changed }),
    ...(date?.kind === 'ok' && { dated: true }),
  }
}

function itemOfCells(columns: readonly Column[], cells: readonly string[]): RowItem {
  const lead: Draft = {}
  const kept: [string, string][] = []
  let [own, chars] = ['', 0]
  for (const [index, { meaning, name }] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '' || meaning === 'ignore') continue
    chars += cell.length
    if (meaning === 'keep') kept.push([name, cell])
    else if (meaning === 'metadata') own = cell.trim()
    else lead[meaning] = meaning === 'priority' && /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell
  }
  // Before work is spent on it.
  if (chars > limits.leadBodyMaxBytes) return tooLarge
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
