// Leads such as a CRM sends to a Worker that knows no queue, and their order in the queue (D43), worked out from what
// was sent alone.
import { newPhone } from './world.ts'

export type SentLead = {
  readonly phoneNumber: string
  readonly priority?: number
  readonly scheduledFor?: string
  readonly metadata: { readonly n: number }
}

/** A lead as the API lists it. */
export type ListedLead = SentLead & {
  readonly _id: string
  readonly _creationTime: number
  readonly timeZone?: string
  readonly status: string
  readonly attempts: number
}

export type Place = {
  readonly leadId: string
  readonly phoneNumber: string
  readonly rank: number
  readonly dueAtMs: number
  /** How many were stored before. */
  readonly index: number
}

const dayMs = 86_400_000

/** Yesterday means now; what is soon has come when the new Worker starts; tomorrow has not. */
const delaysMs = [-dayMs, 4_000, dayMs, 5_000]

let made = 0
const scheduledAtMsOf = new Map<string, number>()

/** Of three leads one has a priority, of five one has a time. */
export function makeLead(nowMs = Date.now()): SentLead {
  const n = made++
  const lead = {
    phoneNumber: newPhone(),
    metadata: { n },
    ...(n % 3 === 0 && { priority: (n * 7) % 101 }),
  }
  if (n % 5 !== 0) return lead
  const turn = n / 5
  const scheduledAtMs = nowMs + (delaysMs[turn % delaysMs.length] as number)
  scheduledAtMsOf.set(lead.phoneNumber, scheduledAtMs)
  return { ...lead, scheduledFor: spell(scheduledAtMs, Math.floor(turn / delaysMs.length)) }
}

/** ISO 8601 in the ways that clients write it. */
function spell(atMs: number, way: number): string {
  const local = (minutes: number) => new Date(atMs + minutes * 60_000).toISOString().slice(0, -1)
  const ways = [`${local(0)}Z`, `${local(60)}+01`, `${local(330)}+05:30`, `${local(-210)}000-03:30`]
  return ways[way % ways.length] as string
}

export function makeLeads(count: number): SentLead[] {
  return Array.from({ length: count }, () => makeLead())
}

/** `listed` in the order of the list, which is that of storing. */
export function placesOf(listed: readonly ListedLead[]): Place[] {
  return listed.map(({ _id, phoneNumber, priority = 0, _creationTime }, index) => {
    const scheduledAtMs = scheduledAtMsOf.get(phoneNumber) ?? 0
    return {
      leadId: _id,
      phoneNumber,
      rank: scheduledAtMs > _creationTime ? 101 : priority,
      dueAtMs: Math.max(scheduledAtMs, _creationTime),
      index,
    }
  })
}

/** Negative: `a` is called first. */
export function compareTurns(a: Place, b: Place): number {
  return b.rank - a.rank || a.dueAtMs - b.dueAtMs || a.index - b.index
}

export const isOfTomorrow = ({ dueAtMs }: Place): boolean => dueAtMs > Date.now() + dayMs / 2
