// Requests about a campaign: reading and changing settings, the queue, and requeueing many leads.
// control/statistics/list-campaigns.ts lists them.
import { accessTo, granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { numbersFor } from '../../base/access/in-directory.ts'
import { DatabaseUnavailable } from '../../base/database/database.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { parseBody, readQueryOf, readSmallBody } from '../../base/http/validate.ts'
import { hashesOf } from '../../base/ledger/suppression/number-hash.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { previewQuery, readCampaignChange, readNewCampaign } from '../campaigns/settings-input.ts'
import { changeCampaign } from '../campaigns/store/configure.ts'
import { createCampaign } from '../campaigns/store/create-campaign.ts'
import { countWaiting } from './bell/bell-client.ts'
import { readRequeue } from './input.ts'
import { previewCampaign } from './store/blockers/preview.ts'
import { type QueueOverview, readCampaign } from './store/campaign-overview.ts'
import { requeueLeads } from './store/requeue-many.ts'

export async function postCampaign(x: KeyedExchange): Promise<Answer> {
  const campaign = parseBody(await readSmallBody(x), readNewCampaign)
  await granted(x, createCampaign(x.db, keyAccessOf(x), campaign, numbersFor(x)))
  const headers = { Location: `/api/v1/campaigns/${encodeURIComponent(campaign.id)}` }
  return success(await campaignJson(x, campaign.id), 201, headers)
}

export async function getCampaign(x: KeyedExchange): Promise<Answer> {
  return success(await campaignJson(x, x.c.req.param('campaignId') ?? ''))
}

async function campaignJson(x: KeyedExchange, campaignId: string): Promise<object> {
  const { campaign, queue } = await granted(x, readCampaign(x.db, accessTo(x, campaignId)))
  x.record.campaignId = campaignId
  return { ...campaign, queue: await queueJson(x, queue) }
}

/** The bell is asked only while somebody may wait. */
export async function queueJson(
  x: KeyedExchange,
  {
    campaignNumber: number,
    waitedForUntilMs,
    nextOpeningMs,
    failingAgents,
    dialer: _,
    ...rest
  }: QueueOverview,
): Promise<object> {
  const campaign = { companyId: x.apiKey.companyId, number }
  return {
    ...rest,
    nextOpening: formatTimestamp(nextOpeningMs),
    failingAgents: failingAgents.map(({ agent, untilMs }) => ({ agent, until: formatTimestamp(untilMs) })),
    agentsWaiting: waitedForUntilMs > Date.now() ? await countWaiting(x.env, campaign) : 0,
  }
}

/** Answers like GET after the change. */
export async function patchCampaign(x: KeyedExchange): Promise<Answer> {
  const campaignId = x.c.req.param('campaignId') ?? ''
  const change = parseBody(await readSmallBody(x), (json) => readCampaignChange(json, campaignId))
  const access = accessTo(x, campaignId)
  const result = await granted(x, changeCampaign(x.db, access, change))
  if (result.kind === 'busy') throw new DatabaseUnavailable('settings are being changed by others')
  return getCampaign(x)
}

const readPreviewQuery = readQueryOf(previewQuery)

/** What the queue's leads would do if the campaign called now, by its own consent or by one that is considered. */
export async function getPreview(x: KeyedExchange): Promise<Answer> {
  const campaignId = x.c.req.param('campaignId') ?? ''
  const { consentPurpose: purpose, consentMaxAgeDays: maxAgeDays } = await readPreviewQuery(x)
  const considered = { purpose, maxAgeDays }
  const { kind: _, ...preview } = await granted(x, previewCampaign(x.db, accessTo(x, campaignId), considered))
  x.record.campaignId = campaignId
  return success(preview)
}

/** A part of the leads that became final since a moment. */
export async function postRequeueOfMany(x: KeyedExchange): Promise<Answer> {
  const campaignId = x.c.req.param('campaignId') ?? ''
  const wanted = parseBody(await readSmallBody(x), readRequeue)
  const result = await granted(x, requeueLeads(x.db, accessTo(x, campaignId), wanted, hashesOf(x)))
  x.record.campaignId = campaignId
  const { requeued, skipped, more } = result
  return success({ requeued, skipped, more })
}
