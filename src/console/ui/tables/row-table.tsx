// Rows of a file, numbered as a spreadsheet does, and the problem of each.

import { counted } from '../words/number-words.ts'
import { DataTable } from './data-table.tsx'

type Props = {
  readonly name: string
  /** Of the columns after the row number. */
  readonly headings: readonly string[]
  readonly rows: readonly (readonly [row: number, ...cells: string[]])[]
}

export function RowTable({ name, headings, rows }: Props) {
  return (
    <DataTable
      name={name}
      columns={[['Row', 'number'], ...headings.map((heading) => [heading] as const)]}
      rows={rows.map(([row, ...cells], index) => ({ key: index, cells: [counted(row), ...cells] }))}
    />
  )
}
