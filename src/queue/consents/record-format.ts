// An entry of the record of a number as JSON, and as a row of CSV. A lead and the details of a call are JSON text, as
// they were sent.
import { csvCell } from '../../base/csv-cell.ts'
import { formatTimestamp, withTimestamps } from '../../base/timestamp.ts'
import type { RecordEntry } from './store/record.ts'

const membersOf = ({ type, atMs, members }: RecordEntry) => ({
  at: formatTimestamp(atMs),
  type,
  ...withTimestamps(members),
})

export function entryJson(entry: RecordEntry): string {
  const name = entry.type === 'lead' ? 'lead' : 'details'
  const more = entry.json === null ? '' : `,"${name}":${entry.json}`
  return `${JSON.stringify(membersOf(entry)).slice(0, -1)}${more}}`
}

/** New columns come last, because programs read columns by position. `lead`, `details` and `origin` are JSON. */
const columns = (
  'at type leadId callId consentId campaignId purpose withdraws actor reason attempt agent outcome endedAt ' +
  'durationSeconds providerCallId doNotCall givenAt expiresAt text textSha256 url ip userAgent certificateUrl ' +
  'reference storedAt keptUntil lead details actorName origin source gateVersion'
).split(' ')

const textOf = (cells: readonly string[]) => `${cells.join()}\r\n`

export const recordCsvHeader = textOf(columns)

export function entryCsv(entry: RecordEntry): string {
  const { source, origin, ...members } = membersOf(entry) as Readonly<Record<string, unknown>>
  const text = { [entry.type === 'lead' ? 'lead' : 'details']: entry.json === 'null' ? null : entry.json }
  const came = origin != null && { origin: JSON.stringify(origin) }
  const all: Readonly<Record<string, unknown>> = {
    ...members,
    ...(typeof source === 'string' ? { source } : (source as object | null)),
    ...text,
    ...came,
  }
  return textOf(columns.map((name) => csvCell(String(all[name] ?? ''))))
}
