// What a client may send to change a lead: text goes in, the changes or a message come out. A member that is absent stays
// as it is, null and empty clear it. The rules of each field are in fields.ts.
import { judge, type Reading } from '../http/reading.ts'
import { isObject, members } from '../http/schemas.ts'
import { changeableFields, type LeadChange, sourcedLead, storedFields } from './fields.ts'
import { memberSource } from './json-source.ts'

/** Any other member is refused: a change that is ignored in silence is a lie. */
export const changeBody = members(changeableFields, { unknown: 'is not a field that can be changed' })

/** Throws SyntaxError when it is not JSON. */
export function readChange(json: string): Reading<LeadChange> {
  const body: unknown = JSON.parse(json)
  const sent = isObject(body) ? sourcedLead(body, memberSource(json, 'metadata')) : body
  const reading = judge(changeBody, sent)
  if (!reading.isValid) return reading
  const stored = Object.entries(storedFields(reading.value))
  return { isValid: true, value: Object.fromEntries(stored.filter(([name]) => name in reading.value)) }
}
