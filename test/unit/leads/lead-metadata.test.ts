// The metadata of a lead: it comes out as it was sent, and what cannot is refused by name (D10, D18).
import { describe, expect, it } from 'vitest'
import { readCreate } from '../../../src/queue/leads/create-input.ts'

/** The lead as it is stored, or the message a client would get. `json` is the body's member that holds metadata. */
function create(json: string): unknown {
  const reading = readCreate(`{"campaignId":"spring","phoneNumber":"+15550001111",${json}}`)
  return reading.isValid ? reading.value.lead : reading.message
}

const u = (digits: string) => `\\u${digits}`

describe('metadata', () => {
  const tooLarge = 'metadata must be at most 16384 bytes'
  const tooDeep = 'metadata must be nested at most 32 levels deep'
  const unstorable = 'metadata must not contain NUL or unpaired surrogates'
  /** `{"a":…}` of that many bytes. */
  const ofBytes = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
  const ofDepth = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`

  it.each([
    '{}',
    '{ "a" : [ 1 , 2.50 ] }',
    '{"n":1e400,"z":-0,"big":12345678901234567890}',
    '{"2":1,"1":2}',
    '{"a":1,"a":2}',
    '{"__proto__":{"constructor":1},"toJSON":"x"}',
    '{"text":"forged","depth":0}',
    '{"e":"\\u0041\\/\\n","emoji":"😀","pair":"\\ud83d\\ude00"}',
    '{"\\u0061":"\u202eright to left"}',
  ])('%s comes out as it was sent', (text) => {
    expect(create(`"metadata":${text}`)).toMatchObject({ metadata: text })
    expect(create(`"metadata" : \n${text} `)).toMatchObject({ metadata: text })
    expect(create(`"met\\u0061data":${text}`)).toMatchObject({ metadata: text })
  })

  it.each(['[]', '[{}]', '"text"', '"{}"', '0', '7', 'true', 'false'])('%s is no object', (value) => {
    expect(create(`"metadata":${value}`)).toBe('metadata must be an object')
  })

  it('metadata of 16384 bytes is valid, and of one more too large', () => {
    expect(create(`"metadata":${ofBytes(16_384)}`)).toMatchObject({ metadata: ofBytes(16_384) })
    expect(create(`"metadata":${ofBytes(16_385)}`)).toBe(tooLarge)
  })

  it('metadata is measured as sent: in bytes of UTF-8, with its spaces', () => {
    const emoji = (count: number) => `{"aa":"${'😀'.repeat(count)}x"}`
    expect(create(`"metadata":${emoji(4093)}`)).toMatchObject({ metadata: emoji(4093) })
    expect(create(`"metadata":${emoji(4094)}`)).toBe(tooLarge)
    expect(create(`"metadata":{${' '.repeat(16_382)}}`)).not.toBe(tooLarge)
    expect(create(`"metadata":{${' '.repeat(16_383)}}`)).toBe(tooLarge)
  })

  it('metadata nested 32 levels deep is valid, and one more is too deep', () => {
    expect(create(`"metadata":${ofDepth(32)}`)).toMatchObject({ metadata: ofDepth(32) })
    expect(create(`"metadata":${ofDepth(33)}`)).toBe(tooDeep)
    const arrays = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    expect(create(`"metadata":${arrays(32)}`)).toMatchObject({ metadata: arrays(32) })
    expect(create(`"metadata":${arrays(33)}`)).toBe(tooDeep)
  })

  it('metadata that is too large and too deep is too large', () => {
    expect(create(`"metadata":${ofDepth(10_000)}`)).toBe(tooLarge)
  })

  it.each([
    { name: 'NUL', text: `{"a":"${u('0000')}"}` },
    { name: 'NUL in a name', text: `{"${u('0000')}":1}` },
    { name: 'NUL in a nested name', text: `{"a":[{"b${u('0000')}":1}]}` },
    { name: 'NUL after a backslash', text: `{"a":"\\\\${u('0000')}"}` },
    { name: 'NUL after two backslashes', text: `{"a":"\\\\\\\\${u('0000')}"}` },
    { name: 'a leading surrogate alone', text: `{"a":"${u('d83d')}"}` },
    { name: 'a trailing surrogate alone', text: `{"a":"${u('de00')}"}` },
    { name: 'a surrogate in capitals', text: `{"a":"${u('D83D')} "}` },
    { name: 'surrogates the wrong way round', text: `{"a":"${u('de00')}${u('d83d')}"}` },
    { name: 'two leading surrogates and a trailing', text: `{"a":"${u('d83d')}${u('d83d')}${u('de00')}"}` },
  ])('metadata with $name cannot be stored', ({ text }) => {
    expect(create(`"metadata":${text}`)).toBe(unstorable)
  })

  it.each([
    { name: 'a backslash and the text u0000', text: '{"a":"\\\\u0000"}' },
    { name: 'two backslashes and the text u0000', text: '{"a":"\\\\\\\\u0000"}' },
    { name: 'a backslash and the text ud800', text: '{"a":"\\\\ud800"}' },
    { name: 'a name of a backslash and u0000', text: '{"\\\\u0000":1}' },
    { name: 'an escape that only looks like NUL', text: `{"a":"${u('0001')}0${u('1000')}0"}` },
    { name: 'other control characters', text: `{"a":"${u('0001')}${u('001f')}${u('007f')}"}` },
    { name: 'a pair of surrogates', text: `{"a":"${u('D83D')}${u('dE00')}"}` },
    { name: 'the last code point before surrogates', text: `{"a":"${u('d7ff')}${u('e000')}"}` },
  ])('metadata with $name is valid', ({ text }) => {
    expect(create(`"metadata":${text}`)).toMatchObject({ metadata: text })
  })
})
