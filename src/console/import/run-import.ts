// An import as the page sees it: what its worker has told so far, and what may be asked of it next.

import { useEffect, useRef, useState } from 'preact/hooks'
import { serviceNow } from '../service/service-clock.ts'
import { saveFile } from '../ui/save-file.ts'
import type { Meaning } from './file/columns.ts'
import { emptyTally, type Tally } from './file/import-chunks.ts'
import type { Check, Earlier, FromWorker, Problem, Target, ToWorker, Wait } from './import-messages.ts'
import { startWorker } from './start-worker.ts'

export type ImportView = {
  readonly step: 'pick' | 'open' | 'map' | 'send' | 'done'
  readonly fileName: string
  readonly headers: readonly string[]
  readonly meanings: readonly Meaning[]
  readonly earlier: Earlier | null
  /** Of the file that was read, 0 to 1; null while nothing is read. */
  readonly readShare: number | null
  /** Of the columns as they are chosen; null while it is not known. */
  readonly check: Check | null
  readonly isSending: boolean
  readonly wait: Wait | null
  readonly tally: Tally
  readonly problems: readonly Problem[]
  readonly fault: string | null
  readonly startedAtMs: number
  readonly startedRows: number
}

const nothing: ImportView = {
  step: 'pick',
  fileName: '',
  headers: [],
  meanings: [],
  earlier: null,
  readShare: null,
  check: null,
  isSending: false,
  wait: null,
  tally: emptyTally,
  problems: [],
  fault: null,
  startedAtMs: 0,
  startedRows: 0,
}

/** Longer than a request may take. */
const leaveMs = 60_000

export function useImport(target: Target, key: string) {
  const [view, setView] = useState(nothing)
  const worker = useRef<Worker | null>(null)
  const isSending = useRef(false)
  isSending.current = view.isSending
  useEffect(
    () => () => {
      if (isSending.current) leave(worker.current)
      else worker.current?.terminate()
    },
    [],
  )

  const tell = (message: ToWorker) => worker.current?.postMessage(message)
  const change = (members: Partial<ImportView>) => setView((before) => ({ ...before, ...members }))

  const pick = (file: File) => {
    worker.current?.terminate()
    const fresh = startWorker()
    worker.current = fresh
    fresh.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'rejected_file')
        saveFile(
          data.file,
          file.name.replace(/(\.(?:csv|tsv|txt))?$/i, (end) => `-rejected${end || '.csv'}`),
        )
      else setView((before) => heed(before, data))
    }
    fresh.onerror = () =>
      change({ fault: 'The import has stopped. Pick the file again to go on.', isSending: false })
    setView({ ...nothing, step: 'open', fileName: file.name })
    tell({ kind: 'open', file, target })
  }
  const check = (meanings: readonly Meaning[]) => {
    change({ meanings, check: null, readShare: 0, problems: [] })
    tell({ kind: 'check', meanings })
  }
  const send = (fromStart: boolean) => {
    setView((before) => {
      const tally = fromStart ? emptyTally : before.tally
      const since = { startedAtMs: serviceNow(), startedRows: tally.rows }
      return { ...before, step: 'send', isSending: true, fault: null, wait: null, tally, ...since }
    })
    tell({ kind: 'send', key, fromStart })
  }
  return {
    view,
    pick,
    check,
    send,
    pause: () => tell({ kind: 'pause' }),
    moreProblems: () => tell({ kind: 'problems', from: view.problems.length }),
    saveRejected: () => tell({ kind: 'rejected_file' }),
    reset: () => {
      worker.current?.terminate()
      setView(nothing)
    },
  }
}

/** The request under way is answered and remembered before the worker ends: the same file then goes on from there. */
function leave(worker: Worker | null): void {
  if (worker === null) return
  const end = setTimeout(() => worker.terminate(), leaveMs)
  worker.onerror = null
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind !== 'stopped' && data.kind !== 'done') return
    clearTimeout(end)
    worker.terminate()
  }
  worker.postMessage({ kind: 'pause' } satisfies ToWorker)
}

export type ImportRun = ReturnType<typeof useImport>

function heed(view: ImportView, told: Exclude<FromWorker, { kind: 'rejected_file' }>): ImportView {
  switch (told.kind) {
    case 'opened': {
      const { headers, meanings } = told
      return { ...view, step: 'map', headers, meanings }
    }
    case 'reading':
      return view.isSending ? view : { ...view, readShare: told.share }
    case 'checked':
      return {
        ...view,
        check: told.check,
        readShare: null,
        problems: told.check.problems,
        earlier: told.earlier,
        tally: told.earlier?.tally ?? emptyTally,
      }
    case 'problems':
      return told.from === view.problems.length
        ? { ...view, problems: [...view.problems, ...told.problems] }
        : view
    case 'sending':
      return { ...view, tally: told.tally, wait: told.wait }
    case 'stopped':
      return { ...view, tally: told.tally, isSending: false, wait: null, fault: told.reason }
    case 'done':
      return { ...view, step: 'done', tally: told.tally, isSending: false, wait: null }
    case 'unreadable':
      return {
        ...view,
        step: view.step === 'open' ? 'pick' : view.step,
        isSending: false,
        readShare: null,
        fault: told.message,
      }
  }
}
