// The operator's command line, as a reading table: `npm run admin -- <command>`. Companies, campaigns and keys
// of the local database, or of the deployed one with --remote. What the commands do is in commands.ts.
import { Command, CommanderError, Option } from 'commander'
import { keyScopes } from '../access/scope.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import { parseDurationMs, parseExpiryMs, parseId, parseName } from './arguments.ts'
import { addLeadCommands } from './commands/lead.ts'
import { actsOn, type Open } from './commands/on-database.ts'
import {
  addCampaign,
  addCompany,
  addKey,
  endKey,
  replaceKey,
  showCampaigns,
  showCompanies,
  showKeys,
} from './commands/tenants.ts'
import { CommandFailed, reasonOf } from './wrangler.ts'

/** Runs one command to its end, and returns its exit code. A mistake is one line on stderr. */
export async function runCommand(words: readonly string[], openDatabase: Open): Promise<number> {
  try {
    await commandLine(openDatabase).parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    // Of these everything has been said.
    if (error instanceof CommanderError) return error.exitCode
    process.stderr.write(`error: ${describe(error)}\n`)
    return 1
  }
}

function describe(error: unknown): string {
  // Their messages are made for people; any other may quote a statement's parameters.
  if (error instanceof CommandFailed || error instanceof DatabaseUnavailable) return error.message
  return reasonOf(error instanceof Error ? error.message : String(error))
}

function commandLine(openDatabase: Open): Command {
  const admin = new Command('admin')
    .description('Companies, campaigns, API keys and leads.')
    .showSuggestionAfterError(false)
    .exitOverride()
  const onDatabase = actsOn(openDatabase)

  const company = admin.command('company').description('the owners of campaigns and keys')
  onDatabase(company.command('create'), (db, options) => addCompany(db, options))
    .requiredOption('--id <id>', 'unique among companies', parseId)
    .requiredOption('--name <name>', 'for people', parseName)
  onDatabase(company.command('list'), (db, options) => showCompanies(db, options))

  const campaign = admin.command('campaign').description('what leads are called for')
  onDatabase(campaign.command('create'), (db, options) => addCampaign(db, options))
    .requiredOption('--company <id>', 'its owner')
    .requiredOption('--id <id>', 'unique among all campaigns', parseId)
    .requiredOption('--name <name>', 'for people', parseName)
  onDatabase(campaign.command('list'), (db, options) => showCampaigns(db, options)).option(
    '--company <id>',
    "this company's only",
  )

  const key = admin.command('key').description('what clients send as x-api-key')
  onDatabase(key.command('create'), (db, options) => addKey(db, options))
    .requiredOption('--company <id>', 'its owner')
    .option('--campaign <id>', 'for this campaign only, instead of all of the company')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(keyScopes).makeOptionMandatory())
    .requiredOption('--name <name>', 'who uses it, for people', parseName)
    .option('--expires <time>', 'ISO 8601, such as 2027-01-01T00:00:00Z; never when left out', parseExpiryMs)
  onDatabase(key.command('list'), (db, options) => showKeys(db, options)).option(
    '--company <id>',
    "this company's only",
  )
  onDatabase(key.command('revoke'), (db, options, id) => endKey(db, id, options)).argument('<id>', 'key_...')
  onDatabase(key.command('rotate'), (db, options, id) => replaceKey(db, id, options))
    .argument('<id>', 'key_...')
    .addOption(
      new Option('--grace <duration>', 'how long the old key goes on: 0, 30s, 15m, 24h, 7d')
        .argParser(parseDurationMs)
        .default(parseDurationMs('24h'), '24h'),
    )

  addLeadCommands(admin, onDatabase)
  return admin
}
