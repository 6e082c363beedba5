// What a client may send to search leads, and to requeue a selection of them.

import { judge, judgeIds, type Reading } from '../../base/http/reading.ts'
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
} from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { outcomes } from '../campaigns/outcomes.ts'
import { campaignId, emptyCampaignId, leadStatus } from '../leads/fields.ts'
import { leadQuery, originFilter } from '../leads/query-input.ts'

const invalidQ = `q must be a string of 1 to ${limits.searchMaxChars} characters`
const q = requiredText(invalidQ, invalidQ).check(storable('q', limits.searchMaxChars, invalidQ))

export const searchQuery = query({
  q,
  campaignId: optionalId(campaignId(emptyCampaignId)),
  status: optional(leadStatus),
  outcome: optional(oneOf('outcome', outcomes)),
  origin: originFilter,
  include: leadQuery.shape.include,
  limit: pageSize(limits.leadsPerSearch),
  cursor: cursor(/^s?[0-9a-f]{14}$/),
})

const tooMany = `Maximum ${limits.leadsPerSelection} leads per request`

export const selectionBody = members({ leadIds: list('leadIds', limits.leadsPerSelection, tooMany) })

/** Throws SyntaxError when it is not JSON. */
export function readSelection(json: string): Reading<readonly string[]> {
  const body = judge(selectionBody, JSON.parse(json))
  if (!body.isValid) return body
  const ids = judgeIds('leadIds', body.value.leadIds)
  if (!ids.isValid) return ids
  const repeated = ids.value.findIndex((id, index) => ids.value.indexOf(id) < index)
  return repeated === -1 ? ids : { isValid: false, message: `leadIds[${repeated}] is given twice` }
}
