// Reads the calls of one lead, page by page. Few leads have more than one page.
import type { PastCall, PastCallList } from '../../sdk/src/models.ts'
import { pagesOf } from '../../sdk/src/paging.ts'
import { askerFor, type Send } from '../../sdk/src/send.ts'
import { leadPath, readPages } from '../service/answer.ts'

const maxPages = 5

export type PastCalls = {
  readonly calls: readonly PastCall[]
  /** False: there are later calls. */
  readonly isComplete: boolean
}

/** The calls of all pages that could be read. Throws when not even the first could. */
export async function readPastCalls(send: Send, leadId: string): Promise<PastCalls> {
  const list = pagesOf<PastCallList, 'calls'>(askerFor(send), `${leadPath(leadId)}/calls`, {}, {}, 'calls')
  const { pages, error } = await readPages(list, maxPages)
  if (error !== null && pages.length === 0) throw error
  const isComplete = error === null && pages.at(-1)?.nextCursor === null
  return { calls: pages.flatMap(({ calls }) => calls), isComplete }
}
