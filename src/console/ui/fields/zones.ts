// The time zones that the browser knows, by their names. Pure.

/** Some browsers leave UTC out of their list. */
export const zonesKnown = (): readonly string[] => [
  ...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']),
]

export const spaced = (zone: string) => zone.replaceAll('_', ' ')

const plain = (text: string) => spaced(text).trim().toLowerCase()

/** The zone that the text names in full. */
export const zoneNamed = (text: string, zones: readonly string[]): string | undefined =>
  zones.find((zone) => plain(zone) === plain(text))
