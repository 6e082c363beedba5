// An event for the operator, as one line of text. Pure.
import type { LeadIntakeEvent } from '../../sdk/src/lead-intake.ts'

/** Time, type, actor and data. */
export function describeEvent({ type, timestamp, actor, data }: LeadIntakeEvent): string {
  const members = Object.entries(data).map(([name, value]) => `${name} ${describeValue(value)}`)
  return [`${timestamp}  ${type} by ${actor}`, ...members].join('  ')
}

/** A bulk has a thousand ids. */
const shownValues = 3

function describeValue(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value)
  const more = value.length > shownValues ? [`and ${value.length - shownValues} more`] : []
  return [...value.slice(0, shownValues), ...more].join(', ')
}
