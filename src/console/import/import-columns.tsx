// What each column of the file means: guessed by its header, and to be chosen by a person.
import { useEffect } from 'preact/hooks'
import { allMeanings, faultOfMeanings, fieldName, type Meaning } from './file/columns.ts'
import type { ImportRun } from './run-import.ts'

export function ImportColumns({ run }: { readonly run: ImportRun }) {
  const { headers, meanings } = run.view
  const fault = faultOfMeanings(headers, meanings)

  // The first look at the file, and one after each change, of columns that can be used.
  useEffect(() => {
    if (fault === null) run.check(meanings)
  }, [])

  const choose = (index: number, meaning: Meaning) => {
    const next = meanings.map((one, place) => (place === index ? meaning : one))
    run.check(next)
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
      {fault !== null && (
        <p role="alert" class="fault">
          {fault}
        </p>
      )}
    </>
  )
}
