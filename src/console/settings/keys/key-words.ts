// Keys in words: what each scope allows, when a key ends, who created it, and what it created itself. Pure.
import type { Key } from '../../../sdk/src/models.ts'
import { shortTime } from '../../ui/words/zone-time.ts'

export type Scope = Key['scope']

/** In the order in which they are offered. */
export const scopeSentences: Readonly<Record<Scope, string>> = {
  read: 'Sees leads, events, figures and do-not-call numbers. Changes nothing.',
  write: 'Also creates, changes and blocks leads. For a CRM or a form.',
  agent: 'Claims leads and reports calls. Cannot list leads. For a calling agent.',
  manage: 'Everything: settings, keys, webhooks and erasing people, too.',
}

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

/** The name of a key from its id, as `createdBy` and the event log have it. */
export const keyNames =
  (keys: readonly Pick<Key, 'keyId' | 'name'>[]) =>
  (id: string): string =>
    id === 'operator' ? 'the operator' : (keys.find(({ keyId }) => keyId === id)?.name ?? id)

type Created = Pick<Key, 'keyId' | 'createdBy'>

/** The ids of a key and of the keys that it created, that these created, and so on, but not beyond the key in use. */
export function withCreated(keys: readonly Created[], keyId: string, ownId: string): ReadonlySet<string> {
  const ids = new Set([keyId])
  // A set visits what is added on the way.
  for (const id of ids) {
    if (id === ownId) continue
    for (const key of keys) if (key.createdBy === id) ids.add(key.keyId)
  }
  return new Set([...ids].filter((id) => id !== ownId))
}
