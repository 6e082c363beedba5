// The API key's format: `lk_`, 32 random base62 characters, and 6 base62 characters of the CRC-32 of all that
// stands before. A typo is told from a key without a look-up, and secret scanners can recognise a leak.
// Who holds a key and what it may do is in store/rights.ts.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { numberBase62, randomBase62 } from '../base62.ts'

const pattern = /^lk_[0-9A-Za-z]{38}$/
const checksumChars = 6

export function generateApiKey(): string {
  const body = `lk_${randomBase62(32)}`
  return body + checksum(body)
}

/** Whether the text can be a key at all: its form, and its checksum. */
export function isWellFormedApiKey(text: string): boolean {
  return pattern.test(text) && checksum(text.slice(0, -checksumChars)) === text.slice(-checksumChars)
}

/** Lower-case hexadecimal SHA-256: what the database holds in place of the key. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Enough of a key for a person to tell it from others: `lk_Ab12…` */
export function hintApiKey(key: string): string {
  return `${key.slice(0, 7)}…`
}

const checksum = (text: string) => numberBase62(crc32(text), checksumChars)
