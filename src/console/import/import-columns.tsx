// The meaning of each column: guessed from its header, and changed by a person.
import { useEffect } from 'preact/hooks'
import { allMeanings, fieldName, type Meaning, problemOfMeanings } from '../../leads/file/columns.ts'
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
          <li key={`${index} ${header}`}>
            <label class="cut" for={`column-${index}`}>
              {header || `Column ${index + 1}`}
            </label>
            <select
              id={`column-${index}`}
              value={meanings[index]}
              onChange={({ currentTarget }) => choose(index, currentTarget.value as Meaning)}
            >
              {allMeanings.map((meaning) => (
                <option key={meaning} value={meaning}>
                  {fieldName(meaning)}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      {problem !== null && (
        <p role="alert" class="failure">
          {problem}
        </p>
      )}
    </>
  )
}
