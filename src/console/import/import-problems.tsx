// The invalid rows: by cause, each, and as a file to correct.

import { CausesTable } from '../ui/tables/causes-table.tsx'
import { DataTable } from '../ui/tables/data-table.tsx'
import { counted, countOf } from '../ui/words/number-words.ts'
import type { Check } from './import-messages.ts'
import type { ImportRun } from './run-import.ts'

type Props = {
  readonly run: ImportRun
  readonly check: Check | null
  /** Of all that are known by now. */
  readonly count?: number
  /** By the heading that stands above it. */
  readonly heading: 'h2' | 'h3'
}

export function ImportProblems({ run, check, count, heading: Heading }: Props) {
  const { problems, trial } = run.view
  const own = check?.causes ?? []
  const causes = trial?.kind === 'done' ? [...own, ...trial.causes] : own
  const known = check?.invalid ?? 0
  const all = count ?? (trial?.kind === 'done' ? trial.tally.invalid : known)
  if (all === 0) return null
  return (
    <>
      <Heading>{countOf(all, 'invalid row')}</Heading>
      <p>
        <button type="button" onClick={run.saveInvalidRows}>
          Download invalid rows
        </button>
      </p>
      {causes.length > 0 && <CausesTable causes={causes} />}
      {problems.length > 0 && (
        <details>
          <summary>Each invalid row</summary>
          <DataTable
            name="Invalid rows"
            columns={[['Row', 'number'], ['Value'], ['Problem']]}
            rows={problems.map(({ row, value, problem }) => ({
              key: row,
              cells: [counted(row), value, problem],
            }))}
          />
          {problems.length < known && (
            <button type="button" onClick={run.moreProblems}>
              Show more ({counted(problems.length)} of {counted(known)})
            </button>
          )}
        </details>
      )}
    </>
  )
}
