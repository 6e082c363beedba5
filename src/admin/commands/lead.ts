// `lead`: a look at a campaign's leads in the database, and the import of a CSV file, which goes over HTTP like any
// other client's. What an import does is in import/.
import { resolve } from 'node:path'
import { type Command, CommanderError, Option } from 'commander'
import { type LeadStatus, leadIdOf, leadStatuses } from '../../leads/lead.ts'
import { type CampaignNotOne, countLeads, selectLeads } from '../../leads/store/overview.ts'
import { parseColumnName, parseDelimiter, parseLimit, parseServiceUrl } from '../arguments.ts'
import { type ImportOptions, importLeads } from '../import/import.ts'
import { tallyText } from '../import/verdict.ts'
import type { OnDatabase } from '../on-database.ts'
import { printLine, printList, printResult, timestamp } from '../print.ts'
import { CommandFailed } from '../wrangler.ts'

export function addLeadCommands(admin: Command, onDatabase: OnDatabase): void {
  const lead = admin.command('lead').description('the leads of a campaign')
  lead
    .command('import')
    .summary('sends a CSV file to a running service')
    .description(
      'sends a CSV file to a running service. Broken off, the same command again goes on from there. Exit code 0: every row is a lead of the campaign.',
    )
    .argument('<file>', 'with a column phoneNumber; externalId, scheduledFor, priority, metadata; - is stdin')
    .requiredOption('--campaign <id>', 'where the leads go')
    .option('--url <url>', 'the service', parseServiceUrl, 'http://localhost:8787')
    .addOption(
      new Option('--key <key>', 'API key with write scope; required, best in the environment').env(
        'LEAD_INTAKE_KEY',
      ),
    )
    .option('--delimiter <character>', 'between the cells', parseDelimiter, ',')
    .addOption(
      new Option('--map <header=name>', 'what a column is: phone=phoneNumber; once or more often')
        .argParser(parseColumnName)
        .default([], 'by its header'),
    )
    .option('--report <file>', 'a CSV file of the rows not created, instead of lines on stderr')
    .option('--overwrite', 'when the report is there already', false)
    .option('--json', 'print one JSON document', false)
    .action(importFile)
  ofCampaign(onDatabase(lead.command('list').description('the first leads, oldest first'), listLeads))
    .addOption(new Option('--status <status>', 'only these').choices(leadStatuses))
    .option('--limit <number>', 'at most so many', parseLimit, 20)
  ofCampaign(
    onDatabase(lead.command('stats').description('how many leads are in each status'), showStatistics),
  )
}

/** The options that name a campaign which is there. */
function ofCampaign(command: Command): Command {
  return command
    .requiredOption('--campaign <id>', 'whose leads')
    .option('--company <id>', "the campaign's owner, where two have one of that id")
}

type Output = { readonly json: boolean }

type CampaignOptions = { readonly campaign: string; readonly company?: string }

const choiceOf = ({ campaign, company }: CampaignOptions) => ({
  campaignId: campaign,
  companyId: company ?? null,
})

function refusalOf(outcome: CampaignNotOne, { campaign, company }: CampaignOptions): CommandFailed {
  if (outcome.kind === 'campaign_ambiguous') {
    const owners = outcome.companyIds.join(', ')
    return new CommandFailed(`several companies have a campaign ${campaign}: add --company, of ${owners}`)
  }
  return new CommandFailed(
    company === undefined
      ? `unknown campaign: ${campaign}`
      : `unknown campaign of company ${company}: ${campaign}`,
  )
}

type ListOptions = CampaignOptions & Output & { readonly status?: LeadStatus; readonly limit: number }

async function listLeads(db: D1Database, options: ListOptions) {
  const { status, limit, json } = options
  const selection = { ...choiceOf(options), status: status ?? null, maxLeads: limit }
  const found = await selectLeads(db, selection)
  if (found.kind !== 'found') throw refusalOf(found, options)
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

/** The whole campaign is a full bar. What is there at all shows, however little it is. */
function barLine(name: string, count: number, total: number): string {
  const share = total === 0 ? 0 : count / total
  const length = count === 0 ? 0 : Math.max(1, Math.round(share * barWidth))
  const bar = '█'.repeat(length).padEnd(barWidth, '·')
  return `${name.padEnd(nameWidth)}  ${bar}  ${count} (${(share * 100).toFixed(1)} %)`
}

async function importFile(
  file: string,
  options: Omit<ImportOptions, 'key' | 'columnNames'> &
    Output & { key?: string; map: ImportOptions['columnNames'] },
): Promise<void> {
  const { key, map: columnNames, report, json } = options
  if (!key) throw new CommandFailed('no API key: set LEAD_INTAKE_KEY, or give --key <key>')
  // npm runs scripts in the project's folder; a path is meant from where the operator is.
  const fromHere = (path: string) => resolve(process.env.INIT_CWD ?? '.', path)
  const tally = await importLeads(file === '-' ? '-' : fromHere(file), {
    ...options,
    key,
    columnNames,
    ...(report !== undefined && { report: fromHere(report) }),
  })
  printResult(tally, json, [`${tallyText(tally)}.`])
  if (tally.invalid > 0) throw new CommanderError(1, 'lead.import', 'there are invalid rows')
}
