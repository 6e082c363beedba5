// Reads and validates what the client sent, in the order of D8: content type (415), size (413), JSON and fields
// (400). What is valid is decided by lead-input.ts and list-input.ts. Bodies do not go through zValidator, because metadata needs
// the body's source text, and text that is not UTF-8 must be refused rather than repaired.
import { zValidator } from '@hono/zod-validator'
import type { HonoRequest } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import type * as z from 'zod/mini'
import { limits } from '../limits.ts'
import { ApiError } from './errors.ts'
import { firstMessage } from './first-message.ts'

/** Any JSON media type without a charset, or with UTF-8, which is the only one JSON has (RFC 8259). */
const jsonContentType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i

export const requireJson = createMiddleware(async function requireJson(c, next) {
  if (!jsonContentType.test(c.req.header('content-type') ?? ''))
    throw new ApiError({ kind: 'unsupported_media_type' })
  await next()
})

export function limitBody(maxBytes: number) {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new ApiError({ kind: 'body_too_large' })
    },
  })
  return createMiddleware(async function limitBody(c, next) {
    try {
      return await limit(c, next)
    } catch (error) {
      throw error instanceof ApiError ? error : brokenOff()
    }
  })
}

/** A body that ended before it should have is the sender's fault, not ours. */
const brokenOff = () => new ApiError({ kind: 'invalid_json' })

/** `read` turns the body's text into a value for the schema, and may throw SyntaxError. */
export function validateBody<Schema extends z.ZodMiniType>(schema: Schema, read: (json: string) => unknown) {
  return createMiddleware<object, string, { out: { json: z.output<Schema> } }>(
    async function validateBody(c, next) {
      const body = await readBody(c.req)
      if (countContainers(body) > limits.bodyMaxContainers) throw new ApiError({ kind: 'body_too_large' })
      const parsed = schema.safeParse(parse(body, read))
      if (!parsed.success) throw new ApiError({ kind: 'invalid_field', message: firstMessage(parsed.error) })
      c.req.addValidatedData('json', parsed.data as object)
      await next()
    },
  )
}

async function readBody(request: HonoRequest): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer()
  } catch {
    throw brokenOff()
  }
}

/** At most: brackets within texts are counted too. */
function countContainers(body: ArrayBuffer): number {
  // Most bodies are too small to be worth a look.
  if (body.byteLength <= limits.bodyMaxContainers) return 0
  let containers = 0
  for (const byte of new Uint8Array(body)) if (byte === 0x5b || byte === 0x7b) containers++
  return containers
}

function parse(body: ArrayBuffer, read: (json: string) => unknown): unknown {
  try {
    return read(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body))
  } catch {
    throw new ApiError({ kind: 'invalid_json' })
  }
}

export function validateQuery<Schema extends z.ZodMiniType>(schema: Schema) {
  return zValidator('query', schema, (result) => {
    if (!result.success) throw new ApiError({ kind: 'invalid_field', message: firstMessage(result.error) })
  })
}
