// The preview of a file before it is imported: counts, time needed, errors and first rows.

import { fieldName, problemOfMeanings } from '../../leads/file/columns.ts'
import { DataTable } from '../ui/data-table.tsx'
import { RowTable } from '../ui/row-table.tsx'
import { ScrollBox } from '../ui/scroll-box.tsx'
import { about, counted, countOf, share } from '../ui/words/number-words.ts'
import { type Check, leadsPerMinute, previewColumns } from './import-messages.ts'
import type { ImportRun } from './run-import.ts'

export function ImportCheck({ run }: { readonly run: ImportRun }) {
  const { check, readShare, earlier, headers, meanings, tally } = run.view
  if (problemOfMeanings(headers, meanings) !== null) return null
  if (check === null) {
    return (
      <section class="card" role="status">
        <p class="muted">Checking every row… {share(readShare ?? 0, 1)}</p>
        <progress max={1} value={readShare ?? 0} aria-label="Rows checked" />
      </section>
    )
  }
  const isUnfinished = earlier !== null && !earlier.isDone && tally.rows > 0
  return (
    <section class="card" aria-labelledby="check-title">
      <h2 id="check-title">Check before importing</h2>
      <dl class="totals">
        <div>
          <dt>Rows</dt>
          <dd>{counted(check.rows)}</dd>
        </div>
        <div>
          <dt>Leads</dt>
          <dd>{counted(check.valid)}</dd>
        </div>
        <div>
          <dt>Invalid</dt>
          <dd>{counted(check.invalid)}</dd>
        </div>
        <div>
          <dt>Repeated</dt>
          <dd>{counted(check.repeated)}</dd>
        </div>
      </dl>
      <p class="muted">{estimate(check)}</p>
      {earlier?.isDone && (
        <p class="notice">You imported this file before. Importing again leaves existing leads unchanged.</p>
      )}
      {isUnfinished && (
        <p class="notice">An import of this file stopped after {countOf(tally.rows, 'row')}.</p>
      )}
      <div class="line">
        <button
          type="button"
          class="primary"
          disabled={check.valid === 0}
          onClick={() => run.send(!isUnfinished)}
        >
          {isUnfinished
            ? `Resume with ${countOf(check.rows - tally.rows, 'row')}`
            : `Import ${countOf(check.valid, 'lead')}`}
        </button>
        {isUnfinished && (
          <button type="button" onClick={() => run.send(true)}>
            Start over
          </button>
        )}
      </div>
      {check.invalid > 0 && <Problems run={run} check={check} />}
      <Preview run={run} check={check} />
    </section>
  )
}

function estimate({ valid }: Check): string {
  if (valid === 0) return 'No valid rows. See the errors below.'
  const time = `${countOf(valid, 'lead')} ${valid === 1 ? 'takes' : 'take'} ${about((valid / leadsPerMinute) * 60)}`
  return valid <= leadsPerMinute
    ? `${time}.`
    : `${time}: the limit is ${counted(leadsPerMinute)} leads a minute.`
}

function Problems({ run, check }: { readonly run: ImportRun; readonly check: Check }) {
  const { problems } = run.view
  const { invalid: all, causes } = check
  return (
    <>
      <h3>{countOf(all, 'row')} with errors</h3>
      <p>
        <button type="button" onClick={run.saveInvalidRows}>
          Download rows with errors
        </button>
      </p>
      <DataTable
        name="Errors by cause"
        columns={[['Rows', 'number'], ['Problem'], ['First rows']]}
        rows={causes.map(({ name, count, first }) => ({
          key: name,
          cells: [
            counted(count),
            name,
            first.map(({ row, value }) => `${row}: ${value || 'empty'}`).join(' · '),
          ],
        }))}
      />
      <RowTable
        name="Rows with errors"
        headings={['Problem']}
        rows={problems.map(({ row, problem }) => [row, problem])}
      />
      {problems.length < all && (
        <button type="button" onClick={run.moreProblems}>
          Show more ({counted(problems.length)} of {counted(all)})
        </button>
      )}
    </>
  )
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
      <ScrollBox name="First rows of the file">
        <table class="data preview">
          <thead>
            <tr>
              <th scope="col" class="number">
                Row
              </th>
              {hasProblem && <th scope="col">Problem</th>}
              {used.map(({ header, index, meaning }) => (
                <th key={index} scope="col">
                  {meaning === 'keep' ? header : fieldName(meaning)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {check.preview.map(({ row, cells, problem }) => (
              <tr key={row} class={problem === null ? '' : 'wrong'}>
                <td class="number">{counted(row)}</td>
                {hasProblem && <td class="failure">{problem}</td>}
                {used.map(({ index }) => (
                  <td key={index}>{cells[index]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  )
}
