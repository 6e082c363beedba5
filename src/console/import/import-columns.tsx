// The meaning of each column: guessed from its header, and changed by a person.
import { useEffect } from 'preact/hooks'
import { allMeanings, fieldName, type Meaning, problemOfMeanings } from '../../queue/leads/file/columns.ts'
import { type Doubt, noOfDoubt } from '../../queue/leads/file/held/doubt.ts'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Select } from '../ui/fields/select.tsx'
import { countOf } from '../ui/words/number-words.ts'
import { useLast } from './last-check.ts'
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
    const settled = [...new Set([...(choices.settled ?? []), index])].sort((one, other) => one - other)
    // It is the phone number now.
    const isTaken = meaning === 'phoneNumber' && choices.insteadPlace === index
    run.check(next, { ...choices, settled, ...(isTaken && { insteadPlace: undefined }) })
  }
  const doubts = useLast(run.view.check)?.doubts ?? []
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
      {headers.map((header, place) => {
        const doubt =
          meanings[place] === 'ask'
            ? ({ kind: 'maybe', place, header, count: 0, first: [] } as const)
            : choices.settled?.includes(place)
              ? undefined
              : doubts.find((one) => one.place === place)
        return (
          doubt && (
            <Question key={`${place} ${header}`} doubt={doubt} onAnswer={(said) => choose(place, said)} />
          )
        )
      })}
      <Failure>{problem}</Failure>
    </>
  )
}

type QuestionProps = { readonly doubt: Doubt; readonly onAnswer: (meaning: Meaning) => void }

function Question({ doubt, onAnswer }: QuestionProps) {
  const { kind } = doubt
  return (
    <fieldset class="notice group">
      <p>{questionOf(doubt)}</p>
      <div class="line">
        <Button onClick={() => onAnswer(noOfDoubt[kind])}>
          {kind === 'maybe' ? 'Yes, do not call' : 'Do not call these'}
        </Button>
        <Button onClick={() => onAnswer('keep')}>No, keep as metadata</Button>
      </div>
    </fieldset>
  )
}

function questionOf({ kind, header, count, first }: Doubt): string {
  const cells = countOf(count, 'cell')
  if (kind === 'maybe')
    return `Does the column “${header}” say who must not be called? It may be about e-mail alone.`
  if (kind === 'permission')
    return (
      `The column “${header}” asks whether people may be called, and ${cells} ` +
      `${count === 1 ? 'says' : 'say'} no. Does that mean do not call?`
    )
  return `The column “${header}” says do not call in ${cells}, such as “${first[0]?.value}”. Does it mean that?`
}
