// A lead in words: its name, as far as metadata has one, how a call ended, and when the next one can be.
import { type CampaignHours, findNextOpening, scheduleOf } from '../../queue/campaigns/calling-hours.ts'
import type { Erased, Explanation, ListedCampaign, ListedLead } from '../../sdk/src/models.ts'
import { countOf } from '../ui/words/number-words.ts'
import { fullTime, shortTime } from '../ui/words/zone-time.ts'

/** Without case, spaces and signs, the first that is there. Names in several parts are joined. */
const nameKeys: readonly (readonly string[])[] = [
  ['name'],
  ['fullname'],
  ['contactname'],
  ['customername'],
  ['displayname'],
  ['firstname', 'lastname'],
  ['givenname', 'familyname'],
  ['vorname', 'nachname'],
  ['prenom', 'nom'],
  ['surname'],
  ['company'],
  ['companyname'],
  ['firma'],
  ['email'],
]

const nameMaxChars = 120

/** A guess from metadata and the objects in it; null: none. */
export function nameOf(metadata: object | undefined): string | null {
  const texts = new Map<string, string>()
  const collect = (value: object, depth: number) => {
    for (const [key, member] of Object.entries(value)) {
      const name = key.toLowerCase().replace(/[^\p{L}]/gu, '')
      if (typeof member === 'string' && member.trim() !== '' && !texts.has(name)) texts.set(name, member)
      if (depth > 1 && typeof member === 'object' && member !== null) collect(member, depth - 1)
    }
  }
  collect(metadata ?? {}, 2)
  for (const keys of nameKeys) {
    const parts = keys.flatMap((key) => texts.get(key)?.trim() ?? [])
    if (parts.length > 0) return parts.join(' ').slice(0, nameMaxChars)
  }
  return null
}

/** `no_answer` is shown as "No answer". */
export function sentenceCase(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Null: the call is ongoing. */
export const describeOutcome = (outcome: string | null) =>
  outcome === null ? 'In progress' : sentenceCase(outcome)

export const isFinished = ({ status }: Pick<ListedLead, 'status'>) =>
  status === 'concluded' || status === 'exhausted'

/** It only waits for its time: without a consent that is required, it would wait for that too. */
export function mayCallNow(
  lead: Pick<ListedLead, 'status'>,
  blockers: readonly Pick<Explanation['blockers'][number], 'code'>[],
): boolean {
  const has = (...codes: readonly string[]) => blockers.some(({ code }) => codes.includes(code))
  return !isFinished(lead) && has('scheduled', 'spaced') && !has('suppressed', 'no_consent')
}

/** What an erasure will keep. `years`: of the company. */
export function describeKept(isPerson: boolean, years: number): string {
  const number = isPerson ? 'A keyed hash of the number stays, so that it is recognized. ' : ''
  if (years === 0) return `${number}Consents are deleted with the number’s last lead.`
  return `${number}With the number’s last lead, its consents stay as proof without the number until \
${countOf(years, 'year')} after they were given and last used, then they are deleted.`
}

/** What an erasure has kept. */
export function describeKeptUntil({ consents, until }: Erased['kept'], zone: string): string {
  return until === null
    ? 'No consent of the number is kept.'
    : `${countOf(consents, 'consent')} of the number ${consents === 1 ? 'is' : 'are'} kept as proof until \
${fullTime(Date.parse(until), zone)}.`
}

/** From which other leads an erasure has removed the number; empty: from none. */
export function describeAlsoIn({ alsoIn, isPartial }: Pick<Erased, 'alsoIn' | 'isPartial'>): string {
  const others = countOf(alsoIn.length, 'other lead')
  const removed = alsoIn.length > 0 && `The number was removed from the metadata of ${others}.`
  const more = isPartial && 'More leads may have the number in their metadata: erase it again later.'
  return [removed, more].filter((part) => part).join(' ')
}

/** What decides when a lead of a campaign may be called. */
type Hours = Pick<
  ListedCampaign,
  'archived' | 'paused' | 'timeZone' | 'callingHours' | 'appointmentHours' | 'closedDates'
>

/** Limits aside. `campaign`: whose hours count; undefined: they are not known. */
export function nextCallOf(
  lead: Pick<ListedLead, 'status' | 'dueAt' | 'lastOutcome' | 'scheduledFor' | 'timeZone'>,
  campaign: Hours | undefined,
  zone: string,
  nowMs: number,
): string {
  if (isFinished(lead)) return '–'
  if (lead.dueAt == null) return lead.status === 'attempting' ? 'Being called' : 'Not in the queue'
  if (campaign?.archived) return 'Campaign archived'
  if (campaign?.paused) return 'Campaign paused'
  if (campaign?.timeZone === null) return 'No time zone set'
  const dueMs = Math.max(Date.parse(lead.dueAt), nowMs)
  const isAppointment =
    lead.lastOutcome === 'callback_requested' || Date.parse(lead.scheduledFor ?? '') >= dueMs
  const opening =
    campaign &&
    findNextOpening(
      scheduleOf(campaign as unknown as CampaignHours, lead.timeZone ?? '', isAppointment),
      dueMs,
    )
  if (opening === null) return 'No upcoming hours'
  const atMs = Math.max(dueMs, opening?.opensAtMs ?? dueMs)
  return atMs <= nowMs ? 'Now' : shortTime(atMs, zone, nowMs)
}
