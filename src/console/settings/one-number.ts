// A box for one number, with the choice of the country that national ones are from.
import { useState } from 'preact/hooks'
import { loadNumberRules, readOne, rulesMissing } from './number-rules.ts'

/** `field`: the choice of a country. */
export function useOneNumber() {
  const [country, setCountry] = useState<string | null>(null)
  const [countries, setCountries] = useState<readonly string[]>([])
  const open = async () => {
    const rules = await loadNumberRules({ country, turnedOff: [] })
    setCountries(rules?.countries ?? [])
    return rules
  }
  const readNumber = async (text: string) => {
    const rules = await open()
    return rules === null ? { problem: rulesMissing } : readOne(text, rules.read)
  }
  const onFocus = () => void (countries.length === 0 && open())
  return { readNumber, field: { countries, country, guess: null, onCountry: setCountry, onFocus } }
}
