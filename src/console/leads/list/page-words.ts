// What a page of leads shows, in a sentence, and whether a search names a lead.
import type { Lead, Statistics } from '../../../sdk/src/models.ts'
import { counted, countOf } from '../../ui/words/number-words.ts'
import { statuses } from '../../ui/words/status-names.ts'
import type { Filter, LeadPage } from './read-leads.ts'

/** `after`: leads on the pages before. */
export function describePage(
  campaignId: string | null,
  { q, status, outcome, origin }: Filter,
  after: number,
  page: LeadPage | null,
  /** Counts of the campaign. What a search finds has no total. */
  counts?: Statistics['status'],
): string {
  const isFiltered = status !== '' || outcome !== '' || origin !== ''
  if (page === null)
    return campaignId === null
      ? 'Search by any form of a number, by external id, or by the start of a name or e-mail address.'
      : ''
  const { leads, nextCursor, read } = page
  if (leads.length > 0) {
    const isWhole = after === 0 && nextCursor === null
    if (isWhole) return `${countOf(leads.length, 'lead')}, newest first.`
    const isCounted = counts !== undefined && q === '' && outcome === '' && origin === ''
    const total =
      isCounted && statuses.reduce((sum, name) => sum + (name === (status || name) ? counts[name] : 0), 0)
    // What was counted may be older than the page.
    const of = total && total >= after + leads.length ? ` of ${counted(total)}` : ''
    return `${counted(after + 1)} to ${counted(after + leads.length)}${of}, newest first.`
  }
  if (nextCursor !== null) return `None among ${countOf(read, 'lead')}. Choose Next to look further.`
  if (after > 0) return 'No more leads.'
  if (q === '') return isFiltered ? 'No leads with this filter.' : 'No leads yet.'
  return (
    `No lead has this number, external id or name${isFiltered ? ' and this filter' : ''}. Words ` +
    `are found by their start.`
  )
}

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** A whole number or external id, not the start of a name. */
export function isExactly(q: string, { phoneNumber, externalId }: Lead): boolean {
  const digits = /^[+\d\s()./-]+$/.test(q) ? digitsOf(q).replace(/^0+/, '') : ''
  return (
    q.toLowerCase() === externalId?.toLowerCase() ||
    (digits.length >= 7 && digitsOf(phoneNumber).endsWith(digits))
  )
}
