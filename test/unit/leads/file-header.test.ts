// A file without a header: it is recognized, keeps its first row, and its columns get names. And what a dry run finds.
import { expect, it } from 'vitest'
import { guessMeanings } from '../../../src/queue/leads/file/guess-columns.ts'
import { isHeader, madeHeaders } from '../../../src/queue/leads/file/header.ts'
import { openReaders } from '../../../src/queue/leads/file/readers.ts'
import { judgeRow, see } from '../../../src/queue/leads/file/tally.ts'

it.each<[isThere: boolean, cells: string[]]>([
  [true, ['phone', 'name']],
  [true, ['Telefon', '+49 171 1234567']],
  [true, ['a', 'b']],
  [true, ['2024', 'x']],
  [false, ['+491711234567']],
  [false, ['Ada', '0171 / 123 45 67']],
  [false, ['٠١٧١١٢٣٤٥٦٧', 'Ada']],
  [false, ['＋４９１７１１２３４５６７']],
  [false, ['+९१९८७६५४३२१०']],
  [false, ["'+49 (0)171 1234567", 'Ada']],
  [false, ['(030) 1234567', '+49 171 1234567']],
])('The first row of a file is a header: %s, %j', (isThere, cells) => {
  expect(isHeader(cells)).toBe(isThere)
})

it('The first row of a file that is a lead leaves its columns with names of their own, the first number the phone number', () => {
  const headers = madeHeaders(['Ada', '+49 171 1234567', '+49 30 1234567'])
  expect(headers).toEqual(['column 1', 'phoneNumber', 'column 3'])
  expect(guessMeanings(headers)).toEqual(['keep', 'phoneNumber', 'keep'])
  // A date has as many digits.
  expect(madeHeaders(['2026-01-31', '31.01.2026', '0171 1234567'])[2]).toBe('phoneNumber')
})

it('What is found while cells are read is the country of the complete numbers, and whether dates have no offset', async () => {
  const said = { country: 'AT', turnedOff: [], dates: null, timeZone: 'UTC' } as const
  const { readers, found } = await openReaders(said)
  expect(found()).toEqual({ guess: null, hasDates: false })
  for (const cell of ['0664 1234567', '0664 1234568', '+49 171 1234567', 'x']) readers.number?.(cell)
  readers.date?.('2027-01-15T09:30:00Z')
  expect(found()).toEqual({ guess: 'DE', hasDates: false })
  readers.date?.('24.12.2026')
  expect(found().hasDates).toBe(true)
})

it('A dry run counts each row once, though it stores none: a number that repeats is new only once', () => {
  const seen = new Set<number>()
  const results = [
    ['+14155550100', { status: 'created', leadId: null }],
    ['+14155550100', { status: 'created', leadId: null }],
    ['+14155550101', { status: 'skipped', leadId: 'y' }],
    ['+14155550101', { status: 'skipped', leadId: 'y' }],
    ['+14155550102', { status: 'invalid', error: 'metadata' }],
    // The row before it is not stored.
    ['+14155550102', { status: 'created', leadId: null }],
  ] as const
  const verdicts = results.map(
    ([number, result]) => judgeRow(result, () => see(seen, number), { isTrial: true }).status,
  )
  expect(verdicts).toEqual(['created', 'repeated', 'existing', 'repeated', 'invalid', 'created'])
})
