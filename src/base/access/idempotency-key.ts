// Reads the Idempotency-Key header: what a request with it is recognised by. queue/leads/idempotency.ts and
// control/keys/routes.ts say what is stored of it. What has no place for it is recognised by its id.
import { createHash } from 'node:crypto'
import { digestBase62, randomBase62 } from '../base62.ts'
import { invalidField } from '../http/errors.ts'
import type { KeyedExchange } from './granted.ts'

const visibleAscii = /^[\x21-\x7e]{1,255}$/

/**
 * Digests of the whole request, and of its Idempotency-Key alone; both with the API key, and an operator's with the
 * company.
 */
export type RequestDigests = { readonly request: Uint8Array; readonly key: Uint8Array }

/** Null without the header. The body is compared byte for byte (D37). */
export function digestsOf(x: KeyedExchange, body: ArrayBuffer): RequestDigests | null {
  const { c, apiKey, actor, isOperator } = x
  const idempotencyKey = c.req.header('idempotency-key')
  if (idempotencyKey === undefined) return null
  if (!visibleAscii.test(idempotencyKey))
    throw invalidField('Idempotency-Key must be 1 to 255 visible ASCII characters')
  const scope = `${actor} ${isOperator ? `${apiKey.companyId} ` : ''}${idempotencyKey}`
  const { pathname, search } = new URL(c.req.url)
  return {
    request: sha256(`${scope} ${pathname}${search}\n`, new Uint8Array(body)),
    key: sha256(scope),
  }
}

type NewId = {
  readonly id: string
  /**
   * With which every id begins that the same Idempotency-Key makes. Null: the request has none, and is no repetition.
   */
  readonly idStart: string | null
}

/** The first half of the id follows from the key, the second from the whole request. */
export function newIdOf(x: KeyedExchange, body: ArrayBuffer, prefix: string, chars: number): NewId {
  const digests = digestsOf(x, body)
  if (digests === null) return { id: prefix + randomBase62(chars), idStart: null }
  const idStart = prefix + digestBase62(digests.key, chars / 2)
  return { id: idStart + digestBase62(digests.request, chars / 2), idStart }
}

function sha256(...parts: (string | Uint8Array)[]): Uint8Array {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
}
