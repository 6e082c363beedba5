// What a client may send to search leads, and to requeue a selection of them.
import { outcomes } from '../campaigns/outcomes.ts'
import { judge, type Reading } from '../http/reading.ts'
import {
  cursor,
  list,
  members,
  oneOf,
  optional,
  optionalId,
  pageSize,
  query,
  requiredText,
  storable,
} from '../http/schemas.ts'
import { campaignId, emptyCampaignId, leadStatus } from '../leads/fields.ts'
import { limits } from '../limits.ts'

const invalidQ = `q must be a string of 1 to ${limits.searchMaxChars} characters`
const q = requiredText(invalidQ, invalidQ).check(storable('q', limits.searchMaxChars, invalidQ))

export const searchQuery = query({
  q,
  campaignId: optionalId(campaignId(emptyCampaignId)),
  status: optional(leadStatus),
  outcome: optional(oneOf('outcome', outcomes)),
  limit: pageSize(limits.leadsPerSearch),
  cursor: cursor(/^s?[0-9a-f]{14}$/),
})

const tooMany = `Maximum ${limits.leadsPerSelection} leads per request`

export const selectionBody = members({ leadIds: list('leadIds', limits.leadsPerSelection, tooMany) })

/** Throws SyntaxError when it is not JSON. */
export function readSelection(json: string): Reading<readonly string[]> {
  const body = judge(selectionBody, JSON.parse(json))
  if (!body.isValid) return body
  const { leadIds } = body.value
  const wrong = leadIds.findIndex((id) => typeof id !== 'string' || id === '')
  if (wrong !== -1) {
    const flaw = leadIds[wrong] === '' ? 'must not be empty' : 'must be a string'
    return { isValid: false, message: `leadIds[${wrong}] ${flaw}` }
  }
  const repeated = leadIds.findIndex((id, index) => leadIds.indexOf(id) < index)
  if (repeated !== -1) return { isValid: false, message: `leadIds[${repeated}] is given twice` }
  return { isValid: true, value: leadIds as readonly string[] }
}
