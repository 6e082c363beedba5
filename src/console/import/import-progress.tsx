// The progress of an import: counts, time left and waits; pause, resume, and the invalid rows.
import type { Campaign } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { useNow } from '../service/clocks.ts'
import { Facts, StateLine } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { about, counted, countOf } from '../ui/words/number-words.ts'
import { leadsPerMinute } from './import-messages.ts'
import { ImportProblems } from './import-problems.tsx'
import { describeWait } from './import-wait.ts'
import type { ImportRun } from './run-import.ts'

type Props = { readonly run: ImportRun; readonly campaign: Campaign }

export function ImportProgress({ run, campaign }: Props) {
  const { view } = run
  const { tally, check, isSending, wait, step } = view
  const nowMs = useNow(1_000)
  const all = check?.rows ?? tally.rows
  const held = tally.do_not_call ?? 0
  const left = Math.max(0, all - tally.rows)
  const state = !isSending
    ? `Paused after ${countOf(tally.rows, 'row')}.`
    : (describeWait(wait) ?? `Sending… ${remaining(view, left, nowMs)}`)
  return (
    <>
      {step !== 'done' && <progress max={Math.max(1, all)} value={tally.rows} aria-label="Rows done" />}
      {step === 'done' ? <Result run={run} /> : <p role="status">{state}</p>}
      <Facts
        kind="totals"
        facts={[
          [
            'Rows done',
            <>
              {counted(tally.rows)} <span class="muted small">of {counted(all)}</span>
            </>,
          ],
          ['Created', counted(tally.created)],
          ['Existing', counted(tally.existing)],
          ['Repeated', counted(tally.repeated)],
          ['Invalid', counted(tally.invalid)],
          held > 0 && ['Do not call', counted(held)],
        ]}
      />
      {tally.suppressed > 0 && (
        <p class="muted">{countOf(tally.suppressed, 'new lead')} blocked by the do-not-call list.</p>
      )}
      <div class="line">
        {isSending && <Button onClick={run.pause}>Pause</Button>}
        {step === 'send' && !isSending && (
          <Button class="primary" onClick={() => run.send(false)}>
            Resume
          </Button>
        )}
        {step === 'done' && tally.created > 0 && (
          <a href={hashOf(campaign.id, 'leads')}>Show the new leads</a>
        )}
      </div>
      {!isSending && tally.invalid > 0 && (
        <ImportProblems run={run} check={check} count={tally.invalid} heading="h2" />
      )}
      {step === 'send' && (
        <p class="muted small">
          You can pause or close this page. To resume, choose the same file again. Nothing is stored twice.
        </p>
      )}
    </>
  )
}

/** Green only when nothing was left out. */
function Result({ run }: { readonly run: ImportRun }) {
  const { rows, invalid, do_not_call: held = 0 } = run.view.tally
  return (
    <div role="status">
      {invalid === 0 ? (
        <StateLine tone="good">
          Done. Every row is a lead of the campaign
          {held > 0 && `, except ${countOf(held, 'row')} not to be called`}.
        </StateLine>
      ) : (
        <StateLine tone="act">
          Finished. {counted(invalid)} of {countOf(rows, 'row')} {invalid === 1 ? 'was' : 'were'} not
          imported: see the invalid rows.
        </StateLine>
      )}
    </div>
  )
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
