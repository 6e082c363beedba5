// What runs without a request, for all companies of one store: by the cron for D1, by its alarm for a store of its own.
import { deleteOldSessions } from '../../base/access/store/sessions.ts'
import type { CompanyEnv } from '../../base/database/company-store.ts'
import { runJobs } from '../../base/database/cron-jobs.ts'
import { collectNotices } from '../../base/database/notices.ts'
import { wakeDialers, wakeWorking } from '../../channels/dialers/wake-dialers.ts'
import { wakeLagging, wakeSenders } from '../../channels/webhooks/wake-senders.ts'
import { ringCampaigns } from '../../queue/calling/bell/ring-campaigns.ts'
import { settleByTheMinute } from '../../queue/calling/store/settling/settle-all.ts'
import { indexCallsByTheMinute } from '../../queue/calling/table/store/calls-index.ts'
import { forgetOldConsents, returnHeldLeads } from '../../queue/consents/store/tend-consents.ts'
import { retainByTheMinute } from '../../queue/erasure/retention-cron.ts'
import { fillWordsByTheMinute } from '../../queue/leads/store/mentions/fill-words.ts'
import { indexByTheMinute } from '../../queue/leads/store/search-index.ts'
import { alertByTheMinute } from '../alerts/alert-cron.ts'
import type { Looked } from '../alerts/stalled.ts'
import { recountByTheMinute } from '../statistics/recount-cron.ts'

/**
 * Never throws. `waitUntil` takes what may continue afterwards; `storeBytes` is the size of a store of its own. Returns
 * what is left of a round of retention, for `left` in a minute.
 */
export async function workByTheMinute(
  env: CompanyEnv,
  waitUntil: (work: Promise<void>) => void,
  storeBytes = 0,
  left: readonly number[] = [],
): Promise<readonly number[]> {
  let isLeft = left
  const looked: Looked[] = []
  const [waiting, listeners] = [new Set<string>(), new Set<string>()]
  const db = collectNotices(env.DB, { waiting })
  const ring = () => {
    waitUntil(ringCampaigns(env, [...waiting]))
    waitUntil(wakeDialers(env, [...waiting]))
  }
  await runJobs({
    returning: () => returnHeldLeads(db, Date.now()),
    settling: () => settleByTheMinute(db, Date.now()).finally(ring),
    ending: () => deleteOldSessions(env.DB, Date.now()),
    forgetting: () => forgetOldConsents(env.DB, Date.now()),
    waking: async () => {
      for (const { webhookId, ...due } of await wakeLagging(env))
        looked.push({ ...due, kind: 'webhook_stalled', subject: webhookId })
    },
    dialling: async () => {
      for (const { number, ...due } of await wakeWorking(env))
        looked.push({ ...due, kind: 'dialer_stalled', campaignNumber: number, subject: '' })
    },
    alerting: () =>
      alertByTheMinute(collectNotices(env.DB, { listeners }), Date.now(), storeBytes, looked).finally(() =>
        waitUntil(wakeSenders(env, [...listeners])),
      ),
    retaining: async () => {
      isLeft = await retainByTheMinute(env.DB, Date.now(), env.SUPPRESSION_PEPPER, left)
    },
    recounting: () => recountByTheMinute(env.DB, Date.now()),
    indexing: () => indexByTheMinute(env.DB),
    filling: () => fillWordsByTheMinute(env.DB),
    listing: () => indexCallsByTheMinute(env.DB),
  })
  return isLeft
}
