// Every number of a text that stands beside a no.
import { describe, expect, it } from 'vitest'
import { numberFinder } from '../../../src/queue/leads/file/cells/numbers-in-text.ts'
import type { CountryCode } from '../../../src/queue/leads/file/cells/phone-cell.ts'

const numbersOf = (text: string, country: CountryCode | null = null) =>
  numberFinder(country)(text).map(({ number }) => number)

const [one, two] = ['+13035561003', '+13035561004']
const cases: readonly (readonly [string, CountryCode | null, readonly string[]])[] = [
  ['+1 303 556 1003', null, [one]],
  ['+1 303 556 1003 (mobile)', null, [one]],
  ['Mobile: +1 303 556 1003', null, [one]],
  ['+1 303 556 1003 x 5', null, [one]],
  ['303 556 1003 ext. 12345678', 'US', [one]],
  ['+1 303 556 1003,,212', null, [one]],
  ['+1 303 556 1003 / +1 303 556 1004', null, [one, two]],
  ['303-556-1003, 303-556-1004', 'US', [one, two]],
  ['3035561003 3035561004', 'US', [one, two]],
  ['(303) 556-1003home(303) 556-1004work', 'US', [one, two]],
  ['303 556 1003 ext 12; 303 556 1004', 'US', [one, two]],
  ['303 556 1003\n303 556 1004', 'US', [one, two]],
  ['+1 303 556 1003 or 303 556 1003', 'US', [one]],
  ['0171/1234567 (mobil)', 'DE', ['+491711234567']],
  ['0171-1234567/0172-7654321', 'DE', ['+491711234567', '+491727654321']],
  ['+49 (0) 171 1234567 privat', null, ['+491711234567']],
  ['tel:+1-303-556-1003;ext=5', null, [one]],
  ['tel:0171 1234567', 'DE', ['+491711234567']],
  ['whatsapp:+13035561003', null, [one]],
  ['https://wa.me/491711234567', 'US', ['+491711234567']],
  ['wa.me/491711234567?text=Hi%203035561003', 'US', ['+491711234567']],
  ['https://api.whatsapp.com/send?text=x&phone=491711234567', null, ['+491711234567']],
  // A spreadsheet has taken its zero.
  ['1711234567', 'DE', ['+491711234567']],
  // No country has them any more: a no holds them all the same.
  ['+52 1 55 1234 5678', null, ['+5215512345678']],
  ['+5215512345678 (móvil)', null, ['+5215512345678']],
]

describe('The numbers of a text', () => {
  it.each(cases)('%j of %s holds %j', (text, country, numbers) => {
    expect(numbersOf(text, country)).toEqual(numbers)
  })

  it.each([
    ['', 'US'],
    ['yes', 'US'],
    ['n/a', 'US'],
    ['2026-01-01 10:00', 'US'],
    ['4711', 'DE'],
    ['303 556 1003', null],
    ['4,91711E+11', 'DE'],
    ['491711234567.0', null],
  ] as const)('%j of %s holds none', (text, country) => {
    expect(numbersOf(text, country)).toEqual([])
  })

  // libphonenumber alone reads the first as +49491711234567, of Lower Saxony.
  it.each([
    ['491711234567', 'DE'],
    ['Call 491711234567 (mobil)', 'DE'],
    ['049 171 1234567', 'DE'],
  ] as const)('%j of %s is not read as the number of a stranger', (text, country) => {
    expect(numbersOf(text, country)).toEqual([])
  })

  it('A number that no country has is none where that is turned off', () => {
    expect(numberFinder(null, new Set(['unknown']))('+5215512345678')).toEqual([])
  })

  it('Of a text as long as a book, its beginning is read', () => {
    expect(numbersOf(`${'1 '.repeat(200_000)}+1 303 556 1003`)).toEqual([])
  })
})
