// One cell as a date that a person wrote, in a time zone and in the order of day and month that was confirmed.
import { expect, it } from 'vitest'
import { dateReader } from '../../../src/leads/file/cells/date-cell.ts'
import {
  type DateCause,
  type DateOrder,
  describeDateCause,
} from '../../../src/leads/file/cells/date-reading.ts'

const read = (order: DateOrder | null, cell: string, zone = 'Europe/Berlin') => {
  const reading = dateReader(order, zone)(cell)
  return reading.kind === 'ok' ? reading.timestamp : reading.kind === 'error' ? reading.cause : null
}

it.each<[order: DateOrder, cell: string, timestamp: string, zone?: string]>([
  ['day-first', '24.12.2026 10:00', '2026-12-24T10:00:00+01:00'],
  ['day-first', ' 1.7.2026, 9:05:30 ', '2026-07-01T09:05:30+02:00'],
  ['day-first', '03/04/2026 10:00', '2026-04-03T10:00:00+02:00'],
  ['month-first', '03/04/2026 10:00', '2026-03-04T10:00:00+01:00'],
  ['month-first', '12/24/2026 12:30 am', '2026-12-24T00:30:00-05:00', 'America/New_York'],
  ['month-first', '12/24/2026 1:00 PM', '2026-12-24T13:00:00-05:00', 'America/New_York'],
  ['day-first', '24-12-2026', '2026-12-24T00:00:00+01:00'],
  ['day-first', '2026-12-24 10:00', '2026-12-24T10:00:00+01:00'],
  ['day-first', '2026-12-24T10:00:00', '2026-12-24T10:00:00+01:00'],
  ['day-first', '24.12.2026 10:00 Uhr', '2026-12-24T10:00:00+01:00'],
  ['day-first', '24.12.2026 10:00', '2026-12-24T10:00:00+05:45', 'Asia/Kathmandu'],
  // The hour that comes twice is the first of them.
  ['day-first', '25.10.2026 02:30', '2026-10-25T02:30:00+02:00'],
])('A date in a cell is read in its zone, %s: %s', (order, cell, timestamp, zone) => {
  expect(read(order, cell, zone)).toBe(timestamp)
  expect(Number.isNaN(Date.parse(timestamp))).toBe(false)
})

it.each<[order: DateOrder | null, cell: string, cause: DateCause]>([
  [null, '24.12.2026 10:00', 'no_order'],
  [null, '2026-12-24 10:00', 'no_order'],
  ['month-first', '24.12.2026 10:00', 'no_such_day'],
  ['day-first', '12/24/2026', 'no_such_day'],
  ['day-first', '31.02.2026 10:00', 'no_such_day'],
  ['day-first', '00.12.2026', 'no_such_day'],
  ['day-first', '24.12.2026 24:00', 'no_such_day'],
  ['day-first', '24.12.2026 10:60', 'no_such_day'],
  ['day-first', '24.12.2026 13:00 pm', 'no_such_day'],
  // The clock goes from 2 to 3.
  ['day-first', '29.03.2026 02:30', 'no_such_time'],
])('A date in a cell is an error otherwise, %s: %s', (order, cell, cause) => {
  expect(read(order, cell)).toBe(cause)
  expect(describeDateCause(cause, 'scheduledFor')).toMatch(/^scheduledFor (?:is|has) /)
})

it.each(['2027-01-15T09:30:00+01:00', '2027-01-15T09:30:00Z', 'tomorrow', '', '24.12.26', '24.12/2026'])(
  'A date in a cell is left as it is where it is complete, or none: %j',
  (cell) => {
    expect(read('day-first', cell)).toBeNull()
    expect(read(null, cell)).toBeNull()
  },
)
