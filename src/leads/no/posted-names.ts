// Which names of a lead that the API gets say that its number must not be called: members, which may be ours by mistake, and
// names in its metadata, to a depth of three. What is neither yes nor no there is kept: metadata is the sender's own.
import { type Heard, hear } from './hear.ts'

export const metadataDepth = 3

const says = ({ under, answer }: Heard) => under === 'no' && answer === 'yes'

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

/** Whether any value makes it a no, or may. Of "do not call until", a date ahead does. */
const isLoud = (name: string) =>
  ['yes', '9999-12-31'].some((value) =>
    namesHeard({ [name]: value }).some(({ under }) => under === 'no' || under === 'maybe'),
  )

/** The name in metadata that says it, as it was sent; null: none. `isFlat`: no value of it has members. */
export function metadataSays(metadata: object, isFlat = false): string | null {
  if (isQuiet(metadata, isFlat, '', 1)) return null
  const found = namesHeard(metadata).find(
    (one) => says(one) && one.path.filter((step) => !/^\d+$/.test(step)).length <= metadataDepth,
  )
  if (found === undefined) return null
  const [before, last = ''] = found.path.slice(-2).length === 2 ? found.path.slice(-2) : ['', found.path[0]]
  return before === '' || namesHeard({ [last]: 'yes' }).some(says) ? last : `${before}.${last}`
}

const namesHeard = (root: unknown) => hear(root)

/** Of an item that has its name beside its value. */
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

/** By the step before: the names that were quiet there last. The next lead most often has the same, in the same order. */
const lastQuiet = new Map<string, readonly string[]>()

/** Whether no name is any that may say it: a first look, which costs a bulk little. `isFlat`: no value has members. */
function isQuiet(members: object, isFlat: boolean, before: string, depth: number): boolean {
  if (Array.isArray(members)) return members.every((one) => isQuietValue(one, before, depth))
  const values = members as Readonly<Record<string, unknown>>
  const known = lastQuiet.get(before) ?? []
  let [at, isKnown] = [0, true]
  for (const name in values) {
    if (known[at++] !== name) isKnown = false
    if (!isFlat && !isQuietValue(values[name], name, depth + 1)) return false
  }
  return (isKnown && at === known.length) || areQuiet(values, before)
}

const isQuietValue = (member: unknown, before: string, depth: number) =>
  typeof member !== 'object' ||
  member === null ||
  depth > metadataDepth ||
  isQuiet(member, false, before, depth)

function areQuiet(values: Readonly<Record<string, unknown>>, before: string): boolean {
  const names = Object.keys(values)
  const sounds = names.map(soundOf)
  if (sounds.includes(loud)) return false
  if (before !== '' && names.some((name) => soundOf(`${before}.${name}`) === loud)) return false
  // Of an answer that has its question beside it, as `field`, too.
  const isItem = sounds.includes(label) && (sounds.includes(value) || before === 'field')
  if (isItem)
    return names.every((name, at) => {
      const text = sounds[at] === label ? values[name] : null
      return typeof text !== 'string' || soundOf(text) !== loud
    })
  if (lastQuiet.size === rememberedNames) lastQuiet.clear()
  if (names.length <= rememberedNames) lastQuiet.set(before, names)
  return true
}
