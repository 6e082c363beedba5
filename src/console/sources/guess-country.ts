// The country of a campaign's time zone, else of the browser's language: what a new source begins with.
import { zonesInIntl } from '../../leads/file/cells/zone-cell.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Empty: it is not known. */
export function guessCountry(timeZone: string | null): string {
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const ofZone = timeZone === null ? undefined : codes.find((code) => zonesInIntl(code).includes(timeZone))
  return ofZone ?? new Intl.Locale(navigator.language).maximize().region ?? ''
}
