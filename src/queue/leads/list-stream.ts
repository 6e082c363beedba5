// Writes a list as JSON or CSV. A long one is written page by page, and each page is dropped before the next is read,
// so that a campaign of any size fits in memory (D20).
import { successParts } from '../../base/http/envelope.ts'
import { csvHeaderWith, csvWith, type Included, leadCsv, leadCsvHeader, type RowWithMore } from './csv.ts'
import { jsonWithCalling, jsonWithOrigin, type LeadWithMore } from './lead.ts'
import type { LeadRow } from './store/field-columns.ts'
import type { LeadPage } from './store/list/pages.ts'

export type Format<Lead> = {
  readonly contentType: string
  readonly start: string
  readonly page: (leads: readonly Lead[]) => string
  /** Separates two pages. */
  readonly between: string
  /** `count` follows the leads, because it is known only at the end. `more` are members after it. */
  readonly end: (count: number, more: object) => string
}

export const csv: Format<LeadRow> = {
  contentType: 'text/csv; charset=utf-8; header=present',
  start: leadCsvHeader,
  page: (leads) => leads.map(leadCsv).join(''),
  between: '',
  end: () => '',
}

/** What `include` asks for. */
export const csvFormatWith = (included: Included): Format<RowWithMore> => ({
  ...csv,
  start: csvHeaderWith(included),
  page: (leads) => leads.map(csvWith(included)).join(''),
})

export const json: Format<{ readonly json: string }> = {
  contentType: 'application/json',
  start: `${successParts.before}{"leads":[`,
  page: (leads) => leads.map((lead) => lead.json).join(),
  between: ',',
  end: (count, more) => `],${JSON.stringify({ count, ...more }).slice(1)}${successParts.after}`,
}

export const jsonFormatWith = ({ withCalling, withOrigin }: Included): Format<LeadWithMore> => {
  const jsonOf = withCalling ? jsonWithCalling : ({ json }: LeadWithMore) => json
  return {
    ...json,
    page: (leads) =>
      leads.map((lead) => (withOrigin ? jsonWithOrigin(jsonOf(lead), lead.origin) : jsonOf(lead))).join(),
  }
}

/** Reads a page each time the client has taken the one before. */
export function streamList<Lead>(
  first: LeadPage<Lead>,
  format: Format<Lead>,
  onBreak: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let count = 0
  // All that is kept of a written page.
  let readNext: LeadPage<Lead>['next'] | null = null
  const write = (controller: ReadableStreamDefaultController, before: string, page: LeadPage<Lead>) => {
    // A page may be empty, though others follow.
    const separator = count === 0 ? '' : format.between
    count += page.leads.length
    readNext = page.endSeq === null ? null : page.next
    const text = before + (page.leads.length === 0 ? '' : separator + format.page(page.leads))
    const end = readNext === null ? format.end(count, {}) : ''
    if (text + end !== '') controller.enqueue(encoder.encode(text + end))
    if (readNext === null) controller.close()
  }
  const source: UnderlyingSource<Uint8Array> = {
    start: (controller) => write(controller, format.start, first),
    async pull(controller) {
      try {
        const page = await readNext?.()
        if (page?.kind !== 'page') throw new AccessWithdrawn()
        write(controller, '', page)
      } catch (error) {
        // The status is sent already: breaking the stream off is the only way to show that the list is incomplete.
        onBreak(error)
        controller.error(error)
      }
    },
  }
  // Reads no page ahead.
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** The key was revoked or lost its campaign while the list was streamed. */
class AccessWithdrawn extends Error {
  override readonly name = 'AccessWithdrawn'
}
