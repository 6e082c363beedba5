// Reads the calls of one lead, page by page. Few leads have more than one page.
import type { PastCall, PastCallList } from '../../sdk/src/models.ts'
import type { Answer } from '../service/api.ts'

/** Each costs a request. */
const maxPages = 5

type AskPage = (method: string, path: string) => Promise<Answer<PastCallList>>

export type PastCalls = {
  readonly calls: readonly PastCall[]
  /** False: there are later calls. */
  readonly isComplete: boolean
}

/** The calls of all pages that could be read. */
export async function readPastCalls(ask: AskPage, leadId: string): Promise<Answer<PastCalls>> {
  const path = `/leads/${encodeURIComponent(leadId)}/calls`
  const first = await ask('GET', path)
  if (first.data === null) return { ...first, data: null }
  const calls = [...first.data.calls]
  let cursor = first.data.nextCursor
  for (let page = 2; cursor !== null && page <= maxPages; page++) {
    const { data } = await ask('GET', `${path}?cursor=${cursor}`)
    if (data === null) break
    calls.push(...data.calls)
    cursor = data.nextCursor
  }
  return { ...first, data: { calls, isComplete: cursor === null } }
}
