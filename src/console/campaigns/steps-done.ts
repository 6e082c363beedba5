// Asks the API which of the first steps are done (done-by-api.ts). A step that is done stays done.
import { useEffect, useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { settle } from '../service/answer.ts'
import { retryWait, usePolling } from '../service/clocks.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { hasAgent, hasLead, hasWriteKey } from './done-by-api.ts'

type StepsDone = { readonly key: boolean; readonly lead: boolean; readonly agent: boolean }

/** `check` asks at once. So does a return to the window, because leads and agents come from another one. */
export function useStepsDone(campaign: Campaign | null) {
  const { client, rights, keyId } = useSession()
  const [done, setDone] = useState<StepsDone>({ key: false, lead: false, agent: false })
  const [failure, setFailure] = useState<string | null>(null)
  const campaignId = campaign?.id ?? null
  const check = usePolling(async () => {
    const [keys, stats] = await Promise.all([
      rights.manage && !done.key ? settle(client.keys()) : null,
      campaignId === null ? null : settle(client.campaigns.stats(campaignId, { bucket: 'day' })),
    ])
    const found = {
      key: keys?.data != null && hasWriteKey(keys.data.keys, keyId, campaignId, serviceNow()),
      lead: stats?.data != null && hasLead(stats.data),
      agent: stats?.data != null && hasAgent(stats.data),
    }
    setDone((before) => ({
      key: before.key || found.key,
      lead: before.lead || found.lead,
      agent: before.agent || found.agent,
    }))
    const error = keys?.error ?? stats?.error ?? null
    setFailure(error)
    return error === null ? null : retryWait(keys?.retryAfterMs ?? stats?.retryAfterMs ?? null)
  }, campaignId ?? '')
  useEffect(() => {
    addEventListener('focus', check)
    return () => removeEventListener('focus', check)
  }, [])
  return { done, failure, check }
}
