// `lead import`: a CSV file through the bulk endpoint of a running service, a thousand rows at a time. Nothing is
// kept about how far it came: each request has an Idempotency-Key that follows from its place and its content, so
// an import that was broken off is resumed by starting it again, and reports as if it had never been.
import { createHash } from 'node:crypto'
import { limits } from '../../limits.ts'
import { CommandFailed } from '../wrangler.ts'
import { type BulkTarget, postBulk } from './client.ts'
import { type CsvRow, readCsv } from './csv.ts'
import { openProgress, type Progress, type Tally } from './progress.ts'
import { openReport, type Report } from './report.ts'

export type ImportOptions = {
  readonly campaign: string
  readonly url: string
  readonly key: string
  readonly delimiter: string
  readonly report?: string
  readonly json: boolean
}

/** Throws CommandFailed when it cannot go on; what was done until then is stored. */
export async function importLeads(file: string, options: ImportOptions): Promise<Tally> {
  // Reads all of it first: a file that breaks in the middle is found out before a lead of it is stored.
  let total = 0
  for await (const _ of readCsv(file, options.delimiter)) total++

  const tally: Tally = { rows: 0, created: 0, skipped: 0, invalid: 0 }
  const progress = openProgress(total)
  const report = await openReport(options.report, progress)
  const target = { url: options.url, apiKey: options.key }
  try {
    for await (const chunk of inChunks(readCsv(file, options.delimiter), options.campaign)) {
      await importChunk(chunk, options.campaign, target, { tally, progress, report })
      progress.show(tally)
    }
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    throw new CommandFailed(
      `${error.message}; ${tally.rows} of ${total} rows are done: the same command again goes on from there`,
    )
  } finally {
    progress.close()
    await report.close()
  }
  return tally
}

type Outlets = { readonly tally: Tally; readonly progress: Progress; readonly report: Report }

type Chunk = { readonly index: number; readonly rows: readonly CsvRow[] }

async function importChunk(
  { index, rows }: Chunk,
  campaign: string,
  target: BulkTarget,
  { tally, progress, report }: Outlets,
): Promise<void> {
  const items = rows.flatMap((row) => ('itemJson' in row ? [row.itemJson] : []))
  const body = `${bodyStart(campaign)}${items.join()}${bodyEnd}`
  // The place is part of it: two chunks alike are two requests, and the second's leads are duplicates.
  const key = createHash('sha256').update(`${index} ${body}`).digest('base64url')
  const results = items.length === 0 ? [] : await postBulk(target, body, key, progress.line)
  const ofSent = results.values()
  for (const row of rows) {
    const result =
      'problem' in row ? ({ status: 'invalid', error: row.problem } as const) : ofSent.next().value
    if (result === undefined) throw new CommandFailed(`${target.url} left results out of its answer`)
    tally.rows++
    tally[result.status]++
    if (result.status !== 'created') report.add(row, result)
  }
}

const bodyStart = (campaign: string) => `{"campaignId":${JSON.stringify(campaign)},"leads":[`
const bodyEnd = ']}'

/** As many rows as one bulk request may have, or as its body may hold. */
async function* inChunks(rows: AsyncIterable<CsvRow>, campaign: string): AsyncGenerator<Chunk> {
  const emptyBytes = Buffer.byteLength(bodyStart(campaign) + bodyEnd)
  let index = 0
  let chunk: CsvRow[] = []
  let bytes = emptyBytes
  for await (const row of rows) {
    const rowBytes = 'itemJson' in row ? Buffer.byteLength(row.itemJson) + 1 : 0
    if (chunk.length === limits.leadsPerBulk || bytes + rowBytes > limits.bulkBodyMaxBytes) {
      yield { index: index++, rows: chunk }
      chunk = []
      bytes = emptyBytes
    }
    chunk.push(row)
    bytes += rowBytes
  }
  if (chunk.length > 0) yield { index, rows: chunk }
}
