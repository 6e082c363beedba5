// 1a. What was answered 2xx is there, unless it was erased. A restore may take leads back, and no no.
import { numberHashes } from '../../../src/base/ledger/suppression/number-hash.ts'
import { isLifted, type Known } from '../model/known.ts'
import { pepper } from '../platform/service.ts'
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

  onLook({ leads, suppressions, hashes, withdrawals }, company, known) {
    for (const lead of known.leads) {
      if (lead.company !== company || lead.erasedBy !== null || known.restored.has(company)) continue
      const campaign = known.cast.companies[company]?.campaigns[lead.campaign]?.id
      const row = leads.find((one) => one.campaign === campaign && one.phoneNumber === lead.phoneNumber)
      if (row === undefined) return `lead ${lead.externalId} was acknowledged, and is not there`
      if (row.externalId !== lead.externalId)
        return `lead ${lead.externalId} was acknowledged, and is ${row.externalId}`
    }
    for (const no of known.noes) {
      if (no.company !== company || isLifted(known, no)) continue
      const campaign = no.campaign === null ? null : known.cast.companies[company]?.campaigns[no.campaign]?.id
      const numbers = known.cast.phones[no.phone]?.spellings ?? []
      const row = suppressions.find((one) => numbers.includes(one.phoneNumber) && one.campaign === campaign)
      // An erasure keeps it by the hash of the number alone; so is one kept of a call that a restore has taken.
      const { of: hashOf } = numberHashes(pepper, known.cast.companies[company]?.id ?? '')
      const isHashed = hashes.some(
        (one) =>
          (one.campaign === null || one.campaign === campaign) && numbers.map(hashOf).includes(one.hash),
      )
      if (row === undefined && !isHashed)
        return `a no of phone ${no.phone} by ${no.exchange.operation} was answered, and is not there`
    }
    for (const { phone, exchange, ...said } of known.withdrawals) {
      if (said.company !== company || isErased(known, company, phone)) continue
      const numbers = known.cast.phones[phone]?.spellings ?? []
      const isKept = withdrawals.some(
        ({ phoneNumber, atMs }) => numbers.includes(phoneNumber) && atMs >= exchange.sentMs - known.jumpedMs,
      )
      if (!isKept) return `the consents of phone ${phone} were withdrawn, and that is not there`
    }
    return null
  },
}

/** Also by a request that is on its way. */
const isErased = ({ erased }: Known, company: number, phone: number): boolean =>
  erased.some((one) => one.company === company && one.phone === phone)
