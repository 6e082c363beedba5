// Reads the value of an option by its JSON Schema, or by the reader that the description names. `default` is null,
// which resets what can be reset. Whether the value is allowed is for the service to say.
import { InvalidArgumentError } from 'commander'
import type { CliOption } from '../../docs/openapi/cli.ts'
import type { JsonSchema } from '../../docs/openapi/json-schema.ts'
import { JsonSource } from '../../queue/leads/json-source.ts'
import { parseDurationMs } from '../arguments/arguments.ts'

export type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | { readonly [name: string]: Value }
  /** Sent as it was typed. */
  | JsonSource

/** `before`: the value so far, of an option that is repeated. */
type Reader = (text: string, before: Value | undefined) => Value

export const typesOf = ({ type }: JsonSchema): readonly unknown[] => [type].flat()

/** `name`: the member, whose ending is its unit. `resets`: the word `default` stands for what resets it. */
export function readerOf(
  name: string,
  schema: JsonSchema,
  { reader, resetsTo = null }: CliOption,
  resets: boolean,
): Reader {
  const read = plainReader(name, schema, reader)
  const isReset = resets && typesOf(schema).includes('null')
  return (text, before) => (isReset && text === 'default' ? resetsTo : read(text, before))
}

function plainReader(name: string, schema: JsonSchema, reader: CliOption['reader']): Reader {
  if (reader === 'hours') return readHours
  if (reader === 'outcome') return readOutcome
  if (reader === 'duration') return (text) => readDuration(name, text)
  const types = typesOf(schema)
  if (types.includes('array')) return readList
  if (types.includes('boolean')) return readYesNo
  if (types.includes('integer') || types.includes('number')) return readNumber
  return types.includes('object') ? readSource : (text) => text
}

/** A value that begins like JSON is JSON. */
function readJson(text: string): Value {
  try {
    return JSON.parse(text) as Value
  } catch {
    throw new InvalidArgumentError('It must be JSON.')
  }
}

/** Parsing would change numbers that JavaScript cannot hold. */
function readSource(text: string): Value {
  readJson(text)
  return new JsonSource(text, 0)
}

/** Repeatable, also with commas between. */
function readList(text: string, before: Value | undefined): Value {
  const items = text.startsWith('[') ? readJson(text) : text.split(',').map((item) => item.trim())
  const all = [...((before as readonly Value[] | null | undefined) ?? []), ...(items as readonly Value[])]
  return [...new Set(all)]
}

function readYesNo(text: string): Value {
  if (['yes', 'true'].includes(text)) return true
  if (['no', 'false'].includes(text)) return false
  throw new InvalidArgumentError('It must be yes or no.')
}

function readNumber(text: string): Value {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (text === 'off' || text === 'none' || text === 'null') return null
  throw new InvalidArgumentError('It must be a number.')
}

/** In the unit of the member, or as a time from now on. */
function readDuration(name: string, text: string): Value {
  if (text === 'off') return null
  const ms = parseDurationMs(text)
  if (name.endsWith('At')) return new Date(Date.now() + ms).toISOString()
  const unitMs = name.endsWith('Minutes') ? 60_000 : 1_000
  if (ms % unitMs !== 0) throw new InvalidArgumentError('It must be whole minutes.')
  return ms / unitMs
}

export const weekdaysFromMonday = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** `mon-fri 09:00-12:30 13:30-18:00`, `mon-fri 9-17`, `sun closed`, repeatable. Other days stay as they are. */
export function readHours(text: string, before?: Value): { readonly [day: string]: Value } {
  if (text.startsWith('{')) return readJson(text) as { readonly [day: string]: Value }
  const [days = '', ...windows] = text.trim().split(/\s+/)
  const named = readDays(days)
  if (named === null || windows.length === 0)
    throw new InvalidArgumentError(
      'It must be days and hours, "mon-fri 09:00-12:30 13:30-18:00", "sun closed", or default.',
    )
  const hours = windows.join() === 'closed' ? [] : windows.map((window) => window.split('-').map(clockTime))
  return { ...(before as object), ...Object.fromEntries(named.map((day) => [day, hours])) }
}

/** `9` and `9:30` are `09:00` and `09:30`; anything else is as it was written. */
const clockTime = (text: string) =>
  text.replace(/^(\d{1,2})(:\d{2})?$/, (_, hour: string, minute = ':00') => hour.padStart(2, '0') + minute)

/** The days that hours leave as they are, with what they are: `now`, as the service answered. Empty: none. */
export function describeDaysLeft(hours: Value, now: unknown): string {
  const left = weekdaysFromMonday.filter((day) => hours !== null && !(day in (hours as object)))
  const windowsOf = (day: string) => {
    const windows = (now as Record<string, unknown> | undefined)?.[day]
    if (!Array.isArray(windows)) return 'as before'
    return windows.length === 0 ? 'closed' : windows.map((window: string[]) => window.join('-')).join(' ')
  }
  return [...Map.groupBy(left, windowsOf)]
    .map(([windows, days]) => `${days.join(', ')} ${days.length === 1 ? 'stays' : 'stay'} ${windows}`)
    .join('; ')
}

/** `mon`, `mon-fri`, `fri-mon`, `mon,wed,fri`, `daily`; null: something else. */
function readDays(text: string): readonly string[] | null {
  const days = text.split(',').map((part) => {
    if (part === 'daily') return weekdaysFromMonday
    const [from = '', to = from, ...more] = part.split('-')
    const [first = -1, last = -1] = [from, to].map((day) =>
      (weekdaysFromMonday as readonly string[]).indexOf(day),
    )
    if (first < 0 || last < 0 || more.length > 0) return null
    const count = ((last - first + 7) % 7) + 1
    return [...weekdaysFromMonday, ...weekdaysFromMonday].slice(first, first + count)
  })
  return days.includes(null) ? null : days.flatMap((of) => of ?? [])
}

/** `no_answer=retry:60`, `busy=dead` or `busy=default`, repeatable. */
function readOutcome(text: string, before: Value | undefined): Value {
  if (text.startsWith('{')) return readJson(text)
  const [, name = '', word = '', minutes] = /^(\w+)=(\w+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (name === '') throw new InvalidArgumentError('It must be <outcome>=<class>:<minutes>, or default.')
  const rule = { class: word, ...(minutes !== undefined && { minutes: Number(minutes) }) }
  return { ...(before as object), [name]: word === 'default' ? null : rule }
}
