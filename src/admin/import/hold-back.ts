// The numbers of a file that say no: what is said of them before anything is sent, and how they are suppressed before
// the first lead is. How they are found is in lead-rows.ts.
import type { NumberChange } from '../../queue/leads/file/cells/number-reading.ts'
import {
  type DoNotCallScope,
  doNotCallReason,
  doNotCallScopes,
  inBatches,
} from '../../queue/leads/file/do-not-call.ts'
import { overruledDoNotCall } from '../../queue/leads/file/guess-columns.ts'
import type { NumberReaders } from '../../queue/leads/file/held/held-numbers.ts'
import { LeadIntakeError } from '../../sdk/src/lead-intake.ts'
import { CommandFailed } from '../command-failed.ts'
import { describeError, patient, type Service } from '../service.ts'
import { isTooMany } from '../suppress-all.ts'
import { counted, type StatusLine } from '../text/print.ts'
import type { Survey } from './lead-rows.ts'

/** Without a country too: what has its country code is read however it is written. Throws CommandFailed. */
export async function doNotCallReaders(
  country: string | undefined,
  refused: readonly NumberChange[] = [],
  isPlusAdded = false,
): Promise<NumberReaders> {
  const { countryOf } = await import('../../queue/leads/file/cells/phone-cell.ts')
  const { rowFinder, rowReader } = await import('../../queue/leads/file/cells/row-readers.ts')
  const [home, options] = [countryOf(country ?? ''), { turnedOff: new Set(refused), isPlusAdded }]
  return { numberOfNo: rowReader(home, options), numbersOfNo: rowFinder(home, options) }
}

/** Undefined: the file has no such column. `ofCampaign`: the campaign of the key, which may suppress there only. */
export function scopeOf(
  chosen: DoNotCallScope | undefined,
  { doNotCall }: Survey,
  ofCampaign: string | null,
): DoNotCallScope | undefined {
  if (doNotCall.headers.length > 0) {
    if (ofCampaign === null) return chosen ?? 'company'
    if (chosen !== 'company') return chosen ?? 'campaign'
    throw new CommandFailed(
      `the key is of campaign ${ofCampaign}: it can suppress there only, not in the company`,
    )
  }
  if (chosen === undefined) return undefined
  throw new CommandFailed('--do-not-call is for a column that says who must not be called: there is none')
}

const places: Readonly<Record<DoNotCallScope, string>> = {
  company: 'are put on the do-not-call list of the company first',
  campaign: 'are put on the do-not-call list of the campaign first',
  skip: 'are put on no list, their rows are left out',
}

/** What is said of the column before anything is sent. */
export function announceDoNotCall(
  { headers, meanings, doNotCall }: Survey,
  scope: DoNotCallScope | undefined,
  { log, warn }: StatusLine,
): void {
  const { rows, numbers, unreadable } = doNotCall
  if (scope !== undefined) {
    const others = doNotCallScopes.filter((one) => one !== scope).join(' or ')
    log(
      `Column ${doNotCall.headers.join(', ')} says who must not be called: ${counted(rows, 'row')} of ` +
        `${counted(numbers.length, 'number')}, which ${places[scope]} (--do-not-call ${others} otherwise)`,
    )
  }
  if (unreadable.length > 0)
    warn(
      `${counted(unreadable.length, 'row says', 'rows say')} do not call, or may say so, and the number is ` +
        `on no list: row ${unreadable.slice(0, shownRows).join(', ')}${unreadable.length > shownRows ? ', …' : ''}`,
    )
  for (const header of overruledDoNotCall(headers, meanings))
    warn(
      `column ${header} looks like one that says who must not be called, and is not used as one: where it ` +
        `says yes, the service refuses the row, unless the column is kept under another name, --map "${header}=<name>"`,
    )
}

const shownRows = 20

/** Throws CommandFailed: then no lead may be sent. */
export async function suppressListed(
  { client, url }: Service,
  numbers: readonly string[],
  campaignId: string | null,
  { log, show }: StatusLine,
): Promise<void> {
  let done = 0
  try {
    await inBatches(
      numbers,
      async (phoneNumbers) => {
        await client.suppressions.add(
          { phoneNumbers: [...phoneNumbers], campaignId, reason: doNotCallReason },
          patient(url, log),
        )
        done += phoneNumbers.length
        show(`${done} of ${counted(numbers.length, 'number')} on the do-not-call list`)
      },
      isTooMany,
    )
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    throw new CommandFailed(
      `the numbers that say do not call could not be suppressed, so no lead was sent: ${describeError(url, error)}`,
    )
  }
}
