// Keys in words: what each scope allows, when a key ends, who created it, and what it created itself. Pure.
import type { Key, KeyRevoked } from '../../../sdk/src/models.ts'
import { countOf } from '../../ui/words/number-words.ts'
import { shortTime } from '../../ui/words/zone-time.ts'

export type Scope = Key['scope']

/** In the order in which they are offered. */
export const scopeSentences: Readonly<Record<Scope, string>> = {
  read: 'Sees leads, events, figures and do-not-call numbers. Changes nothing.',
  write: 'Also creates, changes and blocks leads. For a CRM or a form.',
  agent: 'Claims leads and reports calls. Cannot list leads. For a calling agent.',
  manage: 'Everything: settings, keys, webhooks and erasing people, too.',
}

/** Nobody has it. */
export const isOfService = ({ isDialer, sourceId }: Pick<Key, 'isDialer' | 'sourceId'>) =>
  isDialer || sourceId !== null

type End = Pick<Key, 'revokedAt' | 'expiresAt'>

export const endOf = ({ revokedAt, expiresAt }: End) =>
  Math.min(...[revokedAt, expiresAt].map((time) => (time === null ? Infinity : Date.parse(time))))

/** Empty: it does not end. */
export function endText(key: End, zone: string, nowMs: number): string {
  const endMs = endOf(key)
  if (endMs === Infinity) return ''
  const time = shortTime(endMs, zone, nowMs)
  if (endMs > nowMs) return `ends ${time}`
  return `${key.revokedAt === null ? 'ended' : 'revoked'} ${time}`
}

/** So long before its end there is a warning about a key. */
const warnedMs = 14 * 86_400_000
const lastWeekMs = 7 * 86_400_000

/** A system used it in the last week, and will fail within two weeks. */
export function isEndingInUse(key: End & Pick<Key, 'lastUsedAt'>, nowMs: number): boolean {
  const endMs = endOf(key)
  const isUsed = key.lastUsedAt !== null && Date.parse(key.lastUsedAt) > nowMs - lastWeekMs
  return isUsed && endMs > nowMs && endMs <= nowMs + warnedMs
}

/** The warning about those of the keys that end, soonest first. Empty: there is none. */
export function endingText(
  keys: readonly (End & Pick<Key, 'name' | 'lastUsedAt'>)[],
  zone: string,
  nowMs: number,
): string {
  const ending = keys.filter((key) => isEndingInUse(key, nowMs)).toSorted((a, b) => endOf(a) - endOf(b))
  const [first] = ending
  if (first === undefined) return ''
  const others = ending.length === 1 ? '' : `, and ${countOf(ending.length - 1, 'other key')} within 14 days`
  return `The key “${first.name}”, which a system used in the last week, ${endText(first, zone, nowMs)}${others}.`
}

/** The name of a key from its id, as `createdBy` and the event log have it. */
export const keyNames =
  (keys: readonly Pick<Key, 'keyId' | 'name'>[]) =>
  (id: string): string =>
    id === 'operator' || id.startsWith('op_')
      ? 'the operator'
      : (keys.find(({ keyId }) => keyId === id)?.name ?? id)

type Created = Pick<Key, 'keyId' | 'createdBy' | 'successorOf'>

/**
 * The ids of a key, of those that it replaced by rotation, and of all that these created or that replaced those, but
 * not beyond who is signed in: the key in use, and the member. A member among `keys` has his id as theirs.
 */
export function withCreated(
  keys: readonly Created[],
  keyId: string,
  ...own: readonly string[]
): ReadonlySet<string> {
  const lineage = new Set([keyId])
  // A set visits what is added on the way.
  for (const id of lineage) {
    const replaced = keys.find((key) => key.keyId === id)?.successorOf ?? null
    if (replaced !== null && !own.includes(replaced)) lineage.add(replaced)
  }
  const others = keys.filter((key) => key.keyId !== keyId)
  const made = new Set(others.flatMap((key) => (lineage.has(key.createdBy ?? '') ? [key.keyId] : [])))
  for (const id of made) {
    if (own.includes(id)) continue
    for (const key of others) if (key.createdBy === id || key.successorOf === id) made.add(key.keyId)
  }
  return new Set([...lineage, ...made].filter((id) => !own.includes(id)))
}

export const noManagerText = 'Nobody is left who manages the company: add a manager under People, with a key.'

export function revokedText(name: string, revoked: Pick<KeyRevoked, 'created' | 'noManagerLeft'>): string {
  const { keys, webhooks, members } = revoked.created
  const ended =
    keys.filter(({ revokedAt }) => revokedAt !== null).length +
    webhooks.filter(({ disabledAt }) => disabledAt !== null).length +
    members.filter(({ removedAt }) => removedAt !== null).length
  const said = `Revoked “${name}”${ended === 0 ? '' : ` and ${ended} that it created`}.`
  return revoked.noManagerLeft ? `${said} ${noManagerText}` : said
}
