// The time limits together: whatever a request waits for, its answer begins within six seconds.
import { expect, it } from 'vitest'
import { serviceWaits as waits } from '../support/run/patience.ts'

it.each([
  [
    'a key that is looked up, and has ended when its lead is stored',
    ['keyLookUpMs', 'limiterMs', 'storeMs', 'limiterMs'],
  ],
  ['a remembered key that is checked again, and has ended', ['limiterMs', 'keyLookUpMs', 'limiterMs']],
  ['a key that could not be looked up', ['keyLookUpMs', 'limiterMs']],
  ['a health check', ['limiterMs', 'healthCheckMs']],
] as const)('The waits of a request add up to less than its six seconds: %s', (_, parts) => {
  expect(parts.reduce((sum, part) => sum + waits[part], 0)).toBeLessThanOrEqual(waits.answerMs)
})
