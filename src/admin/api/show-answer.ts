// What the service answers, for a person: a list as a table or as CSV, one thing as lines. A secret has a line of its
// own.
import { csvCellForPeople } from '../../base/csv-cell.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import type { Cli } from '../../docs/openapi/cli.ts'
import { headingOf, printLine, printTable } from '../text/print.ts'
import type { Value } from './readers.ts'

export type Row = Record<string, Value>

export function printRows(rows: readonly Row[], { noun, columns }: Cli): void {
  const names = columns ?? Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => names.map((name) => textOf(name, row[name]) ?? '-'))
  if (rows.length === 0) printLine(`No ${noun.replace(/y$/, 'ie')}s.`)
  else printTable(names, cells)
}

export function printCsv(rows: readonly Row[], { columns, csv }: Cli): void {
  const names = csv?.columns ?? columns ?? Object.keys(rows[0] ?? {})
  printLine(names.join())
  for (const row of rows) {
    const spread = csv && row[csv.spread]
    const whole = csv && isObject(spread) ? { ...row, [csv.spread]: null, ...spread } : row
    printLine(names.map((name) => csvCellForPeople(textOf(name, whole[name]) ?? '')).join())
  }
}

export function printOne(data: Row, { columns, secret }: Cli): void {
  // The only thing in the answer.
  const [[name, only] = ['', null], ...others] = Object.entries(data)
  const row = others.length === 0 && isObject(only) && secret !== name ? only : data
  const names = (columns ?? Object.keys(row)).filter((one) => one !== secret && one in row)
  const lines = names.flatMap((one): [string, string][] => {
    const value = row[one]
    if (!isObject(value)) return linesOf('', one, value)
    const parts = Object.entries(value)
    return parts.flatMap(([part, inner]) => linesOf(`${headingOf(one).toLowerCase()} `, part, inner))
  })
  const width = Math.max(...lines.map(([label]) => label.length))
  for (const [label, text] of lines) printLine(`${label.padEnd(width)}  ${text}`)
  const shownOnce = secret === undefined ? null : row[secret]
  if (typeof shownOnce !== 'string') return
  printLine(`The ${secret} is shown this once:`)
  printLine(shownOnce)
}

const units: Readonly<Record<string, string>> = {
  Bytes: 'bytes',
  Ms: 'ms',
  Seconds: 's',
  Minutes: 'min',
  Hours: 'h',
  Days: 'days',
}
/** `goesOnWithinSeconds`, but not `per7Days`, which is no length of time. */
const withUnit = new RegExp(`(?<=[a-z])(${Object.keys(units).join('|')})$`)

/** A member and its value in words: `goesOnWithinSeconds: 60` becomes a label without the unit, and `60 s`. */
function labelled(name: string, value: Value | undefined): [label: string, text: string] {
  const unit = units[withUnit.exec(name)?.[1] ?? '']
  const label = headingOf(unit === undefined ? name : name.replace(withUnit, '')).toLowerCase()
  const text = textOf(name, value) ?? '-'
  return [
    label.replace(/\b(per|last)(?=\d)/, '$1 '),
    unit !== undefined && typeof value === 'number' ? `${text} ${unit}` : text,
  ]
}

/** A line, or one for each of several. */
function linesOf(before: string, name: string, value: Value | undefined): [string, string][] {
  if (Array.isArray(value) && value.length > 0 && value.every(isObject))
    return value.map((item, place) => [
      `${before}${headingOf(name).toLowerCase()} ${place + 1}`,
      partsOf(item),
    ])
  const [label, text] = labelled(name, value)
  return [[before + label, text]]
}

const isObject = (value: Value | undefined): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What one of several has, in a line. */
const partsOf = (item: Row): string =>
  Object.entries(item)
    .filter(([, value]) => value !== null)
    .map(([name, value]) =>
      isObject(value)
        ? `${headingOf(name).toLowerCase()} ${partsOf(value)}`
        : labelled(name, value).join(' '),
    )
    .join(', ')

function textOf(name: string, value: Value | undefined): string | null {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return null
  if (name === '_creationTime') return formatTimestamp(value as number)
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
