// A post as names and texts, whatever its structure: how forms, ads and CRMs nest what people write. Which of them is
// what is in read-row.ts. Pure.
import { isObject } from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { guessPlace } from '../../queue/leads/file/guess-columns.ts'
import { isCountryName } from '../../queue/leads/file/names/country-names.ts'
import { dotted } from '../../queue/leads/no/hear.ts'
import { parsed } from './read-post.ts'

export type Entry = {
  readonly name: string
  readonly steps: readonly string[]
  /** The last one. */
  readonly last: string
  readonly value: string
  /** What its sender says that it is. Empty: nothing. */
  readonly type: string
  /** What people were asked, where that stands elsewhere: the title of a question. */
  readonly asked?: string
}

/** `leftOut`: names of what is no entry. `problem`: why it is refused; then the entries are those that can be read. */
type Flat = {
  readonly entries: readonly Entry[]
  readonly leftOut: readonly string[]
  readonly problem?: string
}

type Members = Readonly<Record<string, unknown>>

/** Where lists of named values have the name, and the value. In the order of preference. */
const namePaths = `label title field.label field.title question name column_id columnName key field.ref ref`
  .split(' ')
  .map((path) => path.split('.'))
const valueNames = ['value', 'values', 'string_value', 'stringValue', 'answer', 'text']
/** Less common ones: they count with one another. */
const pairs = [
  ['field', 'value'],
  ['key', 'field_value'],
  ['code', 'value'],
  ['attribute', 'value'],
  ['slug', 'content'],
] as const

/** What a sender keeps beside the values: earlier ones, and the form itself. */
const besides = ['versions', 'definition']

/** `wanted`: exactly, or as the form itself has it. With `.value` behind it, it is the same. */
export const isNameOf = (name: string, wanted: string) =>
  [wanted, dotted(wanted)].some((one) => name === one || `${name}.value` === one)

const isScalar = (value: unknown) => typeof value !== 'object' || value === null
const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** SQLite ends a text at NUL, and UTF-8 has no unpaired surrogates. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '')

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, step) => (isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined),
    value,
  )
}

type Named = { readonly name: string; readonly namePath: readonly string[]; readonly valueName: string }

/** Null: it is no value with a name. */
function namedOf(item: unknown): Named | null {
  if (!isObject(item)) return null
  const isName = (name: unknown) =>
    typeof name === 'number' || (typeof name === 'string' && name.trim() !== '')
  const pair = pairs.find(([name, value]) => isName(item[name]) && Object.hasOwn(item, value))
  const namePath = namePaths.find((path) => isName(at(item, path))) ?? (pair && [pair[0]])
  const isPair = pair !== undefined && namePath?.[0] === pair[0]
  const ofType = typeof item.type === 'string' ? [...valueNames, item.type] : valueNames
  const own = isPair ? [...ofType, pair[1]] : ofType
  const there = own.filter((name) => Object.hasOwn(item, name) && name !== namePath?.[0])
  const valueName = there.find((name) => !isEmpty(item[name])) ?? there[0]
  if (namePath === undefined || valueName === undefined) return null
  const others = Object.entries(item).filter(([name]) => name !== valueName && name !== namePath[0])
  if (holdsNumber(Object.fromEntries(others), 1)) return null
  return { name: String(at(item, namePath)).trim(), namePath, valueName }
}

/** By a name of a phone's, and digits in it: a person or a deal has a name and a value, too. */
const holdsNumber = (members: Members, depth: number, isPhone = false): boolean =>
  Object.entries(members).some(([name, value]) => {
    const isOne = isPhone || /phone/i.test(name) || guessPlace('phoneNumber', [name]) !== -1
    return isScalar(value)
      ? isOne && /(?:\d\D*){7}/.test(String(value))
      : depth < limits.postDepthMax && holdsNumber(value as Members, depth + 1, isOne)
  })

const typeOf = (item: Members) =>
  [item.type, at(item, ['field', 'type'])].filter((type) => typeof type === 'string').join(' ')

/** What is said of a value beside it. */
type Said = Pick<Entry, 'type' | 'asked'>
const unsaid: Said = { type: '' }

const areNamed = (items: readonly unknown[]): items is readonly Members[] =>
  items.length > 0 && items.every((item) => namedOf(item) !== null)

export function flatten(root: Members): Flat {
  const entries: Entry[] = []
  const leftOut: string[] = []
  const names = new Set<string>()
  /** The questions of Typeform, by id and ref. */
  const titles = new Map<unknown, string>()
  let problem: string | undefined

  function add(path: readonly string[], text: string, said: Said): void {
    const steps = (path.length > 1 && path.at(-1) === 'value' ? path.slice(0, -1) : path).map(storable)
    const last = (steps.at(-1) ?? '').replace(/(?<=.)\.value$/, '')
    const own = [...steps.slice(0, -1), last].join('.')
    let name = own
    for (let count = 2; problem === undefined && names.has(name); count++) name = `${own} (${count})`
    names.add(name)
    entries.push({ name, steps: [...steps.slice(0, -1), last], last, value: storable(text), ...said })
    if (entries.length > limits.postNamesMax)
      problem ??= `Request body must hold at most ${limits.postNamesMax} names`
  }

  function isTooDeep(depth: number): boolean {
    if (depth <= limits.postDepthMax) return false
    problem ??= `Request body must be nested at most ${limits.postDepthMax} levels deep`
    return true
  }

  function walkNamed(path: readonly string[], item: Members, depth: number, isOpened: boolean): void {
    if (isTooDeep(depth)) return
    const { name, namePath, valueName } = namedOf(item) as Named
    const before = entries.length + leftOut.length
    const asked = ['id', 'ref'].map((key) => titles.get(at(item, ['field', key]))).find((title) => title)
    walk([...path, name], item[valueName], depth + 1, isOpened, {
      type: typeOf(item),
      ...(asked && { asked }),
    })
    if (entries.length + leftOut.length === before) leftOut.push(storable([...path, name].join('.')))
    for (const [other, value] of Object.entries(item))
      if (other === valueName || other === namePath[0] || isEmpty(value)) continue
      // It belongs to the number beside it.
      else if (isScalar(value) && isCountryName(other)) add([...path, name, other], String(value), unsaid)
      else leftOut.push(storable([...path, name, other].join('.')))
  }

  function walk(
    path: readonly string[],
    value: unknown,
    depth: number,
    isOpened: boolean,
    said = unsaid,
  ): void {
    if (isEmpty(value)) return
    if (isScalar(value)) {
      const opened = typeof value === 'string' && !isOpened ? objectOf(value) : null
      if (opened === null) add(path, String(value), said)
      else walk(path, opened, depth + 1, true)
      return
    }
    if (isTooDeep(depth)) return
    if (Array.isArray(value)) walkList(path, value, depth, isOpened, said)
    else walkMembers(path, value as Members, depth, isOpened)
  }

  function walkList(
    path: readonly string[],
    items: readonly unknown[],
    depth: number,
    isOpened: boolean,
    said: Said,
  ): void {
    const filled = items.filter((item) => !isEmpty(item))
    if (areNamed(items)) for (const item of items) walkNamed(path, item, depth + 1, isOpened)
    else if (filled.every(isScalar))
      walk(path, filled.length === 1 ? filled[0] : filled.join(', '), depth, isOpened, said)
    else for (const [index, item] of items.entries()) walk([...path, `${index}`], item, depth + 1, isOpened)
  }

  function walkMembers(path: readonly string[], members: Members, depth: number, isOpened: boolean): void {
    const fields = at(members, ['definition', 'fields'])
    for (const field of Array.isArray(fields) ? fields.filter(isObject) : [])
      for (const key of [field.id, field.ref].filter((key) => typeof key === 'string'))
        titles.set(key, storable(String(field.title ?? '')))
    const items = Object.values(members)
    if (areNamed(items)) {
      for (const item of items) walkNamed(path, item, depth + 1, isOpened)
      return
    }
    for (const [name, item] of Object.entries(members))
      if (besides.includes(name)) leftOut.push(storable([...path, name].join('.')))
      else walk([...path, name], item, depth + 1, isOpened)
  }

  walk([], root, 1, false)
  return { entries, leftOut: [...new Set(leftOut)], ...(problem !== undefined && { problem }) }
}

/** The members of a text that is JSON; null: it is none. */
function objectOf(text: string): Members | null {
  const value = text.trimStart().startsWith('{') ? parsed(text) : null
  return isObject(value) ? value : null
}
