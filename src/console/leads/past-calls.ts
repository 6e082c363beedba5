// Reads the calls of one lead, page by page. Few leads have more than one page.
import type { PastCall } from '../../sdk/src/models.ts'
import { readPages } from '../service/answer.ts'
import type { Client } from '../service/client.ts'

const maxPages = 5

export type PastCalls = {
  readonly calls: readonly PastCall[]
  /** False: there are later calls. */
  readonly isComplete: boolean
}

/** The calls of all pages that could be read. Throws when not even the first could. */
export async function readPastCalls(client: Client, leadId: string): Promise<PastCalls> {
  const { pages, error } = await readPages(client.leads.callPages(leadId), maxPages)
  if (error !== null && pages.length === 0) throw error
  const isComplete = error === null && pages.at(-1)?.nextCursor === null
  return { calls: pages.flatMap(({ calls }) => calls), isComplete }
}
