// What an operator may type for a duration, a time, an id and a name.
import { describe, expect, it } from 'vitest'
import {
  parseColumnName,
  parseDurationMs,
  parseExpiryMs,
  parseId,
  parseName,
  parseTimestampMs,
} from '../../src/admin/arguments/arguments.ts'

describe('A duration', () => {
  it.each([
    ['0', 0],
    ['30s', 30_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ])('is %s', (text, durationMs) => {
    expect(parseDurationMs(text)).toBe(durationMs)
  })

  it.each(['', '24', '24x', '-1h', '1.5h', '1h30m', 'h', '1H', ' 1h'])('is not %j', (text) => {
    expect(() => parseDurationMs(text)).toThrow('A duration is')
  })
})

describe('A time', () => {
  it.each([
    ['2027-01-01T00:00:00Z', Date.UTC(2027, 0, 1)],
    ['2027-01-01T02:00:00.5+02:00', Date.UTC(2027, 0, 1) + 500],
    ['2028-02-29T12:30Z', Date.UTC(2028, 1, 29, 12, 30)],
  ])('is %s', (text, timestampMs) => {
    expect(parseTimestampMs(text)).toBe(timestampMs)
  })

  it.each([
    '',
    'tomorrow',
    '2027',
    '2027-01-01',
    '2027-01-01T00:00:00',
    '2027-02-30T00:00:00Z',
    '2027-13-01T00:00Z',
  ])('is not %j', (text) => {
    expect(() => parseTimestampMs(text)).toThrow('A time is')
  })

  it('is no expiry when it is past', () => {
    expect(() => parseExpiryMs('2020-01-01T00:00:00Z')).toThrow('in the future')
  })
})

describe('An id', () => {
  it.each(['a', '...', 'Spring-2027_b.c', 'x'.repeat(128)])('is %s', (text) => {
    expect(parseId(text)).toBe(text)
  })

  it.each(['', '.', '..', 'x'.repeat(129), 'a b', 'a/b', 'ä', "a'", 'a\n'])('is not %j', (text) => {
    expect(() => parseId(text)).toThrow('An id is 1 to 128 of')
  })
})

describe('A name', () => {
  it.each(['Acme', 'Müller & Söhne 🙂', 'x'.repeat(255)])('is %s', (text) => {
    expect(parseName(text)).toBe(text)
  })

  it.each(['', '  ', 'x'.repeat(256), 'a\tb', 'a\u001b[31m', '\ud800'])('is not %j', (text) => {
    expect(() => parseName(text)).toThrow('A name is')
  })
})

describe('The name of a column', () => {
  it('is added to those before', () => {
    const first = parseColumnName(' Phone Number = phoneNumber', [])
    expect(parseColumnName('a=b=externalId', first)).toEqual([
      { header: 'Phone Number', name: 'phoneNumber' },
      { header: 'a=b', name: 'externalId' },
    ])
  })

  it.each(['', 'phone', 'phone=', '=phoneNumber', '='])('is not %j', (text) => {
    expect(() => parseColumnName(text, [])).toThrow('It must be <header>=<name>')
  })
})
