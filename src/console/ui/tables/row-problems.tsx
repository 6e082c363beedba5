// Rows of a file, numbered as a spreadsheet does, each with the value that is wrong and why.
import { Button } from '../controls.tsx'
import { counted } from '../words/number-words.ts'
import { DataTable } from './data-table.tsx'

type Props = {
  readonly name: string
  readonly rows: readonly { readonly row: number; readonly value: string; readonly problem: string }[]
  /** How many there are; some may not be shown yet. */
  readonly count: number
  readonly onMore: () => void
}

export const RowProblems = ({ name, rows, count, onMore }: Props) => (
  <>
    <DataTable
      name={name}
      class="row-problems"
      columns={[['Row', 'number'], ['Value'], ['Problem']]}
      rows={rows.map(({ row, value, problem }, index) => ({
        key: index,
        cells: [counted(row), value.slice(0, 200), problem],
      }))}
    />
    {rows.length < count && (
      <Button onClick={onMore}>
        Show more ({counted(rows.length)} of {counted(count)})
      </Button>
    )}
  </>
)
