// Asks the API which of the first steps are done (done-by-api.ts). A step that is done stays done.
import { useEffect, useState } from 'preact/hooks'
import type { Campaign, CampaignOverview } from '../../sdk/src/models.ts'
import { settle } from '../service/answer.ts'
import { retryWait, usePolling } from '../service/clocks.ts'
import { useSession } from '../service/session.ts'
import { hasAgent, hasDialer, hasLead, hasTest } from './done-by-api.ts'

const nothing = { lead: false, source: false, dialer: false, test: false, agent: false, start: false }
type StepsDone = Readonly<typeof nothing>

/** `check` asks at once. So does a return to the window, because leads and agents come from another one. */
export function useStepsDone(campaign: Campaign | null, dialer: CampaignOverview['dialer']) {
  const { client, rights } = useSession()
  const [done, setDone] = useState<StepsDone>(nothing)
  const [failure, setFailure] = useState<string | null>(null)
  const campaignId = campaign?.id ?? null
  const check = usePolling(async () => {
    if (campaignId === null) return null
    const { sources, stats: statsOf, dialer: dialers } = client.campaigns
    const [stats, made, seen] = await Promise.all([
      settle(statsOf(campaignId, { bucket: 'day' })),
      rights.manage && !done.lead && !done.source ? settle(sources.list(campaignId)) : null,
      rights.manage && !done.test && dialer !== null ? settle(dialers.trace(campaignId)) : null,
    ])
    const hasCalled = stats.data !== null && hasAgent(stats.data)
    const found: StepsDone = {
      lead: stats.data !== null && hasLead(stats.data),
      source: (made?.data?.length ?? 0) > 0,
      dialer: dialer !== null,
      test: seen?.data != null && hasTest(seen.data),
      agent: hasCalled,
      start: hasCalled || hasDialer(dialer),
    }
    setDone((before) => ({
      lead: before.lead || found.lead,
      source: before.source || found.source,
      dialer: before.dialer || found.dialer,
      test: before.test || found.test,
      agent: before.agent || found.agent,
      start: before.start || found.start,
    }))
    const error = stats.error ?? made?.error ?? null
    setFailure(error)
    return error === null ? null : retryWait(stats.retryAfterMs ?? made?.retryAfterMs ?? null)
  }, campaignId ?? '')
  useEffect(() => {
    addEventListener('focus', check)
    return () => removeEventListener('focus', check)
  }, [])
  return { done: { ...done, start: done.start || hasDialer(dialer) }, failure, check }
}
