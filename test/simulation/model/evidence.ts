// What says how consents were given, once their person is erased.
import { phoneOf } from '../cast.ts'
import type { Exchange } from '../observed.ts'
import type { Known } from './known.ts'

type Given = { readonly phoneNumber?: string; readonly reference?: string }

/** Of consents that were there for sure when their person was erased, and that nobody has sent again. */
export function forgottenEvidence(company: number, { exchanges, erased, cast }: Known): readonly string[] {
  if (!erased.some(({ exchange }) => exchange.operation === 'erasePerson')) return []
  const sent = exchanges
    .filter((one) => one.company === company)
    .flatMap((exchange) => {
      const { consents = [], consent, phoneNumber } = exchange.body ?? {}
      const all: readonly Given[] = consent === undefined ? consents : [{ phoneNumber, ...consent }]
      return all.map((given) => ({ ...given, exchange }))
    })
  const isBefore = ({ answer, answeredAt }: Exchange, moment: number) =>
    answer !== null && answer.status < 500 && answeredAt !== null && answeredAt <= moment
  return sent.flatMap(({ reference, phoneNumber = '' }) => {
    if (reference === undefined) return []
    const erasure = erased.findLast(
      ({ company: of, phone, exchange: { operation, answer } }) =>
        of === company &&
        phone === phoneOf(cast, phoneNumber) &&
        operation === 'erasePerson' &&
        answer?.status === 200,
    )
    if (erasure === undefined) return []
    const all = sent.filter((one) => one.reference === reference)
    return all.every((one) => isBefore(one.exchange, erasure.exchange.sentAt)) ? [reference] : []
  })
}
