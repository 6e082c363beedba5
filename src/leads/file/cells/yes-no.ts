// Whether a cell says yes or no, by the words of the judge (leads/no/languages.ts), alone and without punctuation.
import { fold } from '../../no/fold.ts'
import { match } from '../../no/phrases.ts'

/** Null: neither. An empty cell says no. */
export function readYesNo(cell: string): 'yes' | 'no' | null {
  const word = fold(cell)
  if (match('yes', [word], 0)) return 'yes'
  return word === '' || match('no', [word], 0) ? 'no' : null
}
