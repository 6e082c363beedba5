// The headers of requests and responses in the API description. failures.ts, operation.ts and the areas decide which
// response has which.

import { limits } from '../../limits.ts'
import { prose } from './prose.ts'

const text = { type: 'string' }
const visible = '^[\\x21-\\x7e]'
const matching = (pattern: string) => ({ type: 'string', pattern })
const wholeNumber = { type: 'integer', minimum: 0 }
const always = (description: string, schema: object = text) => ({ required: true, description, schema })
const sometimes = (description: string, schema: object = text) => ({ required: false, description, schema })

const ofEveryResponse = {
  'X-RateLimit-Limit': always(
    'Requests allowed in the rate limit window that has the fewest left.',
    wholeNumber,
  ),
  'X-RateLimit-Remaining': always('Requests left in that window.', wholeNumber),
  'X-RateLimit-Reset': always('Unix seconds at which `X-RateLimit-Remaining` next rises.', wholeNumber),
  'RateLimit-Policy': always(
    prose`Every rate limit window that counts this request, in the format of the IETF
    draft: \`"hour";q=${limits.requestsPerHourPerKey};w=3600\`.`,
    matching('^"[a-z]+";q=\\d+;w=\\d+(, "[a-z]+";q=\\d+;w=\\d+)*$'),
  ),
  RateLimit: always(
    'Requests left in each window, and seconds until that rises: `"hour";r=999;t=3600`.',
    matching('^"[a-z]+";r=\\d+;t=\\d+(, "[a-z]+";r=\\d+;t=\\d+)*$'),
  ),
  'X-Request-Id': always(
    'The id you sent, if it is 1 to 128 visible ASCII characters, otherwise a new one. Include it when you contact support.',
    matching(`${visible}{1,128}$`),
  ),
  'X-Api-Version': always('The version of the service.', matching('^\\d+\\.\\d+\\.\\d+$')),
  'Cache-Control': always('Responses must not be cached.', { const: 'no-store' }),
  'X-Content-Type-Options': always('Browsers must not guess the content type.', { const: 'nosniff' }),
} as const

export const headers = {
  ...ofEveryResponse,
  'WWW-Authenticate': always('Names the header of the key.', {
    const: 'ApiKey realm="lead-intake", header="x-api-key"',
  }),
  'Retry-After': always('Seconds after which to send the request again.', { type: 'integer', minimum: 1 }),
  Location: always('The path of the lead.', matching('^/api/v1/leads/[0-9A-Za-z]{36}$')),
  LocationOfExisting: sometimes(
    'The path of the existing lead with this phone number.',
    matching('^/api/v1/leads/[0-9A-Za-z]{36}$'),
  ),
  LocationOfCampaign: always(
    'The path of the campaign.',
    matching('^/api/v1/campaigns/[A-Za-z0-9._-]{1,128}$'),
  ),
  LocationOfWebhook: always('The path of the webhook.', matching('^/api/v1/webhooks/wh_[0-9A-Za-z]{20}$')),
  'Idempotent-Replayed': sometimes(
    '`true` if this repeats the result of an earlier request with the same `Idempotency-Key`.',
    matching('^true$'),
  ),
  ETag: always(
    'The version of the lead, for `If-Match`. It changes whenever the lead changes.',
    matching('^"\\d+"$'),
  ),
  'Next-Cursor': sometimes(
    'With CSV: the `cursor` of the next page. Absent on the last page.',
    matching('^[A-Za-z0-9_-]+$'),
  ),
  Link: sometimes(
    'The next page, with `rel="next"`. Absent on the last page.',
    matching('^</api/v1/leads\\?.*>; rel="next"$'),
  ),
  Vary: always('The response depends on this request header.', { const: 'Accept' }),
} as const

export type HeaderName = keyof typeof headers

/** These headers, and those that every response has. */
export function withHeaders(...names: readonly HeaderName[]) {
  return Object.fromEntries(
    [...names, ...Object.keys(ofEveryResponse)].map((name) => [
      name.startsWith('LocationOf') ? 'Location' : name,
      { $ref: `#/components/headers/${name}` },
    ]),
  )
}

const optional = (name: string, description: string, schema: object, example: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
  example,
})

export const requestHeaders = {
  RequestId: optional(
    'X-Request-Id',
    'Your own id for the request. The response repeats it, and support can find the request by it.',
    matching(`${visible}{1,128}$`),
    'sync-2026-11-20-0001',
  ),
  IfMatch: optional(
    'If-Match',
    prose`One or more \`ETag\`s of the lead, or \`*\`. The request succeeds only if the lead still
      has one of them. Weak tags and other text never match, so the response is then 412.`,
    { type: 'string' },
    '"1"',
  ),
  IfNoneMatch: optional(
    'If-None-Match',
    'One or more `ETag`s of the lead that you have. If one of them is still its version, the response is 304, without a body.',
    { type: 'string' },
    '"1"',
  ),
  IdempotencyKey: optional(
    'Idempotency-Key',
    prose`Makes the request safe to retry: the same key with the same request gets the same
      result. Path, query and body are compared byte for byte. Each API key has its own idempotency keys.`,
    matching(`${visible}{1,255}$`),
    'deal-1234',
  ),
} as const
