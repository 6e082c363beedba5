// A company's move as its object carries it out: the new store of a company that leaves D1, the old one of a company
// that goes back. Each call continues where the last one ended, whatever ended it: what is done is in the phase in D1,
// and in the target beside what was copied.
import { findCompany, findTakenNumber } from '../../../base/access/store/directory.ts'
import { DatabaseUnavailable, isFinal, runBatch } from '../../../base/database/database.ts'
import { listWebhookIds } from '../../../channels/webhooks/store/sending.ts'
import { wakeSenders } from '../../../channels/webhooks/wake-senders.ts'
import { areWordsFilled, fillAgain } from '../../../queue/leads/store/mentions/fill-words.ts'
import {
  emptiedAfterMs,
  type Move,
  type MoveProgress,
  noteFailure,
  readLogHead,
  readMove,
  setProgress,
} from '../store/move-state.ts'
import {
  abortMove,
  endMove,
  freeze,
  freezeRows,
  freezeTarget,
  switchStore,
  unfreezeRows,
} from '../store/move-steps.ts'
import { compareRows } from './compare-rows.ts'
import { copyRows } from './copy-rows.ts'
import { countRows } from './count-rows.ts'
import { emptyRows } from './empty-rows.ts'
import { beginningOf, CannotMove, numberTaken, type Sides } from './sides.ts'

/**
 * `receiving`: a copy arrives, nobody may see it. `ready`: complete, and served once D1 names it. `frozen`: it is
 * compared with its copy, nothing may be written. `moved`: read-only permanently.
 */
export type StoreState = 'open' | 'receiving' | 'ready' | 'frozen' | 'moved'

/** The object that carries the move out. */
export type MovingStore = {
  readonly name: string
  /** Whatever its state. */
  readonly db: D1Database
  readonly state: () => StoreState
  /** `open`: carries out what it holds. */
  readonly setState: (state: StoreState) => void
  /** Carries out there what it holds: the company has left for D1. */
  readonly releaseTo: (db: D1Database) => Promise<void>
  /** Deletes everything, the state too. */
  readonly clear: () => Promise<void>
}

/** A run that is killed continues so soon. */
export const moveGoesOnMs = 5_000

const notedEveryMs = 1_000

/** Returns when to continue, Unix ms; null: there is nothing left to do. Throws DatabaseUnavailable. */
export async function runMove(
  env: Env,
  store: MovingStore,
  companyId: string,
  endsAtMs: number,
): Promise<number | null> {
  while (Date.now() < endsAtMs) {
    const move = await readMove(env.DB, companyId)
    if (move === null || move.endedAtMs !== null || ![move.fromStore, move.toStore].includes(store.name)) {
      await leave(store, companyId)
      return null
    }
    const atMs = await takeStep(env, store, move, endsAtMs).catch(async (error: Error) => {
      await abortMove(env.DB, companyId, whyItEnds(error), Date.now())
      return null
    })
    if (atMs !== null) return atMs
  }
  return Date.now()
}

/** Throws what may pass: then the step is repeated. */
function whyItEnds(error: Error): string {
  if (error instanceof CannotMove) return error.message
  if (error instanceof DatabaseUnavailable && isFinal(error)) return error.message
  throw error
}

const stuckMaxMs = 10 * 60_000

/**
 * After a failure: what fails for ten minutes and gets no further ends too, because of `reason`. Throws
 * DatabaseUnavailable.
 */
export async function endIfStuck(
  directory: D1Database,
  companyId: string,
  problem: string,
  reason = problem,
): Promise<void> {
  const sinceMs = await noteFailure(directory, companyId, problem, Date.now())
  if (sinceMs !== null && Date.now() >= sinceMs + stuckMaxMs)
    await abortMove(directory, companyId, reason, Date.now())
}

/** The move has ended, or never began. */
async function leave(store: MovingStore, companyId: string): Promise<void> {
  if (store.state() === 'receiving') await store.clear()
  if (store.state() === 'frozen') await reopen(store, companyId)
}

async function reopen(store: MovingStore, companyId: string): Promise<void> {
  await unfreezeRows(store.db, companyId)
  store.setState('open')
}

/** D1 was restored to before the switch: a copy that nobody has seen is not open, and a new store has no company. */
const isAliveIn = async (store: MovingStore, { phase, companyId }: Move): Promise<boolean> =>
  store.state() === 'open' &&
  (phase === 'requested' || phase === 'copying') &&
  (await findCompany(store.db, companyId)) !== null

/** The company stays; D1 has its earlier state. */
async function switchAgain(directory: D1Database, move: Move): Promise<void> {
  await freeze(directory, move.companyId, Date.now())
  await switchStore(directory, move, await readLogHead(directory, move.companyId), Date.now())
}

/** Null: the next step follows at once. */
async function takeStep(env: Env, store: MovingStore, move: Move, endsAtMs: number): Promise<number | null> {
  const { companyId } = move
  const isTarget = move.toStore === store.name
  const [from, to] = isTarget ? [env.DB, store.db] : [store.db, env.DB]
  const sides: Sides = { move, from, to, directory: env.DB, isTarget, endsAtMs }
  if (isTarget && (await isAliveIn(store, move))) {
    await switchAgain(env.DB, move)
    return null
  }
  switch (move.phase) {
    case 'requested':
      if (await prepare(sides)) await copyAndFreeze(store, sides)
      return null
    case 'copying':
      await compareAndSwitch(store, sides)
      return null
    case 'switched': {
      if (isTarget) store.setState('open')
      else await store.releaseTo(env.DB)
      const emptiedAtMs = (move.switchedAtMs ?? 0) + emptiedAfterMs
      if (Date.now() < emptiedAtMs) {
        // What they have to repeat is in none of their company's writes.
        await wakeSenders({ ...env, storeName: move.toStore }, await listWebhookIds(to, companyId))
        return emptiedAtMs
      }
      if (await emptyRows(from, companyId, endsAtMs)) await endMove(env.DB, companyId, Date.now())
      return null
    }
    case 'aborting':
      // One that was opened has the company's only rows, whatever a restored D1 says.
      if (isTarget && store.state() !== 'open') await store.clear()
      if (!isTarget) {
        await reopen(store, companyId)
        if (!(await emptyRows(env.DB, companyId, endsAtMs))) return null
      }
      await endMove(env.DB, companyId, Date.now())
      return null
    default:
      return null
  }
}

/** Before anything is copied. False: there is more, or the move was aborted. */
async function prepare(sides: Sides): Promise<boolean> {
  const { move, from, directory, isTarget } = sides
  const { companyId, progress } = move
  const taken = isTarget ? null : await findTakenNumber(directory, from, companyId)
  if (taken !== null) throw numberTaken(taken)
  if (progress.stage === 'copying' || progress.stage === 'comparing') return true
  const note = noteTo({ move, to: directory, directory })
  const ofRows = await countRows(sides, note)
  // From then on an abort is carried out by the object.
  if (ofRows !== null) await note(beginningOf('copying', ofRows), true)
  return false
}

/** Most of it while the company is open. */
async function copyAndFreeze(store: MovingStore, sides: Sides): Promise<void> {
  const { move, to, directory, isTarget } = sides
  const { companyId, progress } = move
  if (isTarget) store.setState('receiving')
  else await freezeTarget(directory, companyId, Date.now())
  const begun = isTarget ? ((await readMove(to, companyId))?.progress ?? {}) : progress
  if (!(await copyRows(sides, begun, isTarget ? noteTo(sides) : async () => true))) return
  // Whatever was compared before: D1 may have been restored since, and its rows have changed.
  if (!(await noteTo(sides)(beginningOf('comparing', progress.ofRows), true))) return
  if (!isTarget) {
    store.setState('frozen')
    await freezeRows(store.db, companyId, Date.now())
  }
  await freeze(directory, companyId, Date.now())
}

async function compareAndSwitch(store: MovingStore, sides: Sides): Promise<void> {
  const { move, from, to, directory, isTarget } = sides
  const { companyId } = move
  const begun = (await readMove(to, companyId))?.progress ?? {}
  // A lead whose words are filled once it is compared has them in the old store alone.
  if (!(await areWordsFilled(from))) await fillAgain(to)
  const head = await compareRows(sides, begun, noteTo(sides))
  if (head === null) return
  store.setState(isTarget ? 'ready' : 'moved')
  await switchStore(directory, move, head, Date.now())
  const after = await readMove(directory, companyId)
  if (after?.phase === 'copying') throw new CannotMove('the company has changed while it was copied')
}

/** Shows the operator how far the move is, each second, and whether it continues. */
function noteTo({ move, to, directory }: Pick<Sides, 'move' | 'to' | 'directory'>) {
  let notedAtMs = 0
  return async (place: MoveProgress, isLast = false): Promise<boolean> => {
    const nowMs = Date.now()
    if (!isLast && nowMs < notedAtMs + notedEveryMs) return true
    notedAtMs = nowMs
    const values = { companyId: move.companyId, progress: JSON.stringify(place) }
    if (to !== directory) await runBatch(to, [setProgress(to, values)])
    const { rows } = await runBatch(directory, [setProgress(directory, values)])
    return rows[0]?.length === 1
  }
}
