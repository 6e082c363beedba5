// How a list is written: as JSON or CSV, and a long one page after page, each let go before the next is read, so that
// a campaign of any size fits in memory (D20).
import { successParts } from '../http/envelope.ts'
import { leadCsv, leadCsvHeader } from './csv.ts'
import type { LeadPage } from './store/pages.ts'
import type { LeadRow } from './store/row.ts'

/** A list's start, each page, what stands between two pages, and its end. */
export type Format<Lead> = {
  readonly contentType: string
  readonly start: string
  readonly page: (leads: readonly Lead[]) => string
  readonly between: string
  /** `count` follows the leads: it is known when they have been written. `more` are members after it. */
  readonly end: (count: number, more: object) => string
}

export const csv: Format<LeadRow> = {
  contentType: 'text/csv; charset=utf-8; header=present',
  start: leadCsvHeader,
  page: (leads) => leads.map(leadCsv).join(''),
  between: '',
  end: () => '',
}

export const json: Format<{ readonly json: string }> = {
  contentType: 'application/json',
  start: `${successParts.before}{"leads":[`,
  page: (leads) => leads.map((lead) => lead.json).join(),
  between: ',',
  end: (count, more) => `],${JSON.stringify({ count, ...more }).slice(1)}${successParts.after}`,
}

/** Reads and writes a page whenever the client has taken the one before. */
export function streamList<Lead>(
  first: LeadPage<Lead>,
  format: Format<Lead>,
  onBreak: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let count = 0
  // All that is kept of a page that has been written.
  let readNext: LeadPage<Lead>['next'] | null = null
  const write = (controller: ReadableStreamDefaultController, before: string, page: LeadPage<Lead>) => {
    count += page.leads.length
    readNext = page.endSeq === null ? null : page.next
    const text = page.leads.length === 0 ? '' : before + format.page(page.leads)
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
        write(controller, format.between, page)
      } catch (error) {
        // The answer has begun, so all that is left is to break it off: a client sees that it is not whole.
        onBreak(error)
        controller.error(error)
      }
    },
  }
  // No page is read before the one in front of it is on its way.
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** The key was revoked, or lost its campaign, while the list was being written. */
class AccessWithdrawn extends Error {
  override readonly name = 'AccessWithdrawn'
}
