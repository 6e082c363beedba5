// What people did with one lead, as the company's log has it. Its calls are read elsewhere.
import { type Ask, query } from '../service/api.ts'

export type LogEvent = {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly actor: string
  readonly data: Readonly<Record<string, unknown>>
}

export type EventPage = { readonly events: readonly LogEvent[]; readonly next: string }

const types = 'lead.changed,lead.requeued'
const pageSize = 1000
/** Each costs the key a request. */
const pagesAtMost = 10

export type FoundEvents = {
  readonly events: readonly LogEvent[]
  readonly isWhole: boolean
  readonly error: string | null
}

export async function findLeadEvents(ask: Ask, leadId: string): Promise<FoundEvents> {
  const found: LogEvent[] = []
  let after: string | null = null
  for (let page = 0; page < pagesAtMost; page++) {
    const { data, error }: { data: EventPage | null; error: string | null } = await ask(
      'GET',
      `/events${query({ leadId, types, limit: pageSize, after })}`,
    )
    if (data === null) return { events: found, isWhole: false, error }
    found.push(...data.events)
    if (data.events.length < pageSize) return { events: found, isWhole: true, error: null }
    after = data.next
  }
  return { events: found, isWhole: false, error: null }
}
