// The text of an export. The list of a campaign is read as CSV, in one request that the log has as leads.exported; what
// a search finds, or has an outcome, by pages. For people: times in ISO 8601, and a column for each member of the
// metadata.
import { csvCellForPeople } from '../../../base/csv-cell.ts'
import { limits } from '../../../base/limits.ts'
import { withOtherFields } from '../../../queue/leads/field-table.ts'
import { readCsv } from '../../../queue/leads/file/csv-rows.ts'
import { type Answer, settle } from '../../service/answer.ts'
import { type Client, fetchCsv, leadsPath } from '../../service/client.ts'
import { membersOf } from '../metadata-text.ts'
import { type Filter, type LeadPage, readOnce } from './read-leads.ts'

/** As the API names them. */
const columns = withOtherFields([
  ...['_id', 'campaignId', 'phoneNumber', 'externalId', 'status', 'lastOutcome', 'dueAt', 'attempts'],
  ...['scheduledFor', 'priority', '_creationTime'],
]).filter((name) => name !== 'metadata')

/** Further members of metadata are together in a column `metadata`, as JSON. */
const mostMemberColumns = 200
const maxBytes = 100_000_000
const maxRequests = 50
/** Between two pauses, in which the page stays responsive. */
const leadsAtOnce = 500

/** A lead as an export has it. `metadata`: JSON text; empty: none. */
type Line = { readonly cells: readonly string[]; readonly metadata: string }

/** The person who is signed in. */
type Session = { readonly key: string; readonly client: Client }

type Watch = { readonly signal: AbortSignal; readonly onProgress: (count: number) => void }

/** A text is the error. `isWhole`: false where only the newest leads were read. */
type Read = { readonly lines: readonly Line[]; readonly isWhole: boolean } | string

export function readLines(
  session: Session,
  campaignId: string | null,
  filter: Filter,
  watch: Watch,
): Promise<Read> {
  const isList = campaignId !== null && filter.q === '' && filter.outcome === ''
  return isList ? readList(session, campaignId, filter, watch) : readPages(session, campaignId, filter, watch)
}

async function readList(
  { key }: Session,
  campaignId: string,
  { status, origin }: Filter,
  { signal, onProgress }: Watch,
): Promise<Read> {
  const filter = { ...(status !== '' && { status }), ...(origin !== '' && { origin }) }
  const range = { campaignId, order: 'newest', include: 'calling', ...filter }
  try {
    const { ok, status, body } = await fetchCsv(key, leadsPath, range, signal)
    if (!ok || body === null) return `The service answered ${status}.`
    let bytes = 0
    async function* pieces(stream: ReadableStream<Uint8Array>) {
      const reader = stream.getReader()
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        bytes += read.value.length
        if (bytes > maxBytes) return reader.cancel()
        yield read.value
        onProgress(lines.length)
      }
    }
    const lines: Line[] = []
    let names: readonly string[] | null = null
    for await (const { cells } of readCsv(pieces(body), ',')) {
      if (names === null) names = cells
      else lines.push(lineOf(Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))))
    }
    return bytes > maxBytes
      ? 'The file would be larger than 100 MB. Choose a status.'
      : { lines, isWhole: true }
  } catch {
    return 'Cannot reach the service.'
  }
}

async function readPages(
  { client }: Session,
  campaignId: string | null,
  filter: Filter,
  { signal, onProgress }: Watch,
): Promise<Read> {
  const lines: Line[] = []
  let cursor: string | null = null
  for (let requests = 0; requests < maxRequests && !signal.aborted; requests++) {
    const page: Answer<LeadPage> = await settle(
      readOnce(client, campaignId, filter, { cursor, limit: limits.leadsPerPage }),
    )
    const { data, error } = page
    if (data === null) return error ?? ''
    for (const { metadataText, ...lead } of data.leads)
      lines.push(lineOf({ ...lead, metadata: metadataText }))
    onProgress(lines.length)
    cursor = data.nextCursor
    if (cursor === null) break
  }
  return { lines, isWhole: cursor === null }
}

type Values = { readonly [name: string]: unknown }

export const lineOf = (lead: Values): Line => ({
  cells: columns.map((name) =>
    name === '_creationTime' ? new Date(Number(lead[name])).toISOString() : `${lead[name] ?? ''}`,
  ),
  metadata: `${lead.metadata ?? ''}`,
})

/** The header and a line for each lead. */
export async function partsOf(lines: readonly Line[]): Promise<readonly string[]> {
  const places = new Map<string, number>()
  let hasMore = false
  for await (const { metadata } of inPortions(lines))
    for (const [name] of membersOf(metadata)) {
      if (places.size < mostMemberColumns && !places.has(name)) places.set(name, places.size)
      else hasMore ||= !places.has(name)
    }
  // A member may have the name of a column of the lead.
  const isTaken = (name: string) => name === 'metadata' || columns.some((column) => column === name)
  const headers = [...places.keys()].map((name) => (isTaken(name) ? `metadata.${name}` : name))
  const parts = [textOf([...columns, ...headers, ...(hasMore ? ['metadata'] : [])])]
  for await (const { cells, metadata } of inPortions(lines)) {
    const members = headers.map(() => '')
    const others: string[] = []
    for (const [name, text] of membersOf(metadata)) {
      const place = places.get(name)
      if (place === undefined) others.push(`${JSON.stringify(name)}:${JSON.stringify(text)}`)
      else members[place] = text
    }
    parts.push(textOf([...cells, ...members, ...(hasMore ? [others.length > 0 ? `{${others}}` : ''] : [])]))
  }
  return parts
}

async function* inPortions(lines: readonly Line[]): AsyncGenerator<Line> {
  for (const [index, line] of lines.entries()) {
    if (index % leadsAtOnce === leadsAtOnce - 1) await new Promise((resolve) => setTimeout(resolve))
    yield line
  }
}

const textOf = (cells: readonly string[]) => `${cells.map(csvCellForPeople).join()}\r\n`
