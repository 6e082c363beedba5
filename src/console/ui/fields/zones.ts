// The time zones that the browser knows, and the search among them. Pure.

/** Some browsers leave UTC out of their list. */
export const zonesKnown = (): readonly string[] => [
  ...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']),
]

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[_/\s-]+/g, ' ')
    .trim()

/** Each word of the text begins a word of the zone's name. An empty text: all. */
export function zonesFor(text: string, zones: readonly string[]): readonly string[] {
  const wanted = wordsOf(text).split(' ')
  return zones.filter((zone) => {
    const words = wordsOf(zone).split(' ')
    return wanted.every((part) => words.some((word) => word.startsWith(part)))
  })
}

/** The zone that the text names in full. */
export const zoneNamed = (text: string, zones: readonly string[]): string | undefined =>
  zones.find((zone) => wordsOf(zone) === wordsOf(text))
