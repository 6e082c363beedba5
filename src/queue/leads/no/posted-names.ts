// Which names of a lead that the API gets say that its number must not be called: members, which may be ours by
// mistake, and names in its metadata, to a depth of three. What is neither yes nor no there is kept: metadata is the
// sender's own.
import { limits } from '../../../base/limits.ts'
import type { JsonSource } from '../json-source.ts'
import { hear } from './hear.ts'
import { judgeName } from './names.ts'

const metadataDepth = 3

/** Null: the member says nothing of calls, whatever its value is. Else whether a value makes it a no, or may. */
export function memberSays(name: string): ((value: unknown) => boolean) | null {
  const isRefused = (value: unknown) =>
    namesHeard({ [name]: value }).some(
      ({ path, under, answer }) =>
        path.length === 1 &&
        (under === 'no' || under === 'maybe') &&
        (answer === 'yes' || answer === 'unclear'),
    )
  return isLoud(name) ? isRefused : null
}

/** Whether a value may make it a no. */
function isLoud(name: string): boolean {
  const says = judgeName(name)
  return says !== null && says !== 'permission'
}

/** The name in metadata that says it, as it was sent; null: none. What is too large or too deep is refused for that. */
export function metadataSays(metadata: object, { text, depth }: JsonSource): string | null {
  if (depth > limits.metadataMaxDepth || text.length > limits.metadataMaxBytes) return null
  if (isQuiet(metadata, depth === 1, '', 1)) return null
  const found = namesHeard(suspectsOf(metadata))
    .filter(({ under, answer }) => under === 'no' && answer === 'yes')
    .map(({ path }) => path.filter((step) => !/^\d+$/.test(step)))
    .find(({ length }) => length <= metadataDepth)
  const [last = '', before] = found?.toReversed() ?? []
  if (found === undefined) return null
  // Neither part of `opt_out.phone` says it alone.
  return before === undefined || ['no', 'until'].includes(judgeName(last) ?? '') ? last : `${before}.${last}`
}

/** The members among which it is: CRMs send `dnc: false` beside thirty others with each lead. */
function suspectsOf(metadata: object): object {
  const members = Object.entries(metadata)
  if (isItem(members.map(([name]) => soundOf(name)))) return metadata
  return Object.fromEntries(
    members.filter(([name, value]) =>
      isObject(value)
        ? soundOf(name) === loud || !isQuiet(value, false, name, 2)
        : soundOf(name) === loud && value !== false && value !== null && value !== '' && value !== 0,
    ),
  )
}

const namesHeard = (root: unknown) => hear(root, { values: false })

/** An item that has its name beside its value. */
const namesOfNames =
  /^(?:label|title|question|(?:column|field)?_?name|column_?id|key|ref|code|attribute|slug|field|id)$/i
const namesOfValues = /values?$|^(?:answer|text|content|boolean|checkbox|checked|selected|type)$/i

const silent = 0
const label = 1
const value = 2
const loud = 3
type Sound = typeof silent | typeof label | typeof value | typeof loud

/** The metadata of a bulk repeat the same few names a thousand times; more, and longer ones, are read anew. */
const rememberedNames = 2000
const rememberedChars = 100
const remembered = new Map<string, Sound>()

function soundOf(name: string): Sound {
  const before = remembered.get(name)
  if (before !== undefined) return before
  const sound = isLoud(name)
    ? loud
    : namesOfNames.test(name)
      ? label
      : namesOfValues.test(name)
        ? value
        : silent
  if (remembered.size === rememberedNames) remembered.clear()
  if (name.length <= rememberedChars) remembered.set(name, sound)
  return sound
}

const rememberedShapes = 200
/**
 * By the step before: the names that were quiet there last. The next lead most often has the same, in the same order.
 */
const lastQuiet = new Map<string, readonly string[]>()

/** Whether no name is any that may say it: a first look, which costs a bulk little. `isFlat`: no value has members. */
function isQuiet(members: object, isFlat: boolean, before: string, depth: number): boolean {
  if (Array.isArray(members))
    return members.every((one) => !isObject(one) || isQuiet(one, false, before, depth))
  const values = members as Readonly<Record<string, unknown>>
  const known = lastQuiet.get(before) ?? []
  let [at, isKnown] = [0, true]
  for (const name in values) {
    if (known[at++] !== name) isKnown = false
    if (isFlat) continue
    const member = values[name]
    if (isObject(member) && depth < metadataDepth && !isQuiet(member, false, name, depth + 1)) return false
  }
  return (isKnown && at === known.length) || areQuiet(values, before)
}

const isObject = (member: unknown): member is object => typeof member === 'object' && member !== null

const isItem = (sounds: readonly Sound[]) => sounds.includes(label) && sounds.includes(value)

function areQuiet(values: Readonly<Record<string, unknown>>, before: string): boolean {
  const names = Object.keys(values)
  const sounds = names.map(soundOf)
  if (sounds.includes(loud)) return false
  if (before !== '' && names.some((name) => soundOf(`${before}.${name}`) === loud)) return false
  // An answer that has its question beside it, as `field`, counts too.
  if (isItem(sounds) || (before === 'field' && sounds.includes(label)))
    return names.every((name, at) => {
      const text = sounds[at] === label ? values[name] : null
      return typeof text !== 'string' || soundOf(text) !== loud
    })
  if (lastQuiet.size === rememberedShapes) lastQuiet.clear()
  if (names.length + before.length <= rememberedChars) lastQuiet.set(before, names)
  return true
}
