// `X-Error-Hint`: beside a refusal's text, what would help its sender. It follows from the request alone, never from
// what the service knows (D4): keys of the same form get the same one.
import { isWellFormedApiKey } from './base/access/api-key.ts'
import type { Problem } from './base/http/errors.ts'
import { nearlyIn } from './base/http/member-names.ts'
import { type Exchange, isApi } from './base/http/respond.ts'
import { isObject } from './base/http/schemas.ts'
import { isE164 } from './queue/leads/file/cells/number-reading.ts'

/** Null: there is nothing to add. `routes`: patterns of all paths. */
export async function hintOf(
  x: Exchange,
  problem: Problem,
  routes: readonly string[],
): Promise<string | null> {
  const { path } = x.c.req
  switch (problem.kind) {
    case 'invalid_api_key':
      return isApi(path) ? hintOfKey(x.c.req.raw.headers) : null
    case 'insufficient_permissions':
      return problem.hint ?? null
    case 'company_key_required':
      return 'This needs a key of the whole company, not of one campaign'
    case 'not_found':
      return path.startsWith('/api/v1') ? hintOfPath(path, routes) : null
    case 'unsupported_media_type':
      return hintOfType(x.c.req.raw.headers)
    case 'invalid_field':
      return hintOfNumber(x, problem.message)
    default:
      return null
  }
}

const header = 'Send the key in the header x-api-key'

function hintOfKey(headers: Headers): string | null {
  const key = headers.get('x-api-key')
  if (key === null)
    return /^bearer /i.test(headers.get('authorization') ?? '')
      ? `${header}, not as Authorization: Bearer`
      : header
  if (isWellFormedApiKey(key)) return null
  if (isWellFormedApiKey(key.replace(/^[\s"']+|[\s"']+$/g, '')))
    return 'Send the key without quotes or blanks around it'
  return 'This is not the form of a key: lk_ and 38 letters and digits. Is it whole, and typed as it was shown?'
}

function hintOfType(headers: Headers): string {
  if (headers.has('content-encoding')) return 'Send the body without Content-Encoding'
  const isJson = /^\s*application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')
  return isJson ? 'The charset must be utf-8, or left out' : 'Send Content-Type: application/json'
}

const fixed = 'Write + and the country code, then digits alone, such as +14155550123'

/** Of a message that says which member is no phone number. */
async function hintOfNumber({ c: { req } }: Exchange, message: string): Promise<string | null> {
  const place = /^([\w.[\]]+) must be .*in E\.164 format$/.exec(message)?.[1]
  if (place === undefined) return null
  const names = place.split(/[.[\]]+/).filter((name) => name !== '')
  // In the body, which is here already, or in the query.
  const body: unknown = req.bodyCache.arrayBuffer === undefined ? req.query() : await req.json()
  const sent = names.reduce(
    (value, name) => (isObject(value) || Array.isArray(value) ? Reflect.get(value, name) : null),
    body,
  )
  const joined = typeof sent === 'string' ? joinDigits(sent) : null
  return joined === null ? fixed : `write ${joined}`
}

/** The number of a text that has nothing else apart from separators, with `+` or `00` first. */
function joinDigits(text: string): string | null {
  if (text.length > 40 || /\(0\)/.test(text) || !/^\s*[([]?(?:\+|00)[\d\s./()[\]-]*$/.test(text)) return null
  const joined = text.replace(/[^\d+]/g, '').replace(/^00/, '+')
  return isE164(joined) ? joined : null
}

/** Each part is that of the path, or one typing error away from it; where it has an id, any text is one. */
function hintOfPath(path: string, routes: readonly string[]): string {
  const sent = path.split('/').filter((part) => part !== '')
  const isPart = (part: string, at: number) =>
    part.startsWith(':') || nearlyIn([part])(sent[at] ?? '') !== null
  const near = routes.filter((route) => {
    const parts = route.split('/').slice(1)
    return parts.length === sent.length && parts.every(isPart)
  })
  // A path without an id says more than one with it: `leads/bulk` is no lead.
  const nearest = near.find((route) => !route.includes(':')) ?? near[0]
  if (nearest === undefined) return 'The paths are at /docs'
  return `The nearest path is ${nearest.replace(/:(\w+)(\{[^/]*\})?/g, '{$1}')}`
}
