// A column of which a person has to say whether it says who must not be called: in which words it is asked about, and
// until when. Such columns are found in doubts.ts, which is large by the judge's words.
import type { HeardMeaning, Meaning } from '../columns.ts'
import type { GroupedRow } from '../groups.ts'

export type DoubtKind = 'maybe' | 'permission' | 'value'

export type Doubt = {
  /** The place of the column. */
  readonly place: number
  readonly header: string
  readonly kind: DoubtKind
  /** How many cells would count as a no. */
  readonly count: number
  readonly first: readonly GroupedRow[]
}

/** What the column is, if the cells count. */
export const noOfDoubt: Readonly<Record<DoubtKind, 'doNotCall' | HeardMeaning>> = {
  maybe: 'doNotCall',
  permission: 'doNotCallIfNo',
  value: 'doNotCallIfSaid',
}

/** What is said of one, as a sentence after the column's name. */
export function describeDoubt({ kind, count, first }: Doubt): string {
  const cells = count === 1 ? '1 cell says' : `${count} cells say`
  if (kind === 'maybe') return 'may say who must not be called, or be about e-mail'
  if (kind === 'permission') return `asks whether people may be called, and ${cells} no`
  return `says do not call in ${count === 1 ? '1 cell' : `${count} cells`}, such as “${first[0]?.value ?? ''}”`
}

/** `isSaid`: whether a person has said what the column of this place is. */
export const stillOpen = (
  doubts: readonly Doubt[],
  meanings: readonly Meaning[],
  isSaid: (place: number) => boolean,
) =>
  doubts.filter(({ place, kind }) => {
    const meaning = meanings[place] ?? 'ignore'
    return !isSaid(place) && (meaning === 'ask' || (kind !== 'maybe' && ['keep', 'ignore'].includes(meaning)))
  })
