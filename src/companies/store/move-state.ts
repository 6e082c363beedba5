// The row of a company's move in D1: what is wished, and how far it is. Freezing and switching are one transaction each
// with its phase, so that of an abort and a switch only one happens.
import { type SQL, sql } from 'drizzle-orm'
import {
  freezeCompany,
  switchToOwn as toOwn,
  switchToShared as toShared,
  unfreezeCompany,
} from '../../access/store/moving.ts'
import { companies } from '../../access/store/tables.ts'
import { param, runBatch, runSteps, statement } from '../../database/database.ts'
import { events } from '../../ledger/log/tables.ts'
import { waits } from '../../limits.ts'
import { registerCompany } from '../../statistics/store/recount.ts'
import { companyMoves } from './tables.ts'

/** `aborting`: what was copied is being deleted. `switched`: what was left is. */
export type MovePhase = 'wished' | 'copying' | 'switched' | 'done' | 'aborting' | 'aborted'

/** Where the copy or the comparison is. */
export type MoveProgress = {
  readonly stage?: 'copying' | 'comparing'
  /** Of movedTables in moved-tables.ts. */
  readonly table?: number
  /** The key of the last row; see MovedTable. */
  readonly after?: string
  readonly rows?: number
  readonly ofRows?: number
  /** Why the move has stopped. */
  readonly problem?: string
}

export type Move = {
  readonly companyId: string
  readonly fromStore: string | null
  readonly toStore: string | null
  readonly phase: MovePhase
  readonly wishedAtMs: number
  readonly frozenAtMs: number | null
  readonly switchedAtMs: number | null
  readonly endedAtMs: number | null
  readonly progress: MoveProgress
}

const m = companyMoves
const columns = sql`${m.companyId} as "companyId", ${m.fromStore} as "fromStore", ${m.toStore} as "toStore", ${m.phase},
  ${m.wishedAtMs} as "wishedAtMs", ${m.frozenAtMs} as "frozenAtMs", ${m.switchedAtMs} as "switchedAtMs",
  ${m.endedAtMs} as "endedAtMs", ${m.progress}`
const isIt = sql`${m.companyId} = ${param('companyId')}`
const isIn = (...phases: MovePhase[]) =>
  sql`${m.phase} in (${sql.raw(phases.map((phase) => `'${phase}'`).join(', '))})`
const whileIn = (...phases: MovePhase[]) =>
  sql`exists (select 1 from ${companyMoves} where ${isIt} and ${isIn(...phases)})`

const readOne = statement<'companyId'>(sql`select ${columns} from ${companyMoves} where ${isIt}`)
const readOpen = statement(sql`select ${columns} from ${companyMoves} where ${m.endedAtMs} is null`)

type Row = Omit<Move, 'progress'> & { readonly progress: string }
const toMove = ({ progress, ...row }: Row): Move => ({ ...row, progress: JSON.parse(progress) })

/** Null: there never was one. Throws DatabaseUnavailable, as every function here. */
export async function readMove(db: D1Database, companyId: string): Promise<Move | null> {
  const { rows } = await runBatch(db, [readOne(db, { companyId })], waits.administrationMs)
  const [row] = rows[0] as [Row?]
  return row === undefined ? null : toMove(row)
}

/** Those that have not ended. */
export async function listMoves(db: D1Database): Promise<readonly Move[]> {
  const { rows } = await runBatch(db, [readOpen(db, {})])
  return (rows[0] as Row[]).map(toMove)
}

const insertWish = statement<'companyId' | 'toStore' | 'nowMs'>(sql`
  insert into ${companyMoves} (company_id, from_store, to_store, wished_at_ms, phase)
  select ${companies.id}, ${companies.store}, ${param('toStore')}, ${param('nowMs')}, 'wished'
  from ${companies}
  where ${companies.id} = ${param('companyId')} and (${companies.store} is null) <> (${param('toStore')} is null)
  on conflict do update set from_store = excluded.from_store, to_store = excluded.to_store,
    wished_at_ms = excluded.wished_at_ms, phase = 'wished', frozen_at_ms = null, switched_at_ms = null,
    ended_at_ms = null, progress = '{}'
  where ended_at_ms is not null`)

const storeOf = statement<'companyId'>(
  sql`select ${companies.store} from ${companies} where ${companies.id} = ${param('companyId')}`,
)

export type Wish =
  | { readonly kind: 'company_unknown' }
  /** It is in such a store already. */
  | { readonly kind: 'there' }
  /** Another move has not ended; it may be the one of this wish's first try. */
  | { readonly kind: 'wished' | 'running'; readonly move: Move }

/** `toStore` is a new name, or null: D1. */
export async function wishMove(
  db: D1Database,
  companyId: string,
  toStore: string | null,
  nowMs: number,
): Promise<Wish> {
  const values = { companyId, toStore, nowMs }
  const { rows } = await runSteps(db, [insertWish, readOne, storeOf], values, waits.administrationMs)
  const [row] = rows[1] as [Row?]
  const [company] = rows[2] as [{ store: string | null }?]
  if (company === undefined) return { kind: 'company_unknown' }
  if (row !== undefined && row.endedAtMs === null) {
    const isOwn = row.wishedAtMs === nowMs && row.toStore === toStore
    return { kind: isOwn ? 'wished' : 'running', move: toMove(row) }
  }
  return { kind: 'there' }
}

const setPhase = (phase: MovePhase, set: SQL, condition: SQL) =>
  sql`update ${companyMoves} set phase = '${sql.raw(phase)}' ${set} where ${isIt} and ${condition}`

const freezeSteps = [
  ...freezeCompany(whileIn('wished')),
  setPhase('copying', sql`, frozen_at_ms = ${param('nowMs')}`, isIn('wished')),
].map(statement<'companyId' | 'nowMs'>)

export async function freeze(db: D1Database, companyId: string, nowMs: number): Promise<void> {
  await runSteps(db, freezeSteps, { companyId, nowMs })
}

/** A move to D1 has frozen its own rows there; they stay so until they are deleted. */
const leavesD1 = sql`exists (select 1 from ${companyMoves} where ${isIt} and ${m.toStore} is not null
    and ${isIn('wished', 'copying')})`

const abortSteps = [
  ...unfreezeCompany(leavesD1),
  sql`update ${companyMoves} set phase = iif(phase = 'wished', 'aborted', 'aborting'),
    ended_at_ms = iif(phase = 'wished', ${param('nowMs')}, null),
    progress = iif(${param('problem')} is null, progress, json_set(progress, '$.problem', ${param('problem')}))
    where ${isIt} and ${isIn('wished', 'copying')}`,
].map(statement<'companyId' | 'nowMs' | 'problem'>)

/** Does nothing after the switch. Returns the move as it is then; null: there is none. */
export async function abortMove(
  db: D1Database,
  companyId: string,
  problem: string | null,
  nowMs: number,
): Promise<Move | null> {
  await runSteps(db, abortSteps, { companyId, problem, nowMs }, waits.administrationMs)
  return readMove(db, companyId)
}

/** For the batch that writes what it says. Returns a row unless the move was aborted. */
export const setProgress = statement<'companyId' | 'progress'>(sql`
  update ${companyMoves} set progress = ${param('progress')}
  where ${isIt} and ${isIn('copying')}
  returning 1 as "isCopying"`)

// What was compared is what is switched: a command of the operator, such as one that revokes a key, has logged an entry.
const isAsCompared = sql`coalesce((select max(e.number) from ${events} as e
    where e.company_id = ${param('companyId')}), 0) = ${param('head')}`
const switchesNow = sql`${whileIn('copying')} and ${isAsCompared}`
const setSwitched = setPhase(
  'switched',
  sql`, switched_at_ms = ${param('nowMs')}`,
  sql`${isIn('copying')} and ${isAsCompared}`,
)

type SwitchNames = 'companyId' | 'toStore' | 'nowMs' | 'head'
const toOwnSteps = [...toOwn(switchesNow), setSwitched].map(statement<SwitchNames>)
const toSharedSteps = [...toShared(switchesNow), registerCompany(switchesNow), setSwitched].map(
  statement<SwitchNames>,
)

/** `head` is the last entry of the log that was compared. Not switched: it was aborted, or something was logged since. */
export async function switchStore(
  db: D1Database,
  { companyId, toStore }: Move,
  head: number,
  nowMs: number,
): Promise<void> {
  await runSteps(db, toStore === null ? toSharedSteps : toOwnSteps, { companyId, toStore, nowMs, head })
}

const endSteps = [
  sql`${unfreezeCompany(whileIn('switched', 'aborting'))[0]}`,
  sql`update ${companyMoves} set phase = iif(phase = 'switched', 'done', 'aborted'), ended_at_ms = ${param('nowMs')}
    where ${isIt} and ${isIn('switched', 'aborting')}`,
].map(statement<'companyId' | 'nowMs'>)

/** When nothing is left to delete. */
export async function endMove(db: D1Database, companyId: string, nowMs: number): Promise<void> {
  await runSteps(db, endSteps, { companyId, nowMs })
}

const insertTarget = statement<'companyId' | 'nowMs'>(sql`insert into ${companyMoves}
    (company_id, wished_at_ms, phase)
  values (${param('companyId')}, ${param('nowMs')}, 'copying')
  on conflict do nothing`)

/** In a new store: its own row, in which the progress stands beside what it is about. */
export const beginTarget = insertTarget

const logHeadOf = statement<'companyId'>(sql`select coalesce(max(e.number), 0) as head from ${events} as e
  where e.company_id = ${param('companyId')}`)

export async function readLogHead(db: D1Database, companyId: string): Promise<number> {
  const { rows } = await runBatch(db, [logHeadOf(db, { companyId })])
  return (rows[0]?.[0] as { head: number }).head
}
