// Numbers that were not added, each with its row and the reason.
import { useState } from 'preact/hooks'
import { Button } from '../../ui/controls.tsx'
import { RowTable } from '../../ui/tables/row-table.tsx'
import { counted } from '../../ui/words/number-words.ts'
import type { InvalidNumber } from './numbers-in-text.ts'

export const shownAtMost = 50

export function NotAdded({ invalid }: { readonly invalid: readonly InvalidNumber[] }) {
  const [shown, setShown] = useState(shownAtMost)
  return (
    <div class="plain not-added">
      <RowTable
        name="Not added"
        headings={['Not added', 'Problem']}
        rows={invalid.slice(0, shown).map(({ row, value, problem }) => [row, value.slice(0, 200), problem])}
      />
      {shown < invalid.length && (
        <Button onClick={() => setShown(shown * 4)}>
          Show more ({counted(shown)} of {counted(invalid.length)})
        </Button>
      )}
    </div>
  )
}
