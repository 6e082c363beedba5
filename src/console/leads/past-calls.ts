// The calls of one lead, read page by page. Few leads have more than one page of them.
import type { Answer } from '../service/api.ts'
import type { PastCall } from '../service/wire.ts'

/** Each costs the key a request. */
const maxPages = 5

type PastCallPage = { readonly calls: readonly PastCall[]; readonly nextCursor: string | null }

type AskPage = (method: string, path: string) => Promise<Answer<PastCallPage>>

export type PastCalls = {
  readonly calls: readonly PastCall[]
  /** False: there are later ones. */
  readonly isWhole: boolean
}

/** The calls of all pages that were read, with the answer to the last of them. */
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
  return { ...first, data: { calls, isWhole: cursor === null } }
}
