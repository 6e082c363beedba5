// SQLite's reading of stored timestamps, held against the one that requests are read with.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isTimestamp, parseTimestampMs } from '../../../src/base/timestamp.ts'
import { companyDb } from '../../support/database/store.ts'
import { seedWorld } from '../../support/world.ts'

/** As they stand beside leads that are scheduled for these times. */
async function readAll(texts: readonly (string | null)[]) {
  const { campaign } = await seedWorld()
  const { results } = await companyDb
    .prepare(
      `insert into leads (seq, campaign_number, phone_number, scheduled_for, created_at_ms, token)
     select (?1 << 32) + item.key + 1, ?1, '+1' || (2000000000 + item.key), item.value, 0, 'token000000'
     from json_each(?2) as item
     returning scheduled_at_ms as read`,
    )
    .bind(campaign.number, JSON.stringify(texts))
    .run<{ read: number | null }>()
  return results.map(({ read }) => read)
}

it.each([
  ['2026-11-18T12:00Z', Date.UTC(2026, 10, 18, 12)],
  ['2026-11-18T12:00:00Z', Date.UTC(2026, 10, 18, 12)],
  ['2026-11-18T12:00:00.123456789Z', Date.UTC(2026, 10, 18, 12, 0, 0, 123)],
  ['2026-11-18T12:00:00.9+01', Date.UTC(2026, 10, 18, 11, 0, 0, 900)],
  ['2026-11-18T12:00-0530', Date.UTC(2026, 10, 18, 17, 30)],
  ['2026-11-18T00:30+23:59', Date.UTC(2026, 10, 17, 0, 31)],
  ['1969-12-31T23:59:59.999Z', -1],
])('A stored timestamp %s is the same to SQLite as to a request', async (text, expected) => {
  expect([parseTimestampMs(text), ...(await readAll([text]))]).toEqual([expected, expected])
})

it('A stored timestamp is null to a lead without one', async () => {
  expect(await readAll([null, '2026-11-18T12:00Z'])).toEqual([null, Date.UTC(2026, 10, 18, 12)])
})

it('A stored timestamp of any form that is let in is the same to SQLite as to a request', async () => {
  const two = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'))
  const date = fc
    .date({ min: new Date('1900-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10))
  const seconds = fc
    .tuple(two(59), fc.option(fc.stringMatching(/^\d{1,9}$/)))
    .map(([s, f]) => `:${s}${f ? `.${f}` : ''}`)
  const offset = fc.oneof(
    fc.constant('Z'),
    fc
      .tuple(fc.constantFrom('+', '-'), two(23), fc.option(fc.tuple(fc.constantFrom(':', ''), two(59))))
      .map(([sign, hours, minutes]) => `${sign}${hours}${minutes ? minutes.join('') : ''}`),
  )
  const timestamp = fc
    .tuple(date, two(23), two(59), fc.option(seconds), offset)
    .map(([day, h, m, s, zone]) => `${day}T${h}:${m}${s ?? ''}${zone}`)
  const texts = fc.sample(timestamp, 5_000)
  expect(texts.filter((text) => !isTimestamp(text))).toEqual([])
  const read = await readAll(texts)
  texts.forEach((text, index) => {
    if (read[index] !== parseTimestampMs(text))
      expect([text, read[index]]).toEqual([text, parseTimestampMs(text)])
  })
})
