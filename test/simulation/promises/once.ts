// 4. A call is given to one claim alone, and started once, each end arrives at its own call, and a lead has as many
// attempts as it was called.
import { phoneOf } from '../cast.ts'
import { type Known, settingsAt } from '../model/known.ts'
import type { Call, Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

export const once: Promised = {
  name: 'once',

  onCall({ exchange }, known) {
    const key = exchange?.idempotencyKey ?? null
    const other = known.calls.find((one) => one.exchange !== exchange && one.exchange?.idempotencyKey === key)
    return key === null || other === undefined
      ? null
      : `a claim that is repeated with its key begins other calls`
  },

  onAnswer(exchange, known) {
    const { operation, answer, body } = exchange
    if (operation === 'createLead' && answer?.status === 409 && exchange.idempotencyKey !== null) {
      const first = known.exchanges.find((one) => one.idempotencyKey === exchange.idempotencyKey)
      const isLeft = known.leads.some((lead) => lead.exchange === first && lead.erasedBy === null)
      if (first?.answer?.status === 201 && isLeft)
        return `a lead that is sent again with its key is refused: ${answer.body.error}`
    }
    if (operation !== 'claimCalls' || answer?.status !== 200) return null
    const { calls } = answer.body.data
    const kept = known.calls.find((call) => isToldAgain(call, exchange, known))
    if (kept !== undefined && !calls.some((one: { callId: string }) => one.callId === kept.callId))
      return `a claim that is repeated with its key is not told its open call ${kept.callId}`
    if (calls.length > body.limit) return `a claim of ${body.limit} is given ${calls.length} calls`
    for (const { callId } of calls) {
      const first = known.leased.find((leased) => leased.callId === callId)
      if (first?.exchange !== exchange && first?.exchange.action !== exchange.action)
        return `call ${callId} is given to two claims`
      if (!known.calls.some((call) => call.callId === callId))
        return `call ${callId} is given, and is in no table`
    }
    return null
  },

  onLook({ leads, counts }, company, known) {
    const cut = known.calls.find(({ leaseLostMs }) => leaseLostMs > known.jumpedMs)
    if (cut !== undefined) return `call ${cut.callId} has lost ${cut.leaseLostMs} ms of its lease`
    for (const { campaign, ...ofStatus } of counts)
      for (const [status, count] of Object.entries(ofStatus)) {
        const there = leads.filter((lead) => lead.campaign === campaign && lead.status === status)
        const isLeft = there.filter(({ erasedAtMs }) => erasedAtMs === null).length
        if (isLeft !== count) return `${isLeft} leads of ${campaign} are ${status}, and ${count} are counted`
      }
    const rung = new Set<string>()
    for (const { callId, phoneNumber } of known.rung) {
      if (rung.has(callId)) return `call ${callId} was started twice`
      rung.add(callId)
      const call = known.calls.find((one) => one.callId === callId)
      if (call?.outcome === 'released')
        return `call ${callId} has rung, and counts as one that nobody dialled`
      const isTest = callId.startsWith('test-')
      if (!isTest && phoneOf(known.cast, phoneNumber) !== call?.phone)
        return `call ${callId} rang another phone`
    }
    for (const { callId, outcome, result, exchange } of known.reports) {
      if (exchange.company !== company || (result !== 'recorded' && result !== 'recorded_late')) continue
      const call = known.calls.find((one) => one.callId === callId)
      if (call !== undefined && call.outcome !== outcome)
        return `call ${callId} was reported as ${outcome}, and is ${call.outcome}`
    }
    const ended = known.calls.find((call) => call.company === company && isMadeUp(call, known))
    if (ended !== undefined) return `call ${ended.callId} is ${ended.outcome}, which nobody has reported`
    for (const { seq, attempts, erasedAtMs } of leads) {
      const made = known.calls.filter(
        (call) => call.company === company && call.seq === seq && call.outcome !== 'released',
      ).length
      if (erasedAtMs === null && made !== attempts)
        return `a lead was called ${made} times, and has ${attempts} attempts`
    }
    return null
  },
}

/** It was begun by a claim with the same key, is open, and nobody has said since that it should not be made. */
function isToldAgain(
  call: Call,
  { idempotencyKey, sentAt, answeredAt, sentMs }: Exchange,
  known: Known,
): boolean {
  if (idempotencyKey === null || call.exchange?.idempotencyKey !== idempotencyKey) return false
  const { company, campaign, phone, leaseExpiresAtMs } = call
  const isOpen = call.outcome === null && call.claimedAt < sentAt && (leaseExpiresAtMs ?? 0) > sentMs + 60_000
  const isFree = [...known.noes, ...known.withdrawals, ...known.erased].every((said) => said.phone !== phone)
  const isPaused = [sentAt, answeredAt ?? sentAt].some(
    (at) => settingsAt(known, company, campaign, at).paused,
  )
  return isOpen && isFree && !isPaused
}

/** An agent has called, and nobody has sent this outcome. */
function isMadeUp({ callId, outcome, exchange }: Call, known: Known): boolean {
  if (exchange === null || outcome === null || outcome === 'unknown' || outcome === 'released') return false
  const isIt = (one: { readonly callId: string; readonly outcome: string }) =>
    one.callId === callId && one.outcome === outcome
  return !known.exchanges.some(({ operation, body }) => operation === 'reportCalls' && body.calls.some(isIt))
}
