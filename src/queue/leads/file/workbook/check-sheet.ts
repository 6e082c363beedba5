// Checks a sheet's XML before it is read in memory: a few bytes can place a cell in the last row and column of a
// spreadsheet, and every row and cell before it would be made. And keeps what reading it would lose.
import { UnreadableFile } from '../csv-rows.ts'
import { workbookLimits } from './workbook-limits.ts'

const { maxRows, maxColumns } = workbookLimits
/** The last row of a spreadsheet. Rows without cells may stand at its end. */
const lastRow = 1_048_576

/** A row, or a cell with what begins its content. No part runs over the next tag, so that any text takes one pass. */
const rowOrCell = /<((?:\w+:)?)(row|c)\b([^<>]*)>(\s*<(?:\w+:)?(?:v|is|f)\b)?/g
const withoutResult = new RegExp(
  [
    String.raw`<(?:\w+:)?c\b(?![^<>]*\bt="str")[^<>]*>`,
    String.raw`<(?:\w+:)?f\b[^<>]*(?:\/>|>[^<>]*<\/(?:\w+:)?f>)`,
    String.raw`(?:<(?:\w+:)?v\s*\/>|<(?:\w+:)?v>\s*<\/(?:\w+:)?v>)?`,
    String.raw`<\/(?:\w+:)?c>`,
  ].join(String.raw`\s*`),
)

/** Cells of several rows that are shown as one. From 0, the last row included. */
export type Merge = { readonly column: number; readonly first: number; readonly last: number }
const merged = /<(?:\w+:)?mergeCell\b[^<>]*\sref="([A-Z]+)(\d+):[A-Z]+(\d+)"/g

/** What its maker has filtered or folded away. From 0. */
export type Hidden = { readonly rows: ReadonlySet<number>; readonly columns: ReadonlySet<number> }
const isHidden = (attributes: string) => /\shidden="(?:1|true)"/.test(attributes)
const column = /<(?:\w+:)?col\b([^<>]*)>/g

function hiddenColumns(xml: string): ReadonlySet<number> {
  const columns = new Set<number>()
  for (const [, attributes = ''] of xml.matchAll(column)) {
    const [first, last] = ['min', 'max'].map((name) =>
      Number(new RegExp(`\\s${name}="(\\d+)"`).exec(attributes)?.[1] ?? 0),
    ) as [number, number]
    if (isHidden(attributes)) for (let at = first; at <= Math.min(last, maxColumns); at++) columns.add(at - 1)
  }
  return columns
}

type Checked = { readonly sheet: Uint8Array; readonly merges: readonly Merge[]; readonly hidden: Hidden }

/** Throws UnreadableFile. */
export function checkedSheet(bytes: Uint8Array | undefined): Checked {
  const xml = new TextDecoder().decode(bytes ?? new Uint8Array())
  if (withoutResult.test(xml))
    throw new UnreadableFile('the sheet has formulas without results: open it in Excel, and save it again')
  const hiddenRows = new Set<number>()
  const checked = xml.replace(
    rowOrCell,
    (tag: string, _: string, name: string, attributes: string, content = '') => {
      const [, letters = '', digits = '0'] = /\sr="([A-Z]*)(\d+)"/.exec(attributes) ?? []
      const row = Number(digits)
      if (name === 'row') {
        if (attributes.endsWith('/')) return ''
        if (row > lastRow) throw new UnreadableFile('the sheet is damaged')
        if (isHidden(attributes)) hiddenRows.add(row - 1)
        return tag
      }
      if (content === '') return tag
      if (row > maxRows + 1) throw new UnreadableFile(`the sheet has more than ${maxRows} rows: split it`)
      if (columnOf(letters) > maxColumns)
        throw new UnreadableFile(`the sheet has more than ${maxColumns} columns`)
      // A date as text has no zone, and an error would be read as an empty cell.
      return tag.replace(/\st="[de]"/, ' t="str"')
    },
  )
  const merges = [...xml.matchAll(merged)].flatMap(([, letters = '', first, last]) =>
    first === last ? [] : { column: columnOf(letters) - 1, first: Number(first) - 1, last: Number(last) - 1 },
  )
  const hidden = { rows: hiddenRows, columns: hiddenColumns(xml) }
  return { sheet: new TextEncoder().encode(checked), merges, hidden }
}

const columnOf = (letters: string) =>
  [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0)
