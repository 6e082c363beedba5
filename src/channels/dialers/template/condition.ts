// Whether a condition of a template holds for a provider's answer. Pure.
import { allAt } from './pointer.ts'
import { type Condition, type Conditions, listOf, type PlainCondition, type Scalar } from './template.ts'

/** So many items of a list are looked at. */
const maxItems = 1000

export const holds = (conditions: Conditions | null | undefined, answer: unknown): boolean =>
  listOf<Condition>(conditions).some((condition) =>
    'all' in condition ? condition.all.every((one) => holdsOne(one, answer)) : holdsOne(condition, answer),
  )

/** One of several values at one place is enough. */
const holdsOne = (condition: PlainCondition, answer: unknown): boolean =>
  allAt(answer, condition.at).some((value) => fits(condition, value))

function fits(condition: PlainCondition, value: unknown): boolean {
  if (condition.notNull) return value !== undefined && value !== null
  const { contains, some, above } = condition
  if (above !== undefined) return isAbove(value, above)
  if (contains !== undefined)
    return (Array.isArray(value) ? value.slice(0, maxItems) : [value]).some(
      (text) => typeof text === 'string' && text.includes(contains),
    )
  if (some !== undefined)
    return Array.isArray(value) && value.slice(0, maxItems).some((item) => holdsOne(some, item))
  const accepted = condition.in ?? (condition.equals === undefined ? [] : [condition.equals])
  return accepted.some((one) => isSame(one, value))
}

/** A text is a number when it is one as a whole. */
const isAbove = (value: unknown, limit: number): boolean =>
  (typeof value === 'number' || (typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value))) &&
  Number(value) > limit

/** Providers send numbers and booleans as texts, too. */
function isSame(wanted: Scalar, value: unknown): boolean {
  if (wanted === value) return true
  const isPair = (typeof wanted === 'string') !== (typeof value === 'string')
  return isPair && ['string', 'number', 'boolean'].includes(typeof value) && String(wanted) === String(value)
}
