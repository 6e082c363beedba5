// Which calls a claim is told of that is sent again with its key.
import type { Call, Exchange } from '../observed.ts'
import { type Known, settingsAt } from './known.ts'

/** What says that somebody must not be called: it may be carried out before it is answered. */
const saysNo = /^(?:withdrawConsents|suppressNumbers|erase|reportCalls|post)/

/** It was begun by a claim with the same key, is open, and nobody has said since that it should not be made. */
export function isToldAgain(
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
  const isSaid = known.exchanges.some(
    (one) => saysNo.test(one.operation) && (one.answeredAt ?? Number.POSITIVE_INFINITY) > sentAt,
  )
  return isOpen && isFree && !isPaused && !isSaid
}

/** It is told of the calls that it was given, and is given no others. */
export const isRepeated = (exchange: Exchange, { exchanges }: Known): boolean =>
  exchange.idempotencyKey !== null &&
  exchanges.some((one) => one !== exchange && one.idempotencyKey === exchange.idempotencyKey)
