// `lead`: lists and shows leads with their calls, requeues them, erases a person, and imports a CSV file: see import/.
import { type Command, CommanderError, Option } from 'commander'
import { dateOrders } from '../../leads/file/date-reading.ts'
import { leadStatuses } from '../../leads/lead.ts'
import type { Lead, LeadStatus } from '../../sdk/src/lead-intake.ts'
import { callsOf, memberOf, sourceOf } from '../answer-source.ts'
import {
  isPhoneNumber,
  parseColumnName,
  parseDelimiter,
  parseLimit,
  parseNumberChanges,
  parseTimestampMs,
  refusedText,
} from '../arguments/arguments.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { findLead, findLeads } from '../find-leads.ts'
import { importLeads } from '../import/import.ts'
import { tallyText } from '../import/report.ts'
import type { ImportOptions } from '../import/send-leads.ts'
import { fromHere } from '../import/source.ts'
import { chooseService, type OpenService, onService, type ServiceAction, withService } from '../on-service.ts'
import { describeLead, leadShownJson } from '../text/lead-words.ts'
import { counted, printLine, printList, printResult, timestamp } from '../text/print.ts'

export function addLeadCommands(admin: Command): void {
  const lead = admin.command('lead').description('The leads of a campaign')
  withService(lead.command('import'), 'write')
    .summary('Imports a CSV file through a running service')
    .description(
      'Imports a CSV file through a running service. After an interruption the same command resumes. Exit code 0: every row is a lead of the campaign.',
    )
    .argument(
      '<file>',
      'with a column phoneNumber; optional externalId, scheduledFor, timeZone, priority, metadata; - is stdin',
    )
    .requiredOption('--campaign <id>', 'campaign of the leads')
    .option('--delimiter <character>', 'between the cells; recognized without it', parseDelimiter)
    .option('--country <code>', 'reads numbers as people write them, national ones as of this country: DE')
    .option('--refuse <changes>', refusedText, parseNumberChanges)
    .addOption(
      new Option(
        '--dates <order>',
        'reads dates without an offset in the time zone of the campaign: 24.12.2026 10:00 is day-first',
      ).choices(dateOrders),
    )
    .addOption(
      new Option('--map <header=name>', 'the field of a column: phone=phoneNumber; repeatable')
        .argParser(parseColumnName)
        .default([], 'by its header'),
    )
    .option('--report <file>', 'writes the rows that were not created to a CSV file, instead of stderr')
    .option('--overwrite', 'replace an existing report', false)
    .option('--dry-run', 'stores nothing: counts what would be created', false)
    .option('--json', 'print one JSON document', false)
    .action(importFile)
  const ofAll = (name: string, does: string, action: ServiceAction) =>
    onService(lead.command(name).description(does), action)
  const ofCampaign = (name: string, does: string, action: ServiceAction) =>
    ofAll(name, does, action).requiredOption('--campaign <id>', 'whose leads')
  ofCampaign('list', 'Lists the first leads, oldest first', listLeads)
    .addOption(new Option('--status <status>', 'only these').choices(leadStatuses))
    .option('--limit <number>', 'at most so many', parseLimit, 20)
  ofCampaign('stats', 'Counts leads by status', showStatistics)
  ofAll('show', 'Shows a lead, what blocks it, and its calls', showLead)
    .argument('<lead>', 'its id, phone number or external id')
    .option('--campaign <id>', 'if several campaigns have such a lead')
  ofAll(
    'requeue',
    'Queues a lead again, also an exhausted or concluded one; or many of a campaign',
    requeueLeads,
  )
    .argument('[lead]', 'its id, phone number or external id; without it --status and --since')
    .option('--campaign <id>', 'of the leads; for one lead, if several campaigns have such a lead')
    .addOption(
      new Option('--status <status>', 'all leads in this status').choices(['exhausted', 'concluded']),
    )
    .option(
      '--since <time>',
      'and that reached it at or after this time: 2027-01-01T00:00:00Z',
      parseTimestampMs,
    )
  ofAll('erase', 'Erases a person in all campaigns of the company, and suppresses the number', erasePerson)
    .argument('<lead>', 'its id, phone number or external id; with --company any phone number')
    .option('--no-suppress', 'do not suppress the number: it may be created again')
}

type Output = { readonly json: boolean }

type ListOptions = Output & {
  readonly campaign: string
  readonly status?: LeadStatus
  readonly limit: number
}

async function listLeads(service: OpenService, { campaign, status, limit, json }: ListOptions) {
  const query = { campaignId: campaign, status, limit }
  const leads = memberOf(await sourceOf(service, { method: 'GET', path: '/api/v1/leads', query }), 'leads')
  if (json) return printLine(leads)
  const rows = (JSON.parse(leads) as Lead[]).map((lead) => ({
    id: lead._id,
    phone: lead.phoneNumber,
    externalId: lead.externalId ?? null,
    status: lead.status,
    priority: String(lead.priority),
    attempts: String(lead.attempts),
    scheduled: lead.scheduledFor ?? null,
    createdAt: timestamp(lead._creationTime),
  }))
  printList(rows, false, 'No such leads.')
}

async function showStatistics({ client }: OpenService, { campaign, json }: Output & { campaign: string }) {
  const { status: byStatus } = await client.campaigns.stats(campaign)
  const total = leadStatuses.reduce((sum, status) => sum + byStatus[status], 0)
  printResult({ campaignId: campaign, leads: total, byStatus }, json, [
    `Campaign ${campaign}: ${total} leads`,
    ...leadStatuses.map((status) => barLine(status, byStatus[status], total)),
  ])
}

const barWidth = 40
const nameWidth = Math.max(...leadStatuses.map((status) => status.length))

/** A full bar is the whole campaign. Any count above 0 is visible. */
function barLine(name: string, count: number, total: number): string {
  const share = total === 0 ? 0 : count / total
  const length = count === 0 ? 0 : Math.max(1, Math.round(share * barWidth))
  const bar = '█'.repeat(length).padEnd(barWidth, '·')
  return `${name.padEnd(nameWidth)}  ${bar}  ${count} (${(share * 100).toFixed(1)} %)`
}

type OneOptions = Output & { readonly campaign?: string }

async function showLead(service: OpenService, { campaign, json }: OneOptions, name: string) {
  const { _id: leadId } = await findLead(service, name, campaign)
  const path = `/api/v1/leads/${leadId}`
  const lead = memberOf(await sourceOf(service, { method: 'GET', path }), 'lead')
  const why = await service.client.leads.explain(leadId)
  const calls = await callsOf(service, path)
  if (json) return printLine(leadShownJson(lead, service.companyId, why, calls))
  for (const line of describeLead(lead, service.companyId, why, calls)) printLine(line)
}

async function requeueLeads(
  service: OpenService,
  options: OneOptions & { readonly status?: 'exhausted' | 'concluded'; readonly since?: number },
  name?: string,
) {
  const { campaign, status, since, json } = options
  if (name !== undefined) {
    if (status !== undefined || since !== undefined)
      throw new CommandFailed('--status and --since are for many leads: name no lead')
    const { _id: leadId } = await findLead(service, name, campaign)
    const path = `/api/v1/leads/${leadId}/requeue`
    const lead = memberOf(await sourceOf(service, { method: 'POST', path }), 'lead')
    return printLine(json ? lead : `Lead ${leadId} is queued again.`)
  }
  if (campaign === undefined || status === undefined || since === undefined)
    throw new CommandFailed('name a lead, or give --campaign, --status and --since')
  const sum = { requeued: 0, skipped: 0 }
  for (let more = true; more; ) {
    const which = { status, since: timestamp(since) }
    const part = await service.client.campaigns.requeue(campaign, which)
    sum.requeued += part.requeued
    sum.skipped += part.skipped
    more = part.more
  }
  printResult(sum, json, [
    `${counted(sum.requeued, 'lead')} queued again; ${sum.skipped} skipped, because their numbers are suppressed.`,
  ])
}

type EraseOptions = Output & { readonly company?: string; readonly suppress: boolean }

async function erasePerson(service: OpenService, { company, suppress, json }: EraseOptions, name: string) {
  const isNumber = company !== undefined && isPhoneNumber(name)
  const leads = isNumber ? [{ phoneNumber: name }] : await findLeads(service, name)
  const [phoneNumber, ...others] = new Set(leads.map((lead) => lead.phoneNumber))
  if (phoneNumber === undefined) throw new CommandFailed(`no such lead: ${name}`)
  if (others.length > 0) throw new CommandFailed(`several people match ${name}: use the id of a lead`)
  const erased = await service.client.leads.erasePerson({ phoneNumber, suppress })
  printResult(erased, json, [
    `${counted(erased.leadsErased, 'lead')} erased; the number ${erased.suppressed ? 'is suppressed' : 'may be created again'}.`,
  ])
}

async function importFile(
  file: string,
  options: Omit<ImportOptions, 'url' | 'key' | 'columnNames'> &
    Output & { map: ImportOptions['columnNames'] },
  command: Command,
): Promise<void> {
  const { map: columnNames, report, json } = options
  const { url, apiKey: key } = await chooseService(command, 'write')
  const tally = await importLeads(fromHere(file), {
    ...options,
    url,
    key,
    columnNames,
    ...(report !== undefined && { report: fromHere(report) }),
  })
  printResult(tally, json, [`${options.dryRun ? 'Dry run, nothing stored: ' : ''}${tallyText(tally)}.`])
  if (tally.invalid > 0) throw new CommanderError(1, 'lead.import', 'there are invalid rows')
}
