// A restore of a database in three steps around it: read what it must not take back, write that again, and open with
// all campaigns paused. For a store of its own in restore-store.ts, for D1 by the command line.

import { readRows, runSteps, statement } from '../../base/database/database.ts'
import { beginEpoch, companiesRestored, type RestoreNames } from '../../base/ledger/log/begin-epoch.ts'
import { numberHashes } from '../../base/ledger/suppression/number-hash.ts'
import { limits, waits } from '../../base/limits.ts'
import { pauseCampaigns } from '../../queue/campaigns/store/configure.ts'
import { judgeHeld, keptTables, logRestored } from './store/kept-rows.ts'
import type { KeptTable, Value } from './store/kept-table.ts'
import { bytesPerRange } from './store/row-ranges.ts'

/** Rows of one table, each JSON: an array of values. */
export type KeptRows = {
  readonly table: string
  readonly rows: readonly string[]
  /** What the values of a row are. */
  readonly columns?: readonly string[]
}

/** Where to continue: a table, and the key of a row in it. Null: everything is read. */
export type KeptPlace = { readonly table: number; readonly after: string } | null

const startOf = (table: number): KeptPlace => {
  const start = keptTables[table]?.start
  return start === undefined ? null : { table, after: start }
}
export const firstKept = startOf(0)

/** A time and what the database calls that time may differ. */
const marginMs = limits.minuteMs

/** Reads a range of at most so many rows. Throws DatabaseUnavailable, as every function here. */
export async function readKept(
  db: D1Database,
  toMs: number,
  { table, after }: NonNullable<KeptPlace>,
  maxRows: number,
): Promise<{ readonly kept: KeptRows; readonly next: KeptPlace }> {
  const { name, read, columns } = keptTables[table] as KeptTable
  const range = read(db, { after, maxRows, maxBytes: bytesPerRange, sinceMs: toMs - marginMs })
  const found = await readRows<{ row: string | null; after: string }>(db, range, waits.administrationMs)
  const last = found.at(-1)
  return {
    kept: { table: name, columns, rows: found.flatMap(({ row }) => row ?? []) },
    next: last === undefined ? startOf(table + 1) : { table, after: last.after },
  }
}

/** Rows of a company, or of any without a pepper: then the calls of leads that are gone are forgotten. */
export async function writeKept(
  db: D1Database,
  { table, rows, columns }: KeptRows,
  pepper: string | undefined,
  nowMs: number,
): Promise<void> {
  const kept = keptTables.find(({ name }) => name === table) as KeptTable
  const read = rows.map((row) => inOrder(JSON.parse(row) as Value[], columns, kept))
  const hashesOf = (companyId: string) => numberHashes(pepper, companyId)
  const toWrite = kept.complete === null ? read : await kept.complete(db, read, hashesOf)
  await runSteps(db, kept.write, { rows: JSON.stringify(toWrite), nowMs }, waits.administrationMs)
}

/** Since 2.1. Before, rows did not say their columns, which were the others. */
const newColumns = ['text_campaign_number', 'erased_at_ms']

/** As this version writes the values of a row that another one has kept. */
function inOrder(row: readonly Value[], columns: readonly string[] | undefined, { columns: now }: KeptTable) {
  const before = columns ?? now.filter((column) => !newColumns.includes(column))
  return now.map((column) => row[before.indexOf(column)] ?? null)
}

const pause = pauseCampaigns(companiesRestored).map(statement<RestoreNames | 'nowMs'>)
const before = [...pause, judgeHeld, logRestored]

/**
 * Once for each restore: all campaigns are paused, and an epoch of the log begins. Of all companies when it is null.
 */
export const openPaused = (db: D1Database, companyId: string | null, toMs: number, nowMs: number) =>
  beginEpoch(db, companyId, toMs, nowMs, before)
