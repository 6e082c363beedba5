// Requests about the calls of one lead: their history, why the lead is not called, and requeueing it.
import { granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { type Answer, success, successOf, successOfPage } from '../../base/http/envelope.ts'
import { ApiError } from '../../base/http/errors.ts'
import { readQueryOf } from '../../base/http/validate.ts'
import { hashesOf } from '../../base/ledger/suppression/number-hash.ts'
import { limits } from '../../base/limits.ts'
import { formatTimestamp, withTimestamps } from '../../base/timestamp.ts'
import { cursorOfTime, timeOfCursor } from './cursors.ts'
import { callingQuery, pastCallsQuery } from './input.ts'
import { explainLead } from './store/blockers/explain.ts'
import { listCallsOfLead, type PastCall } from './store/history.ts'
import { requeueSelection } from './store/requeue.ts'

const readCallingQuery = readQueryOf(callingQuery)
const readPastCallsQuery = readQueryOf(pastCallsQuery)

const leadIdOf = (x: KeyedExchange) => x.c.req.param('leadId') ?? ''

export async function getCallsOfLead(x: KeyedExchange): Promise<Answer> {
  const { limit, cursor } = await readPastCallsQuery(x)
  const range = {
    maxCalls: limit ?? limits.callsPerRequest,
    afterMs: cursor === null ? 0 : timeOfCursor(cursor),
  }
  const result = await granted(x, listCallsOfLead(x.db, keyAccessOf(x), leadIdOf(x), range))
  const nextCursor = result.endMs === null ? null : cursorOfTime(result.endMs)
  return successOfPage('calls', result.calls.map(pastCallText), nextCursor)
}

/** The details are JSON text, as they were sent. */
export const pastCallText = ({ json, details }: Pick<PastCall, 'json' | 'details'>): string =>
  `${JSON.stringify(withTimestamps(json)).slice(0, -1)},"details":${details ?? 'null'}}`

/** Why the lead is not called, at this moment or at another. */
export async function getCallingOfLead(x: KeyedExchange): Promise<Answer> {
  const { at } = await readCallingQuery(x)
  const access = keyAccessOf(x)
  const result = await granted(x, explainLead(x.db, access, leadIdOf(x), at ?? access.nowMs, hashesOf(x)))
  if (result.kind !== 'explained') throw new ApiError({ kind: 'lead_not_found' })
  const { isCallable, blockers, nextCallAtMs } = result
  return success({
    callable: isCallable,
    blockers: blockers.map(({ code, untilMs }) => ({ code, until: formatTimestamp(untilMs) })),
    nextCallAt: formatTimestamp(nextCallAtMs),
  })
}

/** The only way out of exhausted and concluded (D40). */
export async function postRequeue(x: KeyedExchange): Promise<Answer> {
  const requeue = requeueSelection(x.db, keyAccessOf(x), [leadIdOf(x)], hashesOf(x), { withLeads: true })
  const [lead] = (await granted(x, requeue)).leads
  const kind = lead?.result ?? 'lead_not_found'
  if (kind !== 'requeued') throw new ApiError({ kind })
  return successOf(`{"lead":${lead?.json}}`)
}
