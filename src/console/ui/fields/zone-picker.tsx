// A time zone from the browser's list, with a search. Nothing is chosen until a person picks one: the browser's own zone is
// only offered. It brings its own label, and shows the caller's problem beside the field.
// biome-ignore-all lint/a11y/useFocusableInteractive: the input has the focus, and names the active option.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the input takes the keys.
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { Button } from '../controls.tsx'
import { browserZone } from '../words/zone-time.ts'
import { zoneNamed, zonesFor, zonesKnown } from './zones.ts'

export const zoneProblem = 'Choose a time zone from the list'

type Props = {
  /** Null: not chosen. */
  readonly value: string | null
  readonly onPick: (zone: string) => void
  /** The typed text is no time zone. Without it, the field shows its value again when it is left. */
  readonly onClear?: () => void
  readonly problem?: string | null
  /** Of the input. */
  readonly id?: string
  readonly disabled?: boolean
}

export function ZonePicker({ value, onPick, onClear, problem = null, id, disabled = false }: Props) {
  const ownId = useId()
  const inputId = id ?? ownId
  const [text, setText] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const zones = useMemo(zonesKnown, [])
  const guessed = useMemo(browserZone, [])
  const found = useMemo(() => zonesFor(text ?? '', zones), [text, zones])

  useEffect(() => {
    if (value !== null) setText(null)
  }, [value])
  useEffect(() => {
    if (isOpen) list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, active])

  const open = () => {
    if (disabled || isOpen) return
    setActive(Math.max(0, found.indexOf(value ?? guessed)))
    setIsOpen(true)
  }
  const pick = (zone: string) => {
    setText(null)
    setIsOpen(false)
    onPick(zone)
  }
  const type = (typed: string) => {
    const exact = zoneNamed(typed, zones)
    setText(typed)
    // The whole list is shown again once a zone is named in full: Enter keeps it.
    setActive(exact === undefined ? 0 : zones.indexOf(exact))
    setIsOpen(true)
    if (exact !== undefined) onPick(exact)
    else onClear?.()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (isOpen) setActive((active + step + found.length) % Math.max(1, found.length))
      else open()
      return
    }
    const zone = found[active]
    if (!isOpen) return
    if (event.key === 'Escape') setIsOpen(false)
    if (event.key === 'Enter' && zone !== undefined) {
      event.preventDefault()
      pick(zone)
    }
  }
  const leave = () => {
    setIsOpen(false)
    if (value !== null) setText(null)
  }

  const isWrong = text !== null && text.trim() !== '' && value === null && !isOpen
  const shownProblem = problem ?? (isWrong ? zoneProblem : null)
  const listId = `${inputId}-list`
  return (
    <div class="field">
      <label for={inputId}>Time zone</label>
      <div class="zone-field">
        <input
          id={inputId}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen && found.length > 0 ? `${listId}-${active}` : undefined}
          aria-invalid={shownProblem !== null}
          aria-describedby={`${inputId}-help`}
          autocomplete="off"
          spellcheck={false}
          placeholder="Not chosen: search for a city"
          disabled={disabled}
          value={text ?? value ?? ''}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onClick={open}
          onKeyDown={press}
          onBlur={leave}
        />
        {isOpen && (
          <div ref={list} id={listId} role="listbox" aria-label="Time zones">
            {found.map((zone, place) => (
              <div
                key={zone}
                id={`${listId}-${place}`}
                role="option"
                aria-selected={place === active}
                // Keeps the focus in the input.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => pick(zone)}
              >
                {zone.replaceAll('_', ' ')}
              </div>
            ))}
            {found.length === 0 && (
              <div role="option" aria-disabled="true" aria-selected="false" class="muted">
                No time zone has this name
              </div>
            )}
          </div>
        )}
      </div>
      <div id={`${inputId}-help`} class="small">
        {shownProblem !== null && <p class="failure">{shownProblem}</p>}
        {value === null && !disabled && <BrowserZone zone={guessed} onUse={pick} />}
      </div>
    </div>
  )
}

const BrowserZone = ({ zone, onUse }: { readonly zone: string; readonly onUse: (zone: string) => void }) => (
  <p class="muted">
    This browser's:{' '}
    <Button class="link" onClick={() => onUse(zone)}>
      Use {zone.replaceAll('_', ' ')}
    </Button>
  </p>
)
