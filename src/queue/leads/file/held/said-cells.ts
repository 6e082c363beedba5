// Whether a cell says do not call for itself, such as a status or one of several tags.
import { isTagName, valueSays } from '../../no/judge.ts'
import { wordsOf } from '../names/phone-names.ts'

type Where = Parameters<typeof valueSays>[1]

/** What a header says of its cells: in some, a single word such as "stop" is enough. */
function whereOf(header: string): Where {
  const isOutcome = wordsOf(header).some((word) => /^outcomes?$/.test(word))
  return isOutcome ? 'outcome' : isTagName(header) ? 'tags' : undefined
}

export function saidReader(header: string): (cell: string) => boolean {
  const where = whereOf(header)
  return (cell) => (where === 'tags' ? cell.split(/[,;|\n]/) : [cell]).some((part) => valueSays(part, where))
}
