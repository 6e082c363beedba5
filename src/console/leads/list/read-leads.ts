// Reads a page of leads: what a search finds, or the newest of a campaign. The API's list has no filter by outcome, so
// that one is applied here.

import { limits } from '../../../base/limits.ts'
import type { LeadStatus, ListedLead, SearchQuery } from '../../../sdk/src/models.ts'
import { type Answer, settle } from '../../service/answer.ts'
import { type Client, leadsPath } from '../../service/client.ts'
import { metadataTextsOf } from '../metadata-text.ts'

export type Outcome = NonNullable<SearchQuery['outcome']>

/** Empty: no such condition. */
export type Filter = {
  readonly q: string
  readonly status: LeadStatus | ''
  readonly outcome: Outcome | ''
  /** A kind, or the id of a source, key or member. */
  readonly origin: string
}

export const noFilter: Filter = { q: '', status: '', outcome: '', origin: '' }

/** A lead with its metadata as it was sent; empty: none. */
export type FoundLead = ListedLead & { readonly metadataText: string }

export type LeadPage = {
  readonly leads: readonly FoundLead[]
  readonly nextCursor: string | null
  /** Leads of the list that were read for this page, those without the outcome too. */
  readonly read: number
}

type ReadPage = { readonly leads: readonly ListedLead[]; readonly nextCursor?: string | null }

/** `campaignId` null: all campaigns of the key, which takes a `q`. */
export async function readOnce(
  client: Client,
  campaignId: string | null,
  { q, status, outcome, origin }: Filter,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
): Promise<LeadPage> {
  const range = { campaignId, cursor, status: status || null, origin: origin || null }
  const isSearch = q !== ''
  const { data, text } = await client.send<ReadPage>({
    method: 'GET',
    path: isSearch ? `${leadsPath}/search` : leadsPath,
    query: isSearch
      ? { ...range, q, outcome: outcome || null, limit: Math.min(limit, limits.leadsPerSearch) }
      : { ...range, order: 'newest', include: 'calling', limit },
  })
  const texts = metadataTextsOf(text)
  const leads = data.leads
    .map((lead, index) => ({ ...lead, metadataText: texts[index] ?? '' }))
    .filter(({ lastOutcome }) => outcome === '' || lastOutcome === outcome)
  return { leads, nextCursor: data.nextCursor ?? null, read: data.leads.length }
}

const leadsPerRequest = 50
const enough = 25
const maxRequests = 10

/**
 * A page to show, of at most 74 leads: requests continue until there is something to show, or so many were sent.
 */
export function readPage(
  client: Client,
  campaignId: string | null,
  filter: Filter,
  cursor: string | null,
): Promise<Answer<LeadPage>> {
  const run = async () => {
    let page: LeadPage = { leads: [], nextCursor: cursor, read: 0 }
    for (let requests = 0; requests < maxRequests && page.leads.length < enough; requests++) {
      const range = { cursor: page.nextCursor, limit: leadsPerRequest }
      const more = await readOnce(client, campaignId, filter, range)
      page = {
        leads: [...page.leads, ...more.leads],
        nextCursor: more.nextCursor,
        read: page.read + more.read,
      }
      if (page.nextCursor === null) break
    }
    return page
  }
  return settle(run())
}
