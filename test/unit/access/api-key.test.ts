// The API key's format, against a CRC-32 and a base62 written here from their definitions.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  generateApiKey,
  hashApiKey,
  hintApiKey,
  isWellFormedApiKey,
} from '../../../src/base/access/api-key.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Bit by bit, as ISO 3309 defines it. */
function crc32(text: string): number {
  let rest = 0xffff_ffff
  for (const char of text) {
    rest ^= char.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb8_8320 : rest >>> 1
  }
  return (rest ^ 0xffff_ffff) >>> 0
}

function keyOf(random: string): string {
  const body = `lk_${random}`
  const sum = crc32(body)
  const places = [5, 4, 3, 2, 1, 0].map((power) => digits[Math.floor(sum / 62 ** power) % 62])
  return body + places.join('')
}

const base62 = fc.constantFrom(...digits)
const keys = fc.string({ unit: base62, minLength: 32, maxLength: 32 }).map(keyOf)

const swapped = (text: string, at: number) =>
  text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
const replaced = (text: string, at: number, char: string) => text.slice(0, at) + char + text.slice(at + 1)

describe('A key', () => {
  it('A key ends with the CRC-32 of its other characters, in base62', () => {
    expect(crc32('123456789')).toBe(0xcbf4_3926)
    fc.assert(fc.property(keys, isWellFormedApiKey))
    expect(isWellFormedApiKey('lk_0123456789ABCDEFGHIJabcdefghijXY3ENjUe')).toBe(true)
  })

  it('A key is well formed and of the documented form when generated', () => {
    for (let i = 0; i < 500; i++) {
      const key = generateApiKey()
      expect(key).toMatch(/^lk_[0-9A-Za-z]{38}$/)
      expect(key).toBe(keyOf(key.slice(3, 35)))
      expect(isWellFormedApiKey(key)).toBe(true)
    }
  })

  it('A key is not generated twice', () => {
    expect(new Set(Array.from({ length: 1000 }, generateApiKey)).size).toBe(1000)
  })

  it('A key with any one character changed is refused', () => {
    fc.assert(
      fc.property(keys, (key) => {
        for (let at = 0; at < key.length; at++) {
          for (const char of `${digits}-_ \n`) {
            if (char !== key[at]) expect(isWellFormedApiKey(replaced(key, at, char))).toBe(false)
          }
        }
      }),
      { numRuns: 20 },
    )
  })

  it('A key with any two neighbours exchanged is refused', () => {
    fc.assert(
      fc.property(keys, (key) => {
        for (let at = 0; at < key.length - 1; at++) {
          if (key[at] !== key[at + 1]) expect(isWellFormedApiKey(swapped(key, at))).toBe(false)
        }
      }),
    )
  })

  const key = generateApiKey()
  it.each([
    { name: 'nothing', text: '' },
    { name: 'its prefix alone', text: 'lk_' },
    { name: 'one character short', text: key.slice(0, -1) },
    { name: 'one character long', text: `${key}0` },
    { name: 'without its prefix', text: key.slice(3) },
    { name: 'with a prefix in capitals', text: `LK_${key.slice(3)}` },
    { name: 'with a space before', text: ` ${key}` },
    { name: 'with a line feed after', text: `${key}\n` },
    { name: 'twice', text: `${key},${key}` },
    { name: 'in other letters', text: key.replace('lk_', 'lk_é').slice(0, 41) },
    { name: '64 KiB long', text: key.repeat(1600) },
  ])('A key is refused as $name', ({ text }) => {
    expect(isWellFormedApiKey(text)).toBe(false)
  })
})

it('What is kept of a key is its SHA-256 in lower-case hexadecimal', () => {
  expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

it('What is kept of a key is a hint of at most 7 of its characters, prefix included', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const hint = hintApiKey(key)
      expect(hint).toBe(`${key.slice(0, 7)}…`)
      for (let at = 0; at + 8 <= key.length; at++) expect(hint).not.toContain(key.slice(at, at + 8))
    }),
  )
})
