// The Idempotency-Key header, as the IETF draft and Stripe have it: a request that comes again is recognised by its
// leads, whose token follows from API key, idempotency key and all of the request. Nothing is stored for it but the
// leads themselves, so a request that stored none can be sent again with another body.
import { createHash } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import type { KeyVariables } from '../access/authenticate.ts'
import { digestBase62, randomBase62 } from '../base62.ts'
import { ApiError } from '../http/errors.ts'
import { leadTokenChars } from './lead.ts'

export type OriginVariables = {
  /** See Origin in store/leads.ts. */
  origin: { readonly token: string; readonly requestKey: string | null }
}

const visibleAscii = /^[\x21-\x7e]{1,255}$/
const requestKeyChars = 22

/** Runs after validation, which has read the body. */
export const identifyRequest = createMiddleware<{ Variables: KeyVariables & OriginVariables }>(
  async function identifyRequest(c, next) {
    const idempotencyKey = c.req.header('idempotency-key')
    if (idempotencyKey === undefined) {
      c.set('origin', { token: randomBase62(leadTokenChars), requestKey: null })
    } else {
      if (!visibleAscii.test(idempotencyKey)) {
        throw new ApiError({
          kind: 'invalid_field',
          message: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
        })
      }
      const scope = `${c.get('apiKey').id} ${idempotencyKey}`
      const { pathname, search } = new URL(c.req.url)
      const body = new Uint8Array(await c.req.arrayBuffer())
      c.set('origin', {
        token: digestBase62(sha256(`${scope} ${pathname}${search}\n`, body), leadTokenChars),
        requestKey: digestBase62(sha256(scope), requestKeyChars),
      })
    }
    await next()
  },
)

function sha256(...parts: (string | Uint8Array)[]): Uint8Array {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
}
