// Reads a campaign in rounds: settings, statistics, newest lead and live calls. What cannot be read keeps its last value.
import { useRef, useState } from 'preact/hooks'
import type { OpenCallList } from '../../sdk/src/calls.ts'
import type { Campaign, LeadList, Statistics } from '../../sdk/src/models.ts'
import { bucketOf, type Span } from '../overview/funnel.ts'
import { type LastCall, lastCallOf } from '../overview/last-call.ts'
import { campaignPath } from './answer.ts'
import { usePolling } from './clocks.ts'
import { type Dated, dated } from './dated.ts'
import { serviceNow } from './service-clock.ts'
import { useSession } from './session.ts'
import type { Round } from './use-reading.ts'

/** A part is null: not known yet, or the key may not read it. */
export type Watched = Round & {
  readonly campaign: Campaign
  readonly stats: Dated<Statistics> | null
  readonly statsSpan: Span
  readonly newest: Dated<LeadList> | null
  readonly calls: Dated<OpenCallList> | null
  readonly lastCall: LastCall | null
}

export type CampaignWatch = {
  readonly watched: Watched | null
  /** Why the last round failed. */
  readonly problem: string | null
  /** It does not exist, or the key has no access to it. */
  readonly isMissing: boolean
  readonly refresh: () => void
  readonly setCampaign: (campaign: Campaign) => void
}

const callsShown = 100

export function useCampaign(campaignId: string, span: Span): CampaignWatch {
  const { ask, rights } = useSession()
  const [watched, setWatched] = useState<Watched | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isMissing, setIsMissing] = useState(false)

  const hasFailed = useRef(false)
  const about = `${campaignId} ${span}`
  const latest = useRef(about)
  latest.current = about

  const refresh = usePolling(async () => {
    const path = campaignPath(campaignId)
    const atMs = serviceNow()
    const [campaign, stats, newest, calls] = await Promise.all([
      ask<Campaign>('GET', path),
      ask<Statistics>('GET', `${path}/stats`, { query: { bucket: bucketOf[span] } }),
      rights.read
        ? ask<LeadList>('GET', '/leads', { query: { campaignId, order: 'newest', limit: 1 } })
        : null,
      rights.agent ? ask<OpenCallList>('GET', '/calls', { query: { campaignId, limit: callsShown } }) : null,
    ])
    // Another campaign or span is shown by now, and has its own round.
    if (latest.current !== about) return null
    const { data, error, retryAfterMs } = campaign
    const hasRecovered = hasFailed.current && data !== null
    hasFailed.current = data === null
    setProblem(error)
    setIsMissing(campaign.status === 403 || campaign.status === 404)
    if (data === null) return retryAfterMs
    setWatched((before) => {
      const now = {
        campaign: data,
        // Statistics of another span are not shown.
        stats: dated(stats, before?.statsSpan === span ? before.stats : null, atMs),
        statsSpan: span,
        newest: newest && dated(newest, before?.newest ?? null, atMs),
        calls: calls && dated(calls, before?.calls ?? null, atMs),
        atMs,
        recoveries: (before?.recoveries ?? 0) + (hasRecovered ? 1 : 0),
      }
      const lastCall = lastCallOf(callsIn(now), before && callsIn(before), before?.lastCall ?? null)
      return { ...now, lastCall }
    })
    return null
  }, about)

  const setCampaign = (campaign: Campaign) =>
    setWatched((before) => (before === null ? null : { ...before, campaign }))
  const own = watched?.campaign.id === campaignId ? watched : null
  return { watched: own, problem, isMissing, refresh, setCampaign }
}

const callsIn = ({ stats, calls, statsSpan, atMs }: Omit<Watched, 'lastCall'>) => ({
  stats: stats?.data ?? null,
  calls: calls?.data.calls ?? null,
  statsSpan,
  atMs,
})
