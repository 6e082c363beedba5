// Splits a file's rows into bulk requests. The same file, columns and first row give the same request, byte for byte, so
// that it can be sent again with its Idempotency-Key when its answer was lost.
import type { LeadResult } from '../../../sdk/src/models.ts'
import type { Judged } from './judge-rows.ts'

export const leadsPerRequest = 1000
/** The service's limit for a key: ten such requests a minute. */
export const leadsPerMinute = 10 * leadsPerRequest
/** A bulk may have 8 MiB; a UTF-16 unit has up to 3 bytes. */
const maxChunkChars = 2_500_000

export type Chunk = {
  readonly firstRow: number
  readonly lastRow: number
  /** The rows of the leads, in the order of the request. */
  readonly rows: readonly number[]
  readonly items: readonly string[]
  /** Rows that are not sent. */
  readonly invalid: readonly { readonly row: number; readonly problem: string }[]
}

/** `fromRow`: all rows before it are done. */
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
      } else chunk.invalid.push(one)
    }
  }
  if (chunk.firstRow !== 0) yield chunk
}

const emptyChunk = () => ({
  firstRow: 0,
  lastRow: 0,
  rows: [] as number[],
  items: [] as string[],
  invalid: [] as { row: number; problem: string }[],
})

export function bodyOf(campaignId: string, { items }: Chunk): string {
  return `{"campaignId":${JSON.stringify(campaignId)},"leads":[${items.join(',')}]}`
}

/** `importId` stands for file, columns, company and campaign. */
export const keyOfChunk = (importId: string, { firstRow }: Chunk) =>
  `console-${importId.slice(0, 40)}-${firstRow}`

export type Tally = {
  readonly rows: number
  readonly created: number
  readonly existing: number
  readonly invalid: number
  /** Of those created: stored, but not called. */
  readonly suppressed: number
}

export const emptyTally: Tally = { rows: 0, created: 0, existing: 0, invalid: 0, suppressed: 0 }

export type InvalidRow = readonly [row: number, problem: string]

/** Adds the results of a request to the tally, and gives the rows that the service did not accept. */
export function settleChunk(
  tally: Tally,
  chunk: Chunk,
  results: readonly LeadResult[],
): { readonly tally: Tally; readonly invalid: readonly InvalidRow[] } {
  const invalid = results.flatMap((one): InvalidRow[] =>
    one.status === 'invalid' ? [[chunk.rows[one.index] ?? 0, one.error]] : [],
  )
  const count = (status: LeadResult['status']) => results.filter((one) => one.status === status).length
  return {
    tally: {
      rows: tally.rows + chunk.rows.length + chunk.invalid.length,
      created: tally.created + count('created'),
      existing: tally.existing + count('skipped'),
      invalid: tally.invalid + chunk.invalid.length + invalid.length,
      suppressed:
        tally.suppressed + results.filter((one) => one.status === 'created' && one.suppressed).length,
    },
    invalid,
  }
}
