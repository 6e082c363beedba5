// The Idempotency-Key header, as in the IETF draft and at Stripe. A repeated request is recognised by its leads, whose
// token is derived from API key, idempotency key and the whole request. Nothing else is stored, so a request that
// stored no lead can be repeated with another body.
//
// An erased lead keeps its token, and a plain hash would let anybody confirm a guessed request, phone number included.
// So the token is an HMAC with the pepper, which the database does not hold. A Worker without a pepper stores the plain
// hash.
import { createHmac } from 'node:crypto'
import type { KeyedExchange } from '../../base/access/granted.ts'
import { digestsOf, type RequestDigests } from '../../base/access/idempotency-key.ts'
import { digestBase62, randomBase62 } from '../../base/base62.ts'
import { leadTokenChars } from './lead.ts'

/** See Origin in store/intake.ts. */
type RequestOrigin = { readonly token: string; readonly requestKey: string | null }

const requestKeyChars = 22

/** For a claim: its row is kept for a day and names no person. Throws ApiError when the header is invalid. */
export const originOfClaim = (x: KeyedExchange, body: ArrayBuffer): RequestOrigin =>
  originBy(digestsOf(x, body))

/** For a request that stores leads. Throws ApiError when the header is invalid. */
export function originOfIntake(x: KeyedExchange, body: ArrayBuffer): RequestOrigin {
  const digests = digestsOf(x, body)
  const pepper = x.env.SUPPRESSION_PEPPER
  if (digests === null || !pepper) return originBy(digests)
  const keyed = (what: string, digest: Uint8Array) =>
    createHmac('sha256', pepper).update(`idempotency ${what}\n`).update(digest).digest()
  const { request, key } = digests
  return originBy({ request: keyed('request', request), key: keyed('key', key) })
}

/** Null: the request cannot be repeated. */
const originBy = (digests: RequestDigests | null): RequestOrigin =>
  digests === null
    ? { token: randomBase62(leadTokenChars), requestKey: null }
    : {
        token: digestBase62(digests.request, leadTokenChars),
        requestKey: digestBase62(digests.key, requestKeyChars),
      }
