// Sends the rows of an import, a thousand at a time, in order. The Idempotency-Key of each request is saved with the
// progress (progress.ts) before it is sent: running an interrupted import again resumes it, with the result of one that
// was never interrupted.
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { hintApiKey } from '../../base/access/api-key.ts'
import { limits } from '../../base/limits.ts'
import type { DateOrder } from '../../queue/leads/file/cells/date-cell.ts'
import type { NumberChange } from '../../queue/leads/file/cells/number-reading.ts'
import type { ZoneChoices } from '../../queue/leads/file/clock-words.ts'
import type { DoNotCallScope } from '../../queue/leads/file/do-not-call.ts'
import type { FileForm } from '../../queue/leads/file/open/opened-file.ts'
import { partsLeft } from '../../queue/leads/file/resume.ts'
import { isRounded } from '../../queue/leads/file/row-item.ts'
import {
  addToTally,
  emptyTally,
  judgeRow,
  notCalled,
  type SeenNumbers,
  see,
  type Tally,
} from '../../queue/leads/file/tally.ts'
import { parseLeadId } from '../../queue/leads/lead.ts'
import { importNameOf } from '../../queue/leads/origin/origin.ts'
import { createMany, type ManyResult } from '../../sdk/src/create-many.ts'
import { LeadIntakeError, RateLimitedError, type Retry } from '../../sdk/src/lead-intake.ts'
import { CommandFailed } from '../command-failed.ts'
import { describeError, isLastTry, type Service, waitSecondsOf } from '../service.ts'
import { counted, type StatusLine } from '../text/print.ts'
import { type CsvForm, type LeadRow, readLeads, type Survey } from './lead-rows.ts'
import { deleteProgress, type Progress, saveProgress } from './progress.ts'
import { type JudgedRow, type Report, tallyText } from './report.ts'
import type { Source } from './source.ts'

export type ImportOptions = FileForm & {
  readonly columnNames: CsvForm['columnNames']
  readonly orColumn?: CsvForm['orColumn']
  /** Undefined: recognized from the first line. */
  readonly delimiter?: string
  /** Where national numbers are from. Undefined: numbers are sent as they are. */
  readonly country?: string
  /** Changes of numbers that are not wanted. */
  readonly refuse?: readonly NumberChange[]
  readonly plusAdded?: boolean
  /** Undefined: dates are sent as they are. */
  readonly dates?: DateOrder
  /** By whose clock the numbers of a country are called, in a file without time zones. */
  readonly zones: ZoneChoices
  /** For rows that have the time of a consent, and no purpose or text of their own. */
  readonly consentPurpose?: string
  readonly consentText?: string
  /** Undefined: of the company, or of the campaign by a campaign's key. */
  readonly doNotCall?: DoNotCallScope
  /** Stores nothing, here or in the service: a report at most. */
  readonly dryRun: boolean
  readonly campaign: string
  readonly url: string
  readonly key: string
  /** What the import is called. Undefined: as its file. */
  readonly origin?: string
  readonly report?: string
  readonly overwrite: boolean
}

type Run = {
  readonly service: Service
  readonly source: Source
  readonly form: CsvForm
  readonly options: ImportOptions
  readonly survey: Survey
  readonly importId: string
  readonly earlier: Progress | null
  readonly report: Report
  readonly screen: StatusLine
  readonly clockAheadMs: number
}

const requestTimeoutMs = 60_000

/** Throws CommandFailed. */
export async function sendLeads(run: Run): Promise<Tally> {
  const { service, source, form, options, survey, importId, earlier, report, screen } = run
  const { dryRun } = options
  const rows = readLeads(source, form)
  const seen: SeenNumbers = new Set()
  let tally = earlier?.tally ?? emptyTally
  let judged: JudgedRow[] = []
  const settle = async () => {
    if (judged.length === 0) return
    await report.add(judged)
    tally = judged.reduce((all, { verdict }) => addToTally(all, verdict), tally)
    judged = []
    screen.show(tallyText(tally, survey.rows))
  }
  let resumed = earlier?.pending ?? null
  let isOwn = isOwnOf(null, '')
  const idempotencyKey = async (_: number, count: number, waitMs: number) => {
    await settle()
    if (waitMs > 0) screen.log(describeLimit(Math.round(waitMs / 1000)))
    const pending = pendingOf(count, waitMs, resumed, run)
    isOwn = isOwnOf(resumed, options.key)
    resumed = null
    if (!dryRun) await saveProgress(importId, { tally, report: report.written(), pending })
    return pending.idempotencyKey
  }
  let isUntouched = earlier === null
  const onRetry = (retry: Retry) => {
    const { error } = retry
    if (isLastTry(retry)) throw error
    const waitSeconds = waitSecondsOf(retry)
    if (error instanceof RateLimitedError) return screen.log(describeLimit(waitSeconds))
    isUntouched = false
    screen.log(`${describeError(service.url, error)}: retrying in ${waitSeconds} s`)
  }
  try {
    for (const part of await partsLeft(rows, tally.rows, resumed?.rows ?? 0, seen)) {
      for await (const result of createMany(service.client.request, options.campaign, part, {
        idempotencyKey,
        dryRun,
        importName: importNameOf(options.origin ?? basename(source.name)),
        toJson: ({ item }) => ('json' in item ? item.json : undefined),
        timeoutMs: requestTimeoutMs,
        retryForMs: Number.POSITIVE_INFINITY,
        onRetry,
      }))
        judged.push(judge(result, seen, isOwn, run))
    }
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    const mayPass = error.status === 0 || error.status >= 500
    // Nothing was stored: leave no files behind.
    if (!mayPass && isUntouched && tally.rows === 0 && error.status >= 300) {
      await deleteProgress(importId)
      await report.discard()
    }
    const done = `${describeError(service.url, error)}; ${tally.rows} of ${counted(survey.rows, 'row')} done`
    throw new CommandFailed(mayPass && !dryRun ? `${done}: run the same command again to resume` : done)
  }
  await settle()
  await report.finish()
  await deleteProgress(importId)
  return tally
}

const describeLimit = (waitSeconds: number) =>
  `waiting ${waitSeconds} s for the key's rate limit (${limits.bulkRequestsPerMinutePerKey} bulk requests a minute, ` +
  `${limits.requestsPerHourPerKey} requests an hour), which is not an error`

type Pending = Progress['pending']

function pendingOf(
  rows: number,
  waitMs: number,
  resumed: Pending | null,
  { options, clockAheadMs }: Run,
): Pending {
  const apiKeyHint = hintApiKey(options.key)
  if (resumed === null) {
    const sentAfterMs = Date.now() + clockAheadMs + waitMs
    return { rows, idempotencyKey: randomUUID(), apiKeyHint, sentAfterMs }
  }
  return resumed.apiKeyHint === apiKeyHint ? resumed : { ...resumed, apiKeyHint: 'several' }
}

/**
 * Whether an existing lead is from an earlier run, whose answer was lost. The service knows, unless that run had
 * another API key: then the lead's creation time says it, which is at the front of its id.
 */
function isOwnOf(resumed: Pending | null, apiKey: string): (leadId: string) => boolean {
  if (resumed === null || resumed.apiKeyHint === hintApiKey(apiKey)) return () => false
  return (leadId) => (parseLeadId(leadId)?.createdAtMs ?? 0) >= resumed.sentAfterMs
}

function judge(
  result: ManyResult<LeadRow>,
  seen: SeenNumbers,
  isOwn: (leadId: string) => boolean,
  { service, options }: Run,
): JudgedRow {
  const { lead: row, status } = result
  if (status === undefined) throw new CommandFailed(`${service.url} does not answer like this service`)
  if ('problem' in row.item && row.item.no != null) return { row, verdict: notCalled(row.item.problem) }
  const how = { isTrial: options.dryRun, isOwn }
  const verdict = judgeRow(result, () => see(seen, row.phoneNumber), how)
  return {
    row,
    verdict: status === 'invalid' ? { ...verdict, reason: explain(row, verdict.reason) } : verdict,
  }
}

function explain({ item, phoneNumber }: LeadRow, reason: string): string {
  const problem = 'problem' in item ? item.problem : reason
  if (!isRounded(phoneNumber)) return problem
  return `${problem} (a spreadsheet has rounded it: format the column as text, and enter the number again)`
}
