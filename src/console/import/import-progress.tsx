// The progress of an import: counts, time left and waits; pause, resume, and the rows with errors.
import { useNow } from '../service/clocks.ts'
import { about, counted, countOf } from '../ui/words/number-words.ts'
import { leadsPerMinute, type Wait } from './import-messages.ts'
import type { ImportRun } from './run-import.ts'

const statuses = [
  ['Created', 'created'],
  ['Existing', 'existing'],
  ['Repeated', 'repeated'],
  ['Invalid', 'invalid'],
] as const

export function ImportProgress({ run }: { readonly run: ImportRun }) {
  const { view } = run
  const { tally, check, isSending, wait, step } = view
  const nowMs = useNow(1_000)
  const all = check?.rows ?? tally.rows
  const left = Math.max(0, all - tally.rows)
  const state =
    step === 'done'
      ? 'Done.'
      : !isSending
        ? `Paused after ${countOf(tally.rows, 'row')}.`
        : (describeWait(wait) ?? `Sending… ${remaining(view, left, nowMs)}`)
  return (
    <>
      <progress max={Math.max(1, all)} value={tally.rows} aria-label="Rows done" />
      <p role="status">{state}</p>
      <dl class="totals">
        <div>
          <dt>Rows done</dt>
          <dd>
            {counted(tally.rows)} <span class="muted small">of {counted(all)}</span>
          </dd>
        </div>
        {statuses.map(([name, status]) => (
          <div key={status}>
            <dt>{name}</dt>
            <dd>{counted(tally[status])}</dd>
          </div>
        ))}
      </dl>
      {tally.suppressed > 0 && (
        <p class="muted">{countOf(tally.suppressed, 'new lead')} blocked by the do-not-call list.</p>
      )}
      <div class="line">
        {isSending && (
          <button type="button" onClick={run.pause}>
            Pause
          </button>
        )}
        {step === 'send' && !isSending && (
          <button type="button" class="primary" onClick={() => run.send(false)}>
            Resume
          </button>
        )}
        {!isSending && tally.invalid > 0 && (
          <button type="button" onClick={run.saveInvalidRows}>
            Download rows with errors
          </button>
        )}
      </div>
      {step === 'send' && (
        <p class="muted small">
          You can pause or close this page. To resume, choose the same file again. Nothing is stored twice.
        </p>
      )}
    </>
  )
}

function describeWait(wait: Wait | null): string | null {
  if (wait === null) return null
  const seconds = Math.ceil(wait.seconds)
  switch (wait.why) {
    case 'limit':
      return `Limit of ${counted(leadsPerMinute)} leads a minute reached. Continuing in ${countOf(seconds, 'second')}.`
    case 'unreached':
      return `Cannot reach the service. Retrying in ${countOf(seconds, 'second')}.`
    case 'busy':
      return `The service is busy. Retrying in ${countOf(seconds, 'second')}.`
  }
}

function remaining(
  { tally, startedAtMs, startedRows }: ImportRun['view'],
  left: number,
  nowMs: number,
): string {
  const done = tally.rows - startedRows
  const seconds = (left / leadsPerMinute) * 60
  if (done < leadsPerMinute) return left === 0 ? '' : `${about(seconds)} left.`
  return `${about(Math.max(seconds, (((nowMs - startedAtMs) / done) * left) / 1000))} left.`
}
