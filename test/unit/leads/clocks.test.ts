// By whose clock the numbers of a file are called: which countries differ from the campaign's, how that is said, and
// which time zone their leads get.
import { expect, it } from 'vitest'
import { isTimeZone } from '../../../src/base/time-zone.ts'
import { isCountry } from '../../../src/channels/sources/source-settings.ts'
import { openJudge } from '../../../src/console/import/file/judge-rows.ts'
import { survey } from '../../../src/console/import/file/survey.ts'
import { allCountries } from '../../../src/queue/leads/file/cells/phone-cell.ts'
import { describeClocks, timeAtNine } from '../../../src/queue/leads/file/clock-words.ts'
import { columnsOf, type Meaning } from '../../../src/queue/leads/file/columns.ts'
import { countryOfZone, findClocks, zonesOfCountry } from '../../../src/queue/leads/file/country-zones.ts'
import { openReaders } from '../../../src/queue/leads/file/readers.ts'

const [winterMs, summerMs] = [Date.UTC(2026, 11, 1), Date.UTC(2026, 6, 1)]

/** Of one number of the country each. */
const lines = (campaignZone: string, nowMs: number, ...countries: readonly string[]) =>
  findClocks(new Map(countries.map((country) => [country, 1])), campaignZone, nowMs)

it.each([
  [
    'US',
    258,
    'Europe/Berlin',
    '258 numbers of the United States would be called by Europe/Berlin: 09:00 there is 03:00 in New York.',
  ],
  [
    'IN',
    1,
    'Europe/Berlin',
    '1 number of India would be called by Europe/Berlin: 09:00 there is 13:30 in Kolkata.',
  ],
  [
    'NZ',
    2_000,
    'Europe/Berlin',
    '2,000 numbers of New Zealand would be called by Europe/Berlin: 09:00 there is 21:00 in Auckland.',
  ],
  [
    'NZ',
    2,
    'America/Los_Angeles',
    '2 numbers of New Zealand would be called by America/Los_Angeles: 09:00 there is 06:00 the day after in Auckland.',
  ],
  [
    'US',
    2,
    'Australia/Sydney',
    '2 numbers of the United States would be called by Australia/Sydney: 09:00 there is 17:00 ' +
      'the day before in New York.',
  ],
  // Where most people live, the clock is the campaign's.
  [
    'ES',
    3,
    'Europe/Berlin',
    '3 numbers of Spain would be called by Europe/Berlin: 09:00 there is 08:00 in Canary.',
  ],
  [
    'PT',
    3,
    'Europe/London',
    '3 numbers of Portugal would be called by Europe/London: 09:00 there is 08:00 in Azores.',
  ],
])('A line says what the numbers of %s (%i) would be called by: %s', (country, count, zone, text) => {
  const [line] = findClocks(new Map([[country, count]]), zone, winterMs)
  expect(line && describeClocks(line, zone)).toBe(text)
})

it.each([
  [-540, '00:00'],
  [-541, '23:59 the day before'],
  [899, '23:59'],
  [900, '00:00 the day after'],
  [345, '14:45'],
])('A clock that is %i minutes ahead shows at nine: %s', (minutes, text) => {
  expect(timeAtNine(minutes)).toBe(text)
})

it.each<[string, string, readonly string[], readonly string[]]>([
  ['those of the same clock have none', 'Europe/Berlin', ['DE', 'FR', 'AT', 'CH', 'IT'], []],
  ['an hour is enough', 'Europe/Berlin', ['GB', 'FI'], ['GB', 'FI']],
  ['less than an hour is not', 'Asia/Kolkata', ['NP', 'LK'], []],
  ['another zone of a country is enough', 'America/New_York', ['US', 'CA', 'BS'], ['US', 'CA']],
  ['a country without clocks has none', 'Europe/Berlin', ['001', 'ZZ', ''], []],
])('A line is shown for countries whose clocks differ: %s', (_, zone, countries, found) => {
  expect(lines(zone, winterMs, ...countries).map(({ country }) => country)).toEqual(found)
})

it('A line is by the clocks of now, and the country with the most numbers comes first', () => {
  const ahead = (nowMs: number) => lines('Europe/Berlin', nowMs, 'JP')[0]?.zones[0]?.aheadMinutes
  expect([ahead(winterMs), ahead(summerMs)]).toEqual([480, 420])
  const counts = new Map([
    ['GB', 1],
    ['US', 3],
    ['FI', 2],
  ])
  expect(findClocks(counts, 'Europe/Berlin', winterMs).map(({ country }) => country)).toEqual([
    'US',
    'FI',
    'GB',
  ])
})

it('A country offers one zone for each of its clocks, that of most people first', () => {
  const zones = zonesOfCountry('US', winterMs)
  expect(zones.slice(0, 2)).toEqual(['America/New_York', 'America/Chicago'])
  expect(zones).toEqual(
    expect.arrayContaining(['America/Phoenix', 'America/Los_Angeles', 'Pacific/Honolulu']),
  )
  expect(zones.length).toBeLessThan(12)
  expect(zonesOfCountry('DE', winterMs)).toEqual(['Europe/Berlin'])
  expect(zonesOfCountry('IN', winterMs)).toEqual(['Asia/Kolkata'])
})

it('Every country that numbers have has zones that the service takes, also where Intl knows none', () => {
  const locale = Intl.Locale.prototype as { getTimeZones?: () => readonly string[] | undefined }
  const inIntl = allCountries.map((country) => zonesOfCountry(country, winterMs))
  const own = locale.getTimeZones
  locale.getTimeZones = () => undefined
  try {
    for (const [place, country] of allCountries.entries()) {
      const zones = zonesOfCountry(country, winterMs)
      expect([country, zones.length > 0, zones.every(isTimeZone)]).toEqual([country, true, true])
      expect([country, inIntl[place]?.[0]]).toEqual([country, zones[0]])
    }
  } finally {
    if (own === undefined) delete locale.getTimeZones
    else locale.getTimeZones = own
  }
})

const headers = ['Phone', 'Zone']
const said = {
  country: null,
  turnedOff: [],
  dates: null,
  timeZone: 'Europe/Berlin',
  campaignZone: 'Europe/Berlin',
}

/** The leads of numbers of New York, Berlin, Kolkata and again New York, and what the check says. */
async function read(more: object, meanings: readonly Meaning[] = ['phoneNumber', 'ignore'], zoneCell = '') {
  const { readers, clocks } = openReaders({ ...said, ...more }, winterMs)
  const judge = openJudge(columnsOf(headers, meanings), readers)
  const numbers = ['+12125550123', '+4930123456', '+919876543210', '+12125550123']
  const rows = numbers.map((number, index) => ({ row: index + 2, cells: [number, zoneCell] }))
  const stream = (async function* () {
    yield* rows
  })()
  const { counts } = await survey(stream, judge, (cell) => cell)
  const zones = rows.map((row) => {
    const judged = judge(row)
    return 'json' in judged ? (JSON.parse(judged.json).timeZone ?? null) : 'invalid'
  })
  return { zones, clocks: clocks(counts) }
}

it('A country with one clock is preselected, one with several has to be chosen, and each number counts once', async () => {
  const { zones, clocks } = await read({})
  expect(zones).toEqual([null, null, 'Asia/Kolkata', null])
  expect(clocks.map(({ name, text, preselected }) => [name, text.slice(0, 8), preselected])).toEqual([
    ['United States', '1 number', null],
    ['India', '1 number', 'Asia/Kolkata'],
  ])
  expect(clocks[1]?.options).toEqual([
    ['Asia/Kolkata', 'Asia/Kolkata: 13:30'],
    ['campaign', 'Call by the campaign’s clock'],
  ])
})

it.each<[object, readonly (string | null)[]]>([
  [{ US: 'America/Chicago' }, ['America/Chicago', null, 'Asia/Kolkata', 'America/Chicago']],
  [{ US: 'campaign', IN: 'campaign' }, [null, null, null, null]],
  [{ IN: 'Asia/Dubai', GB: 'Europe/London' }, [null, null, 'Asia/Dubai', null]],
])('The choice becomes the time zone of the leads of its country alone: %j', async (zones, expected) => {
  expect((await read({ zones })).zones).toEqual(expected)
})

it.each(['America/Denver', ''])(
  'A column of time zones has the last word, also where it is empty: %j',
  async (cell) => {
    const { zones, clocks } = await read(
      { zones: { US: 'America/Chicago' } },
      ['phoneNumber', 'timeZone'],
      cell,
    )
    expect(zones).toEqual(Array(4).fill(cell || null))
    expect(clocks).toEqual([])
  },
)

it('A campaign without a time zone has no clock to compare with', async () => {
  const { zones, clocks } = await read({ campaignZone: null })
  expect([zones, clocks]).toEqual([[null, null, null, null], []])
})

it('The country of a time zone is one that exists today, whatever name the zone has', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  expect(zones.length).toBeGreaterThan(400)
  const wrong = zones.map(countryOfZone).filter((code) => code !== undefined && !isCountry(code))
  expect(wrong).toEqual([])
  expect(
    ['Europe/Berlin', 'Asia/Calcutta', 'Europe/Kiev', 'America/Chicago', 'UTC'].map(countryOfZone),
  ).toEqual(['DE', 'IN', 'UA', 'US', undefined])
})
