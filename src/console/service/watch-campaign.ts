// Reads a campaign in rounds, each of one request: settings, queue, statistics, live calls, webhooks and alerts.
import { useRef, useState } from 'preact/hooks'
import type { Campaign, CampaignOverview } from '../../sdk/src/models.ts'
import { bucketOf, fromOf, type Span } from '../overview/funnel.ts'
import { type LastSeen, lastCallOf } from '../overview/last-seen.ts'
import { zoneOf } from '../ui/words/zone-time.ts'
import { countSent, useOfKey } from './activity.ts'
import { settle } from './answer.ts'
import { usePolling } from './clocks.ts'
import { roundEveryMs, usualEveryMs } from './pace.ts'
import { serviceNow } from './service-clock.ts'
import { useSession } from './session.ts'
import type { Round } from './use-reading.ts'

/** Live calls, webhooks and alerts are null where the key may not read them. */
export type Watched = Round &
  Pick<CampaignOverview, 'dialer' | 'liveCalls' | 'webhooks' | 'alerts'> & {
    readonly campaign: Campaign
    readonly stats: CampaignOverview['stats']
    readonly statsSpan: Span
    readonly lastCall: LastSeen | null
    readonly lastLeadAtMs: number | null
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

/** Within it, open panels have begun to read with a round. */
const panelsReadMs = 1_000

/** What does not reach the service costs no request of the key. */
const retryLostMs = 30_000

export function useCampaign(campaignId: string, span: Span): CampaignWatch {
  const { client } = useSession()
  const [watched, setWatched] = useState<Watched | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isMissing, setIsMissing] = useState(false)

  const hasFailed = useRef(false)
  const about = `${campaignId} ${span}`
  const isLive = useRef(false)
  /** The last round, and how many requests it took with all that is read with it. */
  const last = useRef({ fromMs: 0, untilMs: 0, requests: 1 })
  const everyMs = () => roundEveryMs(useOfKey(), isLive.current, last.current.requests, Date.now())

  const refresh = usePolling(
    async (isCurrent) => {
      const atMs = serviceNow()
      const { fromMs, untilMs } = last.current
      // The others begin there by themselves.
      const from = span === '14d' ? fromOf(span, zoneOf(watched?.campaign), atMs) : undefined
      const requests = Math.max(1, countSent(fromMs, untilMs + panelsReadMs))
      last.current = { fromMs: Date.now(), untilMs: 0, requests }
      const { status, data, error, retryAfterMs } = await settle(
        client.campaigns.overview(campaignId, {
          ...{ bucket: bucketOf[span], include: 'leads' },
          ...(from !== undefined && { from }),
        }),
      )
      last.current = { ...last.current, untilMs: Date.now() }
      // Another campaign or span is shown by now, and has its own round.
      if (!isCurrent()) return null
      const hasRecovered = hasFailed.current && data !== null
      hasFailed.current = data === null
      setProblem(error)
      setIsMissing(status === 403 || status === 404)
      if (data === null) return status === 0 ? retryLostMs : Math.max(usualEveryMs, retryAfterMs ?? 0)
      isLive.current = data.queue.leased > 0
      setWatched((before) => {
        const { campaign, queue, lastLeadAt, asOf: _, ...rest } = data
        const now = {
          ...rest,
          campaign: { ...campaign, queue },
          statsSpan: span,
          atMs,
          recoveries: (before?.recoveries ?? 0) + (hasRecovered ? 1 : 0),
        }
        return {
          ...now,
          lastCall: lastCallOf(now, before, before?.lastCall ?? null),
          lastLeadAtMs: lastLeadAt == null ? null : Date.parse(lastLeadAt),
        }
      })
      return null
    },
    about,
    everyMs,
  )

  const setCampaign = (campaign: Campaign) =>
    setWatched((before) => (before === null ? null : { ...before, campaign }))
  const own = watched?.campaign.id === campaignId ? watched : null
  return { watched: own, problem, isMissing, refresh, setCampaign }
}
