// What a client may send to requeue many leads of a campaign.
import { judge, type Reading } from '../http/reading.ts'
import { members, oneOf, timestamp } from '../http/schemas.ts'
import { finalStatuses } from '../leads/lead.ts'
import { parseTimestampMs } from '../timestamp.ts'
import type { RequeueMany } from './store/requeue-many.ts'

/** A misspelt member that is ignored in silence would requeue other leads than were meant. */
export const requeueBody = members({
  status: oneOf('status', finalStatuses),
  since: timestamp('since'),
})

/** Throws SyntaxError when it is not JSON. */
export function readRequeue(json: string): Reading<RequeueMany> {
  const body = judge(requeueBody, JSON.parse(json))
  if (!body.isValid) return body
  const { status, since } = body.value
  return { isValid: true, value: { status, sinceMs: parseTimestampMs(since) } }
}
