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

export type CallLine = {
  readonly call: PastCall
  /** Calls that this line stands for. */
  readonly count: number
  /** When the last of them was claimed. */
  readonly lastAt: string
}

const isSameRelease = (one: PastCall, other: PastCall) =>
  one.outcome === 'released' &&
  other.outcome === 'released' &&
  one.agent === other.agent &&
  one.direction === other.direction &&
  JSON.stringify(one.details) === JSON.stringify(other.details)

/** Equal releases in a row are one line. `calls` is in the order of their claims. */
export function foldReleases(calls: readonly PastCall[]): readonly CallLine[] {
  const lines: CallLine[] = []
  for (const call of calls) {
    const last = lines.at(-1)
    if (last !== undefined && isSameRelease(last.call, call))
      lines[lines.length - 1] = { ...last, count: last.count + 1, lastAt: call.claimedAt }
    else lines.push({ call, count: 1, lastAt: call.claimedAt })
  }
  return lines
}

/** The calls of all pages that could be read. Throws when not even the first could. */
export async function readPastCalls(client: Client, leadId: string): Promise<PastCalls> {
  const { pages, error } = await readPages(client.leads.callPages(leadId), maxPages)
  if (error !== null && pages.length === 0) throw error
  const isComplete = error === null && pages.at(-1)?.nextCursor === null
  return { calls: pages.flatMap(({ calls }) => calls), isComplete }
}
