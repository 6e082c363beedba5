// An event for the operator, with its request id: one line of text, or the API's JSON. Pure.
import type { LogEvent } from '../../events/event.ts'

export const eventJson = ({ id, type, timestamp, actor, requestId, data }: LogEvent) => ({
  id,
  type,
  timestamp,
  actor,
  requestId,
  data,
})

/** One line: time, type, actor and data. */
export function describeEvent({ type, timestamp, actor, requestId, data }: LogEvent): string {
  const members = Object.entries(data).map(([name, value]) => `${name} ${describeValue(value)}`)
  const request = requestId === null ? '' : `, request ${requestId}`
  return [`${timestamp}  ${type} by ${actor}${request}`, ...members].join('  ')
}

/** A bulk has a thousand ids. */
const shownValues = 3

function describeValue(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value)
  const more = value.length > shownValues ? [`and ${value.length - shownValues} more`] : []
  return [...value.slice(0, shownValues), ...more].join(', ')
}
