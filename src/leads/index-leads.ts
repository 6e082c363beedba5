// When leads are indexed for the search: campaigns with new leads within a second after the answer, gathered in this
// isolate, and each minute those with leads that are not indexed. No request waits for it.
import { scheduler } from 'node:timers/promises'
import type { DatabaseUnavailable } from '../database/database.ts'
import type { Exchange } from '../http/respond.ts'
import { limits, waits } from '../limits.ts'
import { indexChunk, lastCampaignNumber, unfinishedCampaigns } from './store/search-index.ts'

/** Chunks after one answer; the rest is the cron's. */
const chunksPerAnswer = 10
const chunksPerMinute = 40
/** Campaigns that one minute looks at, in turn. */
const campaignsPerMinute = 500

/** Numbers of campaigns with new leads. */
const gathered = new Set<number>()
const maxGathered = 1_000

/** Since when the next run is pending, Unix ms; 0: none is. */
let waitingSinceMs = 0

/** Indexes the campaign's new leads after the answer. */
export function indexAfterAnswer(x: Exchange, campaignNumber: number): void {
  if (gathered.size < maxGathered) gathered.add(campaignNumber)
  const nowMs = Date.now()
  // A pending run that is too old was cut off with its request, or the clock has stepped: it is replaced.
  if (Math.abs(nowMs - waitingSinceMs) < 10 * waits.indexMs) return
  waitingSinceMs = nowMs
  x.c.executionCtx.waitUntil(indexLater(x.env.DB))
}

/** Never throws: the cron finds what is left. */
async function indexLater(db: D1Database): Promise<void> {
  await scheduler.wait(waits.indexMs)
  waitingSinceMs = 0
  const campaigns = [...gathered]
  gathered.clear()
  await indexCampaigns(db, campaigns, chunksPerAnswer).catch((error: unknown) => {
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
  const last = await lastCampaignNumber(db)
  if (last === 0) return
  const turns = Math.ceil(last / campaignsPerMinute)
  const fromNumber = (Math.floor(nowMs / limits.minuteMs) % turns) * campaignsPerMinute + 1
  const campaigns = await unfinishedCampaigns(db, { fromNumber, maxCampaigns: campaignsPerMinute })
  await indexCampaigns(db, campaigns, chunksPerMinute)
}
