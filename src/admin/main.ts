// `npm run admin`. The commands are in command-line.ts.
import { runCommand } from './command-line.ts'
import { endWhenUnwritable } from './text/print.ts'

endWhenUnwritable()
process.exitCode = await runCommand(process.argv.slice(2))
