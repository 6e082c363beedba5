// When somebody wants to be called again: which texts are a time, and which moment each means.
import { expect, it } from 'vitest'
import { readCallbackTime } from '../../../src/dialers/template/callback-time.ts'

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
  ['1796115600', '2026-12-01T09:00:00Z'],
  ['1796115600000', '2026-12-01T09:00:00Z'],
])('The text "%s", said to somebody in Berlin, means %s', (text, moment) => {
  expect(read(text)).toBe(moment)
})

it.each([
  ['a date alone', '2026-12-01'],
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
