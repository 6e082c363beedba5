// A file of do-not-call numbers: a preview before anything is sent, then the result.

import { counted, countOf } from '../../ui/number-words.ts'
import { RowTable } from '../../ui/row-table.tsx'
import { NotAdded, shownAtMost } from './not-added.tsx'
import type { NumbersInText } from './numbers-in-text.ts'
import { saveInvalidNumbers } from './save-numbers.ts'
import type { Added } from './suppressed-numbers.ts'

/** `added`: null before anything is sent. */
export type Opened = {
  readonly name: string
  readonly found: NumbersInText
  readonly added: Added | null
}

export function describeAdded({ added, existing }: Added, notAdded: number): string {
  const rest = notAdded > 0 ? `, ${counted(notAdded)} not added` : ''
  return `${countOf(added, 'number')} added, ${counted(existing)} already there${rest}.`
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
  const { valid, invalid, repeated, columns } = found
  const rowOf = () => new Map(valid.map(({ number, row }) => [number, row]))
  const notAdded = () => {
    const rows = rowOf()
    const left = (added?.left ?? []).map((value) => ({
      row: rows.get(value) ?? 0,
      value,
      problem: 'Not sent, or not confirmed',
    }))
    return [...invalid, ...left]
  }
  const count = invalid.length + (added?.left.length ?? 0)
  const toSend = added?.left.length ?? valid.length
  return (
    <section class="suppress" aria-label={name}>
      <p>
        <strong>{name}</strong>{' '}
        <span class="muted">
          {columns.length > 0 && `Numbers in ${columns.join(', ')}, and others that start with +.`}
        </span>
      </p>
      <p role="status">
        {added === null
          ? `${countOf(valid.length, 'number')} for ${target}, ${counted(repeated)} repeated, ${countOf(count, 'error')}. Nothing sent yet.`
          : describeAdded(added, count)}
      </p>
      <div class="line">
        {toSend > 0 && (
          <button type="button" class="primary" aria-disabled={isSending} onClick={onSend}>
            Add {countOf(toSend, 'number')}
          </button>
        )}
        {count > 0 && (
          <button type="button" onClick={() => saveInvalidNumbers(notAdded())}>
            Download {added === null ? 'errors' : 'numbers not added'}
          </button>
        )}
        <button type="button" class="subtle" aria-disabled={isSending} onClick={() => isSending || onClose()}>
          {added === null ? 'Cancel' : 'Close'}
        </button>
      </div>
      {count > 0 && <NotAdded invalid={notAdded()} />}
      {added === null && valid.length > 0 && (
        <RowTable
          name="First numbers of the file"
          headings={['Number']}
          rows={valid.slice(0, shownAtMost).map(({ row, number }) => [row, number])}
        />
      )}
    </section>
  )
}
