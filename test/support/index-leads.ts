// Indexes the leads of one campaign for the search, as the cron does campaign by campaign: which ones a minute of the cron
// looks at depends on how many campaigns the tests before have made.
import { campaignNumberOf, parseLeadId } from '../../src/leads/lead.ts'
import { indexChunk } from '../../src/leads/store/search-index.ts'
import { companyDb } from './store.ts'

export async function indexLeads(campaignNumber: number): Promise<void> {
  while (await indexChunk(companyDb, campaignNumber));
}

/** Those of the lead's campaign. */
export const indexLeadsBeside = (leadId: string): Promise<void> =>
  indexLeads(campaignNumberOf(parseLeadId(leadId)?.seq ?? 0))
