// The epochs of a company's log. A restore of the database takes the log back, and its numbers are given again to other
// entries; an epoch, which the operator begins after a restore, keeps them apart. Epochs never repeat: they are Unix
// seconds of when they began. 0 is that of a log that was never restored. Pure.

export type Epoch = readonly [epoch: number, firstNumber: number]

/** In the order in which they began. */
export type Epochs = readonly Epoch[]

/** The newest. It stands for all before it, since no other history has it. */
export const newestEpoch = (epochs: Epochs): number => epochs.at(-1)?.[0] ?? 0

/** Where a log ends. */
export type LogEnd = {
  /** The last entry; 0: there is none. */
  readonly head: number
  readonly epoch: number
}

/** Of the entry with this number. */
export function epochAt(epochs: Epochs, number: number): number {
  return epochs.findLast(([, firstNumber]) => firstNumber <= number)?.[0] ?? 0
}

/**
 * The last entry that two histories of one log have in common: all before the first epoch that only one of them knows.
 * Null: they are the same.
 */
export function lastCommonNumber(one: Epochs, other: Epochs): number | null {
  const isIn = (epochs: Epochs, [epoch]: Epoch) => epochs.some(([known]) => known === epoch)
  const differing = [
    ...one.filter((epoch) => !isIn(other, epoch)),
    ...other.filter((epoch) => !isIn(one, epoch)),
  ]
  return differing.length === 0 ? null : Math.min(...differing.map(([, firstNumber]) => firstNumber)) - 1
}

/** Of the column, which also says to what time the database was restored. */
export const readEpochs = (json: string): Epochs =>
  (JSON.parse(json) as [number, number, number][]).map(([epoch, firstNumber]) => [epoch, firstNumber])
