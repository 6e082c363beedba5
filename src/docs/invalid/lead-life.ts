// The 400 messages of changes and erasures, from invalid inputs as in leads.ts.
import { readErasure } from '../../erasure/input.ts'
import { readChange } from '../../leads/change-input.ts'
import { bodyMessages } from '../openapi/failures.ts'
import { wrongOptionals } from './leads.ts'

const wrongChanges: readonly unknown[] = [[], ...wrongOptionals, { 'no name': 1 }]

/** The message about an unknown member of a change. */
export const notChangeable = '^[A-Za-z_]\\w{0,39} is not a field that can be changed$'

const phoneNumber = '+14155550123'

const wrongErasures: readonly unknown[] = [
  [],
  {},
  { phoneNumber: '4155550123' },
  { phoneNumber: 4155550123 },
  { leadId: 42 },
  { leadId: '' },
  { phoneNumber, suppress: 'yes' },
  { phoneNumber, 'no name': 1 },
]

/** The message about an unknown member of an erasure. */
export const notKnown = '^[A-Za-z_]\\w{0,39} is not known$'

export const changeMessages = bodyMessages(wrongChanges, readChange)
export const erasureMessages = bodyMessages(wrongErasures, readErasure)
