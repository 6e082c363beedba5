// When leads are indexed for the search: a campaign's new leads within a second after the answer, those of several
// requests together, and each minute what is not indexed. No request waits for it.
import { scheduler } from 'node:timers/promises'
import type { DatabaseUnavailable } from '../database/database.ts'
import type { Exchange } from '../http/respond.ts'
import { limits, waits } from '../limits.ts'
import { campaignSpan, indexChunk, unfinishedCampaigns } from './store/search-index.ts'

/** Chunks after one answer; the rest is the cron's. */
const chunksPerAnswer = 10
const chunksPerMinute = 40
/** Campaigns that one minute looks at, in turn. */
const campaignsPerMinute = 500

/** Since when a campaign's next run is pending, Unix ms, by its number. */
const pending = new Map<number, number>()

/** Indexes the campaign's new leads after the answer. */
export function indexAfterAnswer(x: Exchange, campaignNumber: number): void {
  const nowMs = Date.now()
  // A pending run that is too old was cut off with its request, or the clock has stepped: it is replaced.
  if (Math.abs(nowMs - (pending.get(campaignNumber) ?? 0)) < 2 * waits.indexMs) return
  pending.set(campaignNumber, nowMs)
  x.c.executionCtx.waitUntil(indexLater(x.env.DB, campaignNumber))
}

/** Never throws: the cron finds what is left. */
async function indexLater(db: D1Database, campaignNumber: number): Promise<void> {
  await scheduler.wait(waits.indexMs)
  pending.delete(campaignNumber)
  await indexCampaigns(db, [campaignNumber], chunksPerAnswer).catch((error: unknown) => {
    console.warn({ event: 'indexing_put_off', reason: (error as DatabaseUnavailable).reason })
  })
}

/** One chunk of each in turn, so that a large campaign holds up no other. */
async function indexCampaigns(db: D1Database, campaigns: readonly number[], maxChunks: number) {
  let waiting = campaigns
  for (let chunks = 0; waiting.length > 0 && chunks < maxChunks; ) {
    const unfinished: number[] = []
    for (const campaign of waiting.slice(0, maxChunks - chunks)) {
      chunks++
      if (await indexChunk(db, campaign)) unfinished.push(campaign)
    }
    waiting = unfinished
  }
}

/** Throws DatabaseUnavailable. */
export async function indexByTheMinute(db: D1Database, nowMs: number): Promise<void> {
  const span = await campaignSpan(db)
  if (span === null) return
  const turns = Math.ceil((span.last - span.first + 1) / campaignsPerMinute)
  const turn = Math.floor(nowMs / limits.minuteMs) % turns
  const fromNumber = span.first + turn * campaignsPerMinute
  const campaigns = await unfinishedCampaigns(db, { fromNumber, maxCampaigns: campaignsPerMinute })
  await indexCampaigns(db, campaigns, chunksPerMinute)
}
