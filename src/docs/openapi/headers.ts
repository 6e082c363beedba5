// The headers of requests and responses in the API description. failures.ts, operation.ts and the areas decide which
// response has which.

import { limits } from '../../base/limits.ts'
import { prose } from './prose.ts'

export const matching = (pattern: string) => ({ type: 'string', pattern })
const visibleChars = (most: number) => matching(`^[\\x21-\\x7e]{1,${most}}$`)
const wholeNumber = { type: 'integer', minimum: 0 }

const header =
  (required: boolean) =>
  (schema: object) =>
  (...description: Parameters<typeof prose>) => ({ required, description: prose(...description), schema })
const always = header(true)
const sometimes = header(false)

const ofEveryResponse = {
  'X-RateLimit-Limit': always(wholeNumber)`Requests allowed in the rate limit window that has the fewest
    left.`,
  'X-RateLimit-Remaining': always(wholeNumber)`Requests left in that window.`,
  'X-RateLimit-Reset': always(wholeNumber)`Unix seconds at which \`X-RateLimit-Remaining\` next rises.`,
  'RateLimit-Policy': always(matching('^"[a-z]+";q=\\d+;w=\\d+(, "[a-z]+";q=\\d+;w=\\d+)*$'))`Every rate
    limit window that counts this request, in the format of the IETF draft:
    \`"hour";q=${limits.requestsPerHourPerKey};w=3600\`.`,
  RateLimit: always(matching('^"[a-z]+";r=\\d+;t=\\d+(, "[a-z]+";r=\\d+;t=\\d+)*$'))`Requests left in each
    window, and seconds until that rises: \`"hour";r=999;t=3600\`.`,
  'X-Request-Id': always(visibleChars(128))`The id you sent, if it is 1 to 128 visible ASCII characters,
    otherwise a new one. Include it when you contact support.`,
  'X-Api-Version': always(
    matching('^\\d+\\.\\d+\\.\\d+$'),
  )`The version of the interface, as in \`info.version\`. The service's software has another one, which [the
    health check](#checkHealth) returns.`,
  'Cache-Control': always({ const: 'no-store' })`Responses must not be cached.`,
  'X-Content-Type-Options': always({ const: 'nosniff' })`Browsers must not guess the content type.`,
} as const

const apiKey = { const: 'ApiKey realm="lead-intake", header="x-api-key"' }
const leadPath = matching('^/api/v1/leads/[0-9A-Za-z]{36}$')

export const headers = {
  ...ofEveryResponse,
  'WWW-Authenticate': always(apiKey)`Names the header of the key.`,
  'Retry-After': always({ type: 'integer', minimum: 1 })`Seconds after which to send the request again.`,
  Location: always(leadPath)`The path of the lead.`,
  LocationOfExisting: sometimes(leadPath)`The path of the existing lead with this phone number.`,
  LocationOfCampaign: always(matching('^/api/v1/campaigns/[A-Za-z0-9._-]{1,128}$'))`The path of the
    campaign.`,
  LocationOfWebhook: always(matching('^/api/v1/webhooks/wh_[0-9A-Za-z]{20}$'))`The path of the webhook.`,
  'Idempotent-Replayed': sometimes(matching('^true$'))`\`true\` if this repeats the result of an earlier
    request with the same \`Idempotency-Key\`.`,
  ETag: always(matching('^"\\d+"$'))`The version of the lead, for \`If-Match\`. It changes whenever the lead
    changes.`,
  'Next-Cursor': sometimes(matching('^[A-Za-z0-9_-]+$'))`With CSV: the \`cursor\` of the next page. Absent
    on the last page.`,
  Link: sometimes(matching('^</api/v1/leads\\?.*>; rel="next"$'))`The next page, with \`rel="next"\`. Absent
    on the last page.`,
  'X-Error-Hint': sometimes(
    matching('^[\\x20-\\x7e]{1,200}$'),
  )`For people: what would help, as far as the request itself shows it, such as the phone number without
    blanks.`,
  'X-Ignored-Members': sometimes(
    matching('^[\\w-]{1,40}(, [\\w-]{1,40}){0,9}(, \\+\\d+)?$'),
  )`The names that are no member of a lead, and were ignored: the first ten, then how many more.`,
  Vary: always({ const: 'Accept' })`The response depends on this request header.`,
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

/** A header of a request. */
export const sent =
  (name: string, schema: object, { required = false, example }: { required?: boolean; example?: string }) =>
  (...description: Parameters<typeof prose>) => ({
    name,
    in: 'header' as const,
    required,
    description: prose(...description),
    schema,
    example,
  })
const tags = { type: 'string' }
const ofLead = { example: '"1"' }

export const requestHeaders = {
  RequestId: sent('X-Request-Id', visibleChars(128), { example: 'sync-2026-11-20-0001' })`Your own id for the
    request. The response repeats it, and support can find the request by it.`,
  IfMatch: sent(
    'If-Match',
    tags,
    ofLead,
  )`One or more \`ETag\`s of the lead, or \`*\`. The request succeeds only if the lead still has one of them.
    Weak tags and other text never match, so the response is then 412.`,
  IfNoneMatch: sent(
    'If-None-Match',
    tags,
    ofLead,
  )`One or more \`ETag\`s of the lead that you have. If one of them is still its version, the response is 304,
    without a body.`,
  IdempotencyKey: sent('Idempotency-Key', visibleChars(255), {
    example: 'deal-1234',
  })`Makes the request safe to retry: the same key with the same request gets the same result. Path, query and
    body are compared byte for byte. Each API key has its own idempotency keys.`,
  ImportName: sent(
    'X-Import-Name',
    { type: 'string', maxLength: 12 * limits.importNameMaxChars },
    {
      example: 'Fair%202026.xlsx',
    },
  )`What the import is called that the leads are of, such as the name of a file: percent-encoded UTF-8, at most
    ${limits.importNameMaxChars} characters, no control characters. New leads keep it as their origin. Not compared
    with an \`Idempotency-Key\`.`,
} as const
