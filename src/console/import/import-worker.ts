// The import's worker: reads, validates and sends a file outside of the page's thread, which stays responsive. How a
// row becomes a lead is in src/leads/file; the client's createMany sends.
import { type Column, columnsOf } from '../../leads/file/columns.ts'
import { type Format, readCsv, readFormat, UnreadableFile } from '../../leads/file/csv-rows.ts'
import { doNotCallReason, inBatches } from '../../leads/file/do-not-call.ts'
import type { Pieces } from '../../leads/file/open/opened-file.ts'
import { partsLeft } from '../../leads/file/resume.ts'
import { type Readers, readNo } from '../../leads/file/row-item.ts'
import { numbersOf, see } from '../../leads/file/tally.ts'
import { createMany } from '../../sdk/src/create-many.ts'
import { InvalidFieldError, LeadIntakeError } from '../../sdk/src/errors.ts'
import type { Send } from '../../sdk/src/send.ts'
import { hashFile, hashText, piecesOf } from './file/file-pieces.ts'
import { invalidRowsFile } from './file/invalid-rows-file.ts'
import { fillNumbers, type Judged, type JudgeRow, openJudge, sentence, settle } from './file/judge-rows.ts'
import { survey } from './file/survey.ts'
import { tryRows } from './file/try-rows.ts'
import {
  type Choices,
  emptyTally,
  type FromWorker,
  type InvalidRow,
  type Problem,
  problemsAtOnce,
  scopeOf,
  type Tally,
  type ToWorker,
  type Trial,
  type Wait,
} from './import-messages.ts'
import { openSender } from './import-sender.ts'
import { findImport, forgetImport, type ImportState, invalidRowsOf, saveImport } from './import-state.ts'

type Opened = {
  readonly file: File
  readonly decode: (pieces: Pieces) => Pieces
  readonly companyId: string
  readonly campaignId: string
  readonly isOfCompany: boolean
  readonly fileHash: string
  readonly headers: readonly string[]
  readonly format: Format
  readonly hasHeader: boolean
}

const maxColumns = 500
const maxHeaderChars = 20_000

let opened: Opened | null = null
let judge: JudgeRow | null = null
/** The numbers of the file that must not be called. */
let nos: ReadonlySet<number> = new Set()
let state: ImportState | null = null
let problems: readonly Problem[] = []
/** Of the last dry run. */
let triedInvalid: readonly InvalidRow[] = []
let pause = new AbortController()
let trial = new AbortController()
/** The newest message; work for earlier ones stops. */
let turn = 0

/** A newer message came. */
class Superseded extends Error {}

const loadReaders = () => import('../../leads/file/readers.ts')
const post = (message: FromWorker) => postMessage(message)
const postTrial = (trial: Trial) => post({ kind: 'trial', trial })

addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  try {
    await handleMessage(data)
  } catch (error) {
    if (error instanceof Superseded) return
    const message =
      error instanceof UnreadableFile
        ? sentence(error.message)
        : 'The file could not be read. Choose it again.'
    post({ kind: 'unreadable', message })
  }
})

async function handleMessage(message: ToWorker): Promise<void> {
  if (message.kind !== 'pause' && message.kind !== 'problems') trial.abort()
  switch (message.kind) {
    case 'open':
      return open(message)
    case 'text':
      return postText(message)
    case 'check':
      return check(message)
    case 'try':
      return tryImport(message.key)
    case 'send':
      return send(message.key, message.fromStart)
    case 'pause':
      return pause.abort()
    case 'problems':
      return post({ ...message, problems: problems.slice(message.from, message.from + problemsAtOnce) })
    case 'invalid_rows':
      return makeInvalidRowsFile()
  }
}

type Open = Extract<ToWorker, { kind: 'open' }>

async function open({ file, target, campaignZone, hasHeader: isSaid, form }: Open): Promise<void> {
  turn++
  const { companyId, campaignId, isOfCompany } = target
  const { guessMeanings, isHeader, madeHeaders, openFile, openReaders } = await loadReaders()
  const found = await openFile(() => piecesOf(file, () => {}), form)
  if (found.kind !== 'text') return post({ kind: 'asked', question: found })
  const { decode } = found
  const read = () => decode(piecesOf(file, () => {}))
  const ofFile = await hashFile(file)
  const fileHash = form.sheet === undefined ? ofFile : await hashText(ofFile + form.sheet)
  const format = await readFormat(read())
  const { value: first } = await readCsv(read(), format.delimiter).next()
  if (first === undefined) throw new UnreadableFile('the file is empty')
  const hasHeader = isSaid ?? isHeader(first.cells.map(shorten))
  const headers = hasHeader ? (first.cells as readonly string[]) : madeHeaders(first.cells)
  if (headers.length > maxColumns || headers.join('').length > maxHeaderChars)
    throw new UnreadableFile('the first line must be a header that names the columns')
  opened = { file, decode, companyId, campaignId, isOfCompany, fileHash, headers, format, hasHeader }
  const earlier = await findImport(
    (one) =>
      one.companyId === companyId &&
      one.campaignId === campaignId &&
      one.fileHash === fileHash &&
      one.choices.hasHeader === hasHeader &&
      one.meanings.length === headers.length,
  )
  const meanings = earlier?.meanings ?? guessMeanings(headers.map(shorten))
  const timeZone = campaignZone ?? 'UTC'
  const choices = { ...nothingChosen, ...earlier?.choices, timeZone, campaignZone, hasHeader }
  const { countries } = openReaders(choices)
  post({ kind: 'opened', headers: headers.map(shorten), meanings, choices, countries })
}

async function postText({ file, sheet }: Extract<ToWorker, { kind: 'text' }>): Promise<void> {
  const read = await (await loadReaders()).readText(file, sheet)
  post(typeof read === 'string' ? { kind: 'text', text: read } : { kind: 'asked', question: read })
}

const nothingChosen = { country: null, turnedOff: [], dates: null } as const

const shorten = (text: string) => (text.length > 120 ? `${text.slice(0, 119)}…` : text)

async function* judgedRows(own: number, judge: JudgeRow): AsyncGenerator<Judged> {
  for await (const row of rowsOf(own)) yield judge(row)
}

/** All but the header. */
async function* rowsOf(own: number) {
  const { file, decode, format, hasHeader } = opened as Opened
  const postShare = (share: number) => own === turn && post({ kind: 'reading', share })
  const rows = readCsv(decode(piecesOf(file, postShare)), format.delimiter)
  if (hasHeader) await rows.next()
  for await (const row of rows) {
    if (own !== turn) throw new Superseded()
    yield row
  }
}

async function check({ turn: asked, meanings, choices }: ToWorker & { kind: 'check' }): Promise<void> {
  const own = ++turn
  if (opened === null) return
  const { file, companyId, campaignId, fileHash, headers } = opened
  const { openReaders, overruledDoNotCall } = await loadReaders()
  const { readers, found: foundByReaders, clocks } = openReaders(choices)
  const columns = columnsOf(headers, meanings)
  nos = await findNos(own, columns, readers, choices)
  judge = openJudge(columns, readers, choices, nos)
  const { counts, ...surveyed } = await survey(rowsOf(own), judge, shorten)
  const ofNos = { nos: nos.size, overruled: overruledDoNotCall(headers, meanings).map(shorten) }
  const found = { ...surveyed, ...foundByReaders(), ...ofNos, clocks: clocks(counts) }
  if (own !== turn) return
  problems = found.problems
  triedInvalid = []
  const importId = await hashText(JSON.stringify([fileHash, companyId, campaignId, meanings, choices]))
  const known = await findImport((one) => one.importId === importId)
  const allRows = found.rows
  const fresh = { importId, companyId, campaignId, fileName: file.name, fileHash, meanings, choices, allRows }
  state = known ?? { ...fresh, tally: emptyTally, pending: null, isDone: false }
  const earlier = known === undefined ? null : { tally: known.tally, isDone: known.isDone }
  const first = problems.slice(0, problemsAtOnce)
  post({ kind: 'checked', turn: asked, check: { ...found, problems: first }, earlier })
}

/** Of all rows that say no, before any row is judged. */
async function findNos(own: number, columns: readonly Column[], readers: Readers, choices: Choices) {
  const found = new Set<number>()
  if (columns.every(({ meaning }) => meaning !== 'doNotCall')) return found
  const fill = fillNumbers(columns, choices.insteadPlace)
  for await (const { cells } of rowsOf(own)) {
    const no = readNo(columns, fill(cells), readers)
    if (no !== null) see(found, no)
  }
  return found
}

/** Asks the service what would become of each row. A newer message ends it. */
async function tryImport(apiKey: string): Promise<void> {
  const own = ++turn
  if (state === null || judge === null) return
  trial = new AbortController()
  const { signal } = trial
  const postWait = (tally: Tally, wait: Wait | null) =>
    own === turn && postTrial({ kind: 'running', rows: tally.rows, wait })
  const tried = await tryRows(apiKey, state.campaignId, judgedRows(own, judge), postWait, signal)
  if (own !== turn) return
  if (tried.reason !== null) return postTrial({ kind: 'failed', reason: tried.reason })
  triedInvalid = tried.invalid
  postTrial({ kind: 'done', tally: tried.tally, causes: tried.causes })
}

async function send(apiKey: string, fromStart: boolean): Promise<void> {
  const own = ++turn
  if (state === null || judge === null) return
  pause = new AbortController()
  const { signal } = pause
  if (fromStart) {
    await forgetImport(state.importId)
    state = { ...state, tally: emptyTally, pending: null, isDone: false }
  }
  const before: ImportState = state
  let { tally, pending: resumed } = before
  let invalid: InvalidRow[] = []
  const save = async (pending: ImportState['pending'], isDone = false) => {
    state = { ...before, tally, pending, isDone }
    await saveImport(state, invalid)
    invalid = []
  }
  const postWait = (wait: Wait | null) => post({ kind: 'sending', tally, wait })
  const idempotencyKey = async (_: number, rows: number, waitMs: number) => {
    if (own !== turn) throw new Superseded()
    const pending = resumed ?? { rows, idempotencyKey: crypto.randomUUID() }
    await save(signal.aborted ? resumed : pending)
    signal.throwIfAborted()
    resumed = null
    postWait(waitMs > 0 ? { why: 'limit', seconds: waitMs / 1000 } : null)
    return pending.idempotencyKey
  }
  const { send: sendRequest, signal: ended } = openSender(apiKey, signal, postWait)
  const seen = new Set<number>()
  const rows = judgedRows(own, judge)
  const toJson = (row: Judged) => ('json' in row ? row.json : undefined)
  let isHeldBack = false
  try {
    await suppressNos(sendRequest, before, ended)
    isHeldBack = true
    for (const part of await partsLeft(rows, tally.rows, resumed?.rows ?? 0, seen)) {
      const options = { idempotencyKey, toJson, signal: ended }
      for await (const result of createMany(sendRequest, before.campaignId, part, options)) {
        if (result.status === undefined)
          return post({ kind: 'stopped', tally, reason: 'The service does not answer as expected.' })
        const settled = settle(tally, result, seen)
        tally = settled.tally
        invalid.push(...settled.invalid)
      }
    }
  } catch (error) {
    // The last request is answered.
    if (tally.rows > state.tally.rows) await save(null)
    if (!signal.aborted && !(error instanceof LeadIntakeError)) throw error
    if (signal.aborted) return post({ kind: 'stopped', tally, reason: null })
    const why = isHeldBack
      ? ''
      : 'The numbers that say do not call were not suppressed, so no lead was sent: '
    return post({ kind: 'stopped', tally, reason: why + (error as Error).message })
  }
  await save(null, true)
  post({ kind: 'done', tally })
}

/** Before the first lead is sent, also of an import that resumes. */
async function suppressNos(sendRequest: Send, { choices, campaignId }: ImportState, signal: AbortSignal) {
  const scope = scopeOf(choices, opened?.isOfCompany ?? false)
  if (scope === 'skip') return
  const body = { campaignId: scope === 'campaign' ? campaignId : null, reason: doNotCallReason }
  await inBatches(
    numbersOf(nos),
    (phoneNumbers) =>
      sendRequest({
        method: 'POST',
        path: '/api/v1/suppressions',
        body: { ...body, phoneNumbers },
        signal,
        outlastsLimits: true,
      }),
    (error) => error instanceof InvalidFieldError && error.field === 'phoneNumbers',
  )
}

async function makeInvalidRowsFile(): Promise<void> {
  if (opened === null || judge === null || state === null) return
  const own = ++turn
  const fromService = new Map([...triedInvalid, ...(await invalidRowsOf(state.importId))])
  const { headers, format } = opened
  const file = await invalidRowsFile(headers, rowsOf(own), judge, fromService, format)
  post({ kind: 'invalid_rows', file })
}
