// The deployed database, as far as a deployment needs it: whether it is there, and single statements, through wrangler.
import { CommandFailed } from '../command-failed.ts'
import { reasonOf, runWrangler } from './wrangler.ts'
import { databaseBinding, readDatabaseName } from './wrangler-config.ts'

/** The id of the deployed database, or null before the first deployment. */
export async function findRemoteDatabase(): Promise<string | null> {
  const { exitCode, stdout, output } = await runWrangler(['d1', 'info', readDatabaseName(), '--json'])
  if (exitCode === 0) return (JSON.parse(stdout.slice(stdout.indexOf('{'))) as { uuid: string }).uuid
  if (output.includes("Couldn't find a D1 DB")) return null
  throw new CommandFailed(reasonOf(output))
}

type Row = Readonly<Record<string, unknown>>

/** Its rows; null: it needs a table that is not there yet. Caller must pass no secret: it is an argument of a process. */
export async function queryRemote(sql: string): Promise<readonly Row[] | null> {
  const { exitCode, stdout, output } = await runWrangler([
    ...['d1', 'execute', databaseBinding, '--remote', '--json', '--command', sql],
  ])
  if (exitCode === 0) {
    const [answer] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { results: Row[] }[]
    return answer?.results ?? []
  }
  if (output.includes('no such table')) return null
  throw new CommandFailed(`the database refused a statement: ${reasonOf(output)}`)
}
