// What people and keys did, in sentences. Pure.
import type { Activity } from '../../../sdk/src/models.ts'
import { sentenceCase } from '../../leads/lead-words.ts'
import { countOf } from '../../ui/words/number-words.ts'
import { eventNames } from '../webhooks/event-names.ts'

type Entry = Activity['activity'][number]
type Data = Readonly<Record<string, unknown>>

/** Of members and keys, by their ids. */
type Names = {
  readonly member: (id: string) => string
  readonly key: (id: string) => string
}

const listed = (names: unknown) =>
  (Array.isArray(names) ? names : [])
    .map(String)
    .join(', ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function describeChange({ changed, paused, created, sourceName, sourceChanged }: Data): string {
  if (created === true) return 'Campaign created'
  if (Array.isArray(changed) && changed.includes('sources')) {
    const source = sourceName === undefined ? 'Source' : `Source ${sourceName}`
    const what = listed(sourceChanged)
    return what === 'created' || what === 'removed'
      ? `${source} ${what}`
      : `${source} changed: ${what || 'settings'}`
  }
  if (typeof paused === 'boolean' && Array.isArray(changed) && changed.length === 1)
    return paused ? 'Calling paused' : 'Calling resumed'
  return listed(changed) === 'dialer' ? 'Dialer changed' : `Settings changed: ${listed(changed)}`
}

const rolesOf = ({ from, scope }: Data) =>
  from === undefined || from === scope ? `: ${scope}` : `: from ${from} to ${scope}`

/** Others are said by their names alone. */
const sentences: Readonly<Partial<Record<Entry['type'], (data: Data, names: Names) => string>>> = {
  'campaign.changed': describeChange,
  'campaign.archived': ({ archived }) => (archived === false ? 'Campaign restored' : 'Campaign archived'),
  'suppression.added': ({ count }) => `${countOf(Number(count), 'number')} added to do-not-call`,
  'suppression.lifted': ({ count }) => `${countOf(Number(count), 'number')} removed from do-not-call`,
  'key.created': ({ keyId, scope }, { key }) => `Key ${key(String(keyId))} created: ${scope}`,
  'key.rotated': ({ keyId }, { key }) => `Key ${key(String(keyId))} rotated`,
  'key.revoked': ({ keyId }, { key }) => `Key ${key(String(keyId))} revoked`,
  'member.added': ({ memberId, scope }, { member }) => `${member(String(memberId))} added: ${scope}`,
  'member.changed': (data, { member }) => `${member(String(data.memberId))} changed${rolesOf(data)}`,
  'member.removed': ({ memberId }, { member }) => `${member(String(memberId))} removed`,
  'member.signed_in': () => 'Signed in',
  'webhook.changed': ({ change }) => `Webhook ${change === undefined ? 'changed' : String(change)}`,
  'erasure.done': ({ leadsErased, suppressed }) =>
    `${countOf(Number(leadsErased), 'lead')} erased${suppressed === true ? ', and the number blocked' : ''}`,
  'consent.recorded': ({ count }) => `${countOf(Number(count), 'consent')} recorded`,
  'consent.withdrawn': ({ purpose }) => `Consents withdrawn${purpose == null ? '' : `: ${purpose}`}`,
  'leads.imported': ({ count, import: name }) => `${countOf(Number(count), 'lead')} imported from ${name}`,
  'leads.exported': ({ format }) =>
    `Leads exported as ${sentenceCase(String(format ?? 'csv')).toUpperCase()}`,
  'dialer.test_started': () => 'Test call started',
  'record.read': () => 'Record of a number read',
}

export const describeActivity = ({ type, data }: Entry, names: Names): string =>
  sentences[type]?.(data, names) ?? eventNames[type]

/** A large file is sent in parts: those in a row are one import. Newest first. */
export function foldImports(entries: readonly Entry[]): readonly Entry[] {
  const folded: Entry[] = []
  for (const entry of entries) {
    const last = folded.at(-1)
    const isPart =
      last?.type === 'leads.imported' &&
      entry.type === 'leads.imported' &&
      last.actor === entry.actor &&
      ['campaignId', 'import'].every((name) => last.data[name] === entry.data[name])
    if (!isPart) folded.push(entry)
    else {
      const count = Number(last.data.count) + Number(entry.data.count)
      folded[folded.length - 1] = { ...last, data: { ...last.data, count } } as Entry
    }
  }
  return folded
}
