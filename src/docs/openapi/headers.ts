// The headers of requests and answers in the API description. Which answer carries which is told in failures.ts and
// operation.ts and the areas; that all of this is so, by the contract test.
import { limits } from '../../limits.ts'

const text = { type: 'string' }
const visible = '^[\\x21-\\x7e]'
const wholeNumber = { type: 'integer', minimum: 0 }
const always = (description: string, schema: object = text) => ({ required: true, description, schema })
const sometimes = (description: string, schema: object = text) => ({ required: false, description, schema })

export const headers = {
  'X-RateLimit-Limit': always('Requests allowed in the window that has the fewest left.', wholeNumber),
  'X-RateLimit-Remaining': always('Requests left in that window.', wholeNumber),
  'X-RateLimit-Reset': always('Unix seconds at which `X-RateLimit-Remaining` next rises.', wholeNumber),
  'RateLimit-Policy': always(
    `Every window that counts this request, as the IETF draft has it: \`"hour";q=${limits.requestsPerHourPerKey};w=3600\`.`,
    { type: 'string', pattern: '^"[a-z]+";q=\\d+;w=\\d+(, "[a-z]+";q=\\d+;w=\\d+)*$' },
  ),
  RateLimit: always('What is left of each, and the seconds until more is: `"hour";r=999;t=3600`.', {
    type: 'string',
    pattern: '^"[a-z]+";r=\\d+;t=\\d+(, "[a-z]+";r=\\d+;t=\\d+)*$',
  }),
  'X-Request-Id': always(
    'Yours, if you sent 1 to 128 visible ASCII characters, else a new one. Tell it when you ask us about a request.',
    {
      type: 'string',
      pattern: `${visible}{1,128}$`,
    },
  ),
  'X-Api-Version': always('The version of the service.', { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' }),
  'Cache-Control': always('Answers are not to be kept.', { const: 'no-store' }),
  'X-Content-Type-Options': always('The content is of the type that it says.', { const: 'nosniff' }),
  'Retry-After': always('Seconds after which to send the request again.', { type: 'integer', minimum: 1 }),
  Location: always('Where the lead is.', { type: 'string', pattern: '^/api/v1/leads/[0-9A-Za-z]{36}$' }),
  LocationOfExisting: sometimes('Where the lead with this phone number is.', {
    type: 'string',
    pattern: '^/api/v1/leads/[0-9A-Za-z]{36}$',
  }),
  LocationOfWebhook: always('Where the webhook is.', {
    type: 'string',
    pattern: '^/api/v1/webhooks/wh_[0-9A-Za-z]{20}$',
  }),
  'Idempotent-Replayed': sometimes(
    '`true` when the same request with the same `Idempotency-Key` was answered before.',
    { const: 'true' },
  ),
  ETag: always('The lead’s version, for `If-Match`: another whenever the lead shows something else.', {
    type: 'string',
    pattern: '^"\\d+"$',
  }),
  Link: sometimes('The next page, if there is one, with `rel="next"`.', {
    type: 'string',
    pattern: '^</api/v1/leads\\?.*>; rel="next"$',
  }),
  Vary: always('The answer depends on this header of the request.', { const: 'Accept' }),
} as const

export type HeaderName = keyof typeof headers

const onEveryAnswer: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'X-Request-Id',
  'X-Api-Version',
  'Cache-Control',
  'X-Content-Type-Options',
]

/** The headers of an answer: those of all answers, and these. */
export function withHeaders(...names: readonly HeaderName[]) {
  return Object.fromEntries(
    [...names, ...onEveryAnswer].map((name) => [
      name.startsWith('LocationOf') ? 'Location' : name,
      { $ref: `#/components/headers/${name}` },
    ]),
  )
}

export const requestHeaders = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.',
    schema: { type: 'string', pattern: `${visible}{1,128}$` },
    example: 'sync-2026-11-20-0001',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'One or more `ETag`s of the lead, or `*`: it is changed, or erased, only while it has one of them. A weak tag matches none, and neither does any other text. An empty header is as none: the request has no condition.',
    schema: { type: 'string' },
    example: '"1"',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request safe to send again: the same key with the same request is answered as the first time. The same means the same path, query and body, byte for byte. Keys are separate for each API key.',
    schema: { type: 'string', pattern: `${visible}{1,255}$` },
    example: 'deal-1234',
  },
} as const
