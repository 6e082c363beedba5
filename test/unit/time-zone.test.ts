// Which names of time zones are taken (D60), and which moment a time on a zone's clock means.
import { expect, it } from 'vitest'
import { formatLocalTime, isTimeZone, momentOf, sameTimeNextDay } from '../../src/base/time-zone.ts'

const zones = Intl.supportedValuesOf('timeZone')

it.each([
  ...['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'],
  ...[
    'Etc/UTC',
    'GMT',
    'Etc/GMT',
    'US/Pacific',
    'America/Port-au-Prince',
    'Asia/Ho_Chi_Minh',
    'America/Indiana/Knox',
  ],
])('A time zone is accepted as %s', (name) => {
  expect(isTimeZone(name)).toBe(true)
})

it.each([
  ...['europe/berlin', 'Europe/berlin', 'EUROPE/BERLIN', 'utc', 'Utc', '+05:30', '-08:00', '', 'Europe'],
  ...[
    'Us/Pacific',
    'us/pacific',
    'Europe/Nowhere',
    'Europe/Berlin ',
    'gmt',
    'etc/utc',
    'Etc/Utc',
    'Africa/Dar_Es_Salaam',
    'Antarctica/Mcmurdo',
    'Australia/Nsw',
    'Europe/BERLIN',
    'europe/kyiv',
    'asia/Kolkata',
    'Asia/KOLKATA',
  ],
  ...['CET', 'EST', 'Japan', 'GMT0', 'EST5EDT', 'CST6CDT', 'MST7MDT', 'PST8PDT', 'Factory', 'Etc/Unknown'],
  ...['SystemV/EST5', 'SystemV/EST5EDT', 'SystemV/YST9YDT', 'systemv/est5'],
])('A time zone is refused as "%s"', (name) => {
  expect(isTimeZone(name)).toBe(false)
})

it('A time zone has one spelling: no change of case is accepted beside the name', () => {
  for (const zone of [...zones, 'Asia/Kolkata', 'Europe/Kyiv', 'US/Eastern', 'Asia/Ho_Chi_Minh']) {
    const variants = [
      zone.toLowerCase(),
      zone.toUpperCase(),
      zone.replace(/[a-z](?=[^a-z]|$)/, (c) => c.toUpperCase()),
    ]
    expect(variants.filter((each) => each !== zone && isTimeZone(each))).toEqual([])
    expect([zone, isTimeZone(zone)]).toEqual([zone, true])
  }
})

it.each([
  ['Europe/Berlin', '2026-12-01T10:00', '2026-12-01T10:00:00+01:00'],
  ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T03:30:00+02:00'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T02:30:00+01:00'],
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-04T02:45:00+11:00'],
  ['Australia/Lord_Howe', '2027-04-04T01:45', '2027-04-04T01:45:00+10:30'],
  ['Asia/Kathmandu', '2026-12-01T10:00', '2026-12-01T10:00:00+05:45'],
  ['America/St_Johns', '2026-12-01T10:00', '2026-12-01T10:00:00-03:30'],
  ['UTC', '2026-12-01T10:00', '2026-12-01T10:00:00+00:00'],
])('On the clock of %s, %s is %s, and is written so', (timeZone, wall, local) => {
  const atMs = momentOf(timeZone, Date.parse(`${wall}Z`))
  expect(atMs).toBe(Date.parse(local))
  expect(formatLocalTime(timeZone, atMs)).toBe(local)
})

it('The same time on the next day is 23, 24 or 25 hours later', () => {
  const hoursTo = (at: string) =>
    (sameTimeNextDay('Europe/Berlin', Date.parse(at)) - Date.parse(at)) / 3_600_000
  expect(['2027-03-27T10:00:00Z', '2026-12-01T10:00:00Z', '2026-10-24T10:00:00Z'].map(hoursTo)).toEqual([
    23, 24, 25,
  ])
})
