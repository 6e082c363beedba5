// The calls of one lead, read page by page. Few leads have more than one page of them.
import type { PastCall } from './wire.ts'

/** Each costs the key a request. */
const pagesAtMost = 5

type PastCallPage = { readonly calls: readonly PastCall[]; readonly nextCursor: string | null }

type AskPage = (method: string, path: string) => Promise<{ readonly data: PastCallPage | null }>

export type PastCalls = {
  readonly calls: readonly PastCall[]
  /** False: there are later ones. */
  readonly isWhole: boolean
}

export async function readPastCalls(ask: AskPage, leadId: string): Promise<PastCalls> {
  const path = `/leads/${encodeURIComponent(leadId)}/calls`
  const calls: PastCall[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesAtMost; page++) {
    const { data } = await ask('GET', path + (cursor === null ? '' : `?cursor=${cursor}`))
    if (data === null) return { calls, isWhole: page === 0 }
    calls.push(...data.calls)
    cursor = data.nextCursor
    if (cursor === null) return { calls, isWhole: true }
  }
  return { calls, isWhole: false }
}
