// Which rows of a file go into which bulk request. The same file, columns and first row give the same request, byte for
// byte, so that one whose answer was lost can be sent again under its Idempotency-Key.
import type { Judged } from './judge-rows.ts'

export const leadsPerRequest = 1000
/** The service's limit of a key: ten such requests a minute. */
export const leadsPerMinute = 10 * leadsPerRequest
/** A bulk may have 8 MiB; a character may have 3 bytes. */
const maxChunkChars = 2_500_000

export type Chunk = {
  readonly firstRow: number
  readonly lastRow: number
  /** Of the leads, in the order of the request. */
  readonly rows: readonly number[]
  readonly items: readonly string[]
  /** Rows that are not sent, for what is wrong with them. */
  readonly rejected: readonly { readonly row: number; readonly problem: string }[]
}

/** `fromRow`: rows before it are done. */
export async function* chunksOf(
  judged: AsyncIterable<readonly Judged[]>,
  fromRow: number,
): AsyncGenerator<Chunk> {
  let chunk = emptyChunk()
  let chars = 0
  for await (const rows of judged) {
    for (const one of rows) {
      if (one.row < fromRow) continue
      const itemChars = 'itemJson' in one ? one.itemJson.length : 0
      if (chunk.items.length === leadsPerRequest || chars + itemChars > maxChunkChars) {
        yield chunk
        chunk = emptyChunk()
        chars = 0
      }
      if (chunk.firstRow === 0) chunk.firstRow = one.row
      chunk.lastRow = one.row
      chars += itemChars
      if ('itemJson' in one) {
        chunk.rows.push(one.row)
        chunk.items.push(one.itemJson)
      } else chunk.rejected.push(one)
    }
  }
  if (chunk.firstRow !== 0) yield chunk
}

const emptyChunk = () => ({
  firstRow: 0,
  lastRow: 0,
  rows: [] as number[],
  items: [] as string[],
  rejected: [] as { row: number; problem: string }[],
})

export function bodyOf(campaignId: string, { items }: Chunk): string {
  return `{"campaignId":${JSON.stringify(campaignId)},"leads":[${items.join(',')}]}`
}

/** `importId` names file, columns, company and campaign. */
export const keyOfChunk = (importId: string, { firstRow }: Chunk) =>
  `console-${importId.slice(0, 40)}-${firstRow}`

export type Tally = {
  readonly rows: number
  readonly created: number
  readonly there: number
  readonly rejected: number
  /** Of those created: stored, and not called. */
  readonly suppressed: number
}

export const emptyTally: Tally = { rows: 0, created: 0, there: 0, rejected: 0, suppressed: 0 }

export type BulkResult = {
  readonly index: number
  readonly status: 'created' | 'skipped' | 'invalid'
  readonly error?: string
  readonly suppressed?: true
}

export type Rejection = readonly [row: number, problem: string]

/** What a request did to the tally, and what the service refused of it. */
export function settleChunk(
  tally: Tally,
  chunk: Chunk,
  results: readonly BulkResult[],
): { readonly tally: Tally; readonly refused: readonly Rejection[] } {
  const refused = results.flatMap(({ status, index, error }): Rejection[] =>
    status === 'invalid' ? [[chunk.rows[index] ?? 0, error ?? 'The service refused it.']] : [],
  )
  const count = (status: BulkResult['status']) => results.filter((one) => one.status === status).length
  return {
    tally: {
      rows: tally.rows + chunk.rows.length + chunk.rejected.length,
      created: tally.created + count('created'),
      there: tally.there + count('skipped'),
      rejected: tally.rejected + chunk.rejected.length + refused.length,
      suppressed:
        tally.suppressed + results.filter((one) => one.status === 'created' && one.suppressed).length,
    },
    refused,
  }
}
