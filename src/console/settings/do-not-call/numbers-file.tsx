// Do-not-call numbers of a file or pasted: a preview before anything is sent, then the result.

import { useState } from 'preact/hooks'
import type { NumberChange } from '../../../queue/leads/file/cells/number-reading.ts'
import { Button } from '../../ui/controls.tsx'
import { CausesTable } from '../../ui/tables/causes-table.tsx'
import { ChangedNumbers } from '../../ui/tables/changed-numbers.tsx'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { RowProblems } from '../../ui/tables/row-problems.tsx'
import { counted, countOf } from '../../ui/words/number-words.ts'
import type { NumbersInText } from './numbers-in-text.ts'
import { saveInvalidNumbers } from './save-numbers.ts'
import type { Added } from './suppressed-numbers.ts'

const shownAtMost = 50

/** `added`: null before anything is sent. */
export type Opened = {
  readonly name: string
  readonly isPasted: boolean
  /** To be read again when a person chooses how. */
  readonly text: string
  readonly found: NumbersInText
  readonly added: Added | null
}

function describeAdded({ added, existing }: Added, notAdded: number): string {
  const rest = notAdded > 0 ? `, ${counted(notAdded)} not added` : ''
  return `${countOf(added, 'number')} added, ${counted(existing)} already there${rest}.`
}

type FileProps = {
  readonly opened: Opened
  readonly target: string
  readonly turnedOff: readonly NumberChange[]
  readonly onTurnedOff: (turnedOff: readonly NumberChange[]) => void
  readonly isSending: boolean
  readonly onSend: () => void
  readonly onClose: () => void
}

export function NumbersFile({
  opened: { name, isPasted, found, added },
  target,
  turnedOff,
  onTurnedOff,
  isSending,
  onSend,
  onClose,
}: FileProps) {
  const [shown, setShown] = useState(shownAtMost)
  const { valid, invalid, causes, changes, repeated, columns } = found
  const left = new Set(added?.left)
  const unsent = valid
    .filter(({ number }) => left.has(number))
    .map(({ row, number }) => ({ row, value: number, problem: 'Not sent, or not confirmed' }))
  const notAdded = [...invalid, ...unsent]
  const count = notAdded.length
  const toSend = added === null ? valid.length : left.size
  return (
    <section class="group" aria-label={name}>
      <p>
        <strong>{name}</strong>{' '}
        <span class="muted">
          {columns.length > 0 && `Numbers in ${columns.join(', ')}, and others that start with +.`}
        </span>
      </p>
      <p role="status">
        {added === null
          ? `${countOf(valid.length, 'number')} for ${target}, ${counted(repeated)} repeated, ` +
            `${counted(count)} invalid. Nothing sent yet.`
          : describeAdded(added, count)}
      </p>
      <div class="line">
        {toSend > 0 && (
          <Button class="primary" isOff={isSending} onClick={onSend}>
            Add {countOf(toSend, 'number')}
          </Button>
        )}
        {count > 0 && (
          <Button onClick={() => saveInvalidNumbers(notAdded)}>
            Download {added === null ? 'invalid numbers' : 'numbers not added'}
          </Button>
        )}
        <Button class="subtle" isOff={isSending} onClick={onClose}>
          {added === null ? 'Cancel' : 'Close'}
        </Button>
      </div>
      {added === null && <ChangedNumbers changes={changes} turnedOff={turnedOff} onTurnedOff={onTurnedOff} />}
      {/* Few are listed one by one, many by their cause: the file to download has all. */}
      {added === null && count > shownAtMost && <CausesTable causes={causes} />}
      {count > 0 && (added !== null || count <= shownAtMost) && (
        <RowProblems
          name="Not added"
          rows={notAdded.slice(0, shown)}
          count={count}
          onMore={() => setShown(shown * 4)}
        />
      )}
      {added === null && valid.length > 0 && (
        <details open={!isPasted}>
          <summary>The first numbers that will be added</summary>
          <DataTable
            name="First numbers"
            columns={[['Row', 'number'], ['Number']]}
            rows={valid.slice(0, shownAtMost).map(({ row, number }) => ({
              key: number,
              cells: [counted(row), number],
            }))}
          />
        </details>
      )}
    </section>
  )
}
