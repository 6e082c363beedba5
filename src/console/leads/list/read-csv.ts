// The text of an export. The list of a campaign is the API's own CSV, in one request that the log has as leads.exported.
// What a search finds, or has an outcome, is read by pages and written here: the same columns, and two more.
import { csvCell } from '../../../csv-cell.ts'
import type { Send } from '../../../sdk/src/send.ts'
import { type Answer, settle } from '../../service/answer.ts'
import { type Filter, type FoundLead, type LeadPage, readOnce } from './read-leads.ts'

/** Of the API's list (leads/csv.ts), and two more. */
export const csvHeader =
  '_id,campaignId,phoneNumber,externalId,metadata,status,scheduledFor,priority,attempts,_creationTime,timeZone,lastOutcome,dueAt\r\n'

const maxChars = 100_000_000
const maxRequests = 50

export type Csv = {
  readonly parts: readonly string[]
  readonly count: number
  /** False: only the newest leads. */
  readonly isWhole: boolean
  /** Then there is no text. */
  readonly error: string | null
}

/** Of the person who is signed in. */
type Session = { readonly key: string; readonly send: Send }

type Watch = { readonly signal: AbortSignal; readonly onProgress: (count: number) => void }

export const readCsv = (session: Session, campaignId: string | null, filter: Filter, watch: Watch) =>
  campaignId !== null && filter.q === '' && filter.outcome === ''
    ? readList(session, campaignId, filter, watch)
    : readPages(session, campaignId, filter, watch)

const failed = (error: string): Csv => ({ parts: [], count: 0, isWhole: false, error })

async function readList(
  { key }: Session,
  campaignId: string,
  { status }: Filter,
  { signal, onProgress }: Watch,
): Promise<Csv> {
  const query = new URLSearchParams({ campaignId, order: 'newest', ...(status !== '' && { status }) })
  const headers = { 'x-api-key': key, accept: 'text/csv' }
  try {
    const { ok, status, body } = await fetch(`/api/v1/leads?${query}`, { headers, cache: 'no-store', signal })
    if (!ok || body === null) return failed(`The service answered ${status}.`)
    const parts: string[] = []
    let [rows, quotes, chars] = [0, 0, 0]
    const reader = body.getReader()
    const decoder = new TextDecoder()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const text = decoder.decode(read.value, { stream: true })
      parts.push(text)
      chars += text.length
      // A line break within quotes ends no row.
      for (const part of text.split(/(?=")/)) {
        if (part.startsWith('"')) quotes++
        if (quotes % 2 === 0) rows += part.split('\n').length - 1
      }
      onProgress(Math.max(0, rows - 1))
      if (chars > maxChars) {
        await reader.cancel()
        return failed('The file would be larger than 100 MB. Choose a status.')
      }
    }
    return { parts, count: rows - 1, isWhole: true, error: null }
  } catch {
    return failed('Cannot reach the service.')
  }
}

async function readPages(
  { send }: Session,
  campaignId: string | null,
  filter: Filter,
  { signal, onProgress }: Watch,
): Promise<Csv> {
  const parts = [csvHeader]
  let cursor: string | null = null
  for (let requests = 0; requests < maxRequests && !signal.aborted; requests++) {
    const page: Answer<LeadPage> = await settle(readOnce(send, campaignId, filter, { cursor, limit: 1000 }))
    const { data, error } = page
    if (data === null) return failed(error ?? '')
    parts.push(...data.leads.map(lineOf))
    onProgress(parts.length - 1)
    cursor = data.nextCursor
    if (cursor === null) break
  }
  return { parts, count: parts.length - 1, isWhole: cursor === null, error: null }
}

/** As the API writes a lead: what can hold neither a comma nor a formula is not escaped. */
export function lineOf(lead: FoundLead): string {
  const cells = [
    lead._id,
    csvCell(lead.campaignId),
    lead.phoneNumber,
    csvCell(lead.externalId ?? ''),
    csvCell(lead.metadataText),
    lead.status,
    lead.scheduledFor ?? '',
    lead.priority,
    lead.attempts,
    lead._creationTime,
    lead.timeZone ?? '',
    lead.lastOutcome ?? '',
    lead.dueAt ?? '',
  ]
  return `${cells.join()}\r\n`
}
