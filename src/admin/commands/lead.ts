// `lead import`: a CSV file; see import/. All other commands of leads come from the API description.
import { type Command, CommanderError, Option } from 'commander'
import { purposeRule } from '../../queue/campaigns/settings.ts'
import { changeableNames } from '../../queue/leads/field-table.ts'
import { consentTextRule } from '../../queue/leads/file/cells/consent-cells.ts'
import { dateOrders } from '../../queue/leads/file/cells/date-cell.ts'
import { consentFields } from '../../queue/leads/file/columns.ts'
import { doNotCallScopes } from '../../queue/leads/file/do-not-call.ts'
import {
  parseByRule,
  parseColumnName,
  parseDelimiter,
  parseImportName,
  parseNumberChanges,
  parseZone,
  refusedText,
} from '../arguments/arguments.ts'
import { encodingOption, hiddenOption, sheetOption } from '../import/file-form.ts'
import { importLeads } from '../import/import.ts'
import { tallyText } from '../import/report.ts'
import type { ImportOptions } from '../import/send-leads.ts'
import { fromHere } from '../import/source.ts'
import { chooseService, withService } from '../on-service.ts'
import { printResult } from '../text/print.ts'

export function addLeadCommands(admin: Command): void {
  const lead = admin.command('lead').description('The leads of a campaign')
  withService(lead.command('import'), 'write')
    .summary('Imports a CSV file or an Excel workbook through a running service')
    .description(
      'Imports a CSV file or an Excel workbook (.xlsx) through a running service. After an interruption the ' +
        'same command resumes. Exit code 0: every row is a lead of the campaign, or says do not call.',
    )
    .argument(
      '<file>',
      `with a column phoneNumber; optional ${changeableNames.join(', ')}, doNotCall, and those of a consent: ` +
        `${consentFields.join(', ')}; - is stdin`,
    )
    .requiredOption('--campaign <id>', 'campaign of the leads')
    .option('--delimiter <character>', 'between the cells; recognized without it', parseDelimiter)
    .addOption(encodingOption())
    .option(...sheetOption)
    .addOption(hiddenOption())
    .option('--country <code>', 'reads numbers as people write them, national ones as of this country: DE')
    .option('--refuse <changes>', refusedText, parseNumberChanges)
    .option(
      '--plus-added',
      'reads numbers that begin with the code of their country, and lack the plus: 491711234567',
    )
    .addOption(
      new Option(
        '--dates <order>',
        'reads dates without an offset in the time zone of the campaign: 24.12.2026 10:00 is day-first',
      ).choices(dateOrders),
    )
    .addOption(
      new Option(
        '--map <header=name>',
        'the field of a column: phone=phoneNumber, or keep; a column says who must not be called by a yes ' +
          '(doNotCall), by a no to calls (doNotCallIfNo), or by what its cells say, such as a status ' +
          '(doNotCallIfSaid); repeatable',
      )
        .argParser(parseColumnName)
        .default([], 'by its header'),
    )
    .option(
      '--or-column <header>',
      'the column that is used where the phone number is empty; without it, another column of a phone',
    )
    .option('--no-or-column', 'no other column is used')
    .addOption(
      new Option(
        '--zone <country=zone>',
        'the time zone of leads with numbers of a country, in a file without time zones: US=America/New_York, or ' +
          'US=campaign for the clock of the campaign; repeatable',
      )
        .argParser(parseZone)
        .default({}, 'asks where clocks differ by three hours'),
    )
    .option(
      '--consent-purpose <purpose>',
      'of rows that have a consentGivenAt and no consentPurpose',
      parseByRule(purposeRule),
    )
    .option(
      '--consent-text <text>',
      'of rows that have a consentGivenAt, and neither consentText nor consentTextSha256',
      parseByRule(consentTextRule),
    )
    .addOption(
      new Option(
        '--do-not-call <where>',
        'where the numbers of rows that say do not call are suppressed before the first lead is ' +
          'sent; skip: nowhere, the ' +
          "rows are left out; the company without it, or a campaign's key its campaign",
      ).choices(doNotCallScopes),
    )
    .option(
      '--origin <name>',
      'what the leads keep as their origin; the name of the file without it',
      parseImportName,
    )
    .option('--report <file>', 'writes the rows that were not created to a CSV file, instead of stderr')
    .option('--overwrite', 'replace an existing report', false)
    .option('--dry-run', 'stores nothing: counts what would be created', false)
    .option('--json', 'print one JSON document', false)
    .action(importFile)
}

type Output = { readonly json: boolean }

async function importFile(
  file: string,
  options: Omit<ImportOptions, 'url' | 'key' | 'columnNames' | 'zones'> &
    Output & { map: ImportOptions['columnNames']; zone: ImportOptions['zones'] },
  command: Command,
): Promise<void> {
  const { map: columnNames, zone: zones, report, json } = options
  // The demo's write key suppresses in its campaign only.
  const scope = options.doNotCall === 'company' ? 'manage' : 'write'
  const { url, apiKey: key } = await chooseService(command, scope)
  const tally = await importLeads(fromHere(file), {
    ...options,
    url,
    key,
    columnNames,
    zones,
    ...(report !== undefined && { report: fromHere(report) }),
  })
  printResult(tally, json, [`${options.dryRun ? 'Dry run, nothing stored: ' : ''}${tallyText(tally)}.`])
  if (tally.invalid > 0) throw new CommanderError(1, 'lead.import', 'there are invalid rows')
}
