// Finds leads through the endpoints that the service has. The only place that knows how: with a search endpoint, this is one
// request.
import { type Lead, type LeadIntake, NotFoundError, type RequestOptions } from '../sdk/src/lead-intake.ts'
import { RefusedError } from './answer.ts'

/** Exactly one of the first three. */
export type Which = {
  readonly leadId?: string | undefined
  readonly phoneNumber?: string | undefined
  readonly externalId?: string | undefined
  readonly campaignId?: string | undefined
}

export type Found = {
  readonly leads: readonly Lead[]
  /** There are more than these. */
  readonly more: boolean
}

const maxLeads = 10
/** Each costs a request, and a key has 1,000 an hour. */
const maxCampaigns = 20

export async function findLeads(client: LeadIntake, which: Which, options: RequestOptions): Promise<Found> {
  const { leadId, phoneNumber, externalId, campaignId } = which
  if (leadId !== undefined) return findById(client, leadId, campaignId, options)
  const field = phoneNumber !== undefined ? { phoneNumber } : externalId !== undefined ? { externalId } : null
  if (field === null) throw new RefusedError('Needs one of leadId, phoneNumber and externalId')
  const campaignIds = campaignId === undefined ? await campaignsOf(client, options) : [campaignId]
  const pages = await Promise.all(
    campaignIds.map((campaignId) =>
      client.leads.list({ campaignId, ...field, order: 'newest', limit: maxLeads + 1 }, options).page(),
    ),
  )
  const leads = pages
    .flatMap((page) => page.leads)
    .sort((one, other) => other._creationTime - one._creationTime)
  return { leads: leads.slice(0, maxLeads), more: leads.length > maxLeads }
}

async function findById(
  client: LeadIntake,
  leadId: string,
  campaignId: string | undefined,
  options: RequestOptions,
): Promise<Found> {
  try {
    const { etag: _, ...lead } = await client.leads.get(leadId, options)
    const isThere = campaignId === undefined || lead.campaignId === campaignId
    return { leads: isThere ? [lead] : [], more: false }
  } catch (error) {
    if (error instanceof NotFoundError) return { leads: [], more: false }
    throw error
  }
}

/** Never some of them: a lead in one that was left out would seem not to exist. */
async function campaignsOf(client: LeadIntake, options: RequestOptions): Promise<string[]> {
  const campaigns = await client.campaigns.list(options)
  if (campaigns.length > maxCampaigns)
    throw new RefusedError(
      `The key has access to ${campaigns.length} campaigns, more than can be searched at once (${maxCampaigns}): set campaignId`,
    )
  return campaigns.map(({ id }) => id)
}
