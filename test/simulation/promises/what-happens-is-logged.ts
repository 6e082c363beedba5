// 6d. From the first reading of a log on, leads that come and are erased, ends of calls and noes have their events.
import type { Known } from '../model/known.ts'
import { type Log, listsNumbers, logOf, tells } from '../model/log.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

export const whatHappensIsLogged: Promised = {
  name: 'what happens is logged',

  onAnswer(exchange, known) {
    const log = logOf(exchange, known)
    const untold = log && (untoldLeadOf(log, known) ?? untoldEndOf(log, known) ?? untoldRequestOf(log, known))
    return untold ? `the log does not tell ${untold}` : null
  },
}

const isEnd = /^call\.(?:reported|expired|released)$/
/** Whatever was sent again: the first of them may have done it. */
const isSince = ({ action }: Exchange, { exchanges, since }: Log) =>
  exchanges.every((one) => one.action !== action || one.sentAt > since)

function untoldLeadOf(log: Log, known: Known) {
  const told = new Set(log.events.flatMap(({ type, data }) => (type === 'leads.created' ? data.leadIds : [])))
  const missed = known.leads.find(
    ({ leadId, exchange, erasedBy }) =>
      log.exchanges.includes(exchange) && isSince(exchange, log) && erasedBy === null && !told.has(leadId),
  )
  return missed && `that lead ${missed.leadId} was created`
}

function untoldEndOf({ events, exchanges, since, until }: Log, known: Known) {
  const company = exchanges[0]?.company
  const missed = known.calls.find((call) => {
    const endedAt = call.endedAt ?? until
    if (call.company !== company || endedAt <= since || endedAt >= until) return false
    const ends = events.filter(({ type, data }) => isEnd.test(type) && data.callId === call.callId)
    const isErased = known.erased.some((one) => one.company === company && one.phone === call.phone)
    return !isErased && ends.at(-1)?.data.outcome !== call.outcome
  })
  return missed && `how call ${missed.callId} has ended: ${missed.outcome}`
}

function untoldRequestOf(log: Log, known: Known) {
  for (const exchange of log.exchanges) {
    const { operation, path, answer, body } = exchange
    if (answer?.status !== 200 || !isSince(exchange, log)) continue
    const { added, lifted } = answer.body?.data ?? {}
    if ((added > 0 || listsNumbers(exchange, known)) && !tells(log, 'suppression.added', exchange, known))
      return `a no of ${operation}`
    // What gates have said is lifted without a body.
    if (body && lifted > 0 && !tells(log, 'suppression.lifted', exchange, known))
      return 'that a no was lifted'
    const isErased = log.events.some(({ type, data }) => type === 'lead.erased' && path.endsWith(data.leadId))
    if (operation === 'eraseLead' && !isErased) return `that a lead was erased: ${path}`
  }
  return null
}
