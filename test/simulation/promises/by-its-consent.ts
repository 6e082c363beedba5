// 3f. Where a campaign requires a consent, each call names one: of its phone and purpose, given before, not expired and
// not withdrawn. Elsewhere it names none. After a restore the settings are those of before.
import { type Known, settingsAt, withdrawalOf } from '../model/known.ts'
import type { Call } from '../observed.ts'
import type { Promised } from './promise.ts'

export const byItsConsent: Promised = {
  name: 'by its consent',

  onCall(call, known) {
    const { company, campaign, phone, claimedAt, consentId, direction } = call
    if (direction === 'inbound') return null
    if (known.restored.has(company)) return judgeWithdrawal(call, known)
    const required = settingsAt(known, company, campaign, claimedAt).requireConsent
    if ((required === null) !== (consentId === null))
      return consentId === null
        ? `phone ${phone} is called without a consent`
        : `a consent is named that nobody requires`
    return judgeConsent(call, known)
  },
}

function judgeConsent({ company, campaign, phone, claimedAtMs, claimedAt, consent }: Call, known: Known) {
  const required = settingsAt(known, company, campaign, claimedAt).requireConsent
  if (required === null) return null
  if (consent?.company !== company || consent.phone !== phone || consent.purpose !== required.purpose)
    return `phone ${phone} is called by the consent of another`
  const { givenAtMs, expiresAtMs } = consent
  const oldestMs = claimedAtMs - (required.maxAgeDays ?? 999) * 86_400_000
  if (givenAtMs > claimedAtMs + known.jumpedMs || givenAtMs < oldestMs - known.jumpedMs)
    return `phone ${phone} is called by a consent of ${new Date(givenAtMs).toISOString()}`
  if (expiresAtMs !== null && expiresAtMs <= claimedAtMs - known.jumpedMs)
    return `phone ${phone} is called by a consent that has expired`
  return judgeWithdrawal({ company, phone, claimedAt, consent }, known)
}

type Named = Pick<Call, 'company' | 'phone' | 'claimedAt' | 'consent'>

function judgeWithdrawal({ company, phone, claimedAt, consent }: Named, known: Known) {
  const said = consent && withdrawalOf(known, company, phone, consent.givenAtMs, claimedAt)
  return said == null
    ? null
    : `phone ${phone} is called by a consent that ${said.exchange.operation} has withdrawn`
}
