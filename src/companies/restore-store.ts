// Restores a company's own store to a time by the platform's point-in-time recovery, while other companies go on.
import { limits } from '../limits.ts'
import type { RequestResult } from './request.ts'
import { markDone, type PendingRequest } from './store/requests.ts'

/** What it uses of an object's state. */
export type Restorable = {
  readonly storage: Pick<DurableObjectStorage, 'getBookmarkForTime' | 'onNextSessionRestoreBookmark'>
  readonly abort: (reason: string) => void
  /** Since when it serves a company that has moved to it. Null: always. */
  readonly openSinceMs: number | null
}

/** A request from before would be carried out again when D1 itself is restored to that moment. */
const freshForMs = 3_600_000

/** The reason of the abort. */
export const storeRestored = 'store restored'

/**
 * Ends the object, which starts again with the data of that time. Returns only when it cannot. Log entries after that time
 * are lost, so an epoch begins with the next tend, before anything else is carried out.
 */
export async function restoreStore(
  { storage, abort, openSinceMs }: Restorable,
  directory: D1Database,
  pending: PendingRequest<'company.restore'>,
): Promise<RequestResult<'company.restore'>> {
  const { companyId, toMs } = pending.request
  if (pending.createdAtMs < Date.now() - freshForMs) return { kind: 'too_late' }
  // In the middle of the move that filled it, it would take itself for a copy that nobody wants.
  if (openSinceMs !== null && toMs < openSinceMs + limits.minuteMs)
    return {
      kind: 'refused',
      reason: `the company came to it later, at ${new Date(openSinceMs).toISOString()}`,
    }
  let undoBookmark: string
  try {
    undoBookmark = await storage.onNextSessionRestoreBookmark(await storage.getBookmarkForTime(toMs))
  } catch (error) {
    // A time and a platform: nothing of the company.
    return { kind: 'refused', reason: (error as Error).message }
  }
  // From here on any end of the object restores it, so when D1 does not answer it ends now: the next tend finds the
  // request and repeats it.
  const next = { kind: 'event.restored', companyId, restoredToMs: toMs, nowMs: Date.now() } as const
  const result = { kind: 'restored', undoBookmark } as const
  await markDone(directory, pending, result, next).finally(() => abort(storeRestored))
  return result
}
