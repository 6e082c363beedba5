// Wakes the objects that carry moves out: at the operator's request, and by the cron each one that has not ended. The
// object does the rest by its alarm.
import { storeStub } from '../../../base/database/company-store.ts'
import { databaseUnavailable } from '../../../base/database/database.ts'
import { waits } from '../../../base/limits.ts'
import { withTimeLimit } from '../../../base/time-limit.ts'
import { listMoves, type Move } from '../store/move-state.ts'
import { endIfStuck } from './run-move.ts'

/** Throws DatabaseUnavailable. */
export async function driveMoves(env: Env): Promise<void> {
  const moves = await listMoves(env.DB)
  await Promise.all(moves.map((move) => wakeMove(env, move)))
}

/** Never throws. An object that cannot be woken holds the move up; after ten minutes the move ends. */
export async function wakeMove(env: Env, { companyId, fromStore, toStore }: Move): Promise<void> {
  const name = toStore ?? fromStore
  if (name === null) return
  try {
    // Its name may fail too, such as one with a jurisdiction that the platform has not.
    const wake = async () => storeStub(env, name).move(companyId)
    await withTimeLimit(wake(), waits.administrationMs, () => new Error('exceeded timeout'))
  } catch (error) {
    const { reason } = databaseUnavailable(error)
    console.error({ event: 'move_not_woken', companyId, problem: reason })
    await endIfStuck(env.DB, companyId, `its store does not answer: ${reason}`).catch(() => {})
  }
}
