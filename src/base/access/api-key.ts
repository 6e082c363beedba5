// The API key's format: `lk_`, 32 random base62 characters, and the CRC-32 of both in 6 base62 characters. The checksum
// finds a typo without a look-up, and lets secret scanners recognise a leak. store/rights.ts has what a key may do. An
// operator's key begins with `lk_op_` instead.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { numberBase62, randomBase62 } from '../base62.ts'

const pattern = /^lk_(?:op_)?[0-9A-Za-z]{38}$/
const operatorPrefix = 'lk_op_'
const checksumChars = 6

export function generateApiKey(prefix = 'lk_'): string {
  const body = prefix + randomBase62(32)
  return body + checksum(body)
}

export const isOperatorKey = (key: string): boolean => key.startsWith(operatorPrefix)

const operatorIdPrefix = 'op_'

/** Whether the id of a key is an operator key's: what such a key does is logged under it. */
export const isOperatorId = (keyId: string): boolean => keyId.startsWith(operatorIdPrefix)

/** What is stored of a new key, never the key itself. */
export type KeyMaterial = { readonly id: string; readonly hash: string; readonly hint: string }

export const keyIdChars = 16
export const keyIdOf = (chars: string) => `key_${chars}`

/** A new key, which is shown only once, and what the database stores of it. */
export const makeKey = (id = keyIdOf(randomBase62(keyIdChars))) => newKey(id, generateApiKey())

/** The same for an operator's key, which has a table of its own (operator_keys). */
export const makeOperatorKey = () =>
  newKey(`${operatorIdPrefix}${randomBase62(keyIdChars)}`, generateApiKey(operatorPrefix))

const newKey = (id: string, key: string): { readonly key: string; readonly material: KeyMaterial } => ({
  key,
  material: { id, hash: hashApiKey(key), hint: hintApiKey(key) },
})

/** Whether form and checksum are a key's. */
export function isWellFormedApiKey(text: string): boolean {
  return pattern.test(text) && checksum(text.slice(0, -checksumChars)) === text.slice(-checksumChars)
}

/** Lower-case hexadecimal SHA-256: the database holds this instead of the key. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Enough for a person to recognise a key: `lk_Ab12…`, `lk_op_Ab12…` */
export function hintApiKey(key: string): string {
  const prefix = isOperatorKey(key) ? operatorPrefix : 'lk_'
  return `${key.slice(0, prefix.length + 4)}…`
}

const checksum = (text: string) => numberBase62(crc32(text), checksumChars)
