// What a log can tell: the types of events, which of them are told to a managing key alone, and which entry of the log
// each is read from. An entry may tell more than one thing: the last report of a lead also tells how the lead ended.

/** Of leads and calls. */
export const leadEventTypes = [
  'leads.created',
  'call.reported',
  'call.expired',
  'call.released',
  'lead.concluded',
  'lead.exhausted',
  'lead.changed',
  'lead.erased',
  'lead.requeued',
] as const

/** Told to keys with the right to manage alone. */
export const manageEventTypes = [
  'campaign.changed',
  'suppression.added',
  'suppression.lifted',
  'key.created',
  'key.rotated',
  'key.revoked',
  'webhook.changed',
  'webhook.disabled',
  'erasure.done',
  'leads.exported',
] as const

export const eventTypes = [...leadEventTypes, ...manageEventTypes] as const

export type EventType = (typeof eventTypes)[number]

/** What is told of the end of a call besides the call itself. */
const readFromCalls = ['lead.concluded', 'lead.exhausted', 'suppression.added'] as const

type OnlyRead = 'lead.concluded' | 'lead.exhausted'

/** The types of entries. */
export type EntryType = Exclude<EventType, OnlyRead>

/** The types of the entries in which events of these types are found. */
export function entryTypesOf(types: readonly EventType[]): readonly EntryType[] {
  const found = types.flatMap((type): EntryType[] => {
    const ofCalls: EntryType[] = (readFromCalls as readonly string[]).includes(type)
      ? ['call.reported', 'call.expired']
      : []
    return type === 'lead.concluded' || type === 'lead.exhausted' ? ofCalls : [...ofCalls, type]
  })
  return [...new Set(found)]
}
