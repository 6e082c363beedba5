// `lead import`: sends a CSV file to the bulk endpoint of a running service, a thousand rows at a time, in order. The
// Idempotency-Key of each request is saved with the progress (progress.ts) before it is sent: running an interrupted
// import again resumes it, with the result of one that was never interrupted.
import { randomUUID } from 'node:crypto'
import { hintApiKey } from '../../access/api-key.ts'
import { parseLeadId } from '../../leads/lead.ts'
import { limits } from '../../limits.ts'
import type { LeadResult } from '../../sdk/src/lead-intake.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { openService, reachService, type Service } from '../service.ts'
import { counted, openStatusLine, type StatusLine } from '../text/print.ts'
import { postBulk } from './bulk.ts'
import { bodyOf, type Chunk, openChunks, type Survey, surveySource } from './chunks.ts'
import { type CsvForm, readRows } from './csv.ts'
import { ownerOfKey } from './key-owner.ts'
import { deleteProgress, importIdOf, type Progress, readProgress, saveProgress } from './progress.ts'
import { findReportPlace, type Report, reportInFile, reportInLines } from './report.ts'
import { openSource, type Source } from './source.ts'
import {
  addToTally,
  emptyTally,
  type JudgedRow,
  judge,
  type SeenNumbers,
  see,
  type Tally,
  tallyText,
} from './verdict.ts'

export type ImportOptions = CsvForm & {
  readonly campaign: string
  readonly url: string
  readonly key: string
  readonly report?: string
  readonly overwrite: boolean
}

/** `-` is stdin. Throws CommandFailed when it cannot continue; leads that were created stay. */
export async function importLeads(file: string, options: ImportOptions): Promise<Tally> {
  const { campaign, url, delimiter, columnNames, overwrite } = options
  const source = await openSource(file)
  const screen = openStatusLine()
  try {
    const place =
      options.report === undefined ? null : await findReportPlace(options.report, overwrite, source)
    const survey = await surveySource(source, options, campaign)
    const service = openService(url, options.key)
    const reached = await reachService(service)
    if (reached.kind === 'unreachable') throw new CommandFailed(reached.message)

    const owner = await ownerOfKey(service, options.key, screen.log)
    const importId = importIdOf([survey.hash, owner, campaign, url, delimiter, columnNames])
    const earlier = await readProgress(importId)
    const report =
      place === null
        ? reportInLines(screen)
        : await reportInFile(place, importId, survey.columns, delimiter, earlier, screen)
    try {
      screen.log(announce(survey, earlier))
      const { clockAheadMs } = reached
      return await sendAll({
        service,
        source,
        options,
        survey,
        importId,
        earlier,
        report,
        screen,
        clockAheadMs,
      })
    } finally {
      await report.close()
    }
  } finally {
    screen.close()
    await source.close()
  }
}

/** The time is an estimate by the rate limit. */
function announce({ rows, requests }: Survey, earlier: Progress | null): string {
  const doneRows = earlier?.tally.rows ?? 0
  const left = Math.ceil(requests * (1 - doneRows / Math.max(rows, 1)))
  const minutes = Math.floor(Math.max(left - 1, 0) / limits.bulkRequestsPerMinutePerKey)
  const time = minutes === 0 ? 'less than a minute' : `about ${minutes} min`
  const done = earlier === null ? '' : `, ${doneRows} done by an earlier run`
  const { bulkRequestsPerMinutePerKey, leadsPerBulk } = limits
  const limit = `${bulkRequestsPerMinutePerKey} requests (${bulkRequestsPerMinutePerKey * leadsPerBulk} leads) a minute`
  return `${counted(rows, 'row')}${done}: ${counted(left, 'bulk request')}, ${time}, at the limit of ${limit}`
}

type Run = {
  readonly service: Service
  readonly source: Source
  readonly options: ImportOptions
  readonly survey: Survey
  readonly importId: string
  readonly earlier: Progress | null
  readonly report: Report
  readonly screen: StatusLine
  readonly clockAheadMs: number
}

async function sendAll(run: Run): Promise<Tally> {
  const { source, options, survey, importId, earlier, report, screen } = run
  const rows = readRows(source.read(), source.name, options, () => {})
  const seen: SeenNumbers = new Set()
  let tally = earlier?.tally ?? emptyTally
  for (let row = 0; row < tally.rows; row++) see(seen, (await rows.next()).value)

  const chunks = openChunks(rows, options.campaign)
  let resumed = earlier?.pending ?? null
  for (;;) {
    const chunk = await chunks.take(resumed?.rows)
    if (chunk === null) break
    const pending = pendingOf(chunk, resumed, run)
    await saveProgress(importId, { tally, report: report.written(), pending })
    const results = await sendChunk(chunk, pending.idempotencyKey, run, tally)
    if (results === null) {
      chunks.halve(chunk)
    } else {
      const judged = judgeChunk(chunk, results, seen, isOwnOf(resumed, options.key))
      await report.add(judged)
      tally = addToTally(tally, judged)
      screen.show(tallyText(tally, survey.rows))
    }
    resumed = null
  }
  await report.finish()
  await deleteProgress(importId)
  return tally
}

type Pending = Progress['pending']

function pendingOf(chunk: Chunk, resumed: Pending | null, { options, clockAheadMs }: Run): Pending {
  const apiKeyHint = hintApiKey(options.key)
  if (resumed === null) {
    const sentAfterMs = Date.now() + clockAheadMs
    return { rows: chunk.rows.length, idempotencyKey: randomUUID(), apiKeyHint, sentAfterMs }
  }
  return resumed.apiKeyHint === apiKeyHint ? resumed : { ...resumed, apiKeyHint: 'several' }
}

/**
 * Whether an existing lead is from an earlier run, whose answer was lost. The service knows, unless that run had another API
 * key: then the lead's creation time says it, which is at the front of its id.
 */
function isOwnOf(resumed: Pending | null, apiKey: string): (leadId: string) => boolean {
  if (resumed === null || resumed.apiKeyHint === hintApiKey(apiKey)) return () => false
  return (leadId) => (parseLeadId(leadId)?.createdAtMs ?? 0) >= resumed.sentAfterMs
}

/** The results of its items, or null when it has to be split. Throws CommandFailed. */
async function sendChunk(
  { items }: Chunk,
  idempotencyKey: string,
  { service, options, survey, importId, earlier, report, screen }: Run,
  tally: Tally,
): Promise<readonly LeadResult[] | null> {
  if (items.length === 0) return []
  const result = await postBulk(service, bodyOf(items, options.campaign), idempotencyKey, screen.log)
  const done = `${tally.rows} of ${counted(survey.rows, 'row')} done`
  switch (result.kind) {
    case 'answered':
      if (result.results.length === items.length) return result.results
      throw new CommandFailed(`${options.url} omitted results in its answer; ${done}`)
    case 'too_large':
      return items.length === 1 ? [{ index: 0, status: 'invalid', error: 'Request body too large' }] : null
    case 'refused':
      // Nothing was stored: leave no files behind.
      if (result.isUntouched && earlier === null && tally.rows === 0) {
        await deleteProgress(importId)
        await report.discard()
      }
      throw new CommandFailed(`${result.message}; ${done}`)
    case 'gave_up':
      throw new CommandFailed(`${result.message}; ${done}: run the same command again to resume`)
  }
}

function judgeChunk(
  { rows }: Chunk,
  results: readonly LeadResult[],
  seen: SeenNumbers,
  isOwn: (leadId: string) => boolean,
): JudgedRow[] {
  const ofItems = results.values()
  return rows.map((row) => {
    const result =
      'problem' in row ? { index: 0, status: 'invalid' as const, error: row.problem } : ofItems.next().value
    return { row, verdict: judge(seen, row, result as LeadResult, isOwn) }
  })
}
