// The preview of a file before it is imported: counts, time needed, errors and first rows.

import { fieldName, problemOfMeanings } from '../../leads/file/columns.ts'
import { limits } from '../../limits.ts'
import { Card, Facts } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { DataTable } from '../ui/tables/data-table.tsx'
import { about, counted, countOf, share } from '../ui/words/number-words.ts'
import { type Check, leadsPerMinute, previewColumns, type Trial } from './import-messages.ts'
import { ImportProblems } from './import-problems.tsx'
import { describeWait } from './import-wait.ts'
import type { ImportRun } from './run-import.ts'

export function ImportCheck({ run }: { readonly run: ImportRun }) {
  const { check, trial, readShare, earlier, headers, meanings, tally, choices } = run.view
  if (problemOfMeanings(headers, meanings) !== null) return null
  if (check === null) {
    return (
      <section class="card" role="status">
        <p class="muted">Checking every row… {share(readShare ?? 0, 1)}</p>
        <progress max={1} value={readShare ?? 0} aria-label="Rows checked" />
      </section>
    )
  }
  const fresh = trial?.kind === 'done' ? trial.tally.created : check.valid - check.repeated
  const isUnfinished = earlier !== null && !earlier.isDone && tally.rows > 0
  const open = check.unusable.filter(({ name }) => choices.unusable?.[name] === undefined)
  const openClocks = check.clocks.filter(
    ({ country, preselected }) => !(choices.zones?.[country] ?? preselected),
  )
  return (
    <Card title="Check before importing">
      <Figures check={check} trial={trial} />
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
          isOff={!isUnfinished && (fresh === 0 || open.length + openClocks.length > 0)}
          onClick={() => run.send(!isUnfinished)}
        >
          {isUnfinished
            ? `Resume with ${countOf(check.rows - tally.rows, 'row')}`
            : `Import ${countOf(fresh, trial?.kind === 'done' ? 'new lead' : 'lead')}`}
        </Button>
        {isUnfinished && <Button onClick={() => run.send(true)}>Start over</Button>}
      </div>
      {open.length > 0 && (
        <p class="notice">
          First choose above what happens to unusable cells:{' '}
          {open.map(({ name }) => fieldName(name)).join(', ')}.
        </p>
      )}
      {openClocks.length > 0 && (
        <p class="notice">
          First choose above by whose clock to call: {openClocks.map(({ name }) => name).join(', ')}.
        </p>
      )}
      <ImportProblems run={run} check={check} heading="h3" />
      <Preview run={run} check={check} />
    </Card>
  )
}

/** They add up to the rows. Only the service knows which leads exist. */
function Figures({ check, trial }: { readonly check: Check; readonly trial: Trial | null }) {
  const { rows, valid, invalid, repeated } = check
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
      ]}
    />
  )
}

/** How many leads exist already, and what it costs to find out. */
function TrialLine({ run, check }: { readonly run: ImportRun; readonly check: Check }) {
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

function Preview({ run, check }: { readonly run: ImportRun; readonly check: Check }) {
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
