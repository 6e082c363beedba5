// 6b. After an erasure nothing that was sent with the lead is in any table, also after a restore; and in the end in the
// memory of no object. After that of a person no table has the browser or the reference of a consent.
import { forgottenEvidence } from '../model/evidence.ts'
import type { Known, KnownLead } from '../model/known.ts'
import type { Promised } from './promise.ts'

export const forgotten: Promised = {
  name: 'forgotten',

  onLook({ canaries }, company, known) {
    const left = erasedOf(company, known).find(({ externalId }) => canaries.has(externalId))
    if (left !== undefined) return `lead ${left.externalId} was erased, and is still in a table`
    const evidence = forgottenEvidence(company, known).find((text) => canaries.has(text))
    return evidence === undefined ? null : `its person was erased, and evidence ${evidence} is in a table`
  },

  atEnd({ remembered }, company, _, known) {
    const erased = erasedOf(company, known)
    const inMemory = erased.length === 0 ? null : remembered()
    const left = erased.find(({ externalId }) => inMemory?.has(externalId))
    return left === undefined ? null : `lead ${left.externalId} was erased, and an object still knows of it`
  },
}

/** One that came meanwhile may have stayed, also where it is sent for the second time. */
function erasedOf(company: number, { leads }: Known): readonly KnownLead[] {
  const isBefore = ({ exchange, erasedBy }: KnownLead) =>
    exchange.answeredAt !== null && exchange.answeredAt <= (erasedBy?.sentAt ?? 0)
  return leads.filter(
    (lead) =>
      lead.company === company &&
      lead.erasedBy?.answer?.status === 200 &&
      leads.every((one) => one.externalId !== lead.externalId || one.company !== company || isBefore(one)),
  )
}
