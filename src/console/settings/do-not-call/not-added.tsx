// Numbers that were not added, each with its row and why.
import { useState } from 'preact/hooks'
import { counted } from '../../ui/number-words.ts'
import { RowTable } from '../../ui/row-table.tsx'
import type { NotTaken } from './numbers-in-text.ts'

export const shownAtMost = 50

export function NotAdded({ notTaken }: { readonly notTaken: readonly NotTaken[] }) {
  const [shown, setShown] = useState(shownAtMost)
  return (
    <>
      <RowTable
        name="Not added"
        headings={['Not added', 'What is wrong']}
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
