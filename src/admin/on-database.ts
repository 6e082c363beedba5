// Shared by all commands on the database: their options, and opening and closing it.
import { type Command, Option } from 'commander'
import { defaultStateDir, type OpenDatabase, onceUnlocked, type Place } from './database.ts'

export type Open = (place: Place) => Promise<OpenDatabase>

// biome-ignore lint/suspicious/noExplicitAny: commander passes what the options say, checked by their parsers
type Action = (db: D1Database, options: any, ...words: string[]) => Promise<void>

type Access = {
  /** The command creates a local database if there is none. Any other would find nothing in it. */
  readonly mayCreate?: boolean
  /** The action waits for a locked database itself, since it cannot be repeated from its beginning. */
  readonly waitsItself?: boolean
}

export type OnDatabase = (command: Command, action: Action, access?: Access) => Command

/** Adds the shared options; the action gets the open database, which is closed in any case. */
export const actsOn =
  (openDatabase: Open): OnDatabase =>
  (command, action, { mayCreate = false, waitsItself = false } = {}) =>
    command
      .option('--json', 'print one JSON document', false)
      .addOption(new Option('--remote', 'act on the deployed database').default(false).conflicts('persistTo'))
      .addOption(
        new Option('--persist-to <dir>', 'local state directory').default(defaultStateDir, '.wrangler/state'),
      )
      .action(async (...received: unknown[]) => {
        const { args } = received.at(-1) as Command
        const options = command.opts<Omit<Place, 'mayCreate'>>()
        const { db, close } = await openDatabase({ ...options, mayCreate })
        try {
          const work = () => action(db, options, ...args)
          await (waitsItself ? work() : onceUnlocked(work))
        } finally {
          await close()
        }
      })
