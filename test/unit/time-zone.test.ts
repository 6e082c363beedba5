// Which names of time zones are taken (D60).
import { expect, it } from 'vitest'
import { isTimeZone } from '../../src/time-zone.ts'

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
