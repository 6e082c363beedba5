// What changes the phase of a move, each in one transaction with what the phase means, so abort and switch exclude
// each other.
import { type SQL, sql } from 'drizzle-orm'
import {
  freezeCompany,
  switchToOwn as toOwn,
  switchToShared as toShared,
  unfreezeCompany,
} from '../../../base/access/store/moving.ts'
import { param, runBatch, runSteps, statement } from '../../../base/database/database.ts'
import { events } from '../../../base/ledger/log/tables.ts'
import { waits } from '../../../base/limits.ts'
import { registerCompany } from '../../statistics/store/recount.ts'
import { isIn, isOfCompany, type Move, type MovePhase, readMove, whileIn } from './move-state.ts'
import { companyMoves } from './tables.ts'

const m = companyMoves

const setPhase = (phase: MovePhase, set: SQL, condition: SQL) =>
  sql`update ${companyMoves} set phase = '${sql.raw(phase)}' ${set} where ${isOfCompany} and ${condition}`

const freezeSteps = [
  ...freezeCompany(whileIn('requested')),
  setPhase('copying', sql`, frozen_at_ms = ${param('nowMs')}`, isIn('requested')),
].map(statement<'companyId' | 'nowMs'>)

export async function freeze(db: D1Database, companyId: string, nowMs: number): Promise<void> {
  await runSteps(db, freezeSteps, { companyId, nowMs })
}

const freezeTargetStep = statement<'companyId' | 'nowMs'>(freezeCompany(whileIn('requested'))[0])

/** Nothing that runs without a key may take the rows that arrive in D1 for a company there. */
export async function freezeTarget(db: D1Database, companyId: string, nowMs: number): Promise<void> {
  await runBatch(db, [freezeTargetStep(db, { companyId, nowMs })])
}

/** A move to D1 has frozen its own rows there; they stay so until they are deleted. */
const leavesD1 = sql`exists (select 1 from ${companyMoves} where ${isOfCompany} and ${m.toStore} is not null
    and ${isIn('requested', 'copying')})`

/** Nothing is copied: no object has to undo anything. */
const isUntouched = sql`(${m.phase} = 'requested' and ${m.toStore} is not null
    and coalesce(${m.progress} ->> '$.stage', 'counting') = 'counting')`

const abortSteps = [
  ...unfreezeCompany(leavesD1),
  sql`update ${companyMoves} set phase = iif(${isUntouched}, 'aborted', 'aborting'),
    ended_at_ms = iif(${isUntouched}, ${param('nowMs')}, null),
    progress = iif(${param('problem')} is null, progress, json_set(progress, '$.problem', ${param('problem')}))
    where ${isOfCompany} and ${isIn('requested', 'copying')}`,
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

// What was compared is what is switched: a command of the operator, such as one that revokes a key, has logged an
// entry.
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

/**
 * `head` is the last entry of the log that was compared. Not switched: it was aborted, or something was logged since.
 */
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
    where ${isOfCompany} and ${isIn('switched', 'aborting')}`,
].map(statement<'companyId' | 'nowMs'>)

/** When nothing is left to delete. */
export async function endMove(db: D1Database, companyId: string, nowMs: number): Promise<void> {
  await runSteps(db, endSteps, { companyId, nowMs })
}

const freezeAll = freezeCompany(sql`true`).map(statement<'companyId' | 'nowMs'>)
const unfreezeAll = unfreezeCompany(sql`true`).map(statement<'companyId'>)

/** In a store that the company leaves: as D1 freezes its rows. */
export async function freezeRows(db: D1Database, companyId: string, nowMs: number): Promise<void> {
  await runSteps(db, freezeAll, { companyId, nowMs })
}

export async function unfreezeRows(db: D1Database, companyId: string): Promise<void> {
  await runSteps(db, unfreezeAll, { companyId })
}
