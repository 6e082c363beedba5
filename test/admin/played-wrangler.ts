// Stands for src/admin/deploy/wrangler.ts where play-wrangler.ts is loaded: as much of wrangler as a deployment uses,
// said to the account of cloudflare-api.ts in its own process. deploy.test.ts has one deployment with the real one, and
// the next.
import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from '../../src/admin/deploy/wrangler.ts'

export { projectDir, reasonOf } from '../../src/admin/deploy/wrangler.ts'

const script = '/workers/scripts/lead-intake'

/** What it answers; an error has its message. */
async function ask(method: string, path: string, body?: string): Promise<unknown> {
  const url = `${process.env.CLOUDFLARE_API_BASE_URL}/accounts/account${path}`
  const answer = await fetch(url, { method, ...(body !== undefined && { body }) })
  const { result, errors } = (await answer.json()) as {
    result: unknown
    errors: { message: string }[]
  }
  if (errors[0] !== undefined) throw new Error(errors[0].message)
  return result
}

/** The answers of its statements. */
const query = (sql: string) =>
  ask('POST', '/d1/database/id/query', JSON.stringify({ sql })) as Promise<{ results: { name: string }[] }[]>

async function migrate(): Promise<void> {
  await query('create table if not exists d1_migrations (name text)')
  const [applied] = await query('select name from d1_migrations')
  const folder = join(projectDir, 'migrations')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
    if (applied?.results.some(({ name }) => name === file)) continue
    await query(`${readFileSync(join(folder, file), 'utf8')};insert into d1_migrations values ('${file}')`)
  }
}

/** The Worker inherits the secrets that it has. */
async function upload(secretsFile: string | undefined): Promise<void> {
  const added = secretsFile === undefined ? {} : JSON.parse(readFileSync(secretsFile, 'utf8'))
  const there = (await ask('GET', `${script}/secrets`)) as { name: string }[]
  const bindings = [
    ...there.map(({ name }) => ({ type: 'inherit', name })),
    ...Object.entries(added).map(([name, text]) => ({ type: 'secret_text', name, text })),
  ]
  await ask('PUT', script, `name="metadata"\r\n\r\n${JSON.stringify({ bindings })}\r\n`)
}

async function run(args: readonly string[]): Promise<string> {
  const [first, second] = args
  if (first === 'd1' && second === 'execute') return JSON.stringify(await query(args.at(-1) ?? ''))
  if (first === 'secret') return JSON.stringify(await ask('GET', `${script}/secrets`))
  if (first === 'd1' && second === 'migrations') await migrate()
  else if (first === 'deploy') await upload(args[2])
  else throw new Error(`not played: wrangler ${args.join(' ')}`)
  return ''
}

export const runWrangler = (args: readonly string[]) =>
  run(args).then(
    (stdout) => ({ exitCode: 0, stdout, output: stdout }),
    ({ message }: Error) => ({ exitCode: 1, stdout: '', output: message }),
  )

export function spawnWrangler(args: readonly string[]): ChildProcess {
  const child = new EventEmitter()
  void runWrangler(args).then(({ exitCode, output }) => {
    process.stdout.write(output)
    child.emit('exit', exitCode)
  })
  return child as ChildProcess
}
