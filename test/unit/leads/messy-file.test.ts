// Files of 5,000 leads as people have them: every number that can be read without a guess is read, none wrongly, and
// every other row has a cause.
import { describe, expect, it } from 'vitest'
import { numberReader } from '../../../src/queue/leads/file/cells/phone-cell.ts'
import { openReaders } from '../../../src/queue/leads/file/readers.ts'
import { messyCountries, messyFile } from '../../support/leads/messy-file.ts'

describe('A file as people have it', () => {
  const seeds = [1, 2, 3]
  it.each(messyCountries.flatMap((country) => seeds.map((seed) => [country, seed] as const)))(
    'A file as people have it comes in without a wrong number, after one choice of country (%s, seed %d)',
    (country, seed) => {
      const { rows } = messyFile(seed, country)
      expect(rows).toHaveLength(5000)
      const read = numberReader(country)
      const judged = rows.map((row) => ({ ...row, reading: read(row.cell) }))
      const wrongly = judged.filter(
        ({ reading, number }) => reading.kind === 'ok' && reading.number !== number,
      )
      expect(wrongly).toEqual([])
      expect(judged.filter(({ reading, isClear }) => (reading.kind === 'ok') !== isClear)).toEqual([])
      const real = judged.filter(({ number }) => number !== null)
      const came = real.filter(({ reading }) => reading.kind === 'ok')
      expect(came.length / real.length).toBeGreaterThan(0.95)
    },
  )

  it('A file as people have it names its country, and takes no national number before it is chosen', () => {
    for (const country of messyCountries)
      expect(guessCountry(messyFile(1, country).rows.map(({ cell }) => cell))).toBe(country)
    const { rows } = messyFile(1)
    const read = numberReader(null)
    const taken = rows.filter(({ cell }) => read(cell).kind === 'ok')
    expect(taken.length).toBeGreaterThan(0)
    expect(taken.every(({ cell }) => cell.includes('+'))).toBe(true)
  })

  it('A file as people have it is the same for the same seed, and another one for another seed', () => {
    expect(messyFile(7)).toEqual(messyFile(7))
    expect(messyFile(7).csv).not.toBe(messyFile(8).csv)
  })
})

function guessCountry(cells: readonly string[]): string | null {
  const { readers, found } = openReaders({ country: null, turnedOff: [], dates: null, timeZone: 'UTC' })
  for (const cell of cells) readers.number?.(cell)
  return found().guess
}
