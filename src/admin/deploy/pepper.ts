// Hashes suppressed numbers of a company for the operator's commands, with the Worker's own pepper.
import { type NumberHashes, numberHashes } from '../../ledger/suppression/number-hash.ts'
import type { Place } from '../database.ts'
import { readSecret } from './secrets.ts'
import { CommandFailed } from './wrangler.ts'

export type OfPlace = Pick<Place, 'remote'>

export function hashesOf(place: OfPlace, companyId: string): NumberHashes {
  return numberHashes(readSecret('SUPPRESSION_PEPPER', place), companyId)
}

/** A command that cannot check which numbers are suppressed does nothing. */
export const pepperMissing = ({ remote }: OfPlace) =>
  new CommandFailed(
    remote
      ? "numbers of erased people are kept as hashes: set SUPPRESSION_PEPPER to the deployed Worker's in the environment"
      : 'numbers of erased people are kept as hashes: SUPPRESSION_PEPPER in .dev.vars is missing, or differs from the one that hashed them',
  )
