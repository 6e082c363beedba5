// `company restore`: brings a company's own store back to a time, while other companies go on.
import type { Command } from 'commander'
import { findCompany } from '../../access/store/directory.ts'
import { parseTimestampMs } from '../arguments/arguments.ts'
import { CommandFailed } from '../command-failed.ts'
import type { OnDatabase } from '../on-database.ts'
import { waitForStore } from '../store-requests.ts'
import { printResult, timestamp } from '../text/print.ts'

export function addRestoreCommand(company: Command, onDatabase: OnDatabase): void {
  onDatabase(
    company
      .command('restore')
      .description('Restores a company with a store of its own to a time, with all campaigns paused')
      .argument('<id>', 'the company'),
    restoreCompany,
  ).requiredOption('--to <time>', 'within the last 30 days, ISO 8601', parseTimestampMs)
}

/** The platform's. */
const restorableMs = 30 * 86_400_000

type Options = { readonly to: number; readonly remote: boolean; readonly json: boolean }

async function restoreCompany(db: D1Database, { to, remote, json }: Options, id: string) {
  const nowMs = Date.now()
  if (to > nowMs) throw new CommandFailed('--to is in the future')
  if (to < nowMs - restorableMs) throw new CommandFailed('--to is more than 30 days ago')
  const company = await findCompany(db, id)
  if (company === null) throw new CommandFailed(`unknown company: ${id}`)
  if (company.store === null)
    throw new CommandFailed(
      `company ${id} is in the shared database, which is restored as a whole: operations/restore.md`,
    )
  const result = await waitForStore(db, { kind: 'company.restore', companyId: id, toMs: to, nowMs })
  switch (result.kind) {
    case 'refused':
      throw new CommandFailed(
        `the store cannot be restored: ${result.reason}${remote ? '' : ' (a local server keeps no history)'}`,
      )
    case 'too_late':
      throw new CommandFailed('nothing was restored: the store found the request more than an hour later')
    case 'pending':
      throw new CommandFailed(
        'the company’s own store has not carried this out within 90 s: it still does when the service runs within an hour',
      )
    case 'restored': {
      const restoredTo = timestamp(to)
      const { undoBookmark } = result
      printResult({ id, restoredTo, undoBookmark }, json, [
        `Company ${id} is restored to ${restoredTo}. Suppressions, calls and erasures since are kept.`,
        'Its campaigns are paused: resume each with `campaign resume`.',
        `Its state before is the platform's bookmark ${undoBookmark}.`,
      ])
    }
  }
}
