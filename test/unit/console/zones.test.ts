// The search for a time zone: by the words of its name, in any case, with or without the signs between them.
import { expect, it } from 'vitest'
import { zoneNamed, zonesFor, zonesKnown } from '../../../src/console/ui/fields/zones.ts'

const zones = ['America/New_York', 'America/North_Dakota/New_Salem', 'Europe/Berlin', 'UTC']

it.each([
  ['', zones],
  ['berlin', ['Europe/Berlin']],
  ['eur ber', ['Europe/Berlin']],
  ['new york', ['America/New_York']],
  ['New_Y', ['America/New_York']],
  ['america/new', ['America/New_York', 'America/North_Dakota/New_Salem']],
  ['erlin', []],
])('"%s" finds %j', (text, found) => {
  expect(zonesFor(text, zones)).toEqual(found)
})

it('A search for a time zone takes a zone only where the text names all of it', () => {
  expect(zoneNamed('america/new york', zones)).toBe('America/New_York')
  expect(zoneNamed(' UTC ', zones)).toBe('UTC')
  expect(zoneNamed('America/New', zones)).toBeUndefined()
  expect(zoneNamed('', zones)).toBeUndefined()
})

it('A search for a time zone has UTC, whether the browser lists it or not', () => {
  expect(zonesKnown().filter((zone) => zone === 'UTC')).toEqual(['UTC'])
})
