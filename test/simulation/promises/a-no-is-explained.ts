// 2d. Whose person has said no is explained so, at any time.
import { covers, isLifted } from '../model/known.ts'
import type { Promised } from './promise.ts'

export const aNoIsExplained: Promised = {
  name: 'a no is explained',

  onAnswer({ operation, answer, path, sentAt }, known) {
    if (operation !== 'explainLead' || answer?.status !== 200) return null
    const leadId = path.split('/').at(-2)
    const blockers: readonly { readonly code: string }[] = answer.body.data.blockers
    const lead = known.leads.find((one) => one.leadId === leadId && one.erasedBy === null)
    const no = known.noes.find(
      (one) =>
        lead !== undefined &&
        covers(one, lead.company, lead.campaign, lead.phone) &&
        (one.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt &&
        !isLifted(known, one),
    )
    const isTold = blockers.some(({ code }) => code === 'suppressed')
    return no === undefined || isTold ? null : `lead ${lead?.externalId} is explained without its no`
  },
}
