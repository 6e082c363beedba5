// What is known of a campaign right now, asked for in one round, and kept as it was while the service is not reached.
import { useRef, useState } from 'preact/hooks'
import { bucketOf, type Span } from '../overview/funnel.ts'
import { type LastCall, lastCallOf } from '../overview/last-call.ts'
import { type Answer, query } from './api.ts'
import { usePolling } from './clocks.ts'
import { serviceNow } from './service-clock.ts'
import { useSession } from './session.ts'
import type { Campaign, Lead, LeadPage, OpenCall, Stats } from './wire.ts'

export type ReadAtMs = { readonly [name in 'statistics' | 'last lead' | 'live calls']: number }

export type Watched = {
  readonly campaign: Campaign
  /** Null: not known yet. */
  readonly stats: Stats | null
  readonly statsSpan: Span
  readonly lastLead: Lead | null
  /** Null: the key does not see calls. */
  readonly calls: readonly OpenCall[] | null
  readonly lastCall: LastCall | null
  /** When each part that is shown was read: what could not be read again stays. */
  readonly readAtMs: ReadAtMs
  /** When this was asked for. */
  readonly atMs: number
  /** How often the service has come back after rounds that failed. */
  readonly returns: number
}

export type CampaignWatch = {
  readonly watched: Watched | null
  /** Of the last round, when it failed. */
  readonly problem: string | null
  readonly look: () => void
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

  const look = usePolling(async () => {
    const path = `/campaigns/${encodeURIComponent(campaignId)}`
    const nowMs = serviceNow()
    const [campaign, stats, newestLead, calls] = await Promise.all([
      ask<Campaign>('GET', path),
      ask<Stats>('GET', `${path}/stats${query({ bucket: bucketOf[span] })}`),
      rights.read ? ask<LeadPage>('GET', `/leads${query({ campaignId, order: 'newest', limit: 1 })}`) : null,
      rights.agent
        ? ask<{ calls: readonly OpenCall[] }>('GET', `/calls${query({ campaignId, limit: callsShown })}`)
        : null,
    ])
    // Something else is looked at by now, and has an answer of its own.
    if (newest.current !== about) return null
    if (campaign.data === null) {
      hasFailed.current = true
      setProblem(campaign.error)
      return campaign.retryAfterSeconds
    }
    const isBack = hasFailed.current
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
          // Of another span nothing is shown.
          statistics: before?.statsSpan === span ? ageOf(stats, 'statistics') : nowMs,
          'last lead': ageOf(newestLead, 'last lead'),
          'live calls': ageOf(calls, 'live calls'),
        },
        atMs: nowMs,
        returns: (before?.returns ?? 0) + (isBack ? 1 : 0),
      }
      return { ...now, lastCall: lastCallOf(now, before, before?.lastCall ?? null) }
    })
    return null
  }, about)

  const setCampaign = (campaign: Campaign) =>
    setWatched((before) => (before === null ? null : { ...before, campaign }))
  return { watched: watched?.campaign.id === campaignId ? watched : null, problem, look, setCampaign }
}

/** What was known stays while the service is busy; what is not there is not. */
function kept<Data>({ data, status }: Answer<Data>, before: Data | null): Data | null {
  return data ?? (status === 0 || status === 429 || status >= 500 ? before : null)
}
