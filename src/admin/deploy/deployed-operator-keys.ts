// The operator keys of a deployment: made and ended in its database, through wrangler, which only gets the hash. They
// are made on request alone, and shown to a person or written into a file of its own: the output of an unattended run
// is kept.
import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { makeOperatorKey } from '../../base/access/api-key.ts'
import { CommandFailed } from '../command-failed.ts'
import { insertOperatorKey, revokeOperatorKeys } from '../operator-keys.ts'
import { queryRemote } from './remote-database.ts'

/**
 * `wanted`: a file, or the terminal, which is checked before anything is done; false: no key. Returns what makes the
 * key, and returns what to say.
 */
export async function prepareKey(wanted: string | boolean): Promise<(() => Promise<string>) | null> {
  if (wanted === false) return null
  if (wanted === true) {
    if (!process.stdout.isTTY)
      throw new CommandFailed('--operator-key prints a key: run it in a terminal, or name a new file')
    return async () => `\n  operator key  ${await make()}\n\n  It is shown this once, and ends in a year.\n`
  }
  const file = await open(wanted, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${wanted} cannot be created: ${error.code}`)
  })
  let isWritten = false
  // Also when the deployment fails on the way.
  process.on('exit', () => {
    if (!isWritten) rmSync(wanted, { force: true })
  })
  return async () => {
    await file.write(`${await make()}\n`)
    await file.close()
    isWritten = true
    return `The operator key is in ${wanted}. It ends in a year.\n`
  }
}

async function make(): Promise<string> {
  const { key, material } = makeOperatorKey()
  if ((await queryRemote(insertOperatorKey(material, Date.now()))) === null)
    throw new CommandFailed('the database has no table of operator keys')
  return key
}

/** Returns what to say. A database without their table has none. */
export async function endOperatorKeys(): Promise<string> {
  const ended = await queryRemote(revokeOperatorKeys(Date.now()))
  return `Operator keys revoked: ${ended?.length ?? 0}`
}
