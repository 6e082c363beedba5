// Writes a list as JSON or CSV. A long one is written page by page, and each page is dropped before the next is read,
// so that a campaign of any size fits in memory (D20).
import { successParts } from '../../base/http/envelope.ts'
import { callingCsv, callingCsvHeader, leadCsv, leadCsvHeader } from './csv.ts'
import { type CallingOfLead, jsonWithCalling, type LeadWithCalling } from './lead.ts'
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

export const csvWithCalling: Format<LeadRow & CallingOfLead> = {
  ...csv,
  start: callingCsvHeader,
  page: (leads) => leads.map(callingCsv).join(''),
}

export const json: Format<{ readonly json: string }> = {
  contentType: 'application/json',
  start: `${successParts.before}{"leads":[`,
  page: (leads) => leads.map((lead) => lead.json).join(),
  between: ',',
  end: (count, more) => `],${JSON.stringify({ count, ...more }).slice(1)}${successParts.after}`,
}

export const withCalling: Format<LeadWithCalling> = {
  ...json,
  page: (leads) => leads.map(jsonWithCalling).join(),
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
