// The import's worker: reads, validates and sends a file outside of the page's thread, which stays responsive. How a
// row becomes a lead is in src/queue/leads/file; the client's createMany sends.
import { type Column, columnsOf, withInstead } from '../../queue/leads/file/columns.ts'
import { readCsv, UnreadableFile } from '../../queue/leads/file/csv-rows.ts'
import { openGroups } from '../../queue/leads/file/groups.ts'
import { type Doubt, stillOpen } from '../../queue/leads/file/held/doubt.ts'
import { collectDoNotCall, emptyHoldList } from '../../queue/leads/file/held/held-numbers.ts'
import { doNotCallColumns } from '../../queue/leads/file/held/said-rows.ts'
import { partsLeft } from '../../queue/leads/file/resume.ts'
import type { Readers } from '../../queue/leads/file/row-item.ts'
import { numbersOf } from '../../queue/leads/file/tally.ts'
import { importNameOf } from '../../queue/leads/origin/origin.ts'
import { LeadIntakeError } from '../../sdk/src/errors.ts'
import { hashText, piecesOf } from './file/file-pieces.ts'
import { invalidRowsFile } from './file/invalid-rows-file.ts'
import { type JudgeRow, openJudge, sentence } from './file/judge-rows.ts'
import { loadReaders, type Opened, openImport, shorten } from './file/open-import.ts'
import { sendRows } from './file/send-rows.ts'
import { suppressListed } from './file/suppress-listed.ts'
import { survey } from './file/survey.ts'
import {
  emptyTally,
  type FromWorker,
  type ImportView,
  type InvalidRow,
  isSettled,
  type Problem,
  problemsAtOnce,
  scopeOf,
  type ToWorker,
  type Trial,
  type Wait,
} from './import-messages.ts'
import { openSender } from './import-sender.ts'
import { findImport, forgetImport, type ImportState, invalidRowsOf, saveImport } from './import-state.ts'

let opened: Opened | null = null
let judge: JudgeRow | null = null
/** The numbers of which no row of the file is sent. */
let held = emptyHoldList()
let state: ImportState | null = null
/** What the whole file holds, whatever its columns are used for; null: not looked for yet. */
let doubts: readonly Doubt[] | null = null
let problems: readonly Problem[] = []
/** What the service would get of the rows, as they were last checked. */
let content = ''
/**
 * The last dry run: choices that change nothing of what it sent cost no other. `invalid`: what the service alone found.
 */
let tried: {
  readonly content: string
  readonly trial: Trial
  readonly invalid: readonly InvalidRow[]
} | null = null
let pause = new AbortController()
let trial = new AbortController()
/** The newest message; work for earlier ones stops. */
let turn = 0

/** A newer message came. */
class Superseded extends Error {}

const post = (message: FromWorker) => postMessage(message)
const show = (view: Partial<ImportView>) => post({ kind: 'view', view })

addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  try {
    await handleMessage(data)
  } catch (error) {
    if (error instanceof Superseded) return
    const failure =
      error instanceof UnreadableFile
        ? sentence(error.message)
        : 'The file could not be read. Choose it again.'
    show({ failure, isSending: false, readShare: 0, ...(opened === null && { step: 'pick' }) })
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
      return show({ problems: problems.slice(0, message.count + problemsAtOnce) })
    case 'invalid_rows':
      return makeInvalidRowsFile()
  }
}

async function open(message: Extract<ToWorker, { kind: 'open' }>): Promise<void> {
  turn++
  const found = await openImport(message)
  if ('question' in found) return show({ question: found.question })
  opened = found.opened
  doubts = null
  show({ step: 'map', ...found.view })
}

async function postText({ file, sheet }: Extract<ToWorker, { kind: 'text' }>): Promise<void> {
  const read = await (await loadReaders()).readText(file, sheet)
  if (typeof read === 'string') post({ kind: 'text', text: read })
  else show({ question: read })
}

async function* judgedRows(own: number, judge: JudgeRow) {
  for await (const row of rowsOf(own)) yield judge(row)
}

/** All but the header. */
async function* rowsOf(own: number) {
  const { file, decode, format, hasHeader } = opened as Opened
  const postShare = (share: number) => own === turn && show({ readShare: share })
  const rows = readCsv(decode(piecesOf(file, postShare)), format.delimiter)
  if (hasHeader) await rows.next()
  for await (const row of rows) {
    if (own !== turn) throw new Superseded()
    yield row
  }
}

type Checking = Extract<ToWorker, { kind: 'check' }>

async function check({ turn: asked, key, meanings, choices }: Checking): Promise<void> {
  const own = ++turn
  if (opened === null) return
  const { file, fileHash, headers } = opened
  const { companyId, campaignId } = opened.target
  const { openReaders, overruledDoNotCall } = await loadReaders()
  const { readers, found: foundByReaders, clocks, costly } = openReaders(choices)
  const columns = withInstead(columnsOf(headers, meanings), choices.insteadPlace)
  doubts ??= await findDoubts(own, headers)
  held = await findHeld(own, columns, readers)
  judge = openJudge(columns, readers, choices, held)
  const { counts, problems: all, content: few, ...surveyed } = await survey(rowsOf(own), judge, shorten)
  const found = {
    ...surveyed,
    ...foundByReaders(),
    nos: held.nos.size,
    overruled: overruledDoNotCall(headers, meanings).map(shorten),
    doubts: stillOpen(doubts, meanings, (place) => choices.settled?.includes(place) ?? false),
    clocks: clocks(counts),
    costly: costly(surveyed.changes),
  }
  const contentNow = few === null ? crypto.randomUUID() : await hashText(few)
  // What was asked does not decide what is sent: the answers do.
  const said = { ...choices, settled: undefined }
  const importId = await hashText(JSON.stringify([fileHash, companyId, campaignId, meanings, said]))
  const known = await findImport((one) => one.importId === importId)
  const fresh = { importId, companyId, campaignId, fileName: file.name, fileHash, meanings, choices }
  // A newer check shows its own, and asks for its own dry run.
  if (own !== turn) return
  problems = all
  content = contentNow
  state = known ?? { ...fresh, tally: emptyTally, pending: null, isDone: false }
  const earlier = known === undefined ? null : { tally: known.tally, isDone: known.isDone }
  const trial = tried?.content === content ? tried.trial : null
  const first = problems.slice(0, problemsAtOnce)
  const view = { check: found, trial, problems: first, earlier, tally: state.tally }
  post({ kind: 'view', turn: asked, view })
  const mayTry = few !== null && found.valid > 0 && trial === null && earlier === null
  if (mayTry && isSettled(found, choices)) await tryImport(key)
}

/** Looks at all rows that say no, or may say so, before any row is judged. */
async function findHeld(own: number, columns: readonly Column[], readers: Readers) {
  const found = emptyHoldList()
  if (doNotCallColumns(columns).length === 0) return found
  for await (const { cells } of rowsOf(own)) collectDoNotCall(found, columns, cells, readers)
  return found
}

async function findDoubts(own: number, headers: readonly string[]) {
  const found = (await loadReaders()).openDoubts(headers.map(shorten))
  for await (const { row, cells } of rowsOf(own)) found.add(row, cells)
  return found.all()
}

const waitOf = (waitMs: number): Wait | null => (waitMs > 0 ? { why: 'limit', seconds: waitMs / 1000 } : null)

/** A dry run: asks the service what would become of each row, without storing one. A newer message ends it. */
async function tryImport(apiKey: string): Promise<void> {
  const own = ++turn
  if (state === null || judge === null) return
  trial = new AbortController()
  let tally = emptyTally
  const invalid: InvalidRow[] = []
  const causes = openGroups<string>()
  const showTrial = (trial: Trial) => own === turn && show({ trial })
  const showWait = (wait: Wait | null) => showTrial({ kind: 'running', rows: tally.rows, wait })
  const { send, signal } = openSender(apiKey, trial.signal, showWait)
  const idempotencyKey = (_: number, __: number, waitMs: number) => {
    showWait(waitOf(waitMs))
    return crypto.randomUUID()
  }
  showWait(null)
  const rows = judgedRows(own, judge)
  const options = { idempotencyKey, signal, dryRun: true }
  try {
    for await (const sent of sendRows(send, state.campaignId, rows, { tally, seen: new Set() }, options)) {
      tally = sent.tally
      if (sent.problem === null) continue
      const { row, phoneNumber } = sent.row
      invalid.push([row, sentence(sent.problem)])
      causes.add(sentence(sent.problem), { row, value: phoneNumber })
    }
  } catch (error) {
    if (own !== turn) return
    if (!(error instanceof LeadIntakeError)) throw error
    return void showTrial({ kind: 'failed', reason: error.message })
  }
  if (own !== turn) return
  const done: Trial = { kind: 'done', tally, causes: causes.all() }
  tried = { content, trial: done, invalid }
  showTrial(done)
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
  const showWait = (wait: Wait | null) => show({ tally, wait })
  const idempotencyKey = async (_: number, rows: number, waitMs: number) => {
    if (own !== turn) throw new Superseded()
    const pending = resumed ?? { rows, idempotencyKey: crypto.randomUUID() }
    await save(signal.aborted ? resumed : pending)
    signal.throwIfAborted()
    resumed = null
    showWait(waitOf(waitMs))
    return pending.idempotencyKey
  }
  const { send: sendRequest, signal: ended } = openSender(apiKey, signal, showWait)
  const options = { idempotencyKey, signal: ended, importName: importNameOf(before.fileName) }
  const seen = new Set<number>()
  const rows = judgedRows(own, judge)
  const stop = (failure: string | null) => show({ tally, isSending: false, wait: null, failure })
  let isHeldBack = false
  try {
    const scope = scopeOf(before.choices, opened?.target.isOfCompany ?? false)
    // Before the first lead is sent, also of an import that resumes.
    await suppressListed(sendRequest, numbersOf(held.nos), { scope, campaignId: before.campaignId }, ended)
    isHeldBack = true
    for (const part of await partsLeft(rows, tally.rows, resumed?.rows ?? 0, seen)) {
      for await (const sent of sendRows(sendRequest, before.campaignId, part, { tally, seen }, options)) {
        tally = sent.tally
        if (sent.problem !== null) invalid.push([sent.row.row, sent.problem])
      }
    }
  } catch (error) {
    const isUnexpected = error instanceof LeadIntakeError && error.code === 'unexpected_answer'
    // Else the last request is answered. One that is not is sent again with its key.
    if (tally.rows > state.tally.rows && !isUnexpected) await save(null)
    if (signal.aborted) return stop(null)
    if (!(error instanceof LeadIntakeError)) throw error
    const why = isHeldBack
      ? ''
      : 'The numbers that say do not call were not suppressed, so no lead was sent: '
    return stop(why + error.message)
  }
  await save(null, true)
  show({ step: 'done', tally, isSending: false, wait: null })
}

async function makeInvalidRowsFile(): Promise<void> {
  if (opened === null || judge === null || state === null) return
  const own = ++turn
  const ofTrial = tried?.content === content ? tried.invalid : []
  const fromService = new Map([...ofTrial, ...(await invalidRowsOf(state.importId))])
  const { headers, format } = opened
  const file = await invalidRowsFile(headers, rowsOf(own), judge, fromService, format)
  post({ kind: 'invalid_rows', file })
}
