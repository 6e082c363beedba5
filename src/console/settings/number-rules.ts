// Reads numbers as people write them, by a country that is chosen. The rules are large, and loaded when they are
// needed.
import {
  asHeldBack,
  describeCause,
  type NumberChange,
  type NumberError,
  type ReadNumber,
} from '../../queue/leads/file/cells/number-reading.ts'

export type NumberChoices = { readonly country: string | null; readonly turnedOff: readonly NumberChange[] }

export const rulesMissing =
  'The rules of phone numbers could not be loaded. Nothing was sent. Try again, or reload this page.'

/** Null: the rules could not be loaded. `guess` is of the numbers read so far. */
export async function loadNumberRules(choices: NumberChoices) {
  const rules = await import('../../queue/leads/file/readers.ts').catch(() => null)
  const open = rules?.openReaders({ ...choices, dates: null, timeZone: 'UTC' })
  if (open?.readers.number === undefined) return null
  return { read: open.readers.number, countries: open.countries, guess: () => open.found().guess }
}

/** All of them are about a number. */
export const problemOf = (error: NumberError) => {
  const text = describeCause(error).replace(/^phoneNumber (is )?/, '')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** The number that a person wrote, or what is wrong with it. The service also has numbers that no country has. */
export function readOne(
  text: string,
  read: ReadNumber,
): { readonly number: string } | { readonly problem: string } {
  const reading = asHeldBack(read(text))
  return reading.kind === 'ok' ? { number: reading.number } : { problem: `${problemOf(reading)}.` }
}
