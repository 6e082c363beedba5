// The changes that people made to one lead, from the company's log. Its calls are read in past-calls.ts.
import type { EventList, LeadIntakeEvent } from '../../sdk/src/models.ts'
import { type Ask, query } from '../service/api.ts'

const types = 'lead.changed,lead.requeued'
const pageSize = 1000
/** Each costs a request. */
const maxPages = 10

export type FoundEvents = {
  readonly events: readonly LeadIntakeEvent[]
  readonly isComplete: boolean
  readonly error: string | null
}

export async function findLeadEvents(ask: Ask, leadId: string): Promise<FoundEvents> {
  const found: LeadIntakeEvent[] = []
  let after: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const { data, error }: { data: EventList | null; error: string | null } = await ask(
      'GET',
      `/events${query({ leadId, types, limit: pageSize, after })}`,
    )
    if (data === null) return { events: found, isComplete: false, error }
    found.push(...data.events)
    if (data.events.length < pageSize) return { events: found, isComplete: true, error: null }
    after = data.next
  }
  return { events: found, isComplete: false, error: null }
}
