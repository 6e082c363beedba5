// How a file is read: its encoding, its delimiter, what its numbers are, and the order of day and month in its dates.
import { Option } from 'commander'
import { type DateOrder, dateReader, type ReadDate } from '../../queue/leads/file/cells/date-cell.ts'
import {
  type NumberChange,
  type ReadNumber,
  withoutScheme,
} from '../../queue/leads/file/cells/number-reading.ts'
import { readFormat } from '../../queue/leads/file/csv-rows.ts'
import { LeadIntakeError } from '../../sdk/src/lead-intake.ts'
import { CommandFailed } from '../command-failed.ts'
import { describeError, type Service } from '../service.ts'
import type { Source } from './source.ts'

/** For commands that read a file. */
export const encodingOption = () =>
  new Option(
    '--encoding <name>',
    'reads what is not UTF-8 so; without it, such a file is shown and not imported',
  ).choices(['windows-1252'])

export const hiddenOption = () =>
  new Option(
    '--hidden <what>',
    'hidden rows and columns of a workbook; without it, a workbook that has some is not imported',
  ).choices(['keep', 'skip'])

export const sheetOption = ['--sheet <name>', 'of an Excel workbook with several'] as const

/** From the first line. */
export async function delimiterOf({ read }: Source): Promise<string> {
  return (await readFormat(read())).delimiter
}

/** Undefined without a country: numbers are sent as they are. Throws CommandFailed. */
export async function numberReaderOf(
  country: string | undefined,
  refused: readonly NumberChange[] = [],
): Promise<ReadNumber | undefined> {
  if (country === undefined) {
    if (refused.length === 0) return undefined
    throw new CommandFailed('--refuse is for numbers that are changed: add --country')
  }
  // Large, and needed by few commands.
  const { countryOf, numberReader } = await import('../../queue/leads/file/cells/phone-cell.ts')
  const known = countryOf(country)
  if (known === null)
    throw new CommandFailed(`no such country: ${country}. Name it by two letters, such as DE`)
  return numberReader(known, new Set(refused))
}

/** By the country that a row says; without one, and without a chosen one, a number is sent as it is. */
export async function rowReaderOf(
  country: string | undefined,
  refused: readonly NumberChange[] = [],
  isPlusAdded = false,
): Promise<ReadNumber> {
  await numberReaderOf(country, refused)
  const { countryOf } = await import('../../queue/leads/file/cells/phone-cell.ts')
  const { rowReader } = await import('../../queue/leads/file/cells/row-readers.ts')
  const options = { turnedOff: new Set(refused), isPlusAdded }
  const asItIs: ReadNumber = (cell) => ({ kind: 'ok', number: withoutScheme(cell), country: null })
  return rowReader(countryOf(country ?? ''), options, country === undefined ? asItIs : undefined)
}

/**
 * In the campaign's time zone, which `say` names. Undefined without an order: dates are sent as they are. Throws
 * CommandFailed.
 */
export async function dateReaderOf(
  order: DateOrder | undefined,
  { client, url }: Service,
  campaign: string,
  say: (line: string) => void,
): Promise<ReadDate | undefined> {
  if (order === undefined) return undefined
  try {
    const { timeZone } = await client.campaigns.get(campaign)
    say(
      timeZone === null
        ? `Dates without an offset are read in UTC: campaign ${campaign} has no time zone`
        : `Dates without an offset are read in ${timeZone}, the time zone of campaign ${campaign}`,
    )
    return dateReader(order, timeZone ?? 'UTC')
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    throw new CommandFailed(`--dates needs the campaign's time zone: ${describeError(url, error)}`)
  }
}
