// Text in base62: random without a favoured character, numbers and digests to a fixed length.
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { digestBase62, numberBase62, randomBase62 } from '../../src/base/base62.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

it('Random base62 takes every character from as many bytes as any other', () => {
  let next = 248
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    const bytes = array as unknown as Uint8Array
    for (let i = 0; i < bytes.length; i++) bytes[i] = next++ % 256
    return array
  })
  const counts = new Map<string, number>()
  for (const char of randomBase62(248)) counts.set(char, (counts.get(char) ?? 0) + 1)
  expect([...counts.keys()].sort().join('')).toBe([...digits].sort().join(''))
  expect(new Set(counts.values())).toEqual(new Set([4]))
})

it('Random base62 is as long as asked, whatever bytes come', () => {
  fc.assert(fc.property(fc.nat(200), (chars) => /^[0-9A-Za-z]*$/.test(randomBase62(chars))))
  for (const chars of [0, 1, 2, 31, 32, 33, 100]) expect(randomBase62(chars)).toHaveLength(chars)
})

it('A number in base62 is read back by its places', () => {
  const property = fc.property(fc.nat(62 ** 5), (value) => {
    const text = numberBase62(value, 6)
    expect(text).toHaveLength(6)
    expect([...text].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)).toBe(value)
  })
  fc.assert(property)
  expect(numberBase62(0, 3)).toBe('000')
  expect(numberBase62(62 ** 6 - 1, 6)).toBe('zzzzzz')
})

it('A digest in base62 takes a character from each of its first bytes', () => {
  expect(digestBase62(new Uint8Array([0, 61, 62, 255, 7]), 4)).toBe('0z07')
})
