// GET /campaigns/{campaignId}/calls: the calls of a campaign as a table, page by page, as JSON or CSV.
import { accepts } from 'hono/accepts'
import { accessTo, granted, type KeyedExchange } from '../../../base/access/granted.ts'
import { type Answer, success } from '../../../base/http/envelope.ts'
import { readQueryOf } from '../../../base/http/validate.ts'
import { limits } from '../../../base/limits.ts'
import { filterOf } from '../../leads/origin/origin.ts'
import { cursorOfCall, placeOfCallCursor } from '../cursors.ts'
import { campaignCallsQuery } from '../input.ts'
import { callCsv, callsCsvHeader, shownCall } from './shown-call.ts'
import { listCallsOfCampaign } from './store/list-calls.ts'

const readCallsQuery = readQueryOf(campaignCallsQuery)

export async function getCallsOfCampaign(x: KeyedExchange): Promise<Answer> {
  const supports = ['application/json', 'text/csv']
  const isCsv = accepts(x.c, { header: 'Accept', supports, default: supports[0] as string }) === 'text/csv'
  const { from, to, outcome, agent, origin, cursor, limit } = await readCallsQuery(x)
  const campaignId = x.c.req.param('campaignId') ?? ''
  const filter = { fromMs: from ?? 0, outcome, agent, origin: origin === null ? null : filterOf(origin) }
  const before = cursor === null ? { atMs: to ?? Number.MAX_SAFE_INTEGER, seq: 0 } : placeOfCallCursor(cursor)
  const size = { maxCalls: limit ?? limits.callsShown, isExport: isCsv && cursor === null }
  const list = listCallsOfCampaign(x.db, accessTo(x, campaignId), filter, before, size)
  const { calls, end } = await granted(x, list)
  x.record.campaignId = campaignId
  const nextCursor = end === null ? null : cursorOfCall(end)
  const shown = calls.map(shownCall)
  const vary = { Vary: 'Accept' }
  if (!isCsv) return success({ calls: shown, nextCursor }, 200, vary)
  const headers = {
    ...vary,
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    ...(nextCursor !== null && { 'Next-Cursor': nextCursor }),
  }
  // A page behind the first continues where that ended.
  return { status: 200, headers, body: (cursor === null ? callsCsvHeader : '') + shown.map(callCsv).join('') }
}
