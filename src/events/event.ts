// What the world is told: events, read from entries of the log as they are at this moment. The same for clients that ask
// and for webhooks. Pure.
import { createHash } from 'node:crypto'
import { digestBase62 } from '../base62.ts'
import { type Epochs, epochAt } from '../ledger/log/epochs.ts'
import type { EventType } from '../ledger/log/event-types.ts'
import { formatTimestamp } from '../timestamp.ts'
import type { LogEntry } from './store/log-page.ts'

export type LogEvent = {
  /** The same whenever the event is told: names it in every try. */
  readonly id: string
  readonly type: EventType
  /** ISO 8601, in UTC. */
  readonly timestamp: string
  readonly actor: string
  /** For the operator alone: clients choose it. */
  readonly requestId: string | null
  readonly data: object
  /** What else was asked for, beside `data`: members of it whose JSON text is sent on byte for byte. */
  readonly included: Included
  /** Where it is in the log: what comes after it is after this. */
  readonly place: LogPlace
}

/** By the names of members. */
export type Included = Readonly<Record<string, string>>

/** A place in a company's log: an entry, and which of the events that are read from it. */
export type LogPlace = { readonly number: number; readonly part: number }

/** Behind all that is read from an entry. */
export const lastPart = 9

const tagChars = 6
const epochDigits = 8
const numberDigits = 10

/** Without an epoch it is 0. */
export const eventIdPattern = `evt_[0-9A-Za-z]{${tagChars}}(?:[0-9a-f]{${epochDigits}})?[0-9a-f]{${numberDigits}}[0-9]`
const eventIdForm = new RegExp(`^${eventIdPattern}$`)

/** Whose log it is, and since when which of its entries are others than before a restore. */
export type Log = { readonly companyId: string; readonly epochs: Epochs }

/** Tells the events of companies apart: a receiver may serve more than one. */
function companyTag(companyId: string): string {
  return digestBase62(createHash('sha256').update(companyId).digest(), tagChars)
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** Of an event, or of a place in the log, which has the same form. */
export function eventIdOf({ companyId, epochs }: Log, { number, part }: LogPlace): string {
  const epoch = epochAt(epochs, number)
  const epochHex = epoch === 0 ? '' : hex(epoch, epochDigits)
  return `evt_${companyTag(companyId)}${epochHex}${hex(number, numberDigits)}${part}`
}

/** The place that an id names, and in which epoch; null when it is none of this company's. */
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

/** All that an entry tells, in order. */
export function eventsOf(log: Log, entry: LogEntry): readonly LogEvent[] {
  return partsOf(entry).map(({ type, data, included = {} }, part) => {
    const place = { number: entry.number, part }
    return {
      id: eventIdOf(log, place),
      type,
      timestamp: formatTimestamp(entry.atMs) as string,
      actor: entry.actor,
      requestId: entry.requestId,
      data,
      included,
      place,
    }
  })
}

type Part = { readonly type: EventType; readonly data: object; readonly included?: Included }

function partsOf(entry: LogEntry): readonly Part[] {
  const { type, campaignId, lead, call, data } = entry
  if (call !== null && lead !== null) return partsOfCall(entry)
  if (type === 'leads.created')
    return [{ type, data: { campaignId, count: data.count, leadIds: entry.leadIds } }]
  // The token is the request's own.
  if (type === 'erasure.done') {
    const { leadsErased, suppressed } = data
    return [{ type, data: { campaignId, leadsErased, suppressed } }]
  }
  // A null says that it concerns the whole company.
  if (lead === null) return [{ type, data: { campaignId, ...data } }]
  const { leadId, externalId, status, attempts } = lead
  if (type === 'lead.erased' || lead.isErased) return [{ type, data: { leadId, campaignId } }]
  const facts = { leadId, campaignId, externalId, status, attempts, ...data }
  return [{ type, data: facts, included: includedIn(entry) }]
}

/** How the lead ended, and that its number is not to be called again, follow from the report. */
function partsOfCall(entry: LogEntry): readonly Part[] {
  const { type, campaignId, lead, call } = entry
  if (lead === null || call === null) return []
  const data = {
    leadId: lead.leadId,
    campaignId,
    externalId: lead.externalId,
    status: call.status,
    attempts: call.attempts,
    callId: call.callId,
    outcome: call.outcome,
    isLastAttempt: call.isLastAttempt,
  }
  const included = includedIn(entry)
  const parts: Part[] = [{ type, data, included }]
  if (call.isEnd)
    parts.push({ type: call.status === 'concluded' ? 'lead.concluded' : 'lead.exhausted', data, included })
  if (call.doNotCall) parts.push({ type: 'suppression.added', data: { campaignId: null, count: 1 } })
  return parts
}

/** What was asked for beyond the ids, and is there. Metadata and details are JSON text already. */
function includedIn({ lead, call }: LogEntry): Included {
  return {
    ...(lead?.phoneNumber != null && { phoneNumber: JSON.stringify(lead.phoneNumber) }),
    ...(lead?.metadata != null && { metadata: lead.metadata }),
    ...(call?.details != null && { details: call.details }),
  }
}
