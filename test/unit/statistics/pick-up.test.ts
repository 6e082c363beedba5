// Median and 95th percentile of pick-up times, from how many fall into each class.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { summarizePickUp } from '../../../src/control/statistics/pick-up-summary.ts'

// Classes: to 1 s, to 5 s, to 30 s, to 5 min, to 1 h, later.
it.each([
  ['no time that is known, without a lead', [0, 0, 0, 0, 0, 0], null, null],
  ['a part of the first second', [1, 0, 0, 0, 0, 0], 0.5, 0.95],
  ['the same part, however many leads there are', [4_000, 0, 0, 0, 0, 0], 0.5, 0.95],
  ['a part of the time between the limits of a class', [0, 0, 1, 0, 0, 0], 17.5, 28.75],
  ['the limit of a class that holds exactly so many', [50, 45, 5, 0, 0, 0], 1, 5],
  ['the next class, with one lead more', [50, 45, 6, 0, 0, 0], 1.044, 8.958],
  ['two classes that are not neighbours', [8, 0, 0, 0, 2, 0], 0.625, 2775],
  ['an hour at the most', [0, 0, 0, 0, 20, 0], 1950, 3435],
  ['no time that is known for 95 %, when 6 % took longer than an hour', [94, 0, 0, 0, 0, 6], 0.532, null],
  ['an hour, when 5 % took longer', [0, 0, 0, 0, 95, 5], 2036.842, 3600],
  ['no time that is known, when most took longer than an hour', [1, 1, 1, 1, 1, 6], null, null],
])('%s', (_, counts, medianSeconds, p95Seconds) => {
  const count = counts.reduce((sum, n) => sum + n)
  expect(summarizePickUp(counts)).toEqual({ count, medianSeconds, p95Seconds })
})

it('Median and 95 % lie in the class of the lead of that rank, and the median is never above the 95 %', () => {
  const limits = [0, 1, 5, 30, 300, 3_600, Number.POSITIVE_INFINITY]
  fc.assert(
    fc.property(fc.array(fc.nat(50), { minLength: 6, maxLength: 6 }), (counts) => {
      const { count, medianSeconds, p95Seconds } = summarizePickUp(counts)
      const classes = counts.flatMap((n, index) => Array<number>(n).fill(index))
      expect(count).toBe(classes.length)
      for (const [share, seconds] of [
        [50, medianSeconds],
        [95, p95Seconds],
      ] as const) {
        const place = classes[Math.ceil((count * share) / 100) - 1]
        if (place === undefined || place === 5) expect(seconds).toBeNull()
        else {
          expect(seconds).toBeGreaterThan(limits[place] as number)
          expect(seconds).toBeLessThanOrEqual(limits[place + 1] as number)
        }
      }
      if (p95Seconds !== null) expect(medianSeconds).toBeLessThanOrEqual(p95Seconds)
    }),
  )
})
