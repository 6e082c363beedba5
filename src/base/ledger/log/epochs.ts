// The epochs of a company's log. A restore of the database takes the log back, and other entries get the same numbers
// again; the epoch that the operator begins after a restore distinguishes them. An epoch is the Unix second in which it
// began, so none repeats; 0 is that of a log that was never restored. Pure.

type Epoch = readonly [epoch: number, firstNumber: number]

/** Oldest first. */
export type Epochs = readonly Epoch[]

/** The newest epoch identifies a history: no other one has it. */
export const newestEpoch = (epochs: Epochs): number => epochs.at(-1)?.[0] ?? 0

export type LogEnd = {
  /** The last entry's number; 0: the log is empty. */
  readonly head: number
  readonly epoch: number
}

export function epochAt(epochs: Epochs, number: number): number {
  return epochs.findLast(([, firstNumber]) => firstNumber <= number)?.[0] ?? 0
}

/**
 * The last entry that two histories of a log share: before the first epoch that only one has. Null: they are the same.
 */
export function lastCommonNumber(one: Epochs, other: Epochs): number | null {
  const isIn = (epochs: Epochs, [epoch]: Epoch) => epochs.some(([known]) => known === epoch)
  const differing = [
    ...one.filter((epoch) => !isIn(other, epoch)),
    ...other.filter((epoch) => !isIn(one, epoch)),
  ]
  return differing.length === 0 ? null : Math.min(...differing.map(([, firstNumber]) => firstNumber)) - 1
}

/** Reads the column `log_epochs`, without the time that the database was restored to. */
export const readEpochs = (json: string): Epochs =>
  (JSON.parse(json) as [number, number, number][]).map(([epoch, firstNumber]) => [epoch, firstNumber])
