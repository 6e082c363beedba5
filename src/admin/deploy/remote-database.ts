// The deployed database, as far as a deployment needs it: single statements, through wrangler.
import { CommandFailed } from '../command-failed.ts'
import { reasonOf, runWrangler } from './wrangler.ts'
import { databaseBinding } from './wrangler-config.ts'

/** As before the first deployment. */
export class NoDatabase extends CommandFailed {}

type Row = Readonly<Record<string, unknown>>

/**
 * Its rows; null: it needs a table that is not there yet. Caller must pass no secret: it is an argument of a process.
 * Throws NoDatabase.
 */
export async function queryRemote(sql: string): Promise<readonly Row[] | null> {
  const { exitCode, stdout, output } = await runWrangler([
    ...['d1', 'execute', databaseBinding, '--remote', '--json', '--command', sql],
  ])
  if (exitCode === 0) {
    const [answer] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { results: Row[] }[]
    return answer?.results ?? []
  }
  if (output.includes('no such table')) return null
  const reason = reasonOf(output)
  throw output.includes("Couldn't find a D1 DB") ? new NoDatabase(reason) : new CommandFailed(reason)
}
