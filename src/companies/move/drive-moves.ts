// The cron's part of moves: wakes the object of each one that has not ended. The object does the rest by its alarm.
import { storeStub } from '../../database/company-store.ts'
import { listMoves } from '../store/move-state.ts'

/** Throws DatabaseUnavailable. */
export async function driveMoves(env: Env): Promise<void> {
  const moves = await listMoves(env.DB)
  const woken = await Promise.allSettled(
    moves.map(async ({ companyId, fromStore, toStore }) => {
      const name = toStore ?? fromStore
      if (name !== null) await storeStub(env, name).move(companyId)
    }),
  )
  for (const { status } of woken) if (status === 'rejected') console.error({ event: 'move_not_woken' })
}
