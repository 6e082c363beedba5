// How a file is read: its delimiter, and what its numbers are.
import { readFormat } from '../../leads/file/csv-rows.ts'
import type { ReadNumber } from '../../leads/file/number-reading.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import type { Source } from './source.ts'

/** From the first line. */
export async function delimiterOf({ read }: Source): Promise<string> {
  return (await readFormat(read())).delimiter
}

/** Undefined without a country: numbers are sent as they are. Throws CommandFailed. */
export async function numberReaderOf(country: string | undefined): Promise<ReadNumber | undefined> {
  if (country === undefined) return undefined
  // Large, and needed by few commands.
  const { countryOf, numberReader } = await import('../../leads/file/phone-cell.ts')
  const known = countryOf(country)
  if (known === null)
    throw new CommandFailed(`no such country: ${country}. Name it by two letters, such as DE`)
  return numberReader(known)
}
