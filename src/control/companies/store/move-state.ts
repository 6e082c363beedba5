// The row of a company's move in D1: what is requested, and how far it is. What changes its phase is in move-steps.ts.
// A new store has a row of its own, with how far the copy is.
import { sql } from 'drizzle-orm'
import { companies } from '../../../base/access/store/tables.ts'
import { param, readRows, runBatch, runSteps, statement } from '../../../base/database/database.ts'
import { events } from '../../../base/ledger/log/tables.ts'
import { waits } from '../../../base/limits.ts'
import { companyMoves } from './tables.ts'

/** `aborting`: what was copied is being deleted. `switched`: what was left is. */
export type MovePhase = 'requested' | 'copying' | 'switched' | 'done' | 'aborting' | 'aborted'

/** Where counting, the copy or the comparison is. */
export type MoveProgress = {
  readonly stage?: 'counting' | 'copying' | 'comparing'
  /** A place in movedTables (moved-tables.ts). */
  readonly table?: number
  /** The key of the last row; see MovedTable in moved-rows.ts. */
  readonly after?: string
  readonly rows?: number
  /** Once they are counted. */
  readonly ofRows?: number
  /** The last entry of the log when the comparison began. */
  readonly head?: number
  /** In this comparison, a table whose rows could not be made equal. */
  readonly unlike?: string | undefined
  /** The first comparison has left such a table. */
  readonly isSecond?: boolean
  /** Why the move has ended early, or why it does not continue. */
  readonly problem?: string
  /** Since when it fails again and again, or its object cannot be woken; and when it last did. */
  readonly failsSinceMs?: number
  readonly failedAtMs?: number
}

export type Move = {
  readonly companyId: string
  readonly fromStore: string | null
  readonly toStore: string | null
  readonly phase: MovePhase
  readonly requestedAtMs: number
  readonly frozenAtMs: number | null
  readonly switchedAtMs: number | null
  readonly endedAtMs: number | null
  readonly progress: MoveProgress
}

/** What was left is deleted so long after the switch, for what may still read there. */
export const emptiedAfterMs = 5 * 60_000

const m = companyMoves
const columns = sql`${m.companyId} as "companyId", ${m.fromStore} as "fromStore", ${m.toStore} as "toStore", ${m.phase},
  ${m.requestedAtMs} as "requestedAtMs", ${m.frozenAtMs} as "frozenAtMs", ${m.switchedAtMs} as "switchedAtMs",
  ${m.endedAtMs} as "endedAtMs", ${m.progress}`
/** Placeholder `companyId`. */
export const isOfCompany = sql`${m.companyId} = ${param('companyId')}`
export const isIn = (...phases: MovePhase[]) =>
  sql`${m.phase} in (${sql.raw(phases.map((phase) => `'${phase}'`).join(', '))})`
export const whileIn = (...phases: MovePhase[]) =>
  sql`exists (select 1 from ${companyMoves} where ${isOfCompany} and ${isIn(...phases)})`

const readOne = statement<'companyId'>(sql`select ${columns} from ${companyMoves} where ${isOfCompany}`)
const readOpen = statement(sql`select ${columns} from ${companyMoves} where ${m.endedAtMs} is null`)

type Row = Omit<Move, 'progress'> & { readonly progress: string }
const toMove = ({ progress, ...row }: Row): Move => ({ ...row, progress: JSON.parse(progress) })

/** Null: there never was one. Throws DatabaseUnavailable, as every function here. */
export async function readMove(db: D1Database, companyId: string): Promise<Move | null> {
  const [row] = await readRows<Row>(db, readOne(db, { companyId }), waits.administrationMs)
  return row === undefined ? null : toMove(row)
}

/** Those that have not ended. */
export async function listMoves(db: D1Database): Promise<readonly Move[]> {
  return (await readRows<Row>(db, readOpen(db, {}))).map(toMove)
}

const insertRequest = statement<'companyId' | 'toStore' | 'nowMs'>(sql`
  insert into ${companyMoves} (company_id, from_store, to_store, requested_at_ms, phase, progress)
  select ${companies.id}, ${companies.store}, ${param('toStore')}, ${param('nowMs')}, 'requested', '{}'
  from ${companies}
  where ${companies.id} = ${param('companyId')} and (${companies.store} is null) <> (${param('toStore')} is null)
  on conflict do update set from_store = excluded.from_store, to_store = excluded.to_store,
    requested_at_ms = excluded.requested_at_ms, phase = 'requested', frozen_at_ms = null, switched_at_ms = null,
    ended_at_ms = null, progress = excluded.progress
  where ended_at_ms is not null`)

/**
 * `toStore` is a new name, or null: D1. Returns the move that has not ended: this one, or another, which may be that of
 * this request's first try. Null: the company is in such a store already.
 */
export async function requestMove(
  db: D1Database,
  companyId: string,
  toStore: string | null,
  nowMs: number,
): Promise<Move | null> {
  const values = { companyId, toStore, nowMs }
  const { rows } = await runSteps(db, [insertRequest, readOne], values, waits.administrationMs)
  const [row] = rows[1] as [Row?]
  return row === undefined || row.endedAtMs !== null ? null : toMove(row)
}

/** For the batch that writes what it says. Returns a row unless the move was aborted. */
export const setProgress = statement<'companyId' | 'progress'>(sql`
  update ${companyMoves} set progress = ${param('progress')}
  where ${isOfCompany} and ${isIn('requested', 'copying')}
  returning 1 as "goesOn"`)

/** It is tried again each minute at least: a failure longer ago is of another trouble, or of a D1 that was restored. */
const failsAgainWithinMs = 15 * 60_000

const failure = statement<'companyId' | 'problem' | 'nowMs'>(sql`update ${companyMoves}
  set progress = json_set(progress, '$.problem', ${param('problem')},
    '$.failsSinceMs', iif(progress ->> '$.failedAtMs' > ${param('nowMs')} - ${sql.raw(`${failsAgainWithinMs}`)},
      progress ->> '$.failsSinceMs', cast(${param('nowMs')} as integer)),
    '$.failedAtMs', cast(${param('nowMs')} as integer))
  where ${isOfCompany} and ${isIn('requested', 'copying')}
  returning progress ->> '$.failsSinceMs' as "sinceMs"`)

/** Until it continues, which forgets it. Returns since when it fails; null: it has switched or ended. */
export async function noteFailure(
  db: D1Database,
  companyId: string,
  problem: string,
  nowMs: number,
): Promise<number | null> {
  const { rows } = await runBatch(db, [failure(db, { companyId, problem, nowMs })], waits.administrationMs)
  return (rows[0] as [{ sinceMs: number }?])[0]?.sinceMs ?? null
}

/** In a new store: its own row, in which the progress stands beside what it is about. */
export const beginTarget = statement<'companyId' | 'nowMs'>(sql`insert into ${companyMoves}
    (company_id, requested_at_ms, phase)
  values (${param('companyId')}, ${param('nowMs')}, 'copying')
  on conflict do nothing`)

const logHeadOf = statement<'companyId'>(sql`select coalesce(max(e.number), 0) as head from ${events} as e
  where e.company_id = ${param('companyId')}`)

export async function readLogHead(db: D1Database, companyId: string): Promise<number> {
  const [row] = await readRows<{ head: number }>(db, logHeadOf(db, { companyId }))
  return row?.head ?? 0
}
