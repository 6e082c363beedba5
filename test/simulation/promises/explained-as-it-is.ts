// 4e. Each reason for which a lead is not called, as it is explained, is true, and none is missing; and it can be
// called when the explanation says, or the answer to its report. Where the lead moves meanwhile nobody knows.
import { blockersOf, isUnsure, nextCallMs } from '../model/blockers.ts'
import { subjectsOf } from '../model/subjects.ts'
import type { Promised } from './promise.ts'

export const explainedAsItIs: Promised = {
  name: 'explained as it is',

  onAnswer(exchange, known) {
    if (exchange.operation !== 'explainLead' || exchange.answer?.status !== 200) return null
    const leadId = exchange.path.split('/').at(-2) as string
    const lead = known.leads.find((one) => one.leadId === leadId)
    const seq = Number.parseInt(leadId.slice(11, 25), 16)
    const subject = subjectsOf(exchange, known, lead?.campaign ?? -1)?.find((one) => one.lead.seq === seq)
    if (subject === undefined || exchange.answeredMs === null) return null
    const [fromMs, toMs] = [exchange.sentMs, exchange.answeredMs]
    if ([fromMs, toMs].some((ms) => isUnsure(known, subject, ms))) return null
    const [blockers, later] = [fromMs, toMs].map((ms) => blockersOf(known, subject, ms))
    if (blockers === undefined || later === undefined || codesOf(blockers) !== codesOf(later)) return null
    const told = exchange.answer.body.data
    if (codesOf(told.blockers) !== codesOf(blockers))
      return (
        `lead ${leadId} waits for ${codesOf(blockers) || 'nothing'}, ` +
        `and is explained by ${codesOf(told.blockers) || 'nothing'}`
      )
    const [first, last] = [fromMs, toMs].map((ms) => nextCallMs(known, subject, blockers, ms))
    const toldMs = told.nextCallAt === null ? null : Date.parse(told.nextCallAt)
    const isIt =
      first == null || last == null ? toldMs === first : toldMs !== null && toldMs >= first && toldMs <= last
    return isIt || (first !== null && last === null)
      ? null
      : `lead ${leadId} can be called at ${first && new Date(first).toISOString()}, ` +
          `and is explained to be at ${told.nextCallAt}`
  },
}

type Coded = { readonly code: string }
const codesOf = (blockers: readonly Coded[]) =>
  blockers
    .map(({ code }) => code)
    .sort()
    .join(', ')
