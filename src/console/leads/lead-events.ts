// The changes that people made to one lead, from the company's log. Its calls are read in past-calls.ts.

import { limits } from '../../base/limits.ts'
import type { EventList, LeadIntakeEvent } from '../../sdk/src/models.ts'
import { describeError, readPages } from '../service/answer.ts'
import type { Client } from '../service/client.ts'

const types = 'lead.changed,lead.requeued,lead.refused'
const limit = limits.eventsPerPage
const maxPages = 10

export type FoundEvents = {
  readonly events: readonly LeadIntakeEvent[]
  readonly isComplete: boolean
  readonly error: string | null
}

const isLast = ({ events }: EventList) => events.length < limit

export async function findLeadEvents(client: Client, leadId: string): Promise<FoundEvents> {
  const { pages, error } = await readPages(client.events.list({ leadId, types, limit }), maxPages, isLast)
  return {
    events: pages.flatMap(({ events }) => events),
    isComplete: error === null && pages.some(isLast),
    error: error && describeError(error),
  }
}
