// Reads what the commands need from wrangler.toml, without wrangler, which takes a second to load.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { CommandFailed } from '../command-failed.ts'
import { projectDir } from './wrangler.ts'

/** The name of the binding. wrangler.toml decides which database it is. */
export const databaseBinding = 'DB'

type DatabaseConfig = {
  readonly binding: string
  readonly database_name?: string
  readonly database_id?: string
  readonly preview_database_id?: string
}

type WranglerConfig = { readonly d1_databases?: readonly DatabaseConfig[] }
type WranglerToml = WranglerConfig & { readonly env?: Record<string, WranglerConfig> }

/** The name of the deployed database. Never a constant: each environment has its own, and a database can move. */
export function readDatabaseName(): string {
  const { database_name: name } = databaseConfig()
  if (name === undefined) throw new CommandFailed(`wrangler.toml has no database_name for ${databaseBinding}`)
  return name
}

/** Where a local server has its database, under its state directory. */
export function localDatabaseFile(stateDir: string): string {
  const { preview_database_id, database_id, binding } = databaseConfig()
  const id = preview_database_id ?? database_id ?? binding
  return join(stateDir, 'v3/d1', objectClass, `${objectId(id)}.sqlite`)
}

/** The class of databases in miniflare, wrangler's local Cloudflare. */
const objectClass = 'miniflare-D1DatabaseObject'

/** The id of a Durable Object, as workerd derives it from its name and class. */
function objectId(name: string): string {
  const key = createHash('sha256').update(objectClass).digest()
  const hmac = (data: string | Buffer) => createHmac('sha256', key).update(data).digest().subarray(0, 16)
  const nameHash = hmac(name)
  return Buffer.concat([nameHash, hmac(nameHash)]).toString('hex')
}

/** For the environment in CLOUDFLARE_ENV, if any, which inherits no bindings. */
function databaseConfig(): DatabaseConfig {
  const top = parse(readFileSync(join(projectDir, 'wrangler.toml'), 'utf8')) as unknown as WranglerToml
  const environment = process.env.CLOUDFLARE_ENV
  const config = environment ? top.env?.[environment] : top
  if (config === undefined) throw new CommandFailed(`wrangler.toml has no environment ${environment}`)
  const found = config.d1_databases?.find(({ binding }) => binding === databaseBinding)
  if (found === undefined) throw new CommandFailed(`wrangler.toml has no database for ${databaseBinding}`)
  return found
}
