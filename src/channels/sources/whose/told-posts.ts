// What a post says of itself that keeps it from being one lead: that its record is gone, or that it is of several
// people. Pure.
import { isObject } from '../../../base/http/schemas.ts'
import { limits } from '../../../base/limits.ts'
import { normalize } from '../../../queue/leads/file/columns.ts'
import { isPhoneName, wordsOf } from '../../../queue/leads/file/names/phone-names.ts'
import { type Entry, isNameOf } from '../flatten.ts'
import { personOf } from './candidates.ts'

const eventNames = new Set([
  'type',
  'event',
  'event type',
  'action',
  'operation',
  'subscription type',
  'trigger event',
])
const gone = /^(?:delete[ds]?|deletion|removed|redact)$/
/** Of a booking, or of a list that somebody has left. */
const cancelled = /^(?:cancell?ed|unsubscribed?)$/

/** Whether it tells of a record, such as a contact or a booking, that is no more. */
export function tellsOfDeletion(root: object, ignored: readonly string[]): boolean {
  const isSaid = Object.entries(root).some(([name, value]) => {
    if (typeof value !== 'string' || !eventNames.has(normalize(name))) return false
    const words = wordsOf(value)
    if (words.some((word) => gone.test(word))) return true
    return words.some((word) => cancelled.test(word)) && !ignored.some((one) => isNameOf(name, one))
  })
  return isSaid || hasOldAlone(root, 1)
}

const isEmptied = (value: unknown) =>
  value === null || value === '' || (isObject(value) && Object.keys(value).length === 0)

/** A missing new one says nothing: some systems send the old values alone. */
function hasOldAlone(value: object, depth: number): boolean {
  const members = new Map(Object.entries(value))
  const isAlone = (old: string, ...now: readonly string[]) =>
    isObject(members.get(old)) &&
    !isEmptied(members.get(old)) &&
    now.some((name) => members.has(name) && isEmptied(members.get(name)))
  if (isAlone('old', 'new') || isAlone('old_record', 'record', 'new_record', 'new')) return true
  return (
    depth < limits.postDepthMax &&
    [...members.values()].some(
      (member) => typeof member === 'object' && member !== null && hasOldAlone(member, depth + 1),
    )
  )
}

/** Lists whose objects are people by their name. */
const peopleLists = new Set(['records', 'contacts', 'leads', 'people', 'items'])
const isOfOne = (step: string) => isPhoneName(step) || /\baddress(?:es)?\b/.test(wordsOf(step).join(' '))

type Item = { readonly entries: Entry[]; readonly phones: Set<string> }

/** `phones`: of a number of the post's people, the keys of its phone. Other entries have none. */
export function holdsSeveral(entries: readonly Entry[], phones: ReadonlyMap<Entry, string>): boolean {
  if (phones.size < 2) return false
  const lists = new Map<string, Map<string, Item>>()
  for (const entry of entries)
    for (const [at, step] of entry.steps.slice(0, -1).entries()) {
      // From there on it is about one person.
      if (isOfOne(step)) break
      if (!/^\d+$/.test(step)) continue
      const list = JSON.stringify(entry.steps.slice(0, at))
      const items = lists.get(list) ?? new Map<string, Item>()
      const item = items.get(step) ?? { entries: [], phones: new Set() }
      item.entries.push(entry)
      const phone = phones.get(entry)
      if (phone !== undefined) item.phones.add(phone)
      lists.set(list, items.set(step, item))
    }
  return [...lists].some(([list, items]) => areSeveral(JSON.parse(list), [...items.values()]))
}

function areSeveral(list: readonly string[], all: readonly Item[]): boolean {
  const items = all.filter(({ phones }) => phones.size > 0)
  const differs = ({ phones }: Item) => ![...phones].some((phone) => items[0]?.phones.has(phone))
  if (!items.some(differs)) return false
  if (list.length === 0 || peopleLists.has(normalize(list.at(-1) ?? ''))) return true
  const people = items.map((item) => personOf(item.entries))
  const addresses = people.flatMap((person) => person.addresses.slice(0, 1))
  const names = people.map((person) => person.names).filter((name) => name !== '')
  return new Set(addresses.length > 0 ? addresses : names).size > 1
}
