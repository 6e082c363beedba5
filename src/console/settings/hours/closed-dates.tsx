// The dates on which nobody is called: picked, listed and removed.
import { useState } from 'preact/hooks'
import { Button } from '../../ui/controls.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { dateName } from '../../ui/words/zone-time.ts'

type Props = {
  /** As 2026-12-25. */
  readonly dates: readonly string[]
  readonly canChange: boolean
  readonly onDates: (dates: readonly string[]) => void
}

const latest = '9999-12-31'

export function ClosedDates({ dates, canChange, onDates }: Props) {
  const [picked, setPicked] = useState('')
  /** Also when the field is left: a date that is typed and not added would be lost. */
  const add = () => {
    if (picked === '') return
    onDates([...new Set([...dates, picked])].toSorted())
    setPicked('')
  }
  return (
    <fieldset class="closed-dates group">
      <legend class="unseen">Closed dates</legend>
      {canChange ? (
        <Field label="Closed dates">
          {(attributes) => (
            <div class="line">
              <input
                {...attributes}
                type="date"
                max={latest}
                value={picked}
                onInput={({ currentTarget }) => setPicked(currentTarget.value)}
                onBlur={add}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return
                  event.preventDefault()
                  add()
                }}
              />
              <Button onClick={add}>Add date</Button>
            </div>
          )}
        </Field>
      ) : (
        <p class="small">Closed dates</p>
      )}
      {dates.length === 0 && <p class="muted small">None.</p>}
      <ul class="chips">
        {dates.map((date) => (
          <li key={date}>
            <time dateTime={date}>{dateName(date)}</time>
            {canChange && (
              <Button
                class="link"
                aria-label={`Remove ${dateName(date)}`}
                onClick={() => onDates(dates.filter((one) => one !== date))}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
