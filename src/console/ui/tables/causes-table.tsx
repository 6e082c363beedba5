// Invalid rows by cause: how many, and the first of each with its value.
import type { Group, GroupedRow } from '../../../queue/leads/file/groups.ts'
import { counted } from '../words/number-words.ts'
import { DataTable } from './data-table.tsx'

/** So much of a cell is shown. */
const shownChars = 120

export const CausesTable = ({ causes }: { readonly causes: readonly Group<string>[] }) => (
  <DataTable
    name="Invalid rows by cause"
    columns={[['Rows', 'number'], ['Problem'], ['First rows']]}
    rows={causes.map(({ name, count, first }) => ({
      key: name,
      cells: [counted(count), name, <FirstRows rows={first} />],
    }))}
  />
)

const FirstRows = ({ rows }: { readonly rows: readonly GroupedRow[] }) => (
  <ul class="examples">
    {rows.map(({ row, value }, place) => (
      <li key={place}>
        <span class="muted">Row {counted(row)}:</span> {value.slice(0, shownChars) || 'empty'}
      </li>
    ))}
  </ul>
)
