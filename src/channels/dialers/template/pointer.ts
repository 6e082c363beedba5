// JSON Pointers (RFC 6901) into a provider's answer. Own members only, so that no answer reaches a prototype. Pure.
import type { Texts } from './template.ts'

const maxSteps = 32

/** Why a text is no pointer, or null. */
export function findPointerProblem(text: string): string | null {
  if (text !== '' && !text.startsWith('/')) return 'must be a JSON Pointer, such as /call/id'
  if (/~(?![01])/.test(text)) return 'must write ~ as ~0 and / as ~1'
  return text.split('/').length - 1 > maxSteps ? `must have at most ${maxSteps} steps` : null
}

/** A step that any one member fits, or any one item of a list. */
const anyStep = '*'
/** So many values at most are looked at. */
const maxFound = 1000

/** All that a pointer leads to: one value at most, unless a step of it is `*`. */
export function allAt(answer: unknown, pointer: string): readonly unknown[] {
  let found: readonly unknown[] = [answer]
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    found = found.flatMap((value) => membersAt(value, name)).slice(0, maxFound)
  }
  return found
}

function membersAt(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (name === anyStep) return Object.values(value).slice(0, maxFound)
  if (!Object.hasOwn(value, name)) return []
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(name)) return []
  return [(value as Record<string, unknown>)[name]]
}

/** The first. Undefined: nothing is there. */
export const valueAt = (answer: unknown, pointer: string): unknown => allAt(answer, pointer)[0]

const variableStep = /^\{\{variables\.(\w+)\}\}$/

/** The variables that a pointer's steps name. */
export const variablesInPointer = (pointer: string): readonly string[] =>
  pointer.split('/').flatMap((step) => variableStep.exec(step)?.[1] ?? [])

/** With its variables put in, as one step each. Null: one is missing. */
function resolvePointer(pointer: string, variables: Texts): string | null {
  if (variablesInPointer(pointer).some((name) => !Object.hasOwn(variables, name))) return null
  const steps = pointer.split('/').map((step) => {
    const name = variableStep.exec(step)?.[1]
    return name === undefined ? step : variables[name]?.replaceAll('~', '~0').replaceAll('/', '~1')
  })
  return steps.join('/')
}

/** Some providers write null as a text. */
const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && /^\s*null\s*$/i.test(value))

/** The values that are there and not null, in the order of their pointers. */
export const valuesAt = (
  answer: unknown,
  pointers: readonly string[],
  variables: Texts,
): readonly unknown[] =>
  pointers.flatMap((pointer) => {
    const resolved = resolvePointer(pointer, variables)
    return resolved === null ? [] : allAt(answer, resolved).filter((value) => !isNothing(value))
  })

/** The first value that is there and not null. */
export const firstAt = (answer: unknown, pointers: readonly string[], variables: Texts): unknown =>
  valuesAt(answer, pointers, variables)[0]
