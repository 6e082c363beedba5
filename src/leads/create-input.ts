// What a client may send to create leads, one or many. It works on values; reading requests is
// middleware/validate.ts. The rules of each field are in lead-fields.ts.
import * as z from 'zod/mini'
import { firstMessage } from '../http/first-message.ts'
import { limits } from '../limits.ts'
import { campaignId, externalId, isObject, metadata, phoneNumber, priority, scheduledFor } from './fields.ts'
import { skipSpace, skipValue, sourceAt, walkArray, walkObject } from './json-source.ts'

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

export type ItemReading =
  | { readonly isValid: true; readonly lead: z.output<typeof leadItem> }
  | { readonly isValid: false; readonly message: string }

export function readItem(item: unknown): ItemReading {
  const parsed = leadItem.safeParse(item)
  if (parsed.success) return { isValid: true, lead: parsed.data }
  return { isValid: false, message: firstMessage(parsed.error) }
}

/** Parses the body of a create for `createBody`. Throws SyntaxError when it is not JSON. */
export function readCreateBody(json: string): unknown {
  const body: unknown = JSON.parse(json)
  if (isObject(body)) prepareLead(json, skipSpace(json, 0), body)
  return body
}

/** Parses the body of a bulk for `bulkBody`. Throws SyntaxError when it is not JSON. */
export function readBulkBody(json: string): unknown {
  const body: unknown = JSON.parse(json)
  if (!isObject(body) || !Array.isArray(body.leads) || body.leads.length > limits.leadsPerBulk) return body
  const items: unknown[] = body.leads
  walkObject(json, skipSpace(json, 0), (name, start) => {
    // Where `leads` is repeated, JSON.parse has kept the last one, and so does what follows.
    if (name !== 'leads' || json[start] !== '[') return skipValue(json, start)
    return walkArray(json, start, (index, itemStart) => {
      const item = items[index]
      if (!isObject(item) || json[itemStart] !== '{') return skipValue(json, itemStart)
      return prepareLead(json, itemStart, item)
    })
  })
  return body
}

/** Makes a lead ready for its schema: `metadata` becomes its source. Returns where the object at `start` ends. */
function prepareLead(json: string, start: number, lead: Record<string, unknown>): number {
  // An empty text is as good as absent, also where a text is not allowed (D10): CRMs send it for what is not set.
  if (lead.metadata === '') lead.metadata = null
  if (lead.priority === '') lead.priority = null
  const wasObject = isObject(lead.metadata)
  return walkObject(json, start, (name, valueStart) => {
    if (!wasObject || name !== 'metadata') return skipValue(json, valueStart)
    const source = sourceAt(json, valueStart)
    lead.metadata = source
    return valueStart + source.text.length
  })
}
