// The import's worker: reads, validates and sends a CSV file outside of the page's thread, which stays responsive. What
// is in a request, and how it is sent, is decided in import-chunks.ts and send-bulk.ts.
import { guessMeanings, type Meaning } from './file/columns.ts'
import { readCsv, readFormat, UnreadableFile } from './file/csv-rows.ts'
import { hashFile, hashText, piecesOf } from './file/file-pieces.ts'
import { bodyOf, chunksOf, emptyTally, keyOfChunk, settleChunk } from './file/import-chunks.ts'
import { invalidRowsFile } from './file/invalid-rows-file.ts'
import { type Judged, type JudgeRow, openJudge } from './file/judge-rows.ts'
import { survey } from './file/survey.ts'
import {
  type FromWorker,
  type Problem,
  problemsAtOnce,
  type Target,
  type ToWorker,
} from './import-messages.ts'
import { findImport, forgetImport, type ImportState, invalidRowsOf, saveImport } from './import-state.ts'
import { sendBulk } from './send-bulk.ts'

type Opened = {
  readonly file: File
  readonly companyId: string
  readonly campaignId: string
  readonly fileHash: string
  readonly headers: readonly string[]
}

const maxColumns = 500
const maxHeaderChars = 20_000

let opened: Opened | null = null
let judge: JudgeRow | null = null
let state: ImportState | null = null
let problems: readonly Problem[] = []
let pause = new AbortController()
/** The newest message; work for earlier ones stops. */
let turn = 0

/** A newer message came. Not treated as the end of the file, or a part of a request would be sent. */
class Superseded extends Error {}

const post = (message: FromWorker) => postMessage(message)

addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  try {
    await handleMessage(data)
  } catch (error) {
    if (error instanceof Superseded) return
    const message =
      error instanceof UnreadableFile ? error.message : 'The file could not be read. Choose it again.'
    post({ kind: 'unreadable', message })
  }
})

async function handleMessage(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'open':
      return open(message.file, message.target)
    case 'check':
      return check(message.meanings)
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

async function open(file: File, { companyId, campaignId }: Target): Promise<void> {
  turn++
  const fileHash = await hashFile(file)
  const { value: first } = await readCsv(piecesOf(file, () => {})).next()
  const headers = first?.[0]?.cells
  if (headers === undefined) throw new UnreadableFile('The file is empty.')
  if (headers.length > maxColumns || headers.join('').length > maxHeaderChars) {
    throw new UnreadableFile('The first line must be a header that names the columns.')
  }
  opened = { file, companyId, campaignId, fileHash, headers }
  const earlier = await findImport(
    (one) =>
      one.companyId === companyId &&
      one.campaignId === campaignId &&
      one.fileHash === fileHash &&
      one.meanings.length === headers.length,
  )
  const meanings = earlier?.meanings ?? guessMeanings(headers.map(shorten))
  post({ kind: 'opened', headers: headers.map(shorten), meanings })
}

const shorten = (text: string) => (text.length > 120 ? `${text.slice(0, 119)}…` : text)

async function* judgedRows(own: number): AsyncGenerator<readonly Judged[]> {
  if (opened === null || judge === null) return
  for await (const rows of rowsOf(own)) yield rows.map(judge)
}

/** All but the header. */
async function* rowsOf(own: number) {
  const postShare = (share: number) => own === turn && post({ kind: 'reading', share })
  let isHeader = true
  for await (const rows of readCsv(piecesOf((opened as Opened).file, postShare))) {
    if (own !== turn) throw new Superseded()
    yield isHeader ? rows.slice(1) : rows
    isHeader = false
  }
}

async function check(meanings: readonly Meaning[]): Promise<void> {
  const own = ++turn
  if (opened === null) return
  const { file, companyId, campaignId, fileHash, headers } = opened
  const schema = (await (await fetch('/console/new-lead.json')).json()) as object
  judge = openJudge(schema, headers, meanings)
  const found = await survey(rowsOf(own), judge, shorten)
  if (own !== turn) return
  problems = found.problems
  const importId = await hashText(JSON.stringify([fileHash, companyId, campaignId, meanings]))
  const known = await findImport((one) => one.importId === importId)
  const allRows = found.rows
  const fresh = { importId, companyId, campaignId, fileName: file.name, fileHash, meanings, allRows }
  state = known ?? { ...fresh, nextRow: 2, tally: emptyTally, isDone: false }
  const earlier = known === undefined ? null : { tally: known.tally, isDone: known.isDone }
  post({ kind: 'checked', check: { ...found, problems: problems.slice(0, problemsAtOnce) }, earlier })
}

async function send(key: string, fromStart: boolean): Promise<void> {
  const own = ++turn
  if (state === null) return
  pause = new AbortController()
  if (fromStart) {
    await forgetImport(state.importId)
    state = { ...state, nextRow: 2, tally: emptyTally, isDone: false }
  }
  for await (const chunk of chunksOf(judgedRows(own), state.nextRow)) {
    const before: ImportState = state
    post({ kind: 'sending', tally: before.tally, wait: null })
    const result =
      chunk.items.length === 0
        ? ({ kind: 'answered', results: [] } as const)
        : await sendBulk(
            key,
            bodyOf(before.campaignId, chunk),
            keyOfChunk(before.importId, chunk),
            (wait) => post({ kind: 'sending', tally: before.tally, wait }),
            pause.signal,
          )
    if (result.kind !== 'answered') {
      const reason = result.kind === 'refused' ? result.message : null
      return post({ kind: 'stopped', tally: before.tally, reason })
    }
    const { tally, invalid } = settleChunk(before.tally, chunk, result.results)
    state = { ...before, tally, nextRow: chunk.lastRow + 1 }
    await saveImport(state, invalid)
    post({ kind: 'sending', tally, wait: null })
    if (pause.signal.aborted) return post({ kind: 'stopped', tally, reason: null })
  }
  state = { ...state, isDone: true }
  await saveImport(state, [])
  post({ kind: 'done', tally: state.tally })
}

async function makeInvalidRowsFile(): Promise<void> {
  if (opened === null || judge === null || state === null) return
  const own = ++turn
  const fromService = new Map(await invalidRowsOf(state.importId))
  const format = await readFormat(piecesOf(opened.file, () => {}))
  const file = await invalidRowsFile(opened.headers, rowsOf(own), judge, fromService, format)
  post({ kind: 'invalid_rows', file })
}
