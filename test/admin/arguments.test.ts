// What an operator may type for a duration, a name and a column.
import { describe, expect, it } from 'vitest'
import { parseColumnName, parseDurationMs, parseName } from '../../src/admin/arguments/arguments.ts'

describe('A duration', () => {
  it.each([
    ['0', 0],
    ['30s', 30_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ])('A duration is %s', (text, durationMs) => {
    expect(parseDurationMs(text)).toBe(durationMs)
  })

  it.each(['', '24', '24x', '-1h', '1.5h', '1h30m', 'h', '1H', ' 1h'])('A duration is not %j', (text) => {
    expect(() => parseDurationMs(text)).toThrow('A duration is')
  })
})

describe('A name', () => {
  it.each(['Acme', 'Müller & Söhne 🙂', 'x'.repeat(255)])('A name is %s', (text) => {
    expect(parseName(text)).toBe(text)
  })

  it.each(['', '  ', 'x'.repeat(256), 'a\tb', 'a\u001b[31m', '\ud800'])('A name is not %j', (text) => {
    expect(() => parseName(text)).toThrow('A name is')
  })
})

describe('The name of a column', () => {
  it('The name of a column is added to those before', () => {
    const first = parseColumnName(' Phone Number = phoneNumber', [])
    expect(parseColumnName('a=b=externalId', first)).toEqual([
      { header: 'Phone Number', name: 'phoneNumber' },
      { header: 'a=b', name: 'externalId' },
    ])
  })

  it.each(['', 'phone', 'phone=', '=phoneNumber', '='])('The name of a column is not %j', (text) => {
    expect(() => parseColumnName(text, [])).toThrow('It must be <header>=<name>')
  })
})
