// The operator's endpoints of restores: of one company's own store; and of D1 itself, which the platform restores
// between two requests.
import { scheduler } from 'node:timers/promises'
import type { KeyedExchange } from '../../base/access/granted.ts'
import { digestsOf } from '../../base/access/idempotency-key.ts'
import { digestBase62, randomBase62 } from '../../base/base62.ts'
import { storeStub } from '../../base/database/company-store.ts'
import { databaseUnavailable, storeRestoring } from '../../base/database/database.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError } from '../../base/http/errors.ts'
import { timed } from '../../base/http/request-record.ts'
import { parseBody, readSmallBody, refuseUnknownParameters } from '../../base/http/validate.ts'
import { waits } from '../../base/limits.ts'
import { withTimeLimit } from '../../base/time-limit.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { readKeep, readRestoreCompany, readRestored } from './input.ts'
import { keepRows, openRestored } from './restore-directory.ts'
import { type RestoreRequest, type RestoreResult, storeRestored } from './restore-store.ts'
import { companyOf } from './routes.ts'

const idChars = 22

export async function postRestore(x: KeyedExchange): Promise<Answer> {
  const body = await readSmallBody(x)
  const { companyId } = x.apiKey
  const toMs = parseBody(body, (json) => readRestoreCompany(json, companyId, Date.now()))
  const digests = digestsOf(x, body)
  const { store } = await companyOf(x)
  if (store === null) throw new ApiError({ kind: 'store_shared' })
  const id = digests === null ? randomBase62(idChars) : digestBase62(digests.request, idChars)
  const result = await timed(x.record, 'databaseMs', restoreStore(x.c.env, store, { id, companyId, toMs }))
  if (result.kind === 'refused') {
    console.warn({ event: 'restore_refused', companyId, reason: result.reason })
    throw new ApiError({ kind: 'restore_refused' })
  }
  return success({ restoredTo: formatTimestamp(toMs), undoBookmark: result.undoBookmark })
}

type RestoringStore = { readonly restore: (request: RestoreRequest) => Promise<RestoreResult> }

/**
 * Its object ends on the way, and continues when it is asked again. Throws DatabaseUnavailable when that takes too
 * long.
 */
async function restoreStore(env: Env, store: string, request: RestoreRequest): Promise<RestoreResult> {
  const endsAtMs = Date.now() + waits.administrationMs
  for (;;) {
    try {
      const { restore } = storeStub(env, store) as unknown as RestoringStore
      return await withTimeLimit(restore(request), endsAtMs - Date.now(), () => new Error('exceeded timeout'))
    } catch (error) {
      const { message } = error as Error
      const isUnderWay = message.includes(storeRestored) || message.includes(storeRestoring)
      if (!isUnderWay || Date.now() >= endsAtMs) throw databaseUnavailable(error)
      await scheduler.wait(100)
    }
  }
}

/** Before a restore of D1. */
export async function postRestoring(x: KeyedExchange): Promise<Answer> {
  const { toMs, keepId } = parseBody(await readSmallBody(x), (json) => readKeep(json, Date.now()))
  refuseUnknownParameters(x)
  const kept = await timed(x.record, 'databaseMs', keepRows(x.c.env, toMs, deadline(), keepId))
  return success({ restoreTo: formatTimestamp(toMs), ...kept })
}

/** After it. */
export async function postRestored(x: KeyedExchange): Promise<Answer> {
  const toMs = parseBody(await readSmallBody(x), (json) => readRestored(json, Date.now()))
  refuseUnknownParameters(x)
  const opened = await timed(x.record, 'databaseMs', openRestored(x.c.env, toMs, deadline()))
  return success({ restoredTo: formatTimestamp(toMs), ...opened })
}

const deadline = () => Date.now() + waits.administrationMs
