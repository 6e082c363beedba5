// An import as the page shows it: the state from the worker's messages, and the actions.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Meaning } from '../../queue/leads/file/columns.ts'
import type { FileForm } from '../../queue/leads/file/open/opened-file.ts'
import { noteChange } from '../service/activity.ts'
import { serviceNow } from '../service/service-clock.ts'
import { saveFile } from '../ui/save-file.ts'
import {
  type Choices,
  emptyTally,
  type FromWorker,
  type ImportView,
  type Target,
  type ToWorker,
} from './import-messages.ts'
import { startWorker } from './start-worker.ts'

const nothing: ImportView = {
  step: 'pick',
  question: null,
  fileName: '',
  headers: [],
  meanings: [],
  choices: { country: null, turnedOff: [], dates: null, timeZone: 'UTC', hasHeader: true },
  countries: [],
  earlier: null,
  readShare: 0,
  check: null,
  trial: null,
  isSending: false,
  wait: null,
  tally: emptyTally,
  problems: [],
  failure: null,
  startedAtMs: 0,
  startedRows: 0,
}

/** Longer than a request may take. */
const closeTimeoutMs = 60_000

export function useImport(target: Target, key: string) {
  const [view, setView] = useState(nothing)
  const worker = useRef<Worker | null>(null)
  const opened = useRef<{ readonly file: File; readonly form: FileForm } | null>(null)
  /** The newest check. */
  const turn = useRef(0)
  const isSending = useRef(false)
  isSending.current = view.isSending
  useEffect(
    () => () => {
      if (isSending.current) pauseAndClose(worker.current)
      else worker.current?.terminate()
    },
    [],
  )

  const post = (message: ToWorker) => worker.current?.postMessage(message)
  const change = (members: Partial<ImportView>) => setView((before) => ({ ...before, ...members }))

  /** `hasHeader`: undefined where the worker recognizes it. */
  const open = (file: File, campaignZone: string | null, form: FileForm = {}, hasHeader?: boolean) => {
    worker.current?.terminate()
    const fresh = startWorker()
    worker.current = fresh
    fresh.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'invalid_rows')
        saveFile(
          data.file,
          file.name.replace(/(\.(?:csv|tsv|txt))?(\.xlsx)?$/i, (_, end = '.csv') => `-errors${end}`),
        )
      if (data.kind !== 'view' || (data.turn !== undefined && data.turn !== turn.current)) return
      change(data.view)
      if (data.turn === undefined && data.view.tally !== undefined) noteChange()
    }
    fresh.onerror = () =>
      change({ failure: 'The import has stopped. Choose the file again to resume.', isSending: false })
    setView({ ...nothing, step: 'open', fileName: file.name })
    opened.current = { file, form }
    post({ kind: 'open', file, target, campaignZone, hasHeader, form })
  }
  const check = (meanings: readonly Meaning[], choices: Choices) => {
    change({ meanings, choices, check: null, trial: null, readShare: 0, problems: [] })
    post({ kind: 'check', turn: ++turn.current, key, meanings, choices })
  }
  const send = (fromStart: boolean) => {
    setView((before) => {
      const tally = fromStart ? emptyTally : before.tally
      const since = { startedAtMs: serviceNow(), startedRows: tally.rows }
      return { ...before, step: 'send', isSending: true, failure: null, wait: null, tally, ...since }
    })
    post({ kind: 'send', key, fromStart })
  }
  return {
    view,
    isOfCompany: target.isOfCompany,
    pick: (file: File, campaignZone: string | null) => open(file, campaignZone),
    sayHeader: (hasHeader: boolean) =>
      opened.current &&
      open(opened.current.file, view.choices.campaignZone ?? null, opened.current.form, hasHeader),
    answer: (form: FileForm, campaignZone: string | null) =>
      opened.current && open(opened.current.file, campaignZone, { ...opened.current.form, ...form }),
    check,
    choose: (some: Partial<Choices>) => check(view.meanings, { ...view.choices, ...some }),
    tryRows: () => post({ kind: 'try', key }),
    send,
    pause: () => post({ kind: 'pause' }),
    moreProblems: () => post({ kind: 'problems', count: view.problems.length }),
    saveInvalidRows: () => {
      // It ends a dry run.
      setView((before) => (before.trial?.kind === 'running' ? { ...before, trial: null } : before))
      post({ kind: 'invalid_rows' })
    },
    reset: () => {
      worker.current?.terminate()
      setView(nothing)
    },
  }
}

/** The current request is answered and saved before the worker ends, so that the same file resumes after it. */
function pauseAndClose(worker: Worker | null): void {
  if (worker === null) return
  const end = setTimeout(() => worker.terminate(), closeTimeoutMs)
  worker.onerror = null
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind !== 'view' || data.view.isSending !== false) return
    clearTimeout(end)
    worker.terminate()
  }
  worker.postMessage({ kind: 'pause' } satisfies ToWorker)
}

export type ImportRun = ReturnType<typeof useImport>
