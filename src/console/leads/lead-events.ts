// The changes that people made to one lead, from the company's log. Its calls are read in past-calls.ts.
import type { EventList, LeadIntakeEvent } from '../../sdk/src/models.ts'
import { pagesOf } from '../../sdk/src/paging.ts'
import { askerFor, type Send } from '../../sdk/src/send.ts'
import { describeError, readPages } from '../service/answer.ts'

const types = 'lead.changed,lead.requeued'
const limit = 1000
const maxPages = 10

export type FoundEvents = {
  readonly events: readonly LeadIntakeEvent[]
  readonly isComplete: boolean
  readonly error: string | null
}

const isLast = ({ events }: EventList) => events.length < limit

export async function findLeadEvents(send: Send, leadId: string): Promise<FoundEvents> {
  const query = { leadId, types, limit }
  const list = pagesOf(askerFor(send), '/events', query, {}, 'events', (page: EventList) =>
    isLast(page) ? null : { after: page.next },
  )
  const { pages, error } = await readPages(list, maxPages)
  return {
    events: pages.flatMap(({ events }) => events),
    isComplete: error === null && pages.some(isLast),
    error: error && describeError(error),
  }
}
