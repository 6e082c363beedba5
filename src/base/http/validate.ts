// Reads bodies and queries, in the order of D8: content type (415), size (413), JSON (400). The areas' input files
// decide what is valid. Bodies do not go through zValidator, because metadata needs the body's source text, and text
// that is not UTF-8 must be refused instead of repaired.
import { zValidator } from '@hono/zod-validator'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type * as z from 'zod/mini'
import { limits } from '../limits.ts'
import { ApiError, invalidField } from './errors.ts'
import { almostKnownIn, echoedName, nearlyIn } from './member-names.ts'
import { firstMessage, type Reading } from './reading.ts'
import type { Exchange } from './respond.ts'

const nothing = async () => {}

/** Reads a body with the content type JSON. parseBody parses it. */
type ReadBody = (x: Exchange) => Promise<ArrayBuffer>

/** Headers that say what must hold before something is changed. */
const conditions = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'] as const
type Condition = (typeof conditions)[number]

/** Ignored, it would let a change overwrite what it protects. `If-Match: *` holds of everything that is there. */
function refuseConditions({ c }: Exchange, judged: readonly Condition[]): void {
  if (!['PATCH', 'PUT'].includes(c.req.method)) return
  for (const name of conditions) {
    const condition = c.req.header(name)?.trim()
    if (condition === undefined || judged.includes(name) || (name === 'If-Match' && condition === '*'))
      continue
    throw invalidField(`${name} is not supported by this request`)
  }
}

/** A body of any type. */
export function readBytesOf(maxBytes: number): ReadBody {
  const limitBody = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new ApiError({ kind: 'body_too_large' })
    },
  })
  return async function readBytes(x) {
    // When the request is repeated (base/access/authenticate.ts), it is here already.
    if (x.c.req.bodyCache.arrayBuffer === undefined) await limitBody(x.c, nothing)
    return x.c.req.arrayBuffer()
  }
}

/** `judged`: the conditions of a change that the endpoint judges. Others are refused. */
export function readBodyOf(maxBytes: number, judged: readonly Condition[] = []): ReadBody {
  const readBytes = readBytesOf(maxBytes)
  return async function readBody(x) {
    requireJson(x)
    try {
      const body = await readBytes(x)
      if (hasMoreContainers(new Uint8Array(body), limits.bodyMaxContainers))
        throw new ApiError({ kind: 'body_too_large' })
      refuseConditions(x, judged)
      return body
    } catch (error) {
      // A body that ends early is the client's error.
      throw error instanceof ApiError ? error : new ApiError({ kind: 'invalid_json' })
    }
  }
}

/** For requests about one thing: any but those with many leads, numbers, consents or calls. */
export const readSmallBody = readBodyOf(limits.leadBodyMaxBytes)

const emptyObject = Uint8Array.of(0x7b, 0x7d).buffer

/** The same, where a missing body means an empty object. */
export async function readSmallBodyIfAny(x: Exchange): Promise<ArrayBuffer> {
  const isTyped = x.c.req.header('content-type') !== undefined
  return !isTyped && (await isEmpty(x.c.req.raw.body)) ? emptyObject : readSmallBody(x)
}

/** A request without a body may arrive with one of no bytes. Reads the first chunk of any other. */
async function isEmpty(body: ReadableStream<Uint8Array> | null): Promise<boolean> {
  if (body === null) return true
  for await (const chunk of body) if (chunk.byteLength > 0) return false
  return true
}

/** JSON has no charset but UTF-8 (RFC 8259); any other parameter is ignored (D36). */
function requireJson({ c }: Exchange): void {
  const [type = '', ...parameters] = (c.req.header('content-type') ?? '').split(';')
  const isJson = type.trim().toLowerCase() === 'application/json'
  const isUtf8 = parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2)
    return name.trim().toLowerCase() !== 'charset' || /^"?utf-?8"?$/i.test(value.trim())
  })
  if (!isJson || !isUtf8 || c.req.header('content-encoding') !== undefined)
    throw new ApiError({ kind: 'unsupported_media_type' })
}

/** Whether JSON may hold more objects and arrays: brackets within texts count too. */
export function hasMoreContainers(json: Uint8Array, most: number): boolean {
  // Fewer bytes cannot hold more.
  if (json.byteLength <= most) return false
  let containers = 0
  for (const byte of json) if (byte === 0x5b || byte === 0x7b) containers++
  return containers > most
}

/** `read` throws SyntaxError for a text that is not JSON. */
export function parseBody<Value>(body: ArrayBuffer, read: (json: string) => Reading<Value>): Value {
  const reading = readText(body, read)
  if (!reading.isValid) throw invalidField(reading.message)
  return reading.value
}

function readText<Value>(body: ArrayBuffer, read: (json: string) => Value): Value {
  try {
    return read(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body))
  } catch (error) {
    // The decoder throws TypeError when the text is not UTF-8.
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new ApiError({ kind: 'invalid_json' })
    throw error
  }
}

/** So many letters of a parameter's name are taken for it: if `dry=true` were ignored, it would store leads. */
const beginningChars = 3

/** The schema's members are the parameters of the operation. refuseUnknownParameters has what else is refused. */
export function readQueryOf<Schema extends z.ZodMiniObject>(schema: Schema) {
  const names = Object.keys(schema.shape)
  const almostKnown = almostKnownIn(names, beginningChars)
  const validate = zValidator('query', schema, (result) => {
    if (!result.success) throw invalidField(firstMessage(result.error))
  })
  return async function readQuery({ c, knownParameters }: Exchange): Promise<z.output<Schema>> {
    for (const name of names) knownParameters.add(name)
    await validate(c as Context, nothing)
    // After the fields, so that `CampaignId` alone still answers "campaignId query parameter is required".
    for (const sent of Object.keys(c.req.queries())) {
      const found = almostKnown(sent)
      if (found !== null) throw new ApiError({ kind: 'unknown_parameter', ...found })
    }
    return c.req.valid('query' as never)
  }
}

/**
 * They change what is done, so that none is ignored where an operation does not know it (D79). All others are, for
 * ever.
 */
const changing = ['dryRun', 'onInvalid', 'results', 'limit', 'cursor', 'createdAfter', 'createdBefore']
const nearlyChanging = nearlyIn(changing)

/** After the fields, before anything is done. */
export function refuseUnknownParameters({ c, knownParameters }: Exchange): void {
  if (!c.req.url.includes('?') || !c.req.path.startsWith('/api/v1/')) return
  for (const name of Object.keys(c.req.queries())) {
    if (knownParameters.has(name)) continue
    const meant = nearlyChanging(name)
    if (meant === null) continue
    const sent = echoedName(name).replace(/[^\w-]/g, '?')
    const known = knownParameters.has(meant) ? meant : null
    throw new ApiError({ kind: 'unknown_parameter', sent, known })
  }
}
