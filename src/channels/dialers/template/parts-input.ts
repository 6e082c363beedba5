// The parts of a template's schema: each names the member that is wrong by its place, such as
// template.notDialled[2].when.
import * as z from 'zod/mini'
import { limits } from '../../../base/limits.ts'
import { findPointerProblem, variablesInPointer } from './pointer.ts'

export type Issue = { readonly path?: PropertyKey[] | undefined; readonly input?: unknown }

/** Echoes of a client's names only what looks like one. */
const nameOf = ({ path = [] }: Issue) =>
  path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`
    return `${name}.${/^[\w.*-]{1,64}$/.test(String(step)) ? String(step) : '…'}`
  }, 'template')

export const says = (text: string) => ({
  error: (issue: Issue) => `${nameOf(issue)} ${issue.input === undefined ? 'is required' : text}`,
})

/** A check by a function that returns what is wrong, or null. `params`: what the API description says of it. */
export function wrong<Value>(find: (value: Value) => string | null, params: Record<string, unknown> = {}) {
  return z.refine<Value>((value) => find(value) === null, {
    error: (issue: Issue) => `${nameOf(issue)} ${find(issue.input as Value)}`,
    params,
  })
}

/** An object with these members and no others. */
export const strict = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${nameOf({ path: [...(issue.path ?? []), issue.keys[0] ?? ''] })} is not a member`
        : says('must be an object').error(issue),
  })

/** An object with any members. `unfit`: why a name is refused. */
export const mapOf = <Schema extends z.ZodMiniType>(
  name: z.ZodMiniType<string, string>,
  member: Schema,
  unfit: string,
) =>
  z.record(name, member, {
    error: (issue) =>
      issue.code === 'invalid_key' ? `${nameOf(issue)} ${unfit}` : says('must be an object').error(issue),
  })

export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, says(`must be one of ${values.join(', ')}`))

const { dialerTextMaxChars: maxChars } = limits
export const plainText = z
  .string(says(`must be a string of at most ${maxChars} characters`))
  .check(
    wrong(
      (text) =>
        text === '' || text.length > maxChars || !text.isWellFormed() || /\p{Cc}/u.test(text)
          ? `must be a string of 1 to ${maxChars} characters, without line breaks`
          : null,
      { minLength: 1, maxLength: maxChars },
    ),
  )

/** What headers can hold. */
export const asciiText = plainText.check(
  wrong((text) => (/^[ -~]*$/.test(text) ? null : 'must be printable ASCII')),
)

const pointer = (mayNameVariables: boolean) =>
  z.string(says('must be a JSON Pointer')).check(
    wrong(
      (text) => {
        if (text.length > maxChars) return `must have at most ${maxChars} characters`
        const isNamed = mayNameVariables && variablesInPointer(text).length > 0
        return (
          findPointerProblem(text) ?? (text.includes('{{') && !isNamed ? 'must not hold placeholders' : null)
        )
      },
      { maxLength: maxChars, pattern: '^(?:/|$)' },
    ),
  )
export const plainPointer = pointer(false)
export const list = <Schema extends z.ZodMiniType>(item: Schema, max = 100) =>
  z.array(item, says('must be an array')).check(
    wrong((items) => (items.length < 1 || items.length > max ? `must have 1 to ${max} items` : null), {
      minItems: 1,
      maxItems: max,
    }),
  )
/** In the API description, what comes out of it is marked as that what may stand alone. */
const oneOrMore = <Schema extends z.ZodMiniType>(item: Schema) =>
  z.pipe(
    z.transform((value: unknown): unknown => (Array.isArray(value) || value === undefined ? value : [value])),
    list(item).check(wrong(() => null, { mayStandAlone: true })) as unknown as z.ZodMiniType<
      readonly z.output<Schema>[],
      unknown
    >,
  )
export const pointers = oneOrMore(pointer(true))

const scalarTypes = ['string', 'number', 'boolean']
export const scalar = z.unknown().check(
  wrong((value) => (scalarTypes.includes(typeof value) ? null : 'must be a text, a number or a boolean'), {
    type: scalarTypes,
  }),
)
const compared = { at: plainPointer, in: z.optional(list(scalar)), equals: z.optional(scalar) }

/** Exactly one of these members besides `at`. */
export const exactlyOne = (names: readonly string[], others = 1) =>
  wrong(
    (condition: object) =>
      names.filter((name) => (condition as Record<string, unknown>)[name] !== undefined).length === 1
        ? null
        : `must have exactly one of ${names.join(', ')}`,
    { minProperties: 1 + others, maxProperties: 1 + others },
  )
const kinds = ['in', 'equals', 'notNull', 'contains', 'above', 'some'] as const
const ofOne = {
  ...compared,
  notNull: z.optional(z.literal(true, says('must be true'))),
  contains: z.optional(plainText),
  above: z.optional(z.number(says('must be a number'))),
  some: z.optional(strict(compared).check(exactlyOne(['in', 'equals']))),
}
export const conditions = oneOrMore(
  strict({
    ...ofOne,
    at: z.optional(plainPointer),
    all: z.optional(list(strict(ofOne).check(exactlyOne(kinds)))),
  }).check(
    exactlyOne([...kinds, 'all']),
    wrong(({ at, all }: { at?: unknown; all?: unknown }) => {
      if (all === undefined) return at === undefined ? 'must have at' : null
      return at === undefined ? null : 'must not have at together with all'
    }),
  ),
)

const oursPattern = /^(?:host|connection|transfer-encoding|content-(?:length|type)|cookie|cf-.*)$/i
export const headerName = z
  .string(says('must be the name of a header'))
  .check(
    wrong((name) =>
      /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(name) && !oursPattern.test(name)
        ? null
        : 'is not a header that a template may set',
    ),
  )
