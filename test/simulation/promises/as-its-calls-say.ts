// 4d. A lead goes on as its calls say, and as people say it: its status, attempts, place in the queue and when it is
// called next are what a naive scheduler makes of them, after each transaction. With a gate its place is the gate's.

import { placeOf } from '../model/gates.ts'
import type { Known } from '../model/known.ts'
import { afterCalls, isFinal, type Life, lifeOf, type Span, sceneOf } from '../model/lead-life.ts'
import { bornAs, isLiftedInARing, mayBecome } from '../model/lead-moves.ts'
import type { Move } from '../model/moves.ts'
import type { Promised } from './promise.ts'

export const asItsCallsSay: Promised = {
  name: 'as its calls say',

  onMove(move, known) {
    const { before, after, calls } = move
    if (after.erasedAtMs !== null || isLiftedInARing(move, known)) return null
    const scene = sceneOf(move, known)
    if (before === null) return judge(bornAs(move, scene), move, known)
    const life = afterCalls(lifeOf(before), calls, scene)
    return judge(mayBecome(life, move, known, scene), move, known)
  },
}

function judge(expected: readonly Life[], move: Move, known: Known): string | null {
  const is = lifeOf(move.after)
  const hasGate = (known.gates.changes.get(placeOf(move.company, move.campaign)) ?? 0) > 0
  const isAs = (life: Life) => (hasGate ? isSameBesidesPlace(life, is) : isSame(life, is))
  if (expected.some(isAs)) return null
  const [first] = expected
  const why = move.exchange?.operation ?? 'the service itself'
  return `a lead of phone ${move.phone} is ${words(is)} after ${why}, and should be ${first && words(first)}`
}

const isSame = (life: Life, is: Life): boolean =>
  isSameBesidesPlace(life, is) &&
  isWithin(is.due, life.due) &&
  isWithin(is.held, life.held) &&
  (isFinal(is.status) || life.rank === is.rank)

const isSameBesidesPlace = (life: Life, is: Life): boolean =>
  life.status === is.status &&
  life.attempts === is.attempts &&
  life.forgiven === is.forgiven &&
  life.isLeased === is.isLeased

const isWithin = (one: Span | null, span: Span | null): boolean =>
  one === null || span === null ? one === span : one[0] >= span[0] && one[0] <= span[1]

const timeOf = (span: Span | null) => span?.map((ms) => new Date(ms).toISOString()).join(' to ') ?? 'never'
const words = ({ status, attempts, forgiven, rank, due, held, isLeased }: Life) =>
  `${status} after ${attempts} (${forgiven} forgiven), rank ${rank}, due ${timeOf(due)}, held ${timeOf(held)}` +
  (isLeased ? ', in a call' : '')
