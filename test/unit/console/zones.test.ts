// A time zone by its name, in any case, with or without the signs between its words.
import { expect, it } from 'vitest'
import { zoneNamed, zonesKnown } from '../../../src/console/ui/fields/zones.ts'

const zones = ['America/New_York', 'America/North_Dakota/New_Salem', 'Europe/Berlin', 'UTC']

it('A time zone is taken only where the text names all of it', () => {
  expect(zoneNamed('america/new york', zones)).toBe('America/New_York')
  expect(zoneNamed(' UTC ', zones)).toBe('UTC')
  expect(zoneNamed('America/New', zones)).toBeUndefined()
  expect(zoneNamed('', zones)).toBeUndefined()
})

it('The time zones have UTC, whether the browser lists it or not', () => {
  expect(zonesKnown().filter((zone) => zone === 'UTC')).toEqual(['UTC'])
})
