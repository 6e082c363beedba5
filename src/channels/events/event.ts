// Turns entries of the log into events. The same for GET /events and webhooks. Pure.
import { createHash } from 'node:crypto'
import { digestBase62 } from '../../base/base62.ts'
import { type Epochs, epochAt } from '../../base/ledger/log/epochs.ts'
import type { EventType } from '../../base/ledger/log/event-types.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { directionOf } from '../../queue/calling/call.ts'
import type { EntryCall, EntryLead, LogEntry } from './store/log-page.ts'

export type LogEvent = {
  /** The same in every answer and every delivery attempt. */
  readonly id: string
  readonly type: EventType
  /** ISO 8601, in UTC. */
  readonly timestamp: string
  readonly actor: string
  /** The member's, as it is now. */
  readonly actorName: string | null
  /** As it is now; absent: it is about none. */
  readonly campaignName?: string | null | undefined
  readonly data: object
  /** More members of `data`, as JSON text that is sent byte for byte. */
  readonly included: Included
  readonly place: LogPlace
  readonly subject: Subject | null
}

/** By the names of members. */
export type Included = Readonly<Record<string, string>>

/**
 * Whose events are sent in order: a lead's, a campaign's, or an alert's. `leads.created` is about a range of leads.
 * Null: the order does not matter, as with counts.
 */
export type Subject = { readonly topic: string; readonly first: number; readonly last: number }

/** A place in a company's log: an entry, and which of its events. */
export type LogPlace = { readonly number: number; readonly part: number }

/** After every event of an entry. */
export const lastPart = 9

const tagChars = 6
const epochDigits = 8
const numberDigits = 10

/** The hex digits of the epoch are absent when it is 0. */
export const eventIdPattern = `evt_[0-9A-Za-z]{${tagChars}}(?:[0-9a-f]{${epochDigits}})?[0-9a-f]{${numberDigits}}[0-9]`
const eventIdForm = new RegExp(`^${eventIdPattern}$`)

type Log = { readonly companyId: string; readonly epochs: Epochs }

/** Keeps the event ids of companies apart, since one receiver may serve several. */
function companyTag(companyId: string): string {
  return digestBase62(createHash('sha256').update(companyId).digest(), tagChars)
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** The id of an event. Every other place in the log has an id of the same form, used as a cursor. */
export function eventIdOf({ companyId, epochs }: Log, { number, part }: LogPlace): string {
  const epoch = epochAt(epochs, number)
  const epochHex = epoch === 0 ? '' : hex(epoch, epochDigits)
  return `evt_${companyTag(companyId)}${epochHex}${hex(number, numberDigits)}${part}`
}

/** Null when the id is malformed or of another company. */
export function placeOfEventId(
  companyId: string,
  id: string,
): (LogPlace & { readonly epoch: number }) | null {
  if (!eventIdForm.test(id) || id.slice(4, 4 + tagChars) !== companyTag(companyId)) return null
  const [epochHex, numberHex] = [id.slice(4 + tagChars, -1 - numberDigits), id.slice(-1 - numberDigits, -1)]
  const epoch = epochHex === '' ? 0 : Number.parseInt(epochHex, 16)
  return { epoch, number: Number.parseInt(numberHex, 16), part: Number(id.slice(-1)) }
}

export const isAfter = (one: LogPlace, other: LogPlace) =>
  one.number > other.number || (one.number === other.number && one.part > other.part)

/** The events of an entry, in order. */
export function eventsOf(log: Log, entry: LogEntry): readonly LogEvent[] {
  return partsOf(entry).map(({ type, data, included = {} }, part) => {
    const place = { number: entry.number, part }
    return {
      id: eventIdOf(log, place),
      type,
      timestamp: formatTimestamp(entry.atMs) as string,
      actor: entry.actor,
      actorName: entry.actorName,
      campaignName: entry.campaignName,
      data,
      included,
      place,
      subject: subjectOf(entry, type),
    }
  })
}

/** As clients get it. */
export const eventJson = ({ id, type, timestamp, actor, actorName, data }: LogEvent) => ({
  ...{ id, type, timestamp, actor, actorName, data },
})

type Part = { readonly type: EventType; readonly data: object; readonly included?: Included }

function partsOf(entry: LogEntry): readonly Part[] {
  const { type, campaignId, lead, call, data } = entry
  if (lead !== null && call !== null) return partsOfCall(entry, lead, call)
  if (type === 'leads.created') {
    const { leadIds, origin, externalIds } = entry
    const more = externalIds && { externalIds }
    return [{ type, data: { campaignId, count: data.count, leadIds, origin, ...more } }]
  }
  // Without the token, which only recognizes a repeated request.
  if (type === 'erasure.done') {
    const { leadsErased, suppressed } = data
    return [{ type, data: { campaignId, leadsErased, suppressed } }]
  }
  // `campaignId` null: the whole company.
  if (lead === null) return [{ type, data: { campaignId, ...data } }]
  const { leadId, externalId } = lead
  if (type === 'lead.erased') return [{ type, data: { leadId, campaignId } }]
  return [{ type, data: { leadId, campaignId, externalId, ...data }, included: includedIn(entry) }]
}

function subjectOf({ leadSeq, campaignId, data }: LogEntry, type: EventType): Subject | null {
  const about = (...ids: unknown[]) => ({ topic: JSON.stringify(ids), first: 0, last: 0 })
  // A report that suppresses its number has a lead.
  if (type === 'suppression.added') return null
  if (leadSeq !== null)
    return { topic: 'lead', first: leadSeq, last: type === 'leads.created' ? Number(data.last) : leadSeq }
  if (type.startsWith('campaign.')) return about('campaign', campaignId)
  return type.startsWith('alert.') ? about('alert', campaignId, data.kind, data.subject) : null
}

/** One report can also end the lead and suppress its number. */
function partsOfCall(entry: LogEntry, lead: EntryLead, call: EntryCall): readonly Part[] {
  const { type, campaignId } = entry
  const { leadId, externalId } = lead
  const { status, attempts, callId, outcome, isLastAttempt } = call
  const direction = directionOf({ isInbound: call.isInbound ?? 0 })
  if (type === 'call.started') {
    const { providerCallId } = call
    return [
      { type, data: { leadId, campaignId, callId, direction, attempt: entry.data.attempt, providerCallId } },
    ]
  }
  const data = {
    ...{ leadId, campaignId, externalId, status, attempts, callId, outcome, isLastAttempt },
    ...(type === 'call.reported' && { direction, consentId: call.consentId ?? null }),
  }
  const included = includedIn(entry)
  const parts: Part[] = [{ type, data, included }]
  if (call.isEnd)
    parts.push({ type: call.status === 'concluded' ? 'lead.concluded' : 'lead.exhausted', data, included })
  if (call.doNotCall) parts.push({ type: 'suppression.added', data: { campaignId: null, count: 1 } })
  return parts
}

/** Metadata and details are JSON text already. */
function includedIn({ lead, call }: LogEntry): Included {
  return {
    ...(lead?.phoneNumber != null && { phoneNumber: JSON.stringify(lead.phoneNumber) }),
    ...(lead?.metadata != null && { metadata: lead.metadata }),
    ...(call?.details != null && { details: call.details }),
  }
}
