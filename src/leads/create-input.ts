// What a client may send to create leads, one or many: text goes in, leads or a message come out. The rules of each
// field are in fields.ts; reading requests is http/validate.ts.
import * as z from 'zod/mini'
import { judge, type Reading } from '../http/reading.ts'
import { isObject, notAnObject } from '../http/schemas.ts'
import { limits } from '../limits.ts'
import { campaignId, externalId, metadata, phoneNumber, priority, scheduledFor, timeZone } from './fields.ts'
import { type JsonSource, memberSource, memberSourcesOfItems } from './json-source.ts'

const leadFields = {
  phoneNumber,
  externalId: z.nullish(externalId),
  metadata: z.nullish(metadata),
  scheduledFor: z.nullish(scheduledFor),
  priority: z.nullish(priority),
  timeZone: z.nullish(timeZone),
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
    timeZone: lead.timeZone ?? null,
  }
}

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
  return judge(createBody, isObject(body) ? judgedLead(body, memberSource(json, 'metadata')) : body)
}

/** Reads the body of a bulk, each item on its own. Throws SyntaxError when it is not JSON. */
export function readBulk(
  json: string,
): Reading<{ readonly campaignId: string; readonly items: readonly ItemReading[] }> {
  const body = judge(bulkBody, JSON.parse(json))
  if (!body.isValid) return body
  const { campaignId, leads } = body.value
  const sources = memberSourcesOfItems(json, 'leads', 'metadata')
  const items = leads.map((item, index) =>
    judge(leadItem, isObject(item) ? judgedLead(item, sources[index]) : item),
  )
  return { isValid: true, value: { campaignId, items } }
}

/**
 * What the schemas judge of a lead: its metadata by its source. An empty text is as good as absent, also where
 * none is allowed (D10): CRMs send it for what is not set.
 */
export function judgedLead(lead: Record<string, unknown>, source: JsonSource | undefined): object {
  const { metadata, priority, timeZone } = lead
  return {
    ...lead,
    metadata: isObject(metadata) ? source : metadata === '' ? null : metadata,
    priority: priority === '' ? null : priority,
    timeZone: timeZone === '' ? null : timeZone,
  }
}
