// What every command on the database has in common: its options, and the database opened and closed around it.
import { type Command, Option } from 'commander'
import { defaultStateDir, type OpenDatabase, onceUnlocked, type Place } from '../database.ts'

export type Open = (place: Place) => Promise<OpenDatabase>

// biome-ignore lint/suspicious/noExplicitAny: commander hands over what the options say, checked by their parsers
type Action = (db: D1Database, options: any, argument: string) => Promise<void>

export type OnDatabase = (command: Command, action: Action) => Command

/** Adds the options of every command; the action gets the open database and closes it in any case. */
export const actsOn =
  (openDatabase: Open): OnDatabase =>
  (command, action) =>
    command
      .option('--json', 'print one JSON document', false)
      .addOption(new Option('--remote', 'act on the deployed database').default(false).conflicts('persistTo'))
      .addOption(
        new Option('--persist-to <dir>', 'local state directory').default(defaultStateDir, '.wrangler/state'),
      )
      .action(async (...received: unknown[]) => {
        const { args } = received.at(-1) as Command
        const options = command.opts<Place>()
        const { db, close } = await openDatabase(options)
        try {
          await onceUnlocked(() => action(db, options, args[0] ?? ''))
        } finally {
          await close()
        }
      })
