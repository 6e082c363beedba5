// 3g. A dialer that is well calls who may be called: in the end none with a free line has left a lead for minutes.
import { blockersOf, isUnsure } from '../model/blockers.ts'
import { subjectsOf } from '../model/subjects.ts'
import type { Promised } from './promise.ts'

/** A wake-up that was lost is made good by the minute. */
const withinMs = 180_000

export const dialersCall: Promised = {
  name: 'dialers call',

  onAnswer(exchange, known) {
    const { operation, who, answer, company, path, sentMs } = exchange
    if (operation !== 'getDialer' || who !== 'inspector' || answer?.status !== 200) return null
    const { enabled, state } = answer.body.data
    // One that rests or has stopped says so.
    if (!enabled || !['idle', 'waiting'].includes(state.status)) return null
    const [, id] = /\/campaigns\/([^/]+)/.exec(path) ?? []
    const campaign = known.cast.companies[company ?? 0]?.campaigns.findIndex((one) => one.id === id) ?? -1
    if ((known.movedMs[company ?? 0] ?? 0) > sentMs - withinMs) return null
    const left = subjectsOf(exchange, known, campaign)?.find((subject) =>
      [sentMs - withinMs, sentMs].every(
        (ms) => !isUnsure(known, subject, ms) && blockersOf(known, subject, ms).length === 0,
      ),
    )
    return left === undefined ? null : `phone ${left.phone} may be called, and its dialer is ${state.status}`
  },
}
