// `lead`: lists and shows leads with their calls, requeues them, erases a person, and imports a CSV file. The import goes
// over HTTP like any other client's: see import/.

import { type Command, CommanderError, Option } from 'commander'
import { asOperator } from '../../access/store/named.ts'
import type { PastCall } from '../../calling/store/history.ts'
import { type LeadStatus, leadIdOf, leadStatuses } from '../../leads/lead.ts'
import { countLeads, findNamedLeads, type NamedLead, selectLeads } from '../../leads/store/overview.ts'
import { limits } from '../../limits.ts'
import {
  parseColumnName,
  parseDelimiter,
  parseLimit,
  parseServiceUrl,
  parseTimestampMs,
} from '../arguments/arguments.ts'
import {
  type CampaignOptions,
  choiceOf,
  ofCampaign,
  ofOwner,
  refusalOf,
} from '../arguments/campaign-choice.ts'
import { hashesOf, type OfPlace, pepperMissing } from '../deploy/pepper.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { erasePerson } from '../erase-person.ts'
import { importLeads } from '../import/import.ts'
import { tallyText } from '../import/report.ts'
import type { ImportOptions } from '../import/send-leads.ts'
import { fromHere } from '../import/source.ts'
import type { OnDatabase } from '../on-database.ts'
import { explainNamedLead, listCallsOfNamedLead } from '../operator-store.ts'
import { requeueOne, requeueSince } from '../requeue.ts'
import { describeLead, leadShownJson } from '../text/lead-words.ts'
import { printLine, printList, printResult, timestamp } from '../text/print.ts'

export function addLeadCommands(admin: Command, onDatabase: OnDatabase): void {
  const lead = admin.command('lead').description('The leads of a campaign')
  lead
    .command('import')
    .summary('Imports a CSV file through a running service')
    .description(
      'Imports a CSV file through a running service. After an interruption the same command resumes. Exit code 0: every row is a lead of the campaign.',
    )
    .argument(
      '<file>',
      'with a column phoneNumber; optional externalId, scheduledFor, timeZone, priority, metadata; - is stdin',
    )
    .requiredOption('--campaign <id>', 'campaign of the leads')
    .option('--url <url>', 'the service', parseServiceUrl, 'http://localhost:8787')
    .addOption(
      new Option('--key <key>', 'API key with write scope; required, best in the environment').env(
        'LEAD_INTAKE_KEY',
      ),
    )
    .option('--delimiter <character>', 'between the cells', parseDelimiter, ',')
    .addOption(
      new Option('--map <header=name>', 'the field of a column: phone=phoneNumber; repeatable')
        .argParser(parseColumnName)
        .default([], 'by its header'),
    )
    .option('--report <file>', 'writes the rows that were not created to a CSV file, instead of stderr')
    .option('--overwrite', 'replace an existing report', false)
    .option('--json', 'print one JSON document', false)
    .action(importFile)
  ofCampaign(onDatabase(lead.command('list').description('Lists the first leads, oldest first'), listLeads))
    .addOption(new Option('--status <status>', 'only these').choices(leadStatuses))
    .option('--limit <number>', 'at most so many', parseLimit, 20)
  ofCampaign(onDatabase(lead.command('stats').description('Counts leads by status'), showStatistics))
  const ofOne = (name: string, does: string, action: Parameters<OnDatabase>[1]) =>
    ofOwner(onDatabase(lead.command(name).description(does), action))
      .argument('<lead>', 'its id, phone number or external id')
      .option('--campaign <id>', 'if several campaigns have such a lead')
  ofOne('show', 'Shows a lead, what blocks it, and its calls', showLead)
  ofOwner(
    onDatabase(
      lead
        .command('requeue')
        .description('Queues a lead again, also an exhausted or concluded one; or many of a campaign'),
      requeueLeads,
    ),
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
  ofOwner(
    onDatabase(
      lead
        .command('erase')
        .description('Erases a person in all campaigns of the company, and suppresses the number'),
      erasePerson,
    ),
  )
    .argument('<lead>', 'its id, phone number or external id; with --company any phone number')
    .option('--no-suppress', 'do not suppress the number: it may be created again')
}

type Output = { readonly json: boolean }

type ListOptions = CampaignOptions & Output & { readonly status?: LeadStatus; readonly limit: number }

async function listLeads(db: D1Database, options: ListOptions) {
  const { status, limit, json } = options
  const selection = { ...choiceOf(options), status: status ?? null, maxLeads: limit }
  const found = await selectLeads(db, selection)
  if (found.kind !== 'found') throw refusalOf(found, options)
  // Like the API: metadata must be returned exactly as it was sent.
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

async function showStatistics(db: D1Database, options: CampaignOptions & Output) {
  const { campaign, json } = options
  const counted = await countLeads(db, choiceOf(options))
  if (counted.kind !== 'counted') throw refusalOf(counted, options)
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

/** A full bar is the whole campaign. Any count above 0 is visible. */
function barLine(name: string, count: number, total: number): string {
  const share = total === 0 ? 0 : count / total
  const length = count === 0 ? 0 : Math.max(1, Math.round(share * barWidth))
  const bar = '█'.repeat(length).padEnd(barWidth, '·')
  return `${name.padEnd(nameWidth)}  ${bar}  ${count} (${(share * 100).toFixed(1)} %)`
}

type OneOptions = Output & OfPlace & { readonly campaign?: string; readonly company?: string }

/** Throws CommandFailed unless it is exactly one. */
async function findLead(db: D1Database, options: OneOptions, name: string): Promise<NamedLead> {
  const { campaign: campaignId = null, company: companyId = null } = options
  const found = await findNamedLeads(db, { name, campaignId, companyId })
  const [lead] = found
  if (lead === undefined) throw new CommandFailed(`no such lead: ${name}`)
  if (found.length === 1) return lead
  const each = found.map((one) => `${one.leadId} in ${one.campaignId} of ${one.companyId}`)
  throw new CommandFailed(`several leads match ${name}: use an id: ${each.join(', ')}`)
}

async function showLead(db: D1Database, options: OneOptions, name: string) {
  const lead = await findLead(db, options, name)
  const who = { campaignId: lead.campaignId, companyId: lead.companyId, ...asOperator() }
  const [why, history] = [
    await explainNamedLead(db, who, lead.leadId, who.nowMs, hashesOf(options, lead.companyId)),
    await readHistory(db, who, lead.leadId),
  ]
  if (why.kind === 'pepper_lost') throw pepperMissing(options)
  if (why.kind !== 'explained' || history === null) throw new CommandFailed(`no such lead: ${name}`)
  if (options.json) return printLine(leadShownJson(lead, why, history))
  for (const line of describeLead(lead, why, history)) printLine(line)
}

/** All calls, read page by page; null: the lead does not exist. */
async function readHistory(
  db: D1Database,
  who: Parameters<typeof listCallsOfNamedLead>[1],
  leadId: string,
): Promise<readonly PastCall[] | null> {
  const calls: PastCall[] = []
  for (let afterMs: number | null = 0; afterMs !== null; ) {
    const page = await listCallsOfNamedLead(db, who, leadId, { maxCalls: limits.callsPerRequest, afterMs })
    if (page.kind !== 'found') return null
    calls.push(...page.calls)
    afterMs = page.endMs
  }
  return calls
}

async function requeueLeads(
  db: D1Database,
  options: OneOptions & { readonly status?: 'exhausted' | 'concluded'; readonly since?: number },
  name?: string,
) {
  if (name === undefined) return requeueSince(db, options)
  if (options.status !== undefined || options.since !== undefined)
    throw new CommandFailed('--status and --since are for many leads: name no lead')
  return requeueOne(db, options, await findLead(db, options, name))
}

async function importFile(
  file: string,
  options: Omit<ImportOptions, 'key' | 'columnNames'> &
    Output & { key?: string; map: ImportOptions['columnNames'] },
): Promise<void> {
  const { key, map: columnNames, report, json } = options
  if (!key) throw new CommandFailed('no API key: set LEAD_INTAKE_KEY, or give --key <key>')
  const tally = await importLeads(fromHere(file), {
    ...options,
    key,
    columnNames,
    ...(report !== undefined && { report: fromHere(report) }),
  })
  printResult(tally, json, [`${tallyText(tally)}.`])
  if (tally.invalid > 0) throw new CommanderError(1, 'lead.import', 'there are invalid rows')
}
