// Restores a company's own store to a time by the platform's point-in-time recovery, while other companies keep
// working. It takes back all that the object has, so what it must not take back, and how far it is, is in an object
// beside the store: from its first step to its last the store answers nobody, whatever ends it in between.
import { storeRestoring } from '../../base/database/database.ts'
import { numberHashes } from '../../base/ledger/suppression/number-hash.ts'
import { limits } from '../../base/limits.ts'
import { firstKept, type KeptPlace, type KeptRows, openPaused, readKept, writeKept } from './keep-rows.ts'
import { eraseReturned } from './store/returned-leads.ts'

/** A repeated request has the id of the first, and is carried out once. */
export type RestoreRequest = { readonly id: string; readonly companyId: string; readonly toMs: number }

export type RestoreResult =
  /** `undoBookmark` is the store as it was before. */
  | { readonly kind: 'restored'; readonly undoBookmark: string }
  /** `reason` is the platform's. */
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * A time that a restore has taken back: of the leads that it took, a no is there by hash alone, which claims do not
 * see.
 */
type TakenBack = {
  readonly fromMs: number
  /** From then until the end nothing was written but by the restore. */
  readonly closedMs: number
  readonly endMs: number
  readonly undoBookmark: string
}

export type RestoreState = RestoreRequest & {
  /** The platform's names of that time, and of the one before the restore. */
  readonly bookmark: string
  readonly undoBookmark: string
  readonly phase: 'reading' | 'restoring' | 'writing' | 'done'
  readonly place: KeptPlace
  /** How many are kept, and written again. */
  readonly kept: number
  readonly written: number
  /** Why nothing was restored. */
  readonly problem?: string
  /** Not of D1, nor of one that began in 2.0. */
  readonly closedMs?: number
  readonly endMs?: number
  /** It undoes a restore to that time, and leads come back that were created since. Absent: it undoes none. */
  readonly undoesToMs?: number
  /** By the restores before. */
  readonly takenBack?: readonly TakenBack[]
}

/** The object beside the store. */
export type Beside = {
  /** Null: the store was never restored. */
  readonly readRestore: () => Promise<RestoreState | null>
  /** In one transaction. Once it is done, all rows are deleted. */
  readonly writeRestore: (state: RestoreState, kept?: KeptRows) => Promise<void>
  readonly readKept: (index: number) => Promise<KeptRows>
}

/** What it uses of an object. */
export type Restorable = {
  readonly beside: Beside
  /** Whatever is under way. */
  readonly own: D1Database
  readonly pepper: string | undefined
  readonly storage: DurableObjectStorage
  readonly abort: (reason: string) => void
  /** Since when it serves a company that has moved to it. Null: always. */
  readonly openSinceMs: number | null
}

export const isUnderWay = (state: RestoreState | null) => state !== null && state.phase !== 'done'

/** The reason of the abort. */
export const storeRestored = 'store restored'

/** The value in the store that names a restore which has not taken place: the restore takes it back. */
const restoringKey = 'restoring'

const rowsPerRange = 1_000

/** Undoing a restore names a time that is at most so long before it: the minute before, to the minute. */
const undoMs = 2 * limits.minuteMs

/**
 * Null: the restore has begun, and takeSteps does the rest. A request is carried out once. `close` is called before it
 * begins: from then on the store answers nobody.
 */
async function beginRestore(
  { beside, storage, openSinceMs }: Restorable,
  request: RestoreRequest,
  close: () => void,
): Promise<RestoreResult | null> {
  const { id, companyId, toMs } = request
  const last = await beside.readRestore()
  if (last?.id === id) return resultOf(last)
  // In the middle of the move that filled it, it would be deleted as an aborted copy.
  if (openSinceMs !== null && toMs < openSinceMs + limits.minuteMs)
    return refusedAs(`the company came to it later, at ${new Date(openSinceMs).toISOString()}`)
  // What this restore itself writes must be later.
  if (toMs > Date.now() - limits.minuteMs) return refusedAs('that is less than a minute ago')
  const takenBack = takenBackUntil(last)
  const within = takenBack.find(({ fromMs, endMs }) => fromMs < toMs && toMs < endMs)
  const undoes = within !== undefined && within.closedMs - undoMs <= toMs && toMs <= within.closedMs
  if (within !== undefined && !undoes)
    return refusedAs('an earlier restore has taken that time back: undo that first')
  let bookmark: string
  let undoBookmark: string
  try {
    // The exact state: of what came since that time, nothing may be missing.
    bookmark = undoes ? within.undoBookmark : await storage.getBookmarkForTime(toMs)
    undoBookmark = await storage.getCurrentBookmark()
  } catch (error) {
    // A time and a platform: nothing of the company.
    return refusedAs((error as Error).message)
  }
  close()
  const state = { id, companyId, toMs, bookmark, undoBookmark, phase: 'reading' } as const
  const times = { closedMs: Date.now(), takenBack, ...(undoes && { undoesToMs: within.fromMs }) }
  await beside.writeRestore({ ...state, ...times, place: firstKept, kept: 0, written: 0 })
  return null
}

/** What is still so of the times before, and its own. */
function takenBackUntil(last: RestoreState | null): readonly TakenBack[] {
  if (last === null) return []
  const { toMs: fromMs, closedMs, endMs, undoBookmark, takenBack = [], problem } = last
  if (problem !== undefined) return takenBack
  const before = takenBack.filter((one) => one.endMs <= fromMs)
  if (closedMs === undefined || endMs === undefined) return before
  return [...before, { fromMs, closedMs, endMs, undoBookmark }]
}

const refusedAs = (reason: string): RestoreResult => ({ kind: 'refused', reason })

const resultOf = ({ phase, problem, undoBookmark }: RestoreState): RestoreResult | null => {
  if (phase !== 'done') return null
  return problem === undefined ? { kind: 'restored', undoBookmark } : refusedAs(problem)
}

/**
 * False: it is not done in time, and continues with the next call. Ends the object once, by an error with
 * storeRestored.
 */
async function takeSteps(store: Restorable, endsAtMs: number): Promise<boolean> {
  let state = await store.beside.readRestore()
  while (state !== null && isUnderWay(state)) {
    if (Date.now() >= endsAtMs) return false
    state = await takeStep(store, state)
  }
  return true
}

async function takeStep(store: Restorable, state: RestoreState): Promise<RestoreState> {
  const { beside, own, storage, pepper } = store
  const put = (next: Partial<RestoreState>) => putState(beside, { ...state, ...next })
  const { id, companyId, toMs } = state
  switch (state.phase) {
    case 'reading':
      if (state.place !== null) return keepNext(store, state)
      storage.kv.put(restoringKey, id)
      return put({ phase: 'restoring' })
    case 'restoring':
      if (storage.kv.get(restoringKey) !== id) return put({ phase: 'writing' })
      try {
        await storage.onNextSessionRestoreBookmark(state.bookmark)
      } catch (error) {
        return put({ phase: 'done', problem: (error as Error).message })
      }
      // From here on any end of the object restores it.
      store.abort(storeRestored)
      throw new Error(storeRestored)
    case 'writing':
      if (state.written < state.kept) return writeNext(store, state)
      if (state.undoesToMs !== undefined) {
        const away = { companyId, sinceMs: state.undoesToMs - limits.minuteMs }
        await eraseReturned(own, away, numberHashes(pepper, companyId), Date.now())
      }
      await openPaused(own, companyId, toMs, Date.now())
      return put({ phase: 'done', endMs: Date.now() })
    case 'done':
      return state
  }
}

type Sides = Pick<Restorable, 'beside' | 'own' | 'pepper'>

async function putState(beside: Beside, state: RestoreState, kept?: KeptRows): Promise<RestoreState> {
  await beside.writeRestore(state, kept)
  return state
}

/** Keeps the next range: until `place` is null. */
export async function keepNext({ beside, own }: Sides, state: RestoreState): Promise<RestoreState> {
  const place = state.place as NonNullable<KeptPlace>
  const { kept, next } = await readKept(own, state.toMs, place, rowsPerRange)
  if (kept.rows.length === 0) return putState(beside, { ...state, place: next })
  return putState(beside, { ...state, place: next, kept: state.kept + 1 }, kept)
}

/** Writes the next range again: until as many are written as are kept. */
export async function writeNext({ beside, own, pepper }: Sides, state: RestoreState): Promise<RestoreState> {
  await writeKept(own, await beside.readKept(state.written), pepper, Date.now())
  return putState(beside, { ...state, written: state.written + 1 })
}

/** Within the time that the cron waits. */
const runMs = 15_000

/**
 * Whether a store is being restored, while its object lives: asked before each batch, and read once from the object
 * beside it.
 */
export class Restoring {
  readonly #store: () => Restorable
  /** Undefined: not read yet. */
  #isUnderWay: Promise<boolean> | undefined = undefined
  #goingOn: Promise<boolean> | undefined = undefined

  constructor(store: () => Restorable) {
    this.#store = store
  }

  async isUnderWay(): Promise<boolean> {
    for (;;) {
      this.#isUnderWay ??= this.#store().beside.readRestore().then(isUnderWay)
      const asked = this.#isUnderWay
      try {
        const answer = await asked
        // A restore that has begun meanwhile is not missed.
        if (asked === this.#isUnderWay) return answer
      } catch (error) {
        if (asked === this.#isUnderWay) this.#isUnderWay = undefined
        throw error
      }
    }
  }

  /** Continues a restore. False: it is not done yet. */
  goOn(): Promise<boolean> {
    this.#goingOn ??= this.#run().finally(() => {
      this.#goingOn = undefined
    })
    return this.#goingOn
  }

  async #run(): Promise<boolean> {
    if (!(await this.isUnderWay())) return true
    const isDone = await takeSteps(this.#store(), Date.now() + runMs)
    if (isDone) this.#isUnderWay = undefined
    return isDone
  }

  /** Throws until it is done; the next try finds it. */
  async carryOut(request: RestoreRequest): Promise<RestoreResult> {
    const close = () => {
      this.#isUnderWay = Promise.resolve(true)
    }
    try {
      const result = await beginRestore(this.#store(), request, close)
      if (result !== null) return result
    } finally {
      // Whether it has begun when that failed, only the object beside knows.
      this.#isUnderWay = undefined
    }
    if (!(await this.goOn())) throw new Error(storeRestoring)
    return this.carryOut(request)
  }
}
