// `lead list` and `lead stats`: a look at a campaign's leads in the database. Importing them goes over HTTP, and
// is in lead-import.ts.

import { type LeadStatus, leadIdOf, leadStatuses } from '../../leads/lead.ts'
import { countLeads, selectLeads } from '../../leads/store/overview.ts'
import { printLine, printList, printResult, timestamp } from '../print.ts'
import { CommandFailed } from '../wrangler.ts'

export type ListOptions = {
  readonly campaign: string
  readonly status?: LeadStatus
  readonly limit: number
  readonly json: boolean
}

export async function showLeads(db: D1Database, { campaign, status, limit, json }: ListOptions) {
  const selection = { campaignId: campaign, status: status ?? null, maxLeads: limit }
  const found = await selectLeads(db, selection)
  if (found.kind === 'campaign_unknown') throw campaignUnknown(campaign)
  // As the API has them: metadata must come out as it came in.
  if (json) return printLine(`[${found.leads.map((lead) => lead.json).join()}]`)
  const rows = found.leads.map((lead) => ({
    id: leadIdOf(lead),
    phone: lead.phoneNumber,
    externalId: lead.externalId,
    status: lead.status,
    priority: String(lead.priority),
    attempts: String(lead.attempts),
    scheduled: lead.scheduledFor,
    createdAt: timestamp(lead.createdAtMs),
  }))
  printList(rows, false, 'No such leads.')
}

export async function showStats(db: D1Database, { campaign, json }: { campaign: string; json: boolean }) {
  const counted = await countLeads(db, campaign)
  if (counted.kind === 'campaign_unknown') throw campaignUnknown(campaign)
  const countOf = new Map(counted.counts.map(({ status, count }) => [status, count]))
  const bars = leadStatuses.map((status) => ({ status, count: countOf.get(status) ?? 0 }))
  const total = bars.reduce((sum, { count }) => sum + count, 0)
  const byStatus = Object.fromEntries(bars.map(({ status, count }) => [status, count]))
  printResult({ campaignId: campaign, leads: total, byStatus }, json, [
    `Campaign ${campaign}: ${total} leads`,
    ...bars.map(({ status, count }) => barLine(status, count, total)),
  ])
}

const barWidth = 40
const nameWidth = Math.max(...leadStatuses.map((status) => status.length))

/** The whole campaign is a full bar. What is there at all shows, however little it is. */
function barLine(name: string, count: number, total: number): string {
  const share = total === 0 ? 0 : count / total
  const length = count === 0 ? 0 : Math.max(1, Math.round(share * barWidth))
  const bar = '█'.repeat(length).padEnd(barWidth, '·')
  return `${name.padEnd(nameWidth)}  ${bar}  ${count} (${(share * 100).toFixed(1)} %)`
}

function campaignUnknown(id: string): CommandFailed {
  return new CommandFailed(`unknown campaign: ${id}`)
}
