// The two halves of a restore of D1, which the platform does between them: what it must not take back is kept in an
// object, which the restore does not reach, and written again. The ranges are those of a restore of a company's own
// store.
import { skipNumbers } from '../../base/access/store/directory.ts'
import { randomBase62 } from '../../base/base62.ts'
import { nameBeside, storeStub } from '../../base/database/company-store.ts'
import { firstKept, openPaused } from './keep-rows.ts'
import { type Beside, keepNext, type RestoreState, writeNext } from './restore-store.ts'
import { forgetStates } from './store/states.ts'

const sidesOf = (env: Env) => ({
  beside: storeStub(env, nameBeside('')) as unknown as Beside,
  own: env.DB,
  pepper: env.SUPPRESSION_PEPPER,
})

const idChars = 22

/**
 * Not `complete`: there is more to keep, and the next call continues it by its `keepId`. Any other keeps anew: what was
 * read before may be of a time when others still wrote. Throws DatabaseUnavailable, as the next one does.
 */
export async function keepRows(env: Env, toMs: number, endsAtMs: number, keepId: string | null) {
  const sides = sidesOf(env)
  const last = await sides.beside.readRestore()
  const first: RestoreState = {
    ...{ id: randomBase62(idChars), companyId: '', toMs, bookmark: '', undoBookmark: '' },
    ...{ phase: 'reading', place: firstKept, kept: 0, written: 0 },
  }
  let state = last?.id === keepId && last.toMs === toMs && last.phase === 'reading' ? last : first
  while (state.place !== null) {
    if (Date.now() >= endsAtMs) return { keepId: state.id, complete: false }
    state = await keepNext(sides, state)
  }
  await sides.beside.writeRestore({ ...state, phase: 'restoring' })
  return { keepId: state.id, complete: true }
}

/**
 * Nobody is called while the rows are written: campaigns are paused first. Repeated, it changes nothing more. `kept`:
 * rows are kept for this restore. Not `complete`: the next call continues.
 */
export async function openRestored(env: Env, toMs: number, endsAtMs: number) {
  const sides = sidesOf(env)
  // Stores have campaigns that D1 has forgotten.
  await skipNumbers(env.DB)
  await forgetStates(env.DB)
  const opened = await openPaused(env.DB, null, toMs, Date.now())
  let state = await sides.beside.readRestore()
  if (state?.toMs !== toMs || state.phase === 'reading') return { ...opened, kept: false, complete: true }
  while (state.written < state.kept) {
    if (Date.now() >= endsAtMs) return { ...opened, kept: true, complete: false }
    state = await writeNext(sides, state)
  }
  if (state.phase !== 'done') await sides.beside.writeRestore({ ...state, phase: 'done' })
  return { ...opened, kept: true, complete: true }
}
