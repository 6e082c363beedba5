// JSON Pointers (RFC 6901) into a provider's answer. Own members only, so that no answer reaches a prototype. Pure.
import type { Texts } from './template.ts'

const maxSteps = 32

/** Why a text is no pointer, or null. */
export function findPointerProblem(text: string): string | null {
  if (text !== '' && !text.startsWith('/')) return 'must be a JSON Pointer, such as /call/id'
  if (/~(?![01])/.test(text)) return 'must write ~ as ~0 and / as ~1'
  return text.split('/').length - 1 > maxSteps ? `must have at most ${maxSteps} steps` : null
}

/** Undefined: nothing is there. */
export function valueAt(answer: unknown, pointer: string): unknown {
  let value = answer
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

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

/** The values that are there and not null, in the order of their pointers. */
export function valuesAt(answer: unknown, pointers: readonly string[], variables: Texts): readonly unknown[] {
  return pointers.flatMap((pointer) => {
    const resolved = resolvePointer(pointer, variables)
    const value = resolved === null ? undefined : valueAt(answer, resolved)
    return value === undefined || value === null ? [] : [value]
  })
}

/** The first value that is there and not null. */
export const firstAt = (answer: unknown, pointers: readonly string[], variables: Texts): unknown =>
  valuesAt(answer, pointers, variables)[0]
