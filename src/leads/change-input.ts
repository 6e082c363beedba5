// What a client may send to change a lead: text goes in, the changes or a message come out. A member that is absent stays
// as it is, null and empty clear it. The rules of each field are in fields.ts.
import * as z from 'zod/mini'
import { judge, type Reading } from '../http/reading.ts'
import { isObject, members } from '../http/schemas.ts'
import { judgedLead } from './create-input.ts'
import { externalId, metadata, priority, scheduledFor, timeZone } from './fields.ts'
import { memberSource } from './json-source.ts'
import { changeableFields, type LeadChange } from './lead.ts'

/** A change that is ignored in silence is a lie: any other member is refused. */
export const changeBody = members(
  {
    externalId: z.nullish(externalId),
    metadata: z.nullish(metadata),
    scheduledFor: z.nullish(scheduledFor),
    priority: z.nullish(priority),
    timeZone: z.nullish(timeZone),
  },
  { unknown: 'is not a field that can be changed' },
)

/** Throws SyntaxError when it is not JSON. */
export function readChange(json: string): Reading<LeadChange> {
  const body: unknown = JSON.parse(json)
  if (!isObject(body)) return judge(changeBody, body) as Reading<LeadChange>
  const reading = judge(changeBody, judgedLead(body, memberSource(json, 'metadata')))
  if (!reading.isValid) return reading
  const { value } = reading
  const after: Required<LeadChange> = {
    externalId: value.externalId || null,
    metadata: value.metadata?.text ?? null,
    scheduledFor: value.scheduledFor || null,
    priority: (value.priority ?? 0) + 0,
    timeZone: value.timeZone ?? null,
  }
  const named = changeableFields.filter((field) => Object.hasOwn(body, field))
  return { isValid: true, value: Object.fromEntries(named.map((field) => [field, after[field]])) }
}
