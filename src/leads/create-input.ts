// What a client may send to create leads, one or many: text goes in, leads or a message come out. The rules of each
// field are in fields.ts; reading requests is http/validate.ts.
import * as z from 'zod/mini'
import { firstMessage } from '../http/first-message.ts'
import type { Reading } from '../http/validate.ts'
import { limits } from '../limits.ts'
import { campaignId, externalId, isObject, metadata, phoneNumber, priority, scheduledFor } from './fields.ts'
import { type JsonSource, skipSpace, skipValue, sourceAt, walkArray, walkObject } from './json-source.ts'

const leadFields = {
  phoneNumber,
  externalId: z.nullish(externalId),
  metadata: z.nullish(metadata),
  scheduledFor: z.nullish(scheduledFor),
  priority: z.nullish(priority),
}

/**
 * What is stored: absent, null and empty alike are null (D10, D18). Once per lead rather than once per field,
 * which made a bulk's validation four times as long.
 */
function toNewLead(lead: z.output<z.ZodMiniObject<typeof leadFields>>) {
  return {
    phoneNumber: lead.phoneNumber,
    externalId: lead.externalId || null,
    metadata: lead.metadata?.text ?? null,
    scheduledFor: lead.scheduledFor || null,
    // Adding 0 turns -0, which JSON can write, into 0.
    priority: (lead.priority ?? 0) + 0,
  }
}

const notAnObject = 'Request body must be a JSON object'

export const createBody = z.pipe(
  z.object({ campaignId: campaignId('campaignId is required'), ...leadFields }, notAnObject),
  z.transform((body) => ({ campaignId: body.campaignId, lead: toNewLead(body) })),
)

/** One item of a bulk, without its campaign. */
export const leadItem = z.pipe(z.object(leadFields, 'phoneNumber is required'), z.transform(toNewLead))

export const bulkBody = z.object(
  {
    campaignId: campaignId('campaignId is required'),
    /** Each item is judged on its own: see readItem. */
    leads: z
      .array(z.unknown(), 'leads array is required')
      .check(
        z.minLength(1, 'leads array cannot be empty'),
        z.maxLength(limits.leadsPerBulk, `Maximum ${limits.leadsPerBulk} leads per bulk request`),
      ),
  },
  notAnObject,
)

export type CreateInput = z.output<typeof createBody>
export type ItemReading = Reading<z.output<typeof leadItem>>

/** Reads the body of a create. Throws SyntaxError when it is not JSON. */
export function readCreate(json: string): Reading<CreateInput> {
  const body: unknown = JSON.parse(json)
  return judge(
    createBody,
    isObject(body) ? withSource(body, metadataOf(json, skipSpace(json, 0)).source) : body,
  )
}

/** Reads the body of a bulk, each item on its own. Throws SyntaxError when it is not JSON. */
export function readBulk(
  json: string,
): Reading<{ readonly campaignId: string; readonly items: readonly ItemReading[] }> {
  const body = judge(bulkBody, JSON.parse(json))
  if (!body.isValid) return body
  const { campaignId, leads } = body.value
  const sources = metadataOfItems(json)
  const items = leads.map((item, index) =>
    judge(leadItem, isObject(item) ? withSource(item, sources[index]) : item),
  )
  return { isValid: true, value: { campaignId, items } }
}

function judge<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): Reading<z.output<Schema>> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { isValid: true, value: parsed.data }
  return { isValid: false, message: firstMessage(parsed.error) }
}

/**
 * What the schemas judge of a lead: its metadata by its source. An empty text is as good as absent, also where a text
 * is not allowed (D10): CRMs send it for what is not set.
 */
function withSource(lead: Record<string, unknown>, source: JsonSource | undefined): object {
  const { metadata, priority } = lead
  return {
    ...lead,
    metadata: isObject(metadata) ? source : metadata === '' ? null : metadata,
    priority: priority === '' ? null : priority,
  }
}

type Found = { readonly end: number; readonly source: JsonSource | undefined }

/** The source of `metadata` in the object at `start`: of the last one where it is repeated, as JSON.parse has it. */
function metadataOf(json: string, start: number): Found {
  let source: JsonSource | undefined
  const end = walkObject(json, start, (name, valueStart) => {
    if (name !== 'metadata') return skipValue(json, valueStart)
    source = sourceAt(json, valueStart)
    return valueStart + source.text.length
  })
  return { end, source }
}

/** By the item's index. */
function metadataOfItems(json: string): readonly (JsonSource | undefined)[] {
  let sources: (JsonSource | undefined)[] = []
  walkObject(json, skipSpace(json, 0), (name, start) => {
    if (name !== 'leads' || json[start] !== '[') return skipValue(json, start)
    // Where `leads` is repeated, JSON.parse has kept the last one, and so does this.
    sources = []
    return walkArray(json, start, (_, itemStart) => {
      if (json[itemStart] !== '{') {
        sources.push(undefined)
        return skipValue(json, itemStart)
      }
      const { end, source } = metadataOf(json, itemStart)
      sources.push(source)
      return end
    })
  })
  return sources
}
