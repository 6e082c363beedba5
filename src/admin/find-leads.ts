// Finds a lead by what an operator has of it: its id, its phone number or its external id.
import { parseLeadId } from '../leads/lead.ts'
import { type Lead, NotFoundError } from '../sdk/src/lead-intake.ts'
import { isPhoneNumber } from './arguments/arguments.ts'
import { CommandFailed } from './deploy/wrangler.ts'
import type { OpenService } from './on-service.ts'

/** Each campaign costs a request, or two. */
const maxCampaigns = 50

/** More than one is returned, so that the operator can choose. */
const mostFound = 20

/** Leads by id, else by phone number, else by external id. Throws CommandFailed, or LeadIntakeError. */
export async function findLeads(
  { client }: OpenService,
  name: string,
  campaign?: string,
): Promise<readonly Lead[]> {
  const byId = parseLeadId(name) === null ? null : await client.leads.get(name).catch(nullIfMissing)
  if (byId !== null) return campaign === undefined || campaign === byId.campaignId ? [byId] : []
  const campaignIds =
    campaign === undefined ? (await client.campaigns.list()).map(({ id }) => id) : [campaign]
  if (campaignIds.length > maxCampaigns)
    throw new CommandFailed(`the company has ${campaignIds.length} campaigns: add --campaign, or use an id`)
  const ways = [...(isPhoneNumber(name) ? [{ phoneNumber: name }] : []), { externalId: name }]
  for (const way of ways) {
    const found: Lead[] = []
    for (const campaignId of campaignIds)
      found.push(...(await client.leads.list({ campaignId, ...way, limit: mostFound }).page()).leads)
    if (found.length > 0) return found
  }
  return []
}

/** Throws CommandFailed unless it is exactly one. */
export async function findLead(service: OpenService, name: string, campaign?: string): Promise<Lead> {
  const found = await findLeads(service, name, campaign)
  const [lead] = found
  if (lead === undefined) throw new CommandFailed(`no such lead: ${name}`)
  if (found.length === 1) return lead
  const each = found.map(({ _id, campaignId }) => `${_id} in ${campaignId} of ${service.companyId}`)
  throw new CommandFailed(`several leads match ${name}: use an id: ${each.join(', ')}`)
}

function nullIfMissing(error: unknown): null {
  if (error instanceof NotFoundError) return null
  throw error
}
