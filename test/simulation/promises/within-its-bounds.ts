// 3g. No lead has more attempts than its campaign allows, and no campaign more live calls, or more that begin in a
// minute. After a restore the settings are those of before.
import { callsOverPace } from '../../support/calling/pace.ts'
import { settingsAt } from '../model/known.ts'
import type { Call } from '../observed.ts'
import type { Promised } from './promise.ts'

export const withinItsBounds: Promised = {
  name: 'within its bounds',

  onCall(call, known) {
    const { company, campaign, phone, claimedAtMs, claimedAt, direction } = call
    if (direction === 'inbound' || known.restored.has(company)) return null
    const others = known.calls.filter((one) => one !== call && one.company === company)
    const ofPhone = others.filter((one) => one.phone === phone)
    const isOpen = (one: Call) =>
      one.outcome === null && (one.leaseExpiresAtMs ?? 0) > claimedAtMs + known.jumpedMs
    const settings = settingsAt(known, company, campaign, claimedAt)
    const { maxAttempts, maxLiveCalls, callsPerMinute } = settings

    // A lead that was requeued begins anew.
    const isRequeued = known.exchanges.some(
      (one) => one.company === company && one.operation.startsWith('requeue'),
    )
    const attempts = ofPhone.filter(
      (one) => one.seq === call.seq && one.outcome !== 'released' && one.countsAsAttempt,
    ).length
    if (!isRequeued && attempts >= maxAttempts)
      return `a lead of phone ${phone} is called more than ${maxAttempts} times`

    const ofCampaign = others.filter((one) => one.campaign === campaign)
    if (maxLiveCalls !== null && ofCampaign.filter(isOpen).length >= maxLiveCalls)
      return `campaign ${campaign} has more than ${maxLiveCalls} live calls`
    const { from } = known.settings[company]?.[campaign]?.findLast((one) => one.from <= claimedAt) ?? {
      from: 0,
    }
    const begun = [...ofCampaign, call]
      .filter((one) => one.claimedAt >= from && one.direction === 'outbound')
      .map((one) => one.claimedAtMs)
    if (callsPerMinute !== null && known.jumpedMs === 0 && callsOverPace(callsPerMinute, begun) > 0)
      return `campaign ${campaign} begins more than ${callsPerMinute} calls a minute`
    return null
  },
}
