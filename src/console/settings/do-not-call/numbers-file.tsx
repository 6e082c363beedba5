// A file of numbers to suppress: what it holds before anything is sent, and what became of it.

import { counted, countOf } from '../../ui/number-words.ts'
import { RowTable } from '../../ui/row-table.tsx'
import { NotAdded, shownAtMost } from './not-added.tsx'
import type { NumbersInText } from './numbers-in-text.ts'
import { saveNotTaken } from './save-numbers.ts'
import type { Added } from './suppressed-numbers.ts'

/** `added`: null before anything is sent. */
export type Opened = {
  readonly name: string
  readonly found: NumbersInText
  readonly added: Added | null
}

export function describeAdded({ added, existing }: Added, notAdded: number): string {
  const rest = notAdded > 0 ? `, ${counted(notAdded)} not added` : ''
  return `${countOf(added, 'number')} added, ${counted(existing)} there already${rest}.`
}

type FileProps = {
  readonly opened: Opened
  readonly target: string
  readonly isSending: boolean
  readonly onSend: () => void
  readonly onClose: () => void
}

export function NumbersFile({
  opened: { name, found, added },
  target,
  isSending,
  onSend,
  onClose,
}: FileProps) {
  const { taken, notTaken, repeated, columns } = found
  const rowOf = () => new Map(taken.map(({ number, row }) => [number, row]))
  const notAdded = () => {
    const rows = rowOf()
    const left = (added?.left ?? []).map((value) => ({
      row: rows.get(value) ?? 0,
      value,
      why: 'It was not sent, or not confirmed',
    }))
    return [...notTaken, ...left]
  }
  const count = notTaken.length + (added?.left.length ?? 0)
  const toSend = added?.left.length ?? taken.length
  return (
    <section class="suppress" aria-label={name}>
      <p>
        <strong>{name}</strong>{' '}
        <span class="muted">
          {columns.length > 0 && `Numbers of ${columns.join(', ')}, and others that begin with +.`}
        </span>
      </p>
      <p role="status">
        {added === null
          ? `${countOf(taken.length, 'number')} to suppress in ${target}, ${counted(repeated)} repeated, ${counted(count)} that cannot be added as written. Nothing was sent yet.`
          : describeAdded(added, count)}
      </p>
      <div class="line">
        {toSend > 0 && (
          <button type="button" class="primary" aria-disabled={isSending} onClick={onSend}>
            Suppress {countOf(toSend, 'number')}
          </button>
        )}
        {count > 0 && (
          <button type="button" onClick={() => saveNotTaken(notAdded())}>
            Download what {added === null ? 'cannot be' : 'was not'} added
          </button>
        )}
        <button type="button" class="quiet" aria-disabled={isSending} onClick={() => isSending || onClose()}>
          {added === null ? 'Cancel' : 'Close'}
        </button>
      </div>
      {count > 0 && <NotAdded notTaken={notAdded()} />}
      {added === null && taken.length > 0 && (
        <RowTable
          name="First numbers of the file"
          headings={['To be suppressed']}
          rows={taken.slice(0, shownAtMost).map(({ row, number }) => [row, number])}
        />
      )}
    </section>
  )
}
