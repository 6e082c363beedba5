// By whose clock a source's leads are called: the answer for their country, the country's own clock, or the campaign's.
import { expect, it } from 'vitest'
import { offsetMsAt } from '../../../src/base/time-zone.ts'
import { type PostRow, readRow } from '../../../src/channels/sources/read-row.ts'
import type { SourceSettings } from '../../../src/channels/sources/source-settings.ts'
import {
  clockOfLead,
  mayAskClock,
  unansweredCountries,
} from '../../../src/channels/sources/whose/lead-clock.ts'

const [winterMs, summerMs] = [Date.UTC(2026, 11, 1), Date.UTC(2026, 6, 1)]
const berlin = 'Europe/Berlin'

it.each<
  [
    what: string,
    country: string,
    timeZones: Record<string, string>,
    campaign: string | null,
    zone: string | null,
  ]
>([
  ['the country’s own, where it has one clock', 'IN', {}, berlin, 'Asia/Kolkata'],
  ['the country’s own, whatever becomes of others', 'IN', { '*': 'campaign' }, berlin, 'Asia/Kolkata'],
  ['the country’s own, where others are refused', 'IN', { '*': 'refuse' }, berlin, 'Asia/Kolkata'],
  ['the campaign’s, where that is said', 'IN', { IN: 'campaign' }, berlin, null],
  ['the answer', 'US', { US: 'America/Denver' }, berlin, 'America/Denver'],
  ['the answer, not that of a neighbour', 'CA', { US: 'America/Denver', '*': 'campaign' }, berlin, null],
  ['the campaign’s, which is the answer', 'US', { US: 'America/New_York' }, 'America/New_York', null],
  ['the campaign’s, where nobody has said', 'US', {}, berlin, null],
  ['the campaign’s, which is the country’s', 'AT', {}, berlin, null],
  ['the campaign’s, where it has none', 'IN', {}, null, null],
  // Sonora has Denver's clock in winter alone.
  ['another in summer', 'MX', { MX: 'America/Hermosillo' }, 'America/Denver', 'America/Hermosillo'],
])('A lead is called by %s: %s', (_, country, timeZones, campaign, zone) => {
  for (const nowMs of [winterMs, summerMs])
    expect(clockOfLead({ timeZones }, country, campaign, nowMs).zone).toBe(zone)
})

it('Only countries with several clocks, of which one differs by an hour, are asked about', () => {
  const countries = ['DE', 'IN', 'US', 'GB', 'AU', 'XK']
  const asked = (timeZones: Record<string, string>, campaign: string | null = berlin) =>
    unansweredCountries({ countries, timeZones }, campaign, winterMs)
  expect(asked({})).toEqual(['US', 'AU'])
  expect(asked({ US: 'America/New_York' })).toEqual(['AU'])
  expect(asked({ '*': 'refuse' })).toEqual([])
  expect(asked({}, null)).toEqual([])
  // Also where one of its clocks is the campaign's.
  expect(asked({}, 'America/New_York')).toContain('US')
  expect(mayAskClock({ countries: ['DE', 'IN', 'GB'], timeZones: {} }, winterMs)).toBe(false)
  expect(mayAskClock({ countries, timeZones: {} }, winterMs)).toBe(true)
})

const settings: SourceSettings = {
  ...{ name: 'Form', countries: ['IN', 'US'], nationalCountry: 'IN', timeZones: {}, fields: {}, ignored: [] },
  ...{ notDoNotCall: [], permissions: 'keep', consent: null, onExisting: 'keep' },
  ...{ redirectUrl: null, enabled: true },
}
const read = (body: object, more: Partial<SourceSettings> = {}): Promise<PostRow> =>
  readRow(
    { ...settings, ...more, campaignZone: berlin },
    'application/json',
    new TextEncoder().encode(JSON.stringify(body)).buffer as ArrayBuffer,
    winterMs,
  )
const [mumbai, newYork] = ['+919876543210', '+12125550123']

it('Mumbai is not called at night: nine in Berlin is half past one in the afternoon there', async () => {
  const { timeZone } = await read({ phone: mumbai })
  expect(timeZone).toBe('Asia/Kolkata')
  expect(offsetMsAt(timeZone ?? '', winterMs)).toBe(5.5 * 3_600_000)
})

it('A time zone that the source takes of the post has the last word', async () => {
  const fields = { timeZone: 'tz' }
  const row = await read({ phone: newYork, tz: 'America/Chicago' }, { fields, timeZones: { '*': 'refuse' } })
  expect([row.problem, row.timeZone, row.fields.timeZone?.value]).toEqual([null, null, 'America/Chicago'])
  const other = await read({ phone: mumbai, tz: 'America/Chicago' }, { fields })
  expect([other.timeZone, other.fields.timeZone]).toEqual(['Asia/Kolkata', undefined])
})

it('Without an answer a lead is refused where the source says so, and else says that nobody has said', async () => {
  const refuse = { timeZones: { '*': 'refuse' } }
  expect((await read({ phone: newYork }, refuse)).problem?.message).toBe(
    'phoneNumber is of US, and timeZones of this source has no clock for it',
  )
  expect((await read({ phone: newYork, dnc: 'yes' }, refuse)).suppressed).toEqual([newYork])
  expect((await read({ phone: mumbai }, refuse)).problem).toBeNull()
  for (const [timeZones, isUnanswered] of [
    [{}, true],
    [{ '*': 'campaign' }, false],
    [{ US: 'campaign' }, false],
    [{ US: 'America/New_York' }, false],
  ] as const)
    expect((await read({ phone: newYork }, { timeZones })).isClockUnanswered).toBe(isUnanswered)
  expect((await read({ phone: mumbai })).isClockUnanswered).toBe(false)
})
