// Numbers of a list or file with their rows, and of those that were not added, why.
import { useState } from 'preact/hooks'
import { counted } from './number-words.ts'
import type { NotTaken } from './numbers-in-text.ts'
import { ScrollBox } from './scroll-box.tsx'

export const shownAtMost = 50

export function NotAdded({ notTaken }: { readonly notTaken: readonly NotTaken[] }) {
  const [shown, setShown] = useState(shownAtMost)
  return (
    <>
      <RowTable
        name="Not added"
        heading="Not added"
        rows={notTaken.slice(0, shown).map(({ row, value, why }) => [row, value.slice(0, 200), why])}
      />
      {shown < notTaken.length && (
        <button type="button" onClick={() => setShown(shown * 4)}>
          Show more ({counted(shown)} of {counted(notTaken.length)})
        </button>
      )}
    </>
  )
}

type TableProps = {
  readonly name: string
  readonly heading: string
  readonly rows: readonly (readonly [row: number, value: string, why?: string])[]
}

export function RowTable({ name, heading, rows }: TableProps) {
  return (
    <ScrollBox name={name} isShort>
      <table class="data">
        <thead>
          <tr>
            <th scope="col" class="number">
              Row
            </th>
            <th scope="col">{heading}</th>
            <th scope="col">What is wrong</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([row, value, why], index) => (
            <tr key={index}>
              <td class="number">{counted(row)}</td>
              <td>{value}</td>
              <td class="fault">{why}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
