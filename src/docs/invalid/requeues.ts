// The 400 messages of requeueing many leads, from invalid inputs as in leads.ts.
import { readRequeue } from '../../calling/requeue-input.ts'
import { bodyMessages } from '../openapi/failures.ts'

const requeue = { status: 'exhausted', since: '2026-11-20T08:00:00+01:00' }

export const requeueMessages = bodyMessages(
  [[], { ...requeue, status: 'raw' }, { ...requeue, since: 'today' }, { ...requeue, 'no name': 1 }],
  readRequeue,
)
