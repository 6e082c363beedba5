// Which names, of a column or of a member of a post, are those of the country of a number. What they say is read in
// cells/stated-country.ts. Pure.
import { normalize } from '../columns.ts'

const folded = (name: string) => normalize(name).replaceAll(' ', '')
const setOf = (names: string) =>
  new Set(
    names
      .trim()
      .split(/\s*,\s*/)
      .map(folded),
  )

/** Those of a number itself come before those that may be of an address. */
const ranks = [
  setOf('phone country, phone country code, dial code, calling code'),
  setOf('country, country code, iso2, land, pays, país, paese, kraj'),
]
export const countryNameRanks = ranks.length

/** -1: it is none. */
export const countryNameRank = (name: string): number => ranks.findIndex((names) => names.has(folded(name)))
export const isCountryName = (name: string): boolean => countryNameRank(name) !== -1

/** Names, and what stands under them. */
export type SaidCountry = readonly (readonly [name: string, value: string])[]
