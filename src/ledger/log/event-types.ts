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
  'agent.failing',
  'suppression.added',
  'suppression.lifted',
  'key.created',
  'key.rotated',
  'key.revoked',
  'webhook.changed',
  'webhook.disabled',
  'webhook.gave_up',
  'erasure.done',
  'leads.exported',
] as const

export const eventTypes = [...leadEventTypes, ...manageEventTypes] as const

export type EventType = (typeof eventTypes)[number]

/** The types of entries. How a lead ended is read from the call that ended it. */
export type EntryType = Exclude<EventType, 'lead.concluded' | 'lead.exhausted'>

const endsOfCalls = ['call.reported', 'call.expired', 'call.released'] as const

/** The types of the entries in which events of this type are found. */
function entryTypesOfOne(type: EventType): readonly EntryType[] {
  if (type === 'lead.concluded' || type === 'lead.exhausted') return endsOfCalls
  // A report may say that its number must not be called again.
  return type === 'suppression.added' ? [type, 'call.reported'] : [type]
}

/** The types of the entries in which events of these types are found. */
export function entryTypesOf(types: readonly EventType[]): readonly EntryType[] {
  return [...new Set(types.flatMap(entryTypesOfOne))]
}
