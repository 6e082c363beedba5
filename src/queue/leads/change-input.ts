// Parses the body of a change: JSON text in, the changed fields or an error message out. An absent member leaves its
// field as it is, null and empty clear it. fields.ts has the rules of each field, no/posted-names.ts what says
// do-not-call.
import { saysDoNotCall } from '../../base/http/member-names.ts'
import { judge, mapReading, type Reading } from '../../base/http/reading.ts'
import { isObject, members } from '../../base/http/schemas.ts'
import { changeableFields, type LeadChange, sourcedLead, storedFields } from './fields.ts'
import { memberSource } from './json-source.ts'
import { memberSays, metadataSays } from './no/posted-names.ts'

/** Refuses any other member: a client must not believe that it changed what cannot be changed. */
export const changeBody = members(changeableFields, { unknown: 'is not a field that can be changed' })

/** Throws SyntaxError when it is not JSON. */
export function readChange(json: string): Reading<LeadChange> {
  const body: unknown = JSON.parse(json)
  if (!isObject(body)) return judged(body)
  const flags = Object.keys(body).filter(
    (name) => !Object.hasOwn(changeableFields, name) && memberSays(name)?.(body[name]),
  )
  const source = memberSource(json, 'metadata')
  const inMetadata =
    isObject(body.metadata) && source !== undefined ? metadataSays(body.metadata, source) : null
  const heard = flags[0] ?? inMetadata
  const others = Object.fromEntries(Object.entries(body).filter(([name]) => !flags.includes(name)))
  const change = judged(sourcedLead(others, source))
  // Behind all that is wrong besides (D9).
  return heard !== null && change.isValid ? { isValid: false, message: saysDoNotCall(heard) } : change
}

const judged = (sent: unknown): Reading<LeadChange> =>
  mapReading(judge(changeBody, sent), (change) =>
    Object.fromEntries(Object.entries(storedFields(change)).filter(([name]) => name in change)),
  )
