// Splits the rows of an import into chunks, each as large as one bulk request may be. A chunk that is still too large for
// the service is split again.
import { createHash } from 'node:crypto'
import { limits } from '../../limits.ts'
import type { Column } from './columns.ts'
import { type CsvForm, type CsvRow, readRows } from './csv.ts'
import type { Source } from './source.ts'

export type Chunk = {
  readonly rows: readonly CsvRow[]
  /** The leads to send, as JSON, without the rows that have a problem. */
  readonly items: readonly string[]
}

export type Chunks = {
  /** The next chunk, of exactly this many rows if given; null at the end. */
  readonly take: (rows?: number) => Promise<Chunk | null>
  /** Returns the rows, which come again in bodies of at most half the size. */
  readonly halve: (chunk: Chunk) => void
}

export function openChunks(rows: AsyncIterator<CsvRow>, campaign: string): Chunks {
  const emptyBytes = Buffer.byteLength(bodyOf([], campaign))
  let maxBytes: number = limits.bulkBodyMaxBytes
  let waiting: CsvRow[] = []

  const take = async (exactly?: number) => {
    const chunk: CsvRow[] = []
    let bytes = emptyBytes
    while (chunk.length < (exactly ?? limits.leadsPerBulk)) {
      const row = waiting.shift() ?? (await nextOf(rows))
      if (row === null) break
      const rowBytes = bytesOf(row)
      if (exactly === undefined && chunk.length > 0 && bytes + rowBytes > maxBytes) {
        waiting.unshift(row)
        break
      }
      chunk.push(row)
      bytes += rowBytes
    }
    return chunk.length === 0 ? null : { rows: chunk, items: chunk.flatMap(itemOf) }
  }
  const halve = (chunk: Chunk) => {
    waiting = [...chunk.rows, ...waiting]
    maxBytes = Math.floor(Buffer.byteLength(bodyOf(chunk.items, campaign)) / 2)
  }
  return { take, halve }
}

export const bodyOf = (items: readonly string[], campaign: string) =>
  `{"campaignId":${JSON.stringify(campaign)},"leads":[${items.join()}]}`

const itemOf = (row: CsvRow) => ('itemJson' in row ? [row.itemJson] : [])

const bytesOf = (row: CsvRow) => ('itemJson' in row ? Buffer.byteLength(row.itemJson) + 1 : 0)

async function nextOf(rows: AsyncIterator<CsvRow>): Promise<CsvRow | null> {
  const { done, value } = await rows.next()
  return done ? null : value
}

export type Survey = {
  readonly columns: readonly Column[]
  readonly rows: number
  /** Bulk requests, if the service does not find one too large. */
  readonly requests: number
  readonly hash: string
}

/** Reads all of it, so that a broken file fails before any lead is stored. Throws CommandFailed. */
export async function surveySource(source: Source, form: CsvForm, campaign: string): Promise<Survey> {
  const hash = createHash('sha256')
  let columns: readonly Column[] = []
  const onHeader = (header: readonly Column[]) => {
    columns = header
  }
  const chunks = openChunks(readRows(hashed(source.read(), hash), source.name, form, onHeader), campaign)
  let rows = 0
  let requests = 0
  for (let chunk = await chunks.take(); chunk !== null; chunk = await chunks.take()) {
    rows += chunk.rows.length
    if (chunk.items.length > 0) requests++
  }
  return { columns, rows, requests, hash: hash.digest('hex') }
}

async function* hashed(
  bytes: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}
