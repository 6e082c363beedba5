// How the `lead` commands are spelled. What they do is in lead-import.ts and lead-commands.ts.
import { resolve } from 'node:path'
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { leadStatuses } from '../../leads/lead.ts'
import { limits } from '../../limits.ts'
import { type ImportOptions, importLeads } from '../import/import.ts'
import { printResult } from '../print.ts'
import { showLeads, showStats } from './lead-actions.ts'
import type { OnDatabase } from './on-database.ts'

export function addLeadCommands(admin: Command, onDatabase: OnDatabase): void {
  const lead = admin.command('lead').description('the leads of a campaign')
  lead
    .command('import')
    .description('sends a CSV file to a running service')
    .argument('<file>', 'with a column phoneNumber; externalId, scheduledFor, priority, metadata if you like')
    .requiredOption('--campaign <id>', 'where the leads go')
    .option('--url <url>', 'the service', parseServiceUrl, 'http://localhost:8787')
    .addOption(
      new Option('--key <key>', 'API key with write scope').env('LEAD_INTAKE_KEY').makeOptionMandatory(),
    )
    .option('--delimiter <character>', 'between the cells', parseDelimiter, ',')
    .option('--report <file>', 'a CSV file of the rows not created, instead of lines on stderr')
    .option('--json', 'print one JSON document', false)
    .action(importFile)
  onDatabase(lead.command('list').description('the first leads, oldest first'), showLeads)
    .requiredOption('--campaign <id>', 'whose leads')
    .addOption(new Option('--status <status>', 'only these').choices(leadStatuses))
    .option('--limit <number>', 'at most so many', parseLimit, 20)
  onDatabase(
    lead.command('stats').description('how many leads are in each status'),
    showStats,
  ).requiredOption('--campaign <id>', 'whose leads')
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  // npm runs scripts in the project's folder; a path is meant from where the operator is.
  const here = process.env.INIT_CWD ?? '.'
  const report = options.report === undefined ? {} : { report: resolve(here, options.report) }
  const tally = await importLeads(resolve(here, file), { ...options, ...report })
  printResult(tally, options.json, [
    `${tally.rows} rows: ${tally.created} created, ${tally.skipped} skipped, ${tally.invalid} invalid.`,
  ])
  if (tally.invalid > 0) throw new CommanderError(1, 'lead.import', 'there are invalid rows')
}

/** Without what the endpoint's path is appended to. In the clear only to this machine: the key goes with it. */
function parseServiceUrl(text: string): string {
  const url = URL.parse(text)
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal))) {
    throw new InvalidArgumentError('It is https://..., or http://localhost:<port>.')
  }
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

function parseDelimiter(text: string): string {
  const character = text === '\\t' ? '\t' : text
  if (character.length !== 1 || /["\r\n]/.test(character)) {
    throw new InvalidArgumentError('It is one character, or \\t.')
  }
  return character
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > limits.leadsPerPage) {
    throw new InvalidArgumentError(`It is a number from 1 to ${limits.leadsPerPage}.`)
  }
  return Number(text)
}
