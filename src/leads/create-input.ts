// Parses the bodies of create and bulk: JSON text in, leads or an error message out. fields.ts has the rules of each
// field, http/validate.ts reads the request.
import * as z from 'zod/mini'
import { judge, type Reading } from '../http/reading.ts'
import { isObject, notAnObject } from '../http/schemas.ts'
import { limits } from '../limits.ts'
import { campaignId, leadFields, type NewLead, sourcedLead, storedFields } from './fields.ts'
import { memberSource, memberSourcesOfItems } from './json-source.ts'

type SentLead = z.output<z.ZodMiniObject<typeof leadFields>>

const toNewLead = (lead: SentLead): NewLead => ({ phoneNumber: lead.phoneNumber, ...storedFields(lead) })

export const createBody = z.pipe(
  z.object({ campaignId: campaignId('campaignId is required'), ...leadFields }, notAnObject),
  z.transform((body) => ({ campaignId: body.campaignId, lead: toNewLead(body) })),
)

/** One item of a bulk, without its campaign. */
export const leadItem = z.pipe(z.object(leadFields, 'phoneNumber is required'), z.transform(toNewLead))

export const bulkBody = z.object(
  {
    campaignId: campaignId('campaignId is required'),
    /** Each item is validated on its own, by readBulk. */
    leads: z
      .array(z.unknown(), 'leads array is required')
      .check(
        z.minLength(1, 'leads array cannot be empty'),
        z.maxLength(limits.leadsPerBulk, `Maximum ${limits.leadsPerBulk} leads per bulk request`),
      ),
  },
  notAnObject,
)

type CreateInput = z.output<typeof createBody>
export type ItemReading = Reading<z.output<typeof leadItem>>

/** Reads the body of a create. Throws SyntaxError when it is not JSON. */
export function readCreate(json: string): Reading<CreateInput> {
  const body: unknown = JSON.parse(json)
  return judge(createBody, isObject(body) ? sourcedLead(body, memberSource(json, 'metadata')) : body)
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
    judge(leadItem, isObject(item) ? sourcedLead(item, sources[index]) : item),
  )
  return { isValid: true, value: { campaignId, items } }
}
