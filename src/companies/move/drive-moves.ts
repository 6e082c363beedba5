// Wakes the objects that carry moves out: at the operator's request, and by the cron each one that has not ended. The object
// does the rest by its alarm.
import { storeStub } from '../../database/company-store.ts'
import { waits } from '../../limits.ts'
import { withTimeLimit } from '../../time-limit.ts'
import { listMoves, type Move } from '../store/move-state.ts'

/** Throws DatabaseUnavailable. */
export async function driveMoves(env: Env): Promise<void> {
  const moves = await listMoves(env.DB)
  await Promise.all(moves.map((move) => wakeMove(env, move)))
}

/** Never throws. */
export async function wakeMove(env: Env, { companyId, fromStore, toStore }: Move): Promise<void> {
  const name = toStore ?? fromStore
  if (name === null) return
  try {
    const work = storeStub(env, name).move(companyId)
    await withTimeLimit(work, waits.administrationMs, () => new Error('exceeded timeout'))
  } catch {
    console.error({ event: 'move_not_woken' })
  }
}
