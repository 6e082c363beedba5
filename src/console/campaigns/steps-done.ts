// Asks the API which of the first steps are done (done-by-api.ts). A step that is done stays done.
import { useEffect, useState } from 'preact/hooks'
import type { Campaign, KeyList, Statistics } from '../../sdk/src/models.ts'
import { campaignPath } from '../service/answer.ts'
import { usePolling } from '../service/clocks.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { hasAgent, hasLead, hasWriteKey } from './done-by-api.ts'

type StepsDone = { readonly key: boolean; readonly lead: boolean; readonly agent: boolean }

const [everyMs, retryMs] = [60_000, 5_000]

/** `check` asks at once. So does a return to the window, because leads and agents come from another one. */
export function useStepsDone(campaign: Campaign | null) {
  const { ask, rights, keyId } = useSession()
  const [done, setDone] = useState<StepsDone>({ key: false, lead: false, agent: false })
  const [failure, setFailure] = useState<string | null>(null)
  const campaignId = campaign?.id ?? null
  const check = usePolling(async () => {
    const [keys, stats] = await Promise.all([
      rights.manage && !done.key ? ask<KeyList>('GET', '/keys') : null,
      campaignId === null
        ? null
        : ask<Statistics>('GET', `${campaignPath(campaignId)}/stats`, { query: { bucket: 'day' } }),
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
    return error === null ? everyMs : Math.max(retryMs, keys?.retryAfterMs ?? 0, stats?.retryAfterMs ?? 0)
  }, campaignId ?? '')
  useEffect(() => {
    addEventListener('focus', check)
    return () => removeEventListener('focus', check)
  }, [])
  return { done, failure, check }
}
