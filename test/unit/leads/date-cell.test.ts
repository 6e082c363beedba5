// One cell as a date that a person wrote, in a time zone and in the order of day and month that was confirmed.
import { expect, it } from 'vitest'
import { type DateOrder, dateReader } from '../../../src/queue/leads/file/cells/date-cell.ts'

const read = (order: DateOrder | null, cell: string, zone = 'Europe/Berlin') => {
  const reading = dateReader(order, zone)(cell)
  if (reading === null) return null
  return 'problem' in reading ? reading.problem : reading.timestamp
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
  ['day-first', '1.1.2000', '2000-01-01T00:00:00+01:00'],
  ['day-first', '2026-12-24T10:00:00', '2026-12-24T10:00:00+01:00'],
  ['day-first', '24.12.2026 10:00 Uhr', '2026-12-24T10:00:00+01:00'],
  ['day-first', '24.12.2026 10:00', '2026-12-24T10:00:00+05:45', 'Asia/Kathmandu'],
  // The hour that comes twice is the first of them.
  ['day-first', '25.10.2026 02:30', '2026-10-25T02:30:00+02:00'],
])('A date in a cell is read in its zone, %s: %s', (order, cell, timestamp, zone) => {
  expect(read(order, cell, zone)).toBe(timestamp)
  expect(Number.isNaN(Date.parse(timestamp))).toBe(false)
})

it.each<[order: DateOrder | null, cell: string, problem: RegExp]>([
  [null, '24.12.2026 10:00', /^has no UTC offset/],
  [null, '2026-12-24 10:00', /^has no UTC offset/],
  ['month-first', '24.12.2026 10:00', /^is a day or a time that does not exist/],
  ['day-first', '12/24/2026', /^is a day or a time that does not exist/],
  ['day-first', '31.02.2026 10:00', /^is a day or a time that does not exist/],
  ['day-first', '00.12.2026', /^is a day or a time that does not exist/],
  ['day-first', '24.12.0026 10:00', /^is a time without a day, or in a year before 2000$/],
  ['day-first', '24.12.1999 10:00', /^is a time without a day/],
  ['day-first', '24.12.2026 24:00', /^is a day or a time that does not exist/],
  ['day-first', '24.12.2026 10:60', /^is a day or a time that does not exist/],
  ['day-first', '24.12.2026 13:00 pm', /^is a day or a time that does not exist/],
  // The clock goes from 2 to 3.
  ['day-first', '29.03.2026 02:30', /^is in the hour that the clock skips/],
])('A date in a cell is an error otherwise, %s: %s', (order, cell, problem) => {
  expect(read(order, cell)).toMatch(problem)
})

it.each(['2027-01-15T09:30:00+01:00', '2027-01-15T09:30:00Z', 'tomorrow', '', '24.12.26', '24.12/2026'])(
  'A date in a cell is left as it is where it is complete, or none: %j',
  (cell) => {
    expect(read('day-first', cell)).toBeNull()
    expect(read(null, cell)).toBeNull()
  },
)
