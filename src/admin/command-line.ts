// The operator's command line: `npm run admin -- <noun> <verb>`. Most commands come from the API description (api/);
// those in commands/ do more than one request. Decides what all of them share: how an error is printed, what the help
// shows, the version.
import { Command, CommanderError, type Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { explain, LeadIntakeError } from '../sdk/src/errors.ts'
import { addApiCommands } from './api/add-commands.ts'
import { CommandFailed } from './command-failed.ts'
import { addAgentCommands } from './commands/agent.ts'
import { addCampaignCommands } from './commands/campaign.ts'
import { addClockCommands } from './commands/clock.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addLeadCommands } from './commands/lead.ts'
import { addSuppressionCommands } from './commands/suppression.ts'
import { addWebhookCommands } from './commands/webhook.ts'
import { reasonOf } from './deploy/wrangler.ts'
import { logLine, printText } from './text/print.ts'

const nouns = [
  addCampaignCommands,
  addLeadCommands,
  addSuppressionCommands,
  addAgentCommands,
  addWebhookCommands,
  addClockCommands,
  addDoctorCommand,
]

/** Runs one command, and returns its exit code. An error is one line on stderr. */
export async function runCommand(words: readonly string[]): Promise<number> {
  try {
    await commandLine().parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed it.
    if (error instanceof CommanderError) return error.exitCode
    logLine(`error: ${describe(error)}`)
    if (error instanceof CommandFailed) for (const option of error.options) logLine(`  ${option}`)
    return 1
  }
}

function describe(error: unknown): string {
  // Their messages are written for people; any other may quote a statement's parameters.
  if (error instanceof CommandFailed) return error.message
  if (error instanceof LeadIntakeError) return reasonOf(explain(error))
  return reasonOf(error instanceof Error ? error.message : String(error))
}

/** Names a misspelled option before the required one that is missing for it: `--campain`. */
class AdminCommand extends Command {
  override createCommand(name?: string): Command {
    return new AdminCommand(name)
  }

  /** Commander's, which its types leave out. */
  missingMandatoryOptionValue(option: Option): void {
    const known = new Set(this.options.flatMap(({ long, short }) => [long, short]))
    const [stray] = this.args
      .map((word) => word.split('=')[0] ?? '')
      .filter((word) => /^--?[a-z]/.test(word) && !known.has(word))
    const commander = Command.prototype as unknown as Reporters
    if (stray !== undefined) commander.unknownOption.call(this, stray)
    commander.missingMandatoryOptionValue.call(this, option)
  }
}
type Reporters = {
  readonly unknownOption: (flag: string) => void
  readonly missingMandatoryOptionValue: (option: Option) => void
}

function commandLine(): Command {
  const admin = new AdminCommand('admin')
    .description('Companies, campaigns, API keys, leads, suppressed numbers, events and webhooks.')
    .version(packageJson.version)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: printText,
      writeErr: (text) => text.trimEnd().split('\n').forEach(logLine),
      // A suggestion ("Did you mean") has its own line.
      outputError: (text) => logLine(text.trim()),
    })
    .configureHelp({
      optionTerm: (option) => `${option.flags}${option.mandatory ? ' (required)' : ''}`,
    })
  for (const addCommands of nouns) addCommands(admin)
  addApiCommands(admin)
  return admin
}
