// 3b. Nobody is called outside the hours of the campaign, while it is paused, before the time for which the lead is scheduled, or
// without the consent that the campaign requires; a call names it.
import { settingsAt } from '../model/known.ts'
import { isOpen } from '../model/zones.ts'
import type { Promised } from './promise.ts'

export const atTheRightTime: Promised = {
  name: 'at the right time',

  onCall(call, known) {
    const {
      company,
      campaign,
      phone,
      claimedAtMs,
      claimedAt,
      isAppointment,
      lane,
      scheduledAtMs,
      consentId,
    } = call
    const settings = settingsAt(known, company, campaign, claimedAt)
    if (settings.paused) return `phone ${phone} is called while campaign ${campaign} is paused`
    if (!isOpen(settings, lane, isAppointment, claimedAtMs))
      return `phone ${phone} is called outside of hours`
    if (scheduledAtMs !== null && scheduledAtMs > claimedAtMs)
      return `phone ${phone} is called before its time`
    if ((settings.requireConsent === null) !== (consentId === null))
      return consentId === null
        ? `phone ${phone} is called without a consent`
        : `a consent is named that nobody requires`
    return null
  },
}
