// The preview of a file before it is imported: counts, time needed, errors and first rows.

import { limits } from '../../base/limits.ts'
import { fieldName, problemOfMeanings } from '../../queue/leads/file/columns.ts'
import { Card, Facts } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { DataTable } from '../ui/tables/data-table.tsx'
import { about, counted, countOf, share } from '../ui/words/number-words.ts'
import {
  type Check,
  isSettled,
  leadsPerMinute,
  openQuestions,
  previewColumns,
  scopeOf,
  type Trial,
} from './import-messages.ts'
import { ImportProblems } from './import-problems.tsx'
import { describeWait } from './import-wait.ts'
import type { ImportRun } from './run-import.ts'

export function ImportCheck({ run }: { readonly run: ImportRun }) {
  const { check, trial, readShare, earlier, headers, meanings, tally, choices } = run.view
  if (problemOfMeanings(headers, meanings) !== null) return null
  if (check === null) {
    return (
      <section class="card" role="status">
        <p class="muted">Checking every row… {share(readShare, 1)}</p>
        <progress max={1} value={readShare} aria-label="Rows checked" />
      </section>
    )
  }
  const fresh = trial?.kind === 'done' ? trial.tally.created : check.valid - check.repeated
  const listed = scopeOf(choices, run.isOfCompany) === 'skip' ? 0 : check.nos
  const isUnfinished = earlier !== null && !earlier.isDone && tally.rows > 0
  const { cells, clocks, doubts } = openQuestions(check, choices)
  return (
    <Card title="Check before importing">
      <Figures check={check} trial={trial} />
      <DoNotCall run={run} check={check} />
      {check.costly && <p class="notice">{check.costly}</p>}
      <p class="muted">{estimate(check)}</p>
      {check.valid > 0 && <TrialLine run={run} check={check} />}
      {earlier?.isDone && (
        <p class="notice">You imported this file before. Importing again leaves existing leads unchanged.</p>
      )}
      {isUnfinished && (
        <p class="notice">An import of this file stopped after {countOf(tally.rows, 'row')}.</p>
      )}
      <div class="line">
        <Button
          class="primary"
          isOff={!isUnfinished && (fresh + listed === 0 || !isSettled(check, choices))}
          onClick={() => run.send(!isUnfinished)}
        >
          {isUnfinished
            ? `Resume with ${countOf(check.rows - tally.rows, 'row')}`
            : fresh === 0 && listed > 0
              ? `Put ${countOf(listed, 'number')} on the do-not-call list`
              : `Import ${countOf(fresh, trial?.kind === 'done' ? 'new lead' : 'lead')}`}
        </Button>
        {isUnfinished && <Button onClick={() => run.send(true)}>Start over</Button>}
      </div>
      {cells.length > 0 && (
        <p class="notice">
          First choose above what happens to unusable cells:{' '}
          {cells.map(({ name }) => fieldName(name)).join(', ')}.
        </p>
      )}
      {clocks.length > 0 && (
        <p class="notice">
          First choose above by whose clock to call: {clocks.map(({ name }) => name).join(', ')}.
        </p>
      )}
      {doubts.length > 0 && (
        <p class="notice">
          First say above whether these columns say who must not be called:{' '}
          {doubts.map(({ header }) => header).join(', ')}.
        </p>
      )}
      <ImportProblems run={run} check={check} heading="h3" />
      <Preview run={run} check={check} />
    </Card>
  )
}

/** They add up to the rows. Only the service knows which leads exist. */
function Figures({ check, trial }: { readonly check: Check; readonly trial: Trial | null }) {
  const { rows, valid, invalid, repeated, held } = check
  const known = trial?.kind === 'done' ? trial.tally : { repeated, invalid }
  return (
    <Facts
      kind="totals"
      facts={[
        ['Rows', counted(rows)],
        ...('created' in known
          ? ([
              ['New', counted(known.created)],
              ['Existing', counted(known.existing)],
            ] as const)
          : ([['New or existing', counted(valid - repeated)]] as const)),
        ['Repeated', counted(known.repeated)],
        ['Invalid', counted(known.invalid)],
        held > 0 && ['Do not call', counted(held)],
      ]}
    />
  )
}

/** What the file says of people who must not be called: what becomes of it, and what would be lost. */
function DoNotCall({ run, check: { held, nos, unreadableDoNotCall, overruled } }: CheckProps) {
  const scope = scopeOf(run.view.choices, run.isOfCompany)
  const list = `${nos === 1 ? 'is' : 'are'} put on the do-not-call list of the ${scope} before the first lead is sent`
  return (
    <>
      {held > 0 && (
        <p>
          {countOf(held, 'row')} not to be called: {countOf(nos, 'number')},{' '}
          {scope === 'skip' ? 'whose rows are left out; no number is put on a list.' : `which ${list}.`}
        </p>
      )}
      <Failure>
        {unreadableDoNotCall > 0 &&
          `${countOf(unreadableDoNotCall, 'more row says', 'more rows say')} do not call, or may say so, and ` +
            `the number is put on no list: ` +
            'see the invalid rows.'}
      </Failure>
      {overruled.map((header) => (
        <Failure key={header}>
          The column “{header}” looks like one that says who must not be called, and is not used as one:
          nobody is held back by it. If it is kept as metadata, the service refuses its rows that say yes.
        </Failure>
      ))}
    </>
  )
}

type CheckProps = { readonly run: ImportRun; readonly check: Check }

/** How many leads exist already, and what it costs to find out. */
function TrialLine({ run, check }: CheckProps) {
  const { trial } = run.view
  const requests = Math.ceil(check.valid / limits.leadsPerBulk)
  const perMinute = limits.bulkRequestsPerMinutePerKey
  if (trial?.kind === 'done')
    return (
      <p class="muted small">
        Existing leads are in the campaign already and stay unchanged. Repeated rows have the number of an
        earlier row.
      </p>
    )
  if (trial?.kind === 'running')
    return (
      <p class="muted" role="status">
        {describeWait(trial.wait) ?? `Looking for existing leads: ${share(trial.rows, check.rows)}`}
      </p>
    )
  return (
    <>
      <Failure>{trial?.kind === 'failed' && `Existing leads were not counted: ${trial.reason}`}</Failure>
      <div class="line">
        <Button onClick={run.tryRows}>Count existing leads</Button>
        <span class="muted small">
          Stores nothing. Uses {countOf(requests, 'request')} of your key: it has {counted(perMinute)} a
          minute for imports, {counted(limits.requestsPerHourPerKey)} an hour
          {requests > perMinute && `, so this takes ${about((requests / perMinute) * 60)}`}.
        </span>
      </div>
    </>
  )
}

function estimate({ valid }: Check): string {
  if (valid === 0) return 'No valid rows. See the invalid rows below.'
  const time = `The import takes ${about((valid / leadsPerMinute) * 60)}`
  return valid <= leadsPerMinute
    ? `${time}.`
    : `${time}: the limit is ${counted(leadsPerMinute)} leads a minute.`
}

function Preview({ run, check }: CheckProps) {
  const { headers, meanings } = run.view
  const used = headers
    .slice(0, previewColumns)
    .map((header, index) => ({ header, index, meaning: meanings[index] ?? 'ignore' }))
    .filter(({ meaning }) => meaning !== 'ignore')
  // Beside the row number, so that a narrow window shows it.
  const hasProblem = check.preview.some(({ problem }) => problem !== null)
  return (
    <>
      <h3>
        {check.preview.length === 1 ? 'The first row' : `The first ${countOf(check.preview.length, 'row')}`}
      </h3>
      <DataTable
        name="First rows of the file"
        class="preview"
        columns={[
          ['Row', 'number'],
          ...(hasProblem ? [['Problem', 'failure'] as const] : []),
          ...used.map(({ header, meaning }) => [meaning === 'keep' ? header : fieldName(meaning)] as const),
        ]}
        rows={check.preview.map(({ row, cells, problem }) => ({
          key: row,
          cells: [counted(row), ...(hasProblem ? [problem] : []), ...used.map(({ index }) => cells[index])],
        }))}
      />
    </>
  )
}
