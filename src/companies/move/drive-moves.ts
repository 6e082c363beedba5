// The cron's part of moves: wakes the object of each one that has not ended. The object does the rest by its alarm.
import { storeStub } from '../../database/company-store.ts'
import { waits } from '../../limits.ts'
import { withTimeLimit } from '../../time-limit.ts'
import { listMoves } from '../store/move-state.ts'

/** Throws DatabaseUnavailable. */
export async function driveMoves(env: Env): Promise<void> {
  const moves = await listMoves(env.DB)
  const woken = await Promise.allSettled(
    moves.map(async ({ companyId, fromStore, toStore }) => {
      const name = toStore ?? fromStore
      if (name === null) return
      const work = storeStub(env, name).move(companyId)
      await withTimeLimit(work, waits.administrationMs, () => new Error('exceeded timeout'))
    }),
  )
  for (const { status } of woken) if (status === 'rejected') console.error({ event: 'move_not_woken' })
}
