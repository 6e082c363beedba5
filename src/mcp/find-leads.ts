// Finds leads by the service's search, or one by its id.
import {
  type FoundLead,
  type Lead,
  type LeadIntake,
  NotFoundError,
  type RequestOptions,
} from '../sdk/src/lead-intake.ts'

/** Exactly one of the first two. */
export type Which = {
  readonly query?: string | undefined
  readonly leadId?: string | undefined
  readonly campaignId?: string | undefined
}

export type Found = {
  readonly leads: readonly (Lead | FoundLead)[]
  /** There may be more than these. */
  readonly more: boolean
}

/** The form of the `_id` of a lead, which the search does not look for. Something else may have it too. */
const leadIdForm = /^[0-9a-f]{25}[0-9A-Za-z]{11}$/

const maxLeads = 10
/** A page may be short, or empty, though others follow. Each costs a request, and a key has 1,000 an hour. */
const maxPages = 5

export async function findLeads(
  client: LeadIntake,
  { query = '', leadId, campaignId }: Which,
  options: RequestOptions,
): Promise<Found> {
  if (leadId !== undefined) return findById(client, leadId, campaignId, options)
  if (leadIdForm.test(query.trim())) {
    const found = await findById(client, query.trim(), campaignId, options)
    if (found.leads.length > 0) return found
  }
  const search = { q: query, limit: maxLeads + 1, include: 'origin', ...(campaignId && { campaignId }) }
  const leads: FoundLead[] = []
  let pages = 0
  for await (const page of client.leads.search(search, options).pages()) {
    leads.push(...page.leads)
    const isLast = page.nextCursor === null
    if (isLast || leads.length > maxLeads || ++pages === maxPages)
      return { leads: leads.slice(0, maxLeads), more: !isLast || leads.length > maxLeads }
  }
  return { leads, more: false }
}

async function findById(
  client: LeadIntake,
  leadId: string,
  campaignId: string | undefined,
  options: RequestOptions,
): Promise<Found> {
  try {
    const { etag: _, ...lead } = await client.leads.get(leadId, { ...options, include: 'origin' })
    const isThere = campaignId === undefined || lead.campaignId === campaignId
    return { leads: isThere ? [lead] : [], more: false }
  } catch (error) {
    if (error instanceof NotFoundError) return { leads: [], more: false }
    throw error
  }
}
