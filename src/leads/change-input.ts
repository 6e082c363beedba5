// Parses the body of a change: JSON text in, the changed fields or an error message out. An absent member leaves its
// field as it is, null and empty clear it. fields.ts has the rules of each field.
import { judge, mapReading, type Reading } from '../http/reading.ts'
import { isObject, members } from '../http/schemas.ts'
import { changeableFields, type LeadChange, sourcedLead, storedFields } from './fields.ts'
import { memberSource } from './json-source.ts'

/** Refuses any other member: a client must not believe that it changed what cannot be changed. */
export const changeBody = members(changeableFields, { unknown: 'is not a field that can be changed' })

/** Throws SyntaxError when it is not JSON. */
export function readChange(json: string): Reading<LeadChange> {
  const body: unknown = JSON.parse(json)
  const sent = isObject(body) ? sourcedLead(body, memberSource(json, 'metadata')) : body
  return mapReading(judge(changeBody, sent), (change) =>
    Object.fromEntries(Object.entries(storedFields(change)).filter(([name]) => name in change)),
  )
}
