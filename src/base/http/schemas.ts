// Parts of every area's schemas: texts, numbers and flags whose messages name the field (D10). zod/mini has functions
// instead of methods: it is a third of the size, so the Worker starts faster.
import * as z from 'zod/mini'
import { isAtMost } from '../text-length.ts'
import { isTimeZone } from '../time-zone.ts'
import { isTimestamp, parseTimestampMs, unixMsPattern } from '../timestamp.ts'

export const notAnObject = 'Request body must be a JSON object'

export const isAbsent = (value: unknown) => value === undefined || value === null || value === ''
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// SQLite ends a text at NUL, and UTF-8 has no unpaired surrogates: neither could be returned as it was sent.
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
export const unstorable = (name: string) => `${name} must not contain NUL or unpaired surrogates`

/** A check by a function that returns the message, or null. */
export function problem<Value>(find: (value: Value) => string | null) {
  return ({ value, issues }: z.core.ParsePayload<Value>) => {
    const message = find(value)
    if (message !== null) issues.push({ code: 'custom', input: value, message })
  }
}

/** Absent and empty both mean missing (D10). `invalid`: the message for what is no text. */
export function requiredText(missing: string, invalid: string) {
  return z
    .string({ error: ({ input }) => (isAbsent(input) ? missing : invalid) })
    .check(z.minLength(1, missing))
}

/** A check of a text that is stored, or searched for in what is. `invalid`: the message for one that is too long. */
export const storable = (name: string, maxChars: number, invalid: string) =>
  problem((value: string) => {
    if (!isAtMost(value, maxChars)) return invalid
    return isStorable(value) ? null : unstorable(name)
  })

export function text(name: string, maxChars: number) {
  const invalid = `${name} must be a string of at most ${maxChars} characters`
  return z.string(invalid).check(storable(name, maxChars, invalid))
}

type Range = { readonly min: number; readonly max: number }

export function integer(name: string, { min, max }: Range) {
  const invalid = `${name} must be an integer between ${min} and ${max}`
  return z.int(invalid).check(z.minimum(min, invalid), z.maximum(max, invalid))
}

export const boolean = (name: string) => z.boolean(`${name} must be true or false`)

export function timestamp(name: string) {
  const invalid = `${name} must be an ISO 8601 timestamp with a UTC offset`
  return z.string(invalid).check(problem((value) => (isTimestamp(value) ? null : invalid)))
}

export function timeZone(name: string) {
  const invalid = `${name} must be the name of a time zone, such as Europe/Berlin`
  return z.string(invalid).check(problem((value) => (isTimeZone(value) ? null : invalid)))
}

export function oneOf<const Value extends string>(name: string, values: readonly Value[]) {
  return z.enum(values, `${name} must be one of ${values.join(', ')}`)
}

/** Some of these values, separated by commas: a text, which `split(',')` takes apart. */
export function someOf(name: string, values: readonly string[]) {
  const invalid = `${name} must be some of ${values.join(', ')}, separated by commas`
  const any = `(?:${values.join('|')})`
  return z.string(invalid).check(z.regex(new RegExp(`^${any}(?:,${any})*$`), invalid))
}

type Members = {
  /** The object's own name, when it is a member of another. */
  readonly name?: string
  /** The message for an unknown member, after its name. */
  readonly unknown?: string
  /** The message for a value that is not an object. */
  readonly invalid?: string
}

/**
 * An object with these members and no others. Ignoring a misspelt member would change what a request does: without its
 * `campaignId`, a suppression is removed in the whole company.
 */
export function members<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  {
    name = '',
    unknown = 'is not a member',
    invalid = name === '' ? notAnObject : `${name} must be an object`,
  }: Members = {},
) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `${memberName(name, issue.keys[0])} ${unknown}` : invalid,
  })
}

/** Echoes what a client sent only if it looks like a member's name. */
function memberName(name: string, key = ''): string {
  if (!/^[A-Za-z_]\w{0,39}$/.test(key)) return name === '' ? 'A member' : `A member of ${name}`
  return name === '' ? key : `${name}.${key}`
}

/** 1 to `max` elements of any kind; each is validated on its own, so that a message names its place. */
export function list(name: string, max: number, tooMany: string) {
  return z
    .array(z.unknown(), `${name} array is required`)
    .check(z.minLength(1, `${name} array cannot be empty`), z.maxLength(max, tooMany))
}

/**
 * Makes empty members undefined, because they mean not set (D10). Their names stay, so that an unknown one is still
 * refused. For `ids`, only null means not set: an empty id would make the request act on more than its sender meant.
 */
export function withoutEmpty(value: unknown, ids: readonly string[] = []): unknown {
  if (!isObject(value)) return value
  const isSet = (name: string, member: unknown) => !isAbsent(member) || (member === '' && ids.includes(name))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isSet(name, member) ? member : undefined]),
  )
}

// Parts of a query, where each value is a text. Absent and empty both are null, except for ids.

/** Applies `before`, then the schema. */
function after<Output>(before: (value: unknown) => unknown, schema: z.ZodMiniType<Output>) {
  return z.pipe(z.transform(before), schema as z.ZodMiniType<Output, unknown>)
}

export function optional<Output>(schema: z.ZodMiniType<Output>) {
  return after((value) => (isAbsent(value) ? null : value), z.nullable(schema))
}

/** Absent: false. */
export const flag = (name: string) =>
  z.pipe(
    optional(z.enum(['true', 'false'], `${name} must be true or false`)),
    z.transform((value) => value === 'true'),
  )

/** An empty id is not absent: see withoutEmpty. */
export function optionalId<Output>(schema: z.ZodMiniType<Output>) {
  return after((value) => value ?? null, z.nullable(schema))
}

/** An unencoded plus sign arrives as a space, which none of these texts may hold. */
export function withPlus<Output>(schema: z.ZodMiniType<Output>) {
  return after((value) => (typeof value === 'string' ? value.replace(' ', '+') : value), schema)
}

/** A moment in Unix ms. */
export function instant(name: string) {
  const invalid = `${name} must be an ISO 8601 timestamp with a UTC offset, or Unix milliseconds`
  const isInstant = (value: string) => unixMsPattern.test(value) || isTimestamp(value)
  const toMs = (value: string) => (isTimestamp(value) ? parseTimestampMs(value) : Number(value))
  const moment = z.string(invalid).check(problem((value) => (isInstant(value) ? null : invalid)))
  return optional(withPlus(z.pipe(moment, z.transform(toMs))))
}

/** At least 1. */
export function wholeNumber(name: string, max: number) {
  const invalid = `${name} must be an integer between 1 and ${max}`
  const isWhole = (value: string) => /^[1-9]\d{0,5}$/.test(value) && Number(value) <= max
  const whole = z.string(invalid).check(problem((value) => (isWhole(value) ? null : invalid)))
  return optional(z.pipe(whole, z.transform(Number)))
}

export const pageSize = (max: number) => wholeNumber('limit', max)

export const invalidCursor = 'cursor is not valid'

export const cursor = (pattern: RegExp) =>
  optional(z.string(invalidCursor).check(z.regex(pattern, invalidCursor)))

/** Refuses a parameter that is given more than once: which one is meant is not guessed. */
function once<Output>(name: string, schema: z.ZodMiniType<Output>): z.ZodMiniType<Output> {
  const refuseSeveral = z.transform((value: unknown, { issues }: z.core.ParsePayload) => {
    if (Array.isArray(value)) {
      issues.push({ code: 'custom', input: value, message: `${name} must be given once` })
    }
    return value
  })
  return z.pipe(refuseSeveral, schema as z.ZodMiniType<Output, unknown>)
}

type EachOnce<Shape> = { [Name in keyof Shape]: z.ZodMiniType<z.output<Shape[Name]>> }

/** The parameters of a query, each given once at most. */
export function query<Shape extends Readonly<Record<string, z.ZodMiniType>>>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, schema]) => [name, once(name, schema)])
  return z.object(Object.fromEntries(fields) as EachOnce<Shape>)
}
