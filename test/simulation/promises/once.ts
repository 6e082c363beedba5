// 4a. A call is given to one claim alone, while its lease lasts. What is sent again with its key does nothing again. A
// restore forgets keys.
import { isToldAgain } from '../model/told-again.ts'
import type { Promised } from './promise.ts'

export const once: Promised = {
  name: 'once',

  onCall({ exchange, company }, known) {
    const key = exchange?.idempotencyKey ?? null
    const other = known.calls.find((one) => one.exchange !== exchange && one.exchange?.idempotencyKey === key)
    return key === null || other === undefined || known.restored.has(company)
      ? null
      : `a claim that is repeated with its key begins other calls`
  },

  onAnswer(exchange, known) {
    const { operation, answer, body, company } = exchange
    if (known.restored.has(company)) return null
    if (operation === 'createLead' && exchange.idempotencyKey !== null) {
      const first = known.exchanges.find((one) => one.idempotencyKey === exchange.idempotencyKey)
      const isOther = JSON.stringify(first?.body) !== JSON.stringify(body)
      const isLeft = known.leads.some((lead) => lead.exchange === first && lead.erasedBy === null)
      if (isOther && isLeft && first?.answer?.status === 201 && answer?.status === 201)
        return 'a key is taken that another request has used'
      if (!isOther && first?.answer?.status === 201 && answer?.status === 409 && isLeft)
        return `a lead that is sent again with its key is refused: ${answer.body.error}`
    }
    if (operation !== 'claimCalls' || answer?.status !== 200) return null
    const { calls } = answer.body.data
    const kept = known.calls.find((call) => isToldAgain(call, exchange, known))
    if (kept !== undefined && !calls.some((one: { callId: string }) => one.callId === kept.callId))
      return `a claim that is repeated with its key is not told its open call ${kept.callId}`
    if (calls.length > body.limit) return `a claim of ${body.limit} is given ${calls.length} calls`
    for (const { callId, leaseExpiresAt } of calls) {
      if (Date.parse(leaseExpiresAt) <= exchange.sentMs)
        return `call ${callId} is given, and its lease is over`
      const first = known.leased.find((leased) => leased.callId === callId)
      if (first?.exchange !== exchange && first?.exchange.action !== exchange.action)
        return `call ${callId} is given to two claims`
      if (!known.calls.some((call) => call.callId === callId))
        return `call ${callId} is given, and is in no table`
    }
    return null
  },
}
