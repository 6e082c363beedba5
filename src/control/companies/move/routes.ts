// The operator's endpoints of a company's move: begins one, shows how far it is, and aborts it before it has switched.
// The object that carries it out is woken at once; if that fails, by the cron (drive-moves.ts).
import type { KeyedExchange } from '../../../base/access/granted.ts'
import { type Answer, success } from '../../../base/http/envelope.ts'
import { ApiError } from '../../../base/http/errors.ts'
import { parseBody, readSmallBody } from '../../../base/http/validate.ts'
import { limits } from '../../../base/limits.ts'
import { formatTimestamp } from '../../../base/timestamp.ts'
import { readMoveCompany, type StoreKind } from '../input.ts'
import { companyOf, newStoreIn } from '../routes.ts'
import { type Move, readMove, requestMove } from '../store/move-state.ts'
import { abortMove } from '../store/move-steps.ts'
import { wakeMove } from './drive-moves.ts'
import { moveGoesOnMs } from './run-move.ts'

export async function postMove(x: KeyedExchange): Promise<Answer> {
  const { place } = parseBody(await readSmallBody(x), readMoveCompany)
  const { id } = await companyOf(x)
  const toStore = newStoreIn(x, id, place)
  const move = await requestMove(x.c.env.DB, id, toStore, Date.now())
  if (move === null) throw new ApiError({ kind: 'company_there' })
  // To the same kind of store: this one's first try, or the one that another request has begun.
  if ((move.toStore === null) !== (toStore === null))
    throw new ApiError({ kind: move.phase === 'switched' ? 'company_emptying' : 'company_moving' })
  wake(x, move)
  return success(moveJson(move), 202)
}

export async function getMove(x: KeyedExchange): Promise<Answer> {
  return success(moveJson(await moveOf(x)))
}

export async function deleteMove(x: KeyedExchange): Promise<Answer> {
  const { companyId, endedAtMs } = await moveOf(x)
  if (endedAtMs !== null) throw new ApiError({ kind: 'move_not_found' })
  const move = await abortMove(x.c.env.DB, companyId, null, Date.now())
  if (move === null || move.phase === 'switched' || move.phase === 'done')
    throw new ApiError({ kind: 'company_moved' })
  wake(x, move)
  return success(moveJson(move))
}

async function moveOf(x: KeyedExchange): Promise<Move> {
  const { id } = await companyOf(x)
  const move = await readMove(x.c.env.DB, id)
  if (move === null) throw new ApiError({ kind: 'move_not_found' })
  return move
}

const wake = (x: KeyedExchange, move: Move) => x.c.executionCtx.waitUntil(wakeMove(x.c.env, move))

const kindOf = (store: string | null): StoreKind => (store === null ? 'shared' : 'own')

/** Measured: an estimate would be wrong by what else the service does. To a tenth. */
function frozenSecondsOf({ frozenAtMs, switchedAtMs, endedAtMs }: MoveTimes, nowMs: number): number | null {
  if (frozenAtMs === null) return null
  return Math.max(0, Math.round(((switchedAtMs ?? endedAtMs ?? nowMs) - frozenAtMs) / 100) / 10)
}

type MoveTimes = Pick<Move, 'frozenAtMs' | 'switchedAtMs' | 'endedAtMs'>

function moveJson({ companyId, fromStore, toStore, phase, progress, ...at }: Move) {
  const { stage = null, rows = 0, ofRows = null, problem = null } = progress
  const isOver = at.endedAtMs !== null
  // Before its object has begun, only the cron wakes it.
  const goesOnMs = phase === 'requested' && stage === null ? limits.minuteMs : moveGoesOnMs
  return {
    companyId,
    from: kindOf(fromStore),
    to: kindOf(toStore),
    phase,
    stage,
    rows,
    ofRows,
    requestedAt: formatTimestamp(at.requestedAtMs),
    frozenAt: formatTimestamp(at.frozenAtMs),
    switchedAt: formatTimestamp(at.switchedAtMs),
    endedAt: formatTimestamp(at.endedAtMs),
    frozenSeconds: frozenSecondsOf(at, Date.now()),
    goesOnWithinSeconds: isOver ? null : goesOnMs / 1000,
    problem,
  }
}
