// When somebody wants to be called again: which texts are a time, and which moment each means.
import { expect, it } from 'vitest'
import { readCallbackTime } from '../../../src/channels/dialers/template/callback-time.ts'

const endedAtMs = Date.UTC(2026, 10, 26, 12)
const read = (text: string, timeZone = 'Europe/Berlin', atMs = endedAtMs) => {
  const ms = readCallbackTime(text, timeZone, atMs)
  return ms === null ? null : new Date(ms).toISOString().replace('.000Z', 'Z')
}

it.each([
  ['2026-12-01T10:00:00+01:00', '2026-12-01T09:00:00Z'],
  ['2026-12-01T10:00Z', '2026-12-01T10:00:00Z'],
  ['2026-12-01T10:00:00+0000', '2026-12-01T10:00:00Z'],
  ['2026-12-01 10:00:00-05:00', '2026-12-01T15:00:00Z'],
  ['2026-12-01T10:00:00+01:00[Europe/Berlin]', '2026-12-01T09:00:00Z'],
  ['2026-12-01T10:00:00Z[Europe/Berlin]', '2026-12-01T10:00:00Z'],
  ['2026-12-01T10:00', '2026-12-01T09:00:00Z'],
  ['2026-12-01T10:00:30', '2026-12-01T09:00:30Z'],
  ['2026-12-01 10:00', '2026-12-01T09:00:00Z'],
  ['  2026-12-01 10:00:00.000  ', '2026-12-01T09:00:00Z'],
  ['2026-12-01T10:00[Asia/Kathmandu]', '2026-12-01T04:15:00Z'],
  ['2026-12-01 10:00 [America/New_York]', '2026-12-01T15:00:00Z'],
  ['2026-12-01 9:00', '2026-12-01T08:00:00Z'],
  ['2026-12-01T9:00', '2026-12-01T08:00:00Z'],
  ['2026-12-01 3:00 PM', '2026-12-01T14:00:00Z'],
  ['2026-12-01 12:30 a.m.', '2026-11-30T23:30:00Z'],
  ['2026-12-01 12pm', '2026-12-01T11:00:00Z'],
  ['2026-12-01, 10am', '2026-12-01T09:00:00Z'],
  ['2026-12-01 10:00 +02:00', '2026-12-01T08:00:00Z'],
  ['2026-12-01T10:00:00 UTC', '2026-12-01T10:00:00Z'],
  ['2026-12-01 3:00 PM GMT', '2026-12-01T15:00:00Z'],
  ['Tue, 01 Dec 2026 10:00:00 GMT', '2026-12-01T10:00:00Z'],
  ['Tue, 01 Dec 2026 10:00:00 +0530', '2026-12-01T04:30:00Z'],
  ['December 5, 2026 at 10:00 AM', '2026-12-05T09:00:00Z'],
  ['Saturday, December 5th, 2026, 10am', '2026-12-05T09:00:00Z'],
  ['5. Dezember 2026 um 10 Uhr', '2026-12-05T09:00:00Z'],
  ['5 de diciembre de 2026 a las 10:00', '2026-12-05T09:00:00Z'],
  ['1er décembre 2026 à 10h', '2026-12-01T09:00:00Z'],
  ['5 grudnia 2026 o 10:00', '2026-12-05T09:00:00Z'],
  ['24.12.2026 10:00', '2026-12-24T09:00:00Z'],
  ['12/24/2026 10:00 AM', '2026-12-24T09:00:00Z'],
  ['12/12/2026 10:00', '2026-12-12T09:00:00Z'],
  ['2026/12/01 10:00', '2026-12-01T09:00:00Z'],
  // A day alone is that day at the hour of the call, which ended at 13:00 in Berlin.
  ['2026-12-01', '2026-12-01T12:00:00Z'],
  ['December 5, 2026', '2026-12-05T12:00:00Z'],
  ['5. Dezember 2026', '2026-12-05T12:00:00Z'],
  ['24.12.2026', '2026-12-24T12:00:00Z'],
  ['2027-07-01', '2027-07-01T11:00:00Z'],
  ['1796115600', '2026-12-01T09:00:00Z'],
  ['1796115600000', '2026-12-01T09:00:00Z'],
])('The text "%s", said to somebody in Berlin, means %s', (text, moment) => {
  expect(read(text)).toBe(moment)
})

it.each([
  ['the day of the call, without an hour', '2026-11-26'],
  ['a day that may be another one', '03/04/2027'],
  ['a time of such a day', '03/04/2027 10:00'],
  ['an hour of no day', '3:00 PM'],
  ['a number behind a day', '2026-12-01 10'],
  ['a clock that has another name', '2026-12-01 10:00 CET'],
  ['an hour of thirteen', '2026-12-01 13:00 PM'],
  ['a month of no language', '5 Smarch 2026'],
  ['a day that the month does not have', '31. November 2026'],
  ['words', 'tomorrow at ten'],
  ['nothing', ''],
  ['a day that no month has', '2026-02-31T10:00'],
  ['an hour that no day has', '2026-12-01T24:30'],
  ['an hour of twelve', '2026-12-01T10:00 PM'],
  ['a zone that is none', '2026-12-01T10:00[Europe/Nowhere]'],
  ['a zone in another spelling', '2026-12-01T10:00[europe/berlin]'],
  ['an offset that the zone does not have', '2026-12-01T10:00+05:00[Europe/Berlin]'],
  ['a second before the end of the call', '2026-11-26T12:59:59'],
  ['a year before', '2025-12-01T10:00:00Z'],
  ['more than 366 days ahead', '2027-11-27T12:00:01Z'],
  ['digits that are no Unix time', '17961156'],
  ['a Unix time that has passed', '1764579600'],
  ['a text of any length', `2026-12-01T10:00${' '.repeat(200)}`],
])('No time is %s: "%s"', (_, text) => expect(read(text)).toBeNull())

it('The end of the call itself is a time, and so is the last moment of 366 days', () => {
  expect(read('2026-11-26T12:00:00Z')).not.toBeNull()
  expect(read('2027-11-27T12:00:00Z')).not.toBeNull()
})

it.each([
  ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:30:00Z', 'skipped: moved forward to 03:30'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T01:30:00Z', 'twice: the later'],
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00Z', 'skipped by half an hour: 02:45'],
  ['Australia/Lord_Howe', '2027-04-04T01:45', '2027-04-03T15:15:00Z', 'twice within half an hour: the later'],
  ['Asia/Kathmandu', '2026-12-01T10:00', '2026-12-01T04:15:00Z', 'a quarter of an hour'],
  ['America/New_York', '2027-03-14T02:00', '2027-03-14T07:00:00Z', 'the first minute that is skipped'],
])('A local time of %s, %s, is %s (%s)', (timeZone, text, moment) => {
  expect(read(text, timeZone, Date.parse(moment) - 60_000)).toBe(moment)
})
