// Whether a cell says do not call for itself, such as a status or one of several tags.
import { isTagName, partSays, valueSays } from '../../no/judge.ts'
import { wordsOf } from '../names/phone-names.ts'

/** What a header says of its cells: in some, a single word such as "stop" is enough. */
export function saidReader(header: string): (cell: string) => boolean {
  const isOutcome = wordsOf(header).some((word) => /^outcomes?$/.test(word))
  const where = isOutcome ? 'outcome' : isTagName(header) ? 'tags' : null
  return (cell) => (where === null ? valueSays(cell) : partSays(cell, where))
}
