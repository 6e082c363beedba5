// The 400 messages of searching leads and of requeueing a selection, from invalid inputs as in leads.ts.
import { limits } from '../../limits.ts'
import { readSelection, searchQuery } from '../../search/input.ts'
import { bodyMessages, queryMessages } from '../openapi/failures.ts'

export const searchMessages = queryMessages(
  searchQuery,
  [
    { q: undefined },
    { q: '\0' },
    { campaignId: '' },
    { campaignId: 'x'.repeat(limits.campaignIdMaxChars + 1) },
    { status: 'called' },
    { outcome: 'rang' },
    { limit: '0' },
    { cursor: 'next' },
  ],
  { q: 'Ada' },
)

const tooMany = Array.from({ length: limits.leadsPerSelection + 1 }, (_, i) => `${i}`)

export const selectionMessages = bodyMessages(
  [[], {}, { leadIds: [] }, { leadIds: tooMany }, { leadIds: ['1'], 'no name': 1 }],
  readSelection,
)
