// A call in the table of a campaign's calls: its members, and its row of CSV.
import { csvCell, csvCellForPeople } from '../../../base/csv-cell.ts'
import { withTimestamps } from '../../../base/timestamp.ts'
import { originCells, originNames } from '../../leads/csv.ts'
import { amountOf } from './cost.ts'

type Shown = Readonly<Record<string, unknown>>

/** From the members that the store has written. */
export function shownCall(json: string): Shown {
  const { costMicros, costCurrency, ...call } = withTimestamps(json) as Shown
  const { recordingUrl, transcriptUrl, summary, origin, ...facts } = call
  const costAmount = costMicros === null ? null : amountOf(costMicros as number)
  return { ...facts, costAmount, costCurrency, recordingUrl, transcriptUrl, summary, origin }
}

/** New columns come last, because programs read columns by position. */
const columns = (
  'callId leadId phoneNumber externalId direction attempt agent claimedAt dialledAt endedAt durationSeconds outcome ' +
  'callbackAt doNotCall isLate providerCallId consentId costAmount costCurrency recordingUrl transcriptUrl summary'
).split(' ')

const textOf = (cells: readonly string[]) => `${cells.join()}\r\n`
export const callsCsvHeader = textOf([...columns, ...originNames])

export function callCsv(call: Shown): string {
  const cellOf = (name: string) => {
    const cell = String(call[name] ?? '')
    return name === 'phoneNumber' ? csvCellForPeople(cell) : csvCell(cell)
  }
  const origin = call.origin === null ? null : JSON.stringify(call.origin)
  return textOf([...columns.map(cellOf), ...originCells(origin)])
}
