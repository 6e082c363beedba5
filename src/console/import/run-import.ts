// An import as the page shows it: the state from the worker's messages, and the actions.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Meaning } from '../../leads/file/columns.ts'
import type { FileForm, FileQuestion } from '../../leads/file/open/opened-file.ts'
import { noteChange } from '../service/activity.ts'
import { serviceNow } from '../service/service-clock.ts'
import { saveFile } from '../ui/save-file.ts'
import {
  type Check,
  type Choices,
  type Earlier,
  emptyTally,
  type FromWorker,
  type Problem,
  type Tally,
  type Target,
  type ToWorker,
  type Trial,
  triedAtOnce,
  type Wait,
} from './import-messages.ts'
import { startWorker } from './start-worker.ts'

export type ImportView = {
  readonly step: 'pick' | 'open' | 'map' | 'send' | 'done'
  /** While it is opened. */
  readonly question: FileQuestion | null
  readonly fileName: string
  readonly headers: readonly string[]
  readonly meanings: readonly Meaning[]
  readonly choices: Choices
  readonly countries: readonly string[]
  readonly earlier: Earlier | null
  /** How much of the file is read, 0 to 1; null while nothing is read. */
  readonly readShare: number | null
  /** For the columns as chosen; null until it is complete. */
  readonly check: Check | null
  /** Of that check. Null: not asked for. */
  readonly trial: Trial | null
  readonly isSending: boolean
  readonly wait: Wait | null
  readonly tally: Tally
  readonly problems: readonly Problem[]
  readonly failure: string | null
  readonly startedAtMs: number
  readonly startedRows: number
}

const nothing: ImportView = {
  step: 'pick',
  question: null,
  fileName: '',
  headers: [],
  meanings: [],
  choices: { country: null, turnedOff: [], dates: null, timeZone: 'UTC', hasHeader: true },
  countries: [],
  earlier: null,
  readShare: null,
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
  /** Of the newest check. */
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

  const tryRows = () => {
    change({ trial: { kind: 'running', rows: 0, wait: null } })
    post({ kind: 'try', key })
  }
  /** `hasHeader`: undefined where the worker recognizes it. */
  const open = (file: File, campaignZone: string | null, form: FileForm = {}, hasHeader?: boolean) => {
    worker.current?.terminate()
    const fresh = startWorker()
    worker.current = fresh
    fresh.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      // Trying its rows now would end the newer check.
      if (data.kind === 'checked' && data.turn !== turn.current) return
      if (data.kind === 'invalid_rows')
        saveFile(
          data.file,
          file.name.replace(/(\.(?:csv|tsv|txt))?(\.xlsx)?$/i, (_, end = '.csv') => `-errors${end}`),
        )
      else if (data.kind !== 'text') setView((before) => applyMessage(before, data))
      if (data.kind === 'sending' || data.kind === 'done') noteChange()
      if (data.kind !== 'checked') return
      const { valid } = data.check
      if (valid > 0 && valid <= triedAtOnce && data.earlier === null) tryRows()
    }
    fresh.onerror = () =>
      change({ failure: 'The import has stopped. Choose the file again to resume.', isSending: false })
    setView({ ...nothing, step: 'open', fileName: file.name })
    opened.current = { file, form }
    post({ kind: 'open', file, target, campaignZone, hasHeader, form })
  }
  const check = (meanings: readonly Meaning[], choices: Choices) => {
    change({ meanings, choices, check: null, trial: null, readShare: 0, problems: [] })
    post({ kind: 'check', turn: ++turn.current, meanings, choices })
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
      opened.current && open(opened.current.file, campaignZone, form),
    check,
    choose: (some: Partial<Choices>) => check(view.meanings, { ...view.choices, ...some }),
    tryRows,
    send,
    pause: () => post({ kind: 'pause' }),
    moreProblems: () => post({ kind: 'problems', from: view.problems.length }),
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
    if (data.kind !== 'stopped' && data.kind !== 'done') return
    clearTimeout(end)
    worker.terminate()
  }
  worker.postMessage({ kind: 'pause' } satisfies ToWorker)
}

export type ImportRun = ReturnType<typeof useImport>

function applyMessage(
  view: ImportView,
  message: Exclude<FromWorker, { kind: 'invalid_rows' | 'text' }>,
): ImportView {
  switch (message.kind) {
    case 'asked':
      return { ...view, question: message.question }
    case 'opened': {
      const { headers, meanings, choices, countries } = message
      return { ...view, step: 'map', headers, meanings, choices, countries }
    }
    case 'reading':
      return view.isSending ? view : { ...view, readShare: message.share }
    case 'checked':
      return {
        ...view,
        check: message.check,
        trial: null,
        readShare: null,
        problems: message.check.problems,
        earlier: message.earlier,
        tally: message.earlier?.tally ?? emptyTally,
      }
    case 'problems':
      return message.from === view.problems.length
        ? { ...view, problems: [...view.problems, ...message.problems] }
        : view
    case 'trial':
      return { ...view, trial: message.trial }
    case 'sending':
      return { ...view, tally: message.tally, wait: message.wait }
    case 'stopped':
      return { ...view, tally: message.tally, isSending: false, wait: null, failure: message.reason }
    case 'done':
      return { ...view, step: 'done', tally: message.tally, isSending: false, wait: null }
    case 'unreadable':
      return {
        ...view,
        step: view.step === 'open' ? 'pick' : view.step,
        isSending: false,
        readShare: null,
        failure: message.message,
      }
  }
}
