// The invalid rows: by cause, each, and as a file to correct.

import { Button } from '../ui/controls.tsx'
import { CausesTable } from '../ui/tables/causes-table.tsx'
import { RowProblems } from '../ui/tables/row-problems.tsx'
import { countOf } from '../ui/words/number-words.ts'
import type { Check } from './import-messages.ts'
import type { ImportRun } from './run-import.ts'

type Props = {
  readonly run: ImportRun
  readonly check: Check | null
  /** How many are known by now. */
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
        <Button onClick={run.saveInvalidRows}>Download invalid rows</Button>
      </p>
      {causes.length > 0 && <CausesTable causes={causes} />}
      {problems.length > 0 && (
        <details>
          <summary>Each invalid row</summary>
          <RowProblems name="Invalid rows" rows={problems} count={known} onMore={run.moreProblems} />
        </details>
      )}
    </>
  )
}
