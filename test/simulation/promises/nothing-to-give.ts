// 3d. A claim that is given nothing says why, and when to claim again: there is nothing that may be called.
import { blockersOf, heldUntilMs, isReadyAt, isUnsure, type Subject } from '../model/blockers.ts'
import { type Known, settingsAt } from '../model/known.ts'
import { subjectsOf } from '../model/subjects.ts'
import { isRepeated } from '../model/told-again.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

export const nothingToGive: Promised = {
  name: 'nothing to give',

  onAnswer(exchange, known) {
    const { operation, answer, body, company } = exchange
    if (operation !== 'claimCalls' || answer?.status !== 200 || !body.agent || body.waitSeconds) return null
    const { calls, reason, retryAfterSeconds } = answer.body.data
    const campaign = known.cast.companies[company ?? 0]?.campaigns.findIndex(
      ({ id }) => id === body.campaignId,
    )
    if (calls.length > 0 || campaign === undefined || campaign === -1 || isRepeated(exchange, known))
      return null
    const subjects = subjectsOf(exchange, known, campaign)
    const times = [exchange.sentMs, exchange.answeredMs as number]
    if (subjects === null || subjects.some((one) => times.some((ms) => isUnsure(known, one, ms)))) return null
    const left = subjects.find((one) => times.every((ms) => blockersOf(known, one, ms).length === 0))
    if (left !== undefined) return `a lead of phone ${left.phone} may be called, and a claim is given nothing`
    const reasons = times.map((ms) => reasonAt(exchange, known, campaign, subjects, ms))
    if (reasons[0] === reasons[1] && reasons[0] !== reason)
      return `a claim is given nothing since ${reason}, and it is ${reasons[0]}`
    // It counts from when the claim was carried out, which may be long before its answer.
    const early = subjects.find((one) => isReadyWithin(one, known, exchange.sentMs, retryAfterSeconds))
    return early === undefined || reason === 'paused' || reason === 'at_capacity'
      ? null
      : `a claim should come again in ${retryAfterSeconds} s, and phone ${early.phone} may be called before`
  },
}

function reasonAt(
  { company }: Exchange,
  known: Known,
  campaign: number,
  all: readonly Subject[],
  nowMs: number,
) {
  const [first] = all
  const settings = settingsAt(known, company as number, campaign, Number.POSITIVE_INFINITY)
  if (settings.paused) return 'paused'
  const queued = all.filter(({ lead }) => lead.dueAtMs !== null)
  const isReady = queued.some((one) => isReadyAt(one, known, nowMs))
  if (isReady && first !== undefined && heldUntilMs(known, first, settings) > nowMs) return 'at_capacity'
  if (!isReady && queued.some(({ lead }) => (lead.dueAtMs as number) <= nowMs)) return 'outside_hours'
  return queued.length > 0 || all.some(({ lead }) => lead.leaseExpiresAtMs !== null) ? 'waiting' : 'empty'
}

/** What a claim finds blocked it moves to when it is free. */
const isReadyWithin = (subject: Subject, known: Known, nowMs: number, seconds: number): boolean =>
  seconds > 5 &&
  [0, 0.3, 0.6, 0.99].some((share) =>
    isReadyAt(subject, known, nowMs + Math.max(0, seconds - 2) * 1000 * share),
  )
