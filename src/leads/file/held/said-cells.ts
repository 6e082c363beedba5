// Whether a cell says do not call for itself, such as a status or one of several tags.
import { valueSays } from '../../no/judge.ts'
import { wordsOf } from '../names/phone-names.ts'

type Where = Parameters<typeof valueSays>[1]

const ofTags = /^(?:tags?|labels?|lists?|status|disposition|stage|results?)$/

/** What a header says of its cells: in some, a single word such as "stop" is enough. */
function whereOf(header: string): Where {
  const words = wordsOf(header)
  if (words.some((word) => ofTags.test(word))) return 'tags'
  return words.some((word) => /^outcomes?$/.test(word)) ? 'outcome' : undefined
}

export function saidReader(header: string): (cell: string) => boolean {
  const where = whereOf(header)
  return (cell) => (where === 'tags' ? cell.split(/[,;|\n]/) : [cell]).some((part) => valueSays(part, where))
}
