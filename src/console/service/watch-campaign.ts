// Reads a campaign in rounds: settings, statistics, last lead and live calls. What cannot be read keeps its last value.
import { useRef, useState } from 'preact/hooks'
import type { Campaign, Lead, LeadList, OpenCall, Statistics } from '../../sdk/src/models.ts'
import { bucketOf, type Span } from '../overview/funnel.ts'
import { type LastCall, lastCallOf } from '../overview/last-call.ts'
import { type Answer, query } from './api.ts'
import { usePolling } from './clocks.ts'
import { serviceNow } from './service-clock.ts'
import { useSession } from './session.ts'

export type ReadAtMs = { readonly [name in 'statistics' | 'last lead' | 'live calls']: number }

export type Watched = {
  readonly campaign: Campaign
  /** Null: not known yet. */
  readonly stats: Statistics | null
  readonly statsSpan: Span
  readonly lastLead: Lead | null
  /** Null: the key may not read calls. */
  readonly calls: readonly OpenCall[] | null
  readonly lastCall: LastCall | null
  /** When each part was last read. */
  readonly readAtMs: ReadAtMs
  /** When this round was sent. */
  readonly atMs: number
  /** How often a round succeeded after one that failed. */
  readonly recoveries: number
}

export type CampaignWatch = {
  readonly watched: Watched | null
  /** Why the last round failed. */
  readonly problem: string | null
  readonly refresh: () => void
  readonly setCampaign: (campaign: Campaign) => void
}

const callsShown = 100

export function useCampaign(campaignId: string, span: Span): CampaignWatch {
  const { ask, rights } = useSession()
  const [watched, setWatched] = useState<Watched | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const hasFailed = useRef(false)
  const about = `${campaignId} ${span}`
  const newest = useRef(about)
  newest.current = about

  const refresh = usePolling(async () => {
    const path = `/campaigns/${encodeURIComponent(campaignId)}`
    const nowMs = serviceNow()
    const [campaign, stats, newestLead, calls] = await Promise.all([
      ask<Campaign>('GET', path),
      ask<Statistics>('GET', `${path}/stats${query({ bucket: bucketOf[span] })}`),
      rights.read ? ask<LeadList>('GET', `/leads${query({ campaignId, order: 'newest', limit: 1 })}`) : null,
      rights.agent
        ? ask<{ calls: readonly OpenCall[] }>('GET', `/calls${query({ campaignId, limit: callsShown })}`)
        : null,
    ])
    // Another campaign or span is shown by now, and has its own round.
    if (newest.current !== about) return null
    if (campaign.data === null) {
      hasFailed.current = true
      setProblem(campaign.error)
      return campaign.retryAfterSeconds
    }
    const hasRecovered = hasFailed.current
    hasFailed.current = false
    setProblem(null)
    const { data } = campaign
    setWatched((before) => {
      const ageOf = (answer: Answer<unknown> | null, name: keyof ReadAtMs) =>
        answer === null || answer.data !== null ? nowMs : (before?.readAtMs[name] ?? nowMs)
      const now = {
        campaign: data,
        stats: kept(stats, before?.statsSpan === span ? (before.stats ?? null) : null),
        statsSpan: span,
        lastLead:
          newestLead === null
            ? null
            : (newestLead.data?.leads[0] ?? (newestLead.data ? null : (before?.lastLead ?? null))),
        calls: calls === null ? null : (calls.data?.calls ?? before?.calls ?? []),
        readAtMs: {
          // Statistics of another span are not shown.
          statistics: before?.statsSpan === span ? ageOf(stats, 'statistics') : nowMs,
          'last lead': ageOf(newestLead, 'last lead'),
          'live calls': ageOf(calls, 'live calls'),
        },
        atMs: nowMs,
        recoveries: (before?.recoveries ?? 0) + (hasRecovered ? 1 : 0),
      }
      return { ...now, lastCall: lastCallOf(now, before, before?.lastCall ?? null) }
    })
    return null
  }, about)

  const setCampaign = (campaign: Campaign) =>
    setWatched((before) => (before === null ? null : { ...before, campaign }))
  return { watched: watched?.campaign.id === campaignId ? watched : null, problem, refresh, setCampaign }
}

/** The last value, while the service is busy or away; null where it denies the read. */
function kept<Data>({ data, status }: Answer<Data>, before: Data | null): Data | null {
  return data ?? (status === 0 || status === 429 || status >= 500 ? before : null)
}
