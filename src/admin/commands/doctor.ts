// `doctor`: says whether the set-up of a service is right, and how to mend what is not.
import type { Command } from 'commander'
import { CommandFailed } from '../command-failed.ts'
import { diagnose, diagnoseFile, notAsked, printChecks } from '../deploy/diagnose.ts'
import { chooseService, withService } from '../on-service.ts'
import { counted, printLine } from '../text/print.ts'

export function addDoctorCommand(admin: Command): void {
  const doctor = admin
    .command('doctor')
    .description('Checks the set-up of the service, and wrangler.toml')
    .option('--json', 'print a list of {name, status, message, fix}', false)
  withService(doctor, 'operator').action(() => run(doctor))
}

async function run(command: Command): Promise<void> {
  const ofService = await chooseService(command, 'operator').then(diagnose, (error: unknown) => {
    if (!(error instanceof CommandFailed)) throw error
    return [notAsked(error.message)]
  })
  const checks = [...ofService, ...diagnoseFile()]
  if (command.opts<{ json: boolean }>().json) printLine(JSON.stringify(checks))
  else printChecks(checks)
  const broken = checks.filter(({ status }) => status === 'broken')
  if (broken.length > 0)
    throw new CommandFailed(`${counted(broken.length, 'check')} of ${checks.length} found something broken`)
}
