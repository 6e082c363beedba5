// The Idempotency-Key header, as the IETF draft and Stripe have it: a request that comes again is recognised by its
// leads, whose token follows from API key, idempotency key and all of the request. Nothing is stored for it but the
// leads themselves, so a request that stored none can be sent again with another body.
import { createHash } from 'node:crypto'
import type { KeyedExchange } from '../access/authenticate.ts'
import { digestBase62, randomBase62 } from '../base62.ts'
import { ApiError } from '../http/errors.ts'
import { leadTokenChars } from './lead.ts'

/** See Origin in store/intake.ts. */
export type RequestOrigin = { readonly token: string; readonly requestKey: string | null }

const visibleAscii = /^[\x21-\x7e]{1,255}$/
const requestKeyChars = 22

/** The body is compared byte for byte (D37). Throws ApiError for a header that is none. */
export function originOf({ c, apiKey }: KeyedExchange, body: ArrayBuffer): RequestOrigin {
  const idempotencyKey = c.req.header('idempotency-key')
  if (idempotencyKey === undefined) return { token: randomBase62(leadTokenChars), requestKey: null }
  if (!visibleAscii.test(idempotencyKey)) {
    const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters'
    throw new ApiError({ kind: 'invalid_field', message })
  }
  const scope = `${apiKey.id} ${idempotencyKey}`
  const { pathname, search } = new URL(c.req.url)
  return {
    token: digestBase62(sha256(`${scope} ${pathname}${search}\n`, new Uint8Array(body)), leadTokenChars),
    requestKey: digestBase62(sha256(scope), requestKeyChars),
  }
}

function sha256(...parts: (string | Uint8Array)[]): Uint8Array {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
}
