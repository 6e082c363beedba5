// Which field of a row the service would refuse, found before it is sent. The rules of queue/leads/fields.ts without
// zod, which is large: a test compares both. What nobody types into a cell, such as NUL, is left to the service. The
// rules of a consent are in cells/consent-cells.ts.
import { isTimeZone } from '../../../base/time-zone.ts'
import { isTimestamp } from '../../../base/timestamp.ts'
import { type ByKind, type LeadFieldName, leadFieldNames, leadFieldTable } from '../field-table.ts'
import { isE164 } from './cells/number-reading.ts'
import type { Draft } from './row-item.ts'

const isUsable: ByKind<(value: unknown, limit: number) => boolean> = {
  phone: (value) => isE164(`${value}`),
  text: (value, limit) => [...`${value}`.slice(0, 1024)].length <= limit,
  json: (value, limit) =>
    typeof value === 'object' && !Array.isArray(value) && bytesOf(JSON.stringify(value)) <= limit,
  time: (value) => isTimestamp(`${value}`),
  number: (value, limit) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= limit,
  zone: (value) => isTimeZone(`${value}`),
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** Null: none. */
export function unusableFieldOf(lead: Draft): LeadFieldName | null {
  if (lead.phoneNumber === undefined) return 'phoneNumber'
  const wrong = leadFieldNames.find((name) => {
    const { kind, limit } = leadFieldTable[name]
    return lead[name] !== undefined && !isUsable[kind](lead[name], limit)
  })
  return wrong ?? null
}
