// Finds every number of a text that stands beside a no: `+1 303 556 1003 (mobile)`, `x 5`, two in one cell, a link of
// WhatsApp. For holding back alone, never for a number that is to be called. Large, as phone-cell.ts is.
import { findPhoneNumbersInText } from 'libphonenumber-js/max'
import {
  asAscii,
  asHeldBack,
  type FindNumbers,
  type FoundNumber,
  type NumberChange,
  withoutInvisible,
} from './number-reading.ts'
import { type CountryCode, numberReader, withoutExtensions } from './phone-cell.ts'

/** `country`: where national numbers are from; null: a number must have its country code. */
export function numberFinder(
  country: CountryCode | null,
  turnedOff: ReadonlySet<NumberChange> = new Set(),
  isPlusAdded = false,
): FindNumbers {
  const readCell = numberReader(country, turnedOff, isPlusAdded)
  const read = (text: string) => asHeldBack(readCell(text))
  const isEnough = (text: string) => text.replace(/\D/g, '').length >= fewestDigits

  return (text) => {
    const plain = withoutLinks(withoutInvisible(asAscii(text.slice(0, mostChars))))
    const whole = read(plain)
    if (whole.kind === 'ok') return [whole]
    // One bare number that was rounded, or that may be another person's.
    if (whole.cause === 'rounded' || whole.cause === 'ambiguous') return []
    const parts = withoutExtensions(plain)
      .split(betweenNumbers)
      .flatMap((part) => (part.split('/').every(isEnough) ? part.split('/') : [part]))
    const found = parts.filter(isEnough).map(read)
    const options = country === null ? {} : { defaultCountry: country }
    for (const { startsAt, endsAt, number } of findPhoneNumbersInText(plain, options)) {
      const reading = read(withoutExtensions(plain.slice(startsAt, endsAt)))
      const isOwn = reading.kind === 'ok' || !strangers.includes(reading.cause)
      if (isOwn && reading.kind === 'ok') found.push(reading)
      else if (isOwn) found.push({ kind: 'ok', number: number.number, country: number.country ?? null })
    }
    const numbers = found.filter((one): one is FoundNumber => one.kind === 'ok')
    return [...new Map(numbers.map((one) => [one.number, one])).values()]
  }
}

/** Much more than two numbers with a note. */
const mostChars = 2_000
const fewestDigits = 7
const betweenNumbers = /[,;|&\r\n]|\p{L}+/u
/** Read as national, digits that lack their plus are another person's number. */
const strangers: readonly string[] = ['ambiguous', 'no_prefix']

/** The digits of a link to WhatsApp are a whole number, with its country code and without a plus. */
const withoutLinks = (text: string) =>
  text
    .replace(/%2B/gi, '+')
    .replace(/(?:https?:\/\/)?(?:www\.)?wa\.me\/\+?(\d+)[^\s,;|]*/gi, ' +$1 ')
    .replace(
      /(?:https?:\/\/|whatsapp:\/\/)(?:[a-z]+\.)?(?:whatsapp\.com\/)?send\/?\?[^\s,;|]*?phone=\+?(\d+)[^\s,;|]*/gi,
      ' +$1 ',
    )
    .replace(/\b(?:tel|whatsapp|callto|sms|p):\s*(?:\/\/)?(?=[+(\d])/gi, ' ')
    .trim()
