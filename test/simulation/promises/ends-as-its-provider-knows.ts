// 4g. A call of a dialer ends as its provider knows, with the seconds that it took. One that has not rung was given
// back, has failed, or nobody knows.
import type { Known, Rung } from '../model/known.ts'
import { outcomeOf } from '../model/providers.ts'
import type { Call } from '../observed.ts'
import type { Promised } from './promise.ts'

export const endsAsItsProviderKnows: Promised = {
  name: 'ends as its provider knows',

  atEnd(_, company, nowMs, known) {
    if (known.restored.has(company)) return null
    const rung = new Map(known.rung.map((one) => [one.callId, one]))
    // A dialer calls on, and is told of an end within minutes.
    const isOver = (call: Call) =>
      call.outcome !== null || (rung.get(call.callId)?.talk.endedAtMs ?? nowMs) < nowMs - withinMs
    for (const call of known.calls) {
      if (call.company !== company || !call.isOfDialer || !isOver(call)) continue
      const wrong = judge(call, rung.get(call.callId), known)
      if (wrong !== null) return `the call of a dialer to phone ${call.phone} ${wrong}`
    }
    return null
  },
}

const withinMs = 900_000
const silent = ['released', 'failed', 'invalid_number', 'unknown']

function judge(call: Call, rung: Rung | undefined, known: Known): string | null {
  const { outcome, seconds, phone, company } = call
  if (rung === undefined && outcome === 'unknown' && mustBeKnown(call, known))
    return 'was sent to no provider, and nobody knows its end'
  if (rung === undefined) return silent.includes(outcome ?? '') ? null : `has not rung, and is ${outcome}`
  const { start, status, reason, hungUpAtMs, endedAtMs, startedAtMs } = rung.talk
  if (outcome === null) return `has no end (${start}, ${status}, ${reason})`
  const isErased = known.erased.some((one) => one.company === company && one.phone === phone)
  if (outcome === 'unknown' && (known.haveObjectsDied || isErased || !rung.isAnswered)) return null
  const expected = start === 'fine' ? outcomeOf(rung) : 'unknown'
  if (status !== 'never_ends' && hungUpAtMs !== null) return null
  // Who looks late finds an analysis.
  if (status === 'no_analysis' && known.areAlarmsTroubled) return null
  if (outcome !== expected)
    return `is ${outcome}, and its provider knows ${expected} (${start}, ${status}, ${reason})`
  const took = Math.round((endedAtMs - startedAtMs) / 1000)
  return expected === 'unknown' || seconds === took
    ? null
    : `took ${took} s, and is told to have taken ${seconds}`
}

/** Its dialer has surely heard of its claim. */
const mustBeKnown = ({ callId }: Call, { hasFailed, slowestMs, startsAsked }: Known): boolean =>
  !hasFailed && slowestMs < 2_000 && !startsAsked.has(callId)
