// A time zone from the browser's list, which completes what is typed. Nothing is chosen until a person picks one: the
// browser's own zone is only offered.
import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { Button } from '../controls.tsx'
import { browserZone } from '../words/zone-time.ts'
import { TextField } from './field.tsx'
import { spaced, zoneNamed, zonesKnown } from './zones.ts'

export const zoneProblem = 'Choose a time zone from the list'

type Props = {
  /** Null: not chosen. */
  readonly value: string | null
  /** Null: the typed text is no time zone. */
  readonly onZone: (zone: string | null) => void
  readonly problem: string | null
  readonly disabled?: boolean
}

export function ZonePicker({ value, onZone, problem, disabled = false }: Props) {
  const listId = useId()
  const [text, setText] = useState('')
  const zones = useMemo(zonesKnown, [])
  const guessed = useMemo(browserZone, [])
  useEffect(() => setText(''), [value !== null])
  const type = (typed: string) => {
    setText(typed)
    onZone(zoneNamed(typed, zones) ?? null)
  }
  return (
    <>
      <TextField
        label="Time zone"
        list={listId}
        placeholder="Not chosen: type a city"
        problem={problem}
        disabled={disabled}
        value={value ?? text}
        onText={type}
        hint={
          value === null &&
          !disabled && (
            <>
              This browser's:{' '}
              <Button class="link" onClick={() => onZone(guessed)}>
                Use {spaced(guessed)}
              </Button>
            </>
          )
        }
      />
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={spaced(zone)} />
        ))}
      </datalist>
    </>
  )
}
