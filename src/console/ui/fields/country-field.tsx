// The choice of the country that numbers without a country code are from: a list with search. A guess is offered, and
// used only when a person takes it.
import { useEffect, useId, useState } from 'preact/hooks'
import { countryName } from '../../../queue/leads/file/cells/number-reading.ts'
import { Button } from '../controls.tsx'

type Props = {
  /** By two letters. Empty while they are loaded. */
  readonly countries: readonly string[]
  /** Null: none is chosen. */
  readonly country: string | null
  /** Null: there is none. */
  readonly guess: string | null
  readonly onCountry: (country: string | null) => void
  readonly onFocus?: () => void
}

export function CountryField({ countries, country, guess, onCountry, onFocus }: Props) {
  const id = useId()
  const [text, setText] = useState('')
  const [isUnknown, setIsUnknown] = useState(false)
  useEffect(() => {
    setText(country === null ? '' : countryName(country))
    setIsUnknown(false)
  }, [country])
  const take = (text: string) => {
    const chosen = findCountry(text, countries)
    setIsUnknown(chosen === undefined)
    if (chosen !== undefined && chosen !== country) onCountry(chosen)
  }
  // What was typed while they were loaded.
  useEffect(() => {
    if (countries.length > 0 && country === null && text !== '') take(text)
  }, [countries.length])
  return (
    <div class="country group">
      <label for={id}>These numbers are from</label>
      <div class="line">
        <input
          id={id}
          list={`${id}-list`}
          autocomplete="off"
          placeholder="Choose a country"
          value={text}
          aria-invalid={isUnknown || undefined}
          aria-describedby={`${id}-hint`}
          onFocus={onFocus}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // It chooses, and does not send the form around it.
            event.preventDefault()
            take(event.currentTarget.value)
          }}
          onChange={({ currentTarget }) => take(currentTarget.value)}
        />
        {country !== null && (
          <Button class="subtle" onClick={() => onCountry(null)}>
            No country
          </Button>
        )}
        {country === null && guess !== null && (
          <Button onClick={() => onCountry(guess)}>Choose {countryName(guess)}</Button>
        )}
      </div>
      <datalist id={`${id}-list`}>
        {countries.map((code) => (
          <option key={code} value={countryName(code)} />
        ))}
      </datalist>
      <p id={`${id}-hint`} class={isUnknown ? 'failure small' : 'muted small'}>
        {isUnknown
          ? 'Choose a country from the list.'
          : country !== null
            ? `Numbers without a country code are read as numbers of ${countryName(country)}.`
            : guess !== null
              ? `Most complete numbers are from ${countryName(guess)}. Numbers without a country code need your choice.`
              : 'Numbers without a country code need your choice.'}
      </p>
    </div>
  )
}

/** By its name in English or in the browser's language, or by its two letters. Undefined: not in the list. */
function findCountry(text: string, countries: readonly string[]): string | null | undefined {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return null
  const own = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' })
  return countries.find((code) =>
    [code, countryName(code), own.of(code)].some((name) => name?.toLowerCase() === wanted),
  )
}
