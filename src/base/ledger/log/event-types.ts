// The types of events, which of them only a key with the right `manage` gets, and the log entries that each is read
// from. One entry may yield several events: the last report of a lead also yields how the lead ended.

/** What happens to leads and calls. */
export const leadEventTypes = [
  'leads.created',
  'call.started',
  'call.reported',
  'call.expired',
  'call.released',
  'lead.concluded',
  'lead.exhausted',
  'lead.changed',
  'lead.erased',
  'lead.requeued',
  'lead.refused',
] as const

/** Only for keys with the right `manage`. */
export const manageEventTypes = [
  'campaign.changed',
  'campaign.created',
  'campaign.archived',
  'agent.failing',
  'dialer.test_started',
  'suppression.added',
  'suppression.lifted',
  'key.created',
  'key.created_by_operator',
  'key.rotated',
  'key.revoked',
  'member.added',
  'member.changed',
  'member.removed',
  'member.signed_in',
  'source.refused',
  'webhook.changed',
  'webhook.disabled',
  'webhook.gave_up',
  'erasure.done',
  'consent.recorded',
  'consent.withdrawn',
  'leads.imported',
  'leads.exported',
  'record.read',
  'company.restored',
  'alert.raised',
  'alert.cleared',
] as const

/** What people and keys change, and what they read of people. */
export const activityTypes = [
  'campaign.changed',
  'campaign.created',
  'campaign.archived',
  'dialer.test_started',
  'suppression.added',
  'suppression.lifted',
  'key.created',
  'key.created_by_operator',
  'key.rotated',
  'key.revoked',
  'member.added',
  'member.changed',
  'member.removed',
  'member.signed_in',
  'webhook.changed',
  'webhook.disabled',
  'erasure.done',
  'consent.recorded',
  'consent.withdrawn',
  'leads.imported',
  'leads.exported',
  'record.read',
  'company.restored',
] as const satisfies readonly (typeof manageEventTypes)[number][]

export const eventTypes = [...leadEventTypes, ...manageEventTypes] as const

export type EventType = (typeof eventTypes)[number]

/** The types that somebody wants. Null: every one that the key may see, types of later versions included. */
export type WantedTypes = readonly EventType[] | null

/** In what a webhook stores: it gets every type, those of later versions too. */
export const everyType = '*'

export const toStoredTypes = (types: WantedTypes): readonly string[] => types ?? [everyType]

export const wantedOf = (stored: readonly string[]): WantedTypes =>
  stored.includes(everyType) ? null : (stored as readonly EventType[])

/** How a lead ended is read from the entry of its last call. */
export type EntryType = Exclude<EventType, 'lead.concluded' | 'lead.exhausted'>

const endsOfCalls = ['call.reported', 'call.expired', 'call.released'] as const

function entryTypesOfOne(type: EventType): readonly EntryType[] {
  if (type === 'lead.concluded' || type === 'lead.exhausted') return endsOfCalls
  // A report may suppress its number.
  return type === 'suppression.added' ? [type, 'call.reported'] : [type]
}

/** The entry types that events of these types are read from. */
export function entryTypesOf(types: readonly EventType[]): readonly EntryType[] {
  return [...new Set(types.flatMap(entryTypesOfOne))]
}
