// What a client may send to requeue many leads of a campaign.
import { judge, mapReading, type Reading } from '../http/reading.ts'
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
export const readRequeue = (json: string): Reading<RequeueMany> =>
  mapReading(judge(requeueBody, JSON.parse(json)), ({ status, since }) => ({
    status,
    sinceMs: parseTimestampMs(since),
  }))
