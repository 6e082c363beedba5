// Shared by all commands on the database: their options, and opening and closing it. These are `company`, `campaign create` and
// `key`, which are needed before there is a key and when one has leaked, and `event keep` and `event restored`, which have no
// endpoint: only who restores the database knows to when. All others are requests to the service (on-service.ts).
import { type Command, Option } from 'commander'
import { defaultStateDir, type OpenDatabase, onceUnlocked, type Place } from './database.ts'

export type Open = (place: Place) => Promise<OpenDatabase>

// biome-ignore lint/suspicious/noExplicitAny: commander passes what the options say, checked by their parsers
type Action = (db: D1Database, options: any, ...words: string[]) => Promise<void>

/** `mayCreate`: the command creates a local database if there is none. Any other would find nothing in it. */
type Access = { readonly mayCreate?: boolean }

export type OnDatabase = (command: Command, action: Action, access?: Access) => Command

/** Adds the shared options; the action gets the open database, which is closed in any case. */
export const actsOn =
  (openDatabase: Open): OnDatabase =>
  (command, action, { mayCreate = false } = {}) =>
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
          await onceUnlocked(() => action(db, options, ...args))
        } finally {
          await close()
        }
      })
