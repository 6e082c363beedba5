// 1a. What was answered 2xx is there, unless it was erased. A restore may take leads back, and no no.
import { isLifted } from '../model/known.ts'
import { isListed, isWithdrawn } from '../model/list.ts'
import type { Promised } from './promise.ts'

export const acknowledgedIsKept: Promised = {
  name: 'acknowledged is kept',

  onAnswer({ operation, answer, path, company, key, sentAt }, known) {
    const q = new URL(path, 'https://sim.example').searchParams.get('q')
    const isSearch = operation === 'searchLeads' && key === null && !known.restored.has(company)
    if (isSearch && answer?.status === 200) {
      const found = new Set(answer.body.data.leads.map(({ _id }: { _id: string }) => _id))
      const missing = known.leads.find(
        (lead) =>
          lead.company === company &&
          lead.phoneNumber === q &&
          (lead.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt &&
          lead.erasedBy === null &&
          !found.has(lead.leadId),
      )
      if (missing !== undefined) return `a search by its number does not find lead ${missing.externalId}`
    }
    return null
  },

  onLook(rows, company, known) {
    for (const lead of known.leads) {
      if (lead.company !== company || lead.erasedBy !== null || known.restored.has(company)) continue
      const campaign = known.cast.companies[company]?.campaigns[lead.campaign]?.id
      const row = rows.leads.find((one) => one.campaign === campaign && one.phoneNumber === lead.phoneNumber)
      if (row === undefined) return `lead ${lead.externalId} was acknowledged, and is not there`
      if (row.externalId !== lead.externalId)
        return `lead ${lead.externalId} was acknowledged, and is ${row.externalId}`
    }
    const lost = known.noes.find(
      (no) => no.company === company && !isLifted(known, no) && !isListed(no, rows, known),
    )
    if (lost !== undefined)
      return `a no of phone ${lost.phone} by ${lost.exchange.operation} was answered, and is not there`
    const given = known.withdrawals.find(
      (one) => one.company === company && !isWithdrawn(one, rows.withdrawals, known),
    )
    return given === undefined
      ? null
      : `the consents of phone ${given.phone} were withdrawn, and that is not there`
  },
}
