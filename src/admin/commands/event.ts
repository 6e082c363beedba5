// `event`: what happened in a company and who did it, with all event types that the key may read; and the epoch that begins
// after the database was restored.
import { type Command, Option } from 'commander'
import { parseTimestampMs } from '../arguments/arguments.ts'
import { CommandFailed } from '../command-failed.ts'
import type { OnDatabase } from '../on-database.ts'
import { carryOutOrWait, pendingText } from '../store-requests.ts'
import { counted, printResult, timestamp } from '../text/print.ts'
import { requireKeptFile, restoreKeptFile, writeKeptFile } from './kept-file.ts'

export function addEventCommands(admin: Command, onDatabase: OnDatabase): void {
  const event = admin.command('event').description('What happened, and who did it')
  onDatabase(
    event
      .command('restored')
      .description(
        'Run after restoring the database: pauses all campaigns and starts a new epoch of event ids',
      ),
    beginEpochs,
  )
    .requiredOption('--to <time>', 'the time it was restored to, ISO 8601', parseTimestampMs)
    .addOption(new Option('--kept <file>', 'writes again what `event keep` has kept').conflicts('company'))
    .option('--company <id>', 'only this company, instead of all that have no store of their own')
  onDatabase(
    event
      .command('keep')
      .description(
        'Run before restoring the database: keeps suppressions, calls and erasures since in a file',
      ),
    keepRows,
  )
    .requiredOption('--to <time>', 'the time that you restore to, ISO 8601', parseTimestampMs)
    .requiredOption('--file <file>', 'a new file, which has phone numbers')
}

type KeepOptions = { readonly to: number; readonly file: string; readonly json: boolean }

async function keepRows(db: D1Database, { to, file, json }: KeepOptions) {
  if (to > Date.now()) throw new CommandFailed('--to is in the future')
  const rows = await writeKeptFile(db, file, to)
  printResult({ file, rows }, json, [
    `${counted(rows, 'row')} kept in ${file}. Restore to ${timestamp(to)} now, then run \`event restored --kept ${file}\`.`,
  ])
}

type RestoredOptions = {
  readonly to: number
  readonly company?: string
  readonly kept?: string
  readonly json: boolean
}

async function beginEpochs(db: D1Database, { to, company, kept, json }: RestoredOptions) {
  const nowMs = Date.now()
  if (to > nowMs) throw new CommandFailed('--to is in the future')
  if (kept !== undefined) await requireKeptFile(kept, to)
  const result = await carryOutOrWait(db, {
    kind: 'event.restored',
    companyId: company ?? null,
    restoredToMs: to,
    nowMs,
  })
  if (result.kind === 'pending') throw new CommandFailed(pendingText)
  const { epoch, companies, before } = result
  if (company !== undefined && companies.length + before.length === 0)
    throw new CommandFailed(`unknown company: ${company}`)
  const restoredTo = timestamp(to)
  // Once nobody is called.
  const written = kept === undefined ? null : await restoreKeptFile(db, kept)
  printResult({ epoch, restoredTo, companies, before, ...(written !== null && { written }) }, json, [
    `Epoch ${epoch} started in ${counted(companies.length, 'log')}, with the first entry after ${restoredTo}.`,
    ...(companies.length === 0 ? [] : ['Their campaigns are paused: resume each with `campaign resume`.']),
    ...(written === null ? [] : [`${counted(written, 'row')} written again.`]),
    ...(before.length === 0
      ? []
      : [`${counted(before.length, 'log')} already had a new epoch since this restore.`]),
  ])
}
