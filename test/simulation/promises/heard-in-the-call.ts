// 2c. Who extends the lease of a call learns that its phone has said no, or its consent was withdrawn; and a no that a
// dialer has heard in its call is on the list in the end.
import { covers, isLifted, type Known, type Rung, withdrawalOf } from '../model/known.ts'
import { saysNo } from '../model/providers.ts'
import type { Promised } from './promise.ts'

export const heardInTheCall: Promised = {
  name: 'heard in the call',

  onAnswer({ operation, answer, company, sentAt }, known) {
    if (operation !== 'extendCalls' || answer?.status !== 200) return null
    for (const { callId, stop, leaseExpiresAt } of answer.body.data.calls) {
      const call = known.calls.find((one) => one.callId === callId)
      if (call === undefined || call.direction === 'inbound' || stop !== null || leaseExpiresAt === null)
        continue
      const said = known.noes.find(
        (no) =>
          covers(no, company as number, call.campaign, call.phone) &&
          (no.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt &&
          !isLifted(known, no),
      )
      if (said !== undefined)
        return `the lease of phone ${call.phone} is extended after its no, and not told to stop`
      const { consent, phone } = call
      if (consent !== null && withdrawalOf(known, company as number, phone, consent.givenAtMs, sentAt))
        return `the lease of phone ${phone} is extended after its consent was withdrawn, and not told to stop`
    }
    return null
  },

  /** A no in a call of a dialer: its provider has told it. */
  atEnd({ suppressions }, company, _, known) {
    for (const rung of known.rung) {
      const call = known.calls.find((one) => one.callId === rung.callId && one.company === company)
      if (call === undefined || (rung.saidNoAt === null && !mustBeHeard(rung, known))) continue
      const isOfPhone = (one: { readonly company: number; readonly phone: number }) =>
        one.company === company && one.phone === call.phone
      const isLifted = known.lifts.some(isOfPhone) || known.erased.some(isOfPhone)
      const numbers = known.cast.phones[call.phone]?.spellings ?? []
      const isListed = suppressions.some(
        ({ phoneNumber, campaign }) => campaign === null && numbers.includes(phoneNumber),
      )
      if (!isListed && !isLifted) return `phone ${call.phone} has said no to a dialer, and is not suppressed`
    }
    return null
  },
}

/** What is ready within half an hour is asked for, if its dialer has heard how to. */
const mustBeHeard = ({ talk, isAnswered }: Rung, { hasFailed, jumpedMs, restored, exchanges }: Known) =>
  isAnswered &&
  saysNo(talk) &&
  /^(?:fine|no_analysis)$/.test(talk.status) &&
  !hasFailed &&
  jumpedMs === 0 &&
  restored.size === 0 &&
  !exchanges.some(
    ({ operation }) => /Dialer$|Move$|moveCompany|Key$/.test(operation) && operation !== 'setDialer',
  )
