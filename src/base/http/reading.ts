// The result of validating input: a value, or the one message that the client gets (D9).
import type * as z from 'zod/mini'

export type Reading<Value> =
  | { readonly isValid: true; readonly value: Value }
  | { readonly isValid: false; readonly message: string }

export const mapReading = <From, To>(reading: Reading<From>, map: (value: From) => To): Reading<To> =>
  reading.isValid ? { isValid: true, value: map(reading.value) } : reading

export function judge<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): Reading<z.output<Schema>> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { isValid: true, value: parsed.data }
  return { isValid: false, message: firstMessage(parsed.error) }
}

/** Validates each item of a list: all values, or the first message, prefixed with its place: `calls[3].` */
export function judgeItems<Schema extends z.ZodMiniType>(
  schema: Schema,
  name: string,
  items: readonly unknown[],
): Reading<readonly z.output<Schema>[]> {
  const values: z.output<Schema>[] = []
  for (const [index, item] of items.entries()) {
    const reading = judge(schema, item)
    if (!reading.isValid) return { isValid: false, message: `${name}[${index}].${reading.message}` }
    values.push(reading.value)
  }
  return { isValid: true, value: values }
}

/** Ids are texts that are not empty. */
export function judgeIds(name: string, ids: readonly unknown[]): Reading<readonly string[]> {
  const wrong = ids.findIndex((id) => typeof id !== 'string' || id === '')
  if (wrong === -1) return { isValid: true, value: ids as readonly string[] }
  const flaw = ids[wrong] === '' ? 'must not be empty' : 'must be a string'
  return { isValid: false, message: `${name}[${wrong}] ${flaw}` }
}

/** The first problem: zod reports in the order of the shape (D9). */
export function firstMessage(error: z.core.$ZodError): string {
  return error.issues[0]?.message ?? 'Request body must be a JSON object'
}
