// The options of commands that make a store of its own: where it is, and where its data must stay.
import { type Command, Option } from 'commander'
import {
  newStoreName,
  type StorePlace,
  storeJurisdictions,
  storeLocations,
} from '../../database/company-store.ts'
import { CommandFailed } from '../command-failed.ts'

export type PlaceOptions = Partial<StorePlace> & { readonly remote: boolean }

export const withPlace = (command: Command): Command =>
  command
    .addOption(new Option('--location <location>', 'of a store of its own').choices(storeLocations))
    .addOption(
      new Option(
        '--jurisdiction <jurisdiction>',
        'in which a store of its own keeps its data; with --remote only',
      ).choices(storeJurisdictions),
    )

/** The name of a new store; null: the shared database. `own` is the option that asks for a store. Throws CommandFailed. */
export function storeNameOf(
  companyId: string,
  isOwn: boolean,
  own: string,
  { location = null, jurisdiction = null, remote }: PlaceOptions,
): string | null {
  if (!isOwn && (location !== null || jurisdiction !== null))
    throw new CommandFailed(`--location and --jurisdiction are for ${own}`)
  if (jurisdiction !== null && !remote)
    throw new CommandFailed('--jurisdiction needs --remote: a local server has no jurisdictions')
  return isOwn ? newStoreName(companyId, { location, jurisdiction }) : null
}
