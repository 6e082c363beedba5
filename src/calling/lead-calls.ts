// What is asked of one lead: the history of its calls, and calling it again after all. Why it is not called now is in
// explain, under store/.
import { granted, type KeyedExchange, keyAccessOf } from '../access/authenticate.ts'
import { type Answer, successOf } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import { formatTimestamp } from '../timestamp.ts'
import { listCallsOfLead, type PastCall } from './store/history.ts'
import { requeueLead } from './store/requeue.ts'

const leadIdOf = (x: KeyedExchange) => x.c.req.param('leadId') ?? ''

export async function getCallsOfLead(x: KeyedExchange): Promise<Answer> {
  const outcome = await granted(x, listCallsOfLead(x.db, keyAccessOf(x), leadIdOf(x)))
  if (outcome.kind !== 'found') throw new ApiError({ kind: 'lead_not_found' })
  return successOf(`{"calls":[${outcome.calls.map(pastCallJson).join()}]}`)
}

/** The details are JSON text already, as they were sent. */
function pastCallJson({ details, claimedAtMs, endedAtMs, callbackAtMs, ...call }: PastCall): string {
  const { callId, attempt, agent, outcome, ...rest } = call
  const members = {
    callId,
    attempt,
    agent,
    claimedAt: formatTimestamp(claimedAtMs),
    outcome,
    endedAt: formatTimestamp(endedAtMs),
    callbackAt: formatTimestamp(callbackAtMs),
    ...rest,
  }
  return `${JSON.stringify(members).slice(0, -1)},"details":${details ?? 'null'}}`
}

/** The only way out of exhausted and concluded (D40). */
export async function postRequeue(x: KeyedExchange): Promise<Answer> {
  const outcome = await granted(x, requeueLead(x.db, keyAccessOf(x), leadIdOf(x)))
  if (outcome.kind === 'missing') throw new ApiError({ kind: 'lead_not_found' })
  if (outcome.kind === 'leased') throw new ApiError({ kind: 'lead_leased' })
  if (outcome.kind === 'suppressed') throw new ApiError({ kind: 'number_suppressed' })
  return successOf(`{"lead":${outcome.json}}`)
}
