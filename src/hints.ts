// `X-Error-Hint`: beside a refusal's text, what would help its sender. It follows from the request alone, never from what the
// service knows (D4): keys of the same form get the same one.
import { isWellFormedApiKey } from './access/api-key.ts'
import type { Problem } from './http/errors.ts'
import { type Exchange, isApi } from './http/respond.ts'
import { isObject } from './http/schemas.ts'
import { isE164 } from './leads/file/cells/number-reading.ts'

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

/** So many changes of letters still mean a path. */
const nearChanges = 3

function hintOfPath(path: string, routes: readonly string[]): string {
  const sent = path.split('/').filter((part) => part !== '')
  let nearest = { route: '', changes: nearChanges + 1 }
  for (const route of routes) {
    const changes = changesBetween(sent, route.split('/').slice(1), nearest.changes)
    if (changes < nearest.changes) nearest = { route, changes }
  }
  if (nearest.route === '') return 'The paths are at /docs'
  return `The nearest path is ${nearest.route.replace(/:(\w+)(\{[^/]*\})?/g, '{$1}')}`
}

/** Between a path and the pattern of one, each as its parts. At least `most`: it is of no interest how many. */
function changesBetween(sent: readonly string[], parts: readonly string[], most: number): number {
  if (sent.length !== parts.length) return most
  let changes = 0
  for (const [index, part] of parts.entries()) {
    if (!part.startsWith(':')) changes += distance((sent[index] as string).toLowerCase(), part, most)
    if (changes >= most) return most
  }
  return changes
}

/** How many letters to insert, remove or replace. */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) >= most) return most
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [index, wanted] of [...other].entries())
      next.push(
        Math.min(
          (row[index] as number) + (letter === wanted ? 0 : 1),
          (row[index + 1] as number) + 1,
          (next[index] as number) + 1,
        ),
      )
    row = next
  }
  return row.at(-1) as number
}
