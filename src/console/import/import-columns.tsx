// The meaning of each column: guessed from its header, and changed by a person.
import { useEffect } from 'preact/hooks'
import { allMeanings, fieldName, type Meaning, problemOfMeanings } from '../../leads/file/columns.ts'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Select } from '../ui/fields/select.tsx'
import type { ImportRun } from './run-import.ts'

export function ImportColumns({ run }: { readonly run: ImportRun }) {
  const { headers, meanings, choices } = run.view
  const problem = problemOfMeanings(headers, meanings)

  // The first check of the file. Later ones follow each change of a column.
  useEffect(() => {
    if (problem === null) run.check(meanings, choices)
  }, [])

  const choose = (index: number, meaning: Meaning) => {
    const next = meanings.map((one, place) => (place === index ? meaning : one))
    run.check(next, choices)
  }
  return (
    <>
      <h2>Columns</h2>
      <ul class="columns">
        {headers.map((header, index) => (
          <li key={`${index} ${header}`} class="field">
            <label class="cut" for={`column-${index}`}>
              {header || `Column ${index + 1}`}
            </label>
            <Select
              id={`column-${index}`}
              value={meanings[index] ?? 'ignore'}
              options={(meanings[index] === 'ask' ? ['ask' as const, ...allMeanings] : allMeanings).map(
                (meaning) => [meaning, fieldName(meaning)],
              )}
              onChoose={(meaning) => choose(index, meaning as Meaning)}
            />
          </li>
        ))}
      </ul>
      {headers.map(
        (header, index) =>
          meanings[index] === 'ask' && (
            <fieldset key={`${index} ${header}`} class="notice group">
              <p>Does the column “{header}” say who must not be called? It may be about e-mail alone.</p>
              <div class="line">
                <Button onClick={() => choose(index, 'doNotCall')}>Yes, do not call</Button>
                <Button onClick={() => choose(index, 'keep')}>No, keep as metadata</Button>
              </div>
            </fieldset>
          ),
      )}
      <Failure>{problem}</Failure>
    </>
  )
}
