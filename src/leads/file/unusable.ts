// Which field of a row the service would refuse, found before it is sent. The rules of leads/fields.ts without zod, which is
// large: a test compares both. What nobody types into a cell, such as NUL, is left to the service. The rules of a consent are
// in cells/consent-cells.ts.
import { limits } from '../../limits.ts'
import { isTimeZone } from '../../time-zone.ts'
import { isTimestamp } from '../../timestamp.ts'
import { isE164 } from './cells/number-reading.ts'
import type { LeadField } from './columns.ts'
import type { Draft } from './row-item.ts'

type Rule = (value: unknown) => boolean

const isUsable: Readonly<Record<LeadField, Rule>> = {
  phoneNumber: (value) => isE164(`${value}`),
  externalId: (value) => [...`${value}`.slice(0, 1024)].length <= limits.externalIdMaxChars,
  metadata: (value) =>
    typeof value === 'object' &&
    !Array.isArray(value) &&
    bytesOf(JSON.stringify(value)) <= limits.metadataMaxBytes,
  scheduledFor: (value) => isTimestamp(`${value}`),
  priority: (value) =>
    Number.isInteger(value) && Number(value) >= limits.priorityMin && Number(value) <= limits.priorityMax,
  timeZone: (value) => isTimeZone(`${value}`),
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** Null: none. */
export function unusableFieldOf(lead: Draft): LeadField | null {
  if (lead.phoneNumber === undefined) return 'phoneNumber'
  const fields = Object.keys(isUsable) as LeadField[]
  return fields.find((field) => lead[field] !== undefined && !isUsable[field](lead[field])) ?? null
}
