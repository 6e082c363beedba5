// 4f. A lead that is not final has one place: in the queue, held, or in a call; out of the queue it is only where its
// phone has said no. Nothing that has said no is in the queue, and no lead has more attempts than any maximum.
import { placeOf } from '../model/gates.ts'
import type { Known } from '../model/known.ts'
import { isFinal, sceneOf } from '../model/lead-life.ts'
import { isLiftedInARing } from '../model/lead-moves.ts'
import type { Move } from '../model/moves.ts'
import type { Promised } from './promise.ts'

export const inItsPlace: Promised = {
  name: 'in its place',

  onMove(move, known) {
    const { after, phone } = move
    if (after.erasedAtMs !== null || isLiftedInARing(move, known)) return null
    const { status, attempts, forgiven, dueAtMs, heldAtMs, leaseExpiresAtMs, rank, priority } = after
    const places = [dueAtMs, heldAtMs, leaseExpiresAtMs].filter((ms) => ms !== null).length
    const of = `a lead of phone ${phone} that is ${status}`
    if (isFinal(status) ? places > 0 : places > 1) return `${of} has ${places} places`
    const { isSuppressed } = sceneOf(move, known)
    if (isSuppressed && (dueAtMs ?? heldAtMs) !== null && !isOfGate(move, known))
      return `${of} has said no, and is in the queue`
    if (places === 0 && !isFinal(status) && !mayBeOut(move, known, isSuppressed))
      return `${of} is in no queue, and nobody calls it`
    const inbound = known.calls.filter(
      (call) => call.company === move.company && call.seq === after.seq && call.direction === 'inbound',
    )
    // One that a gate has ended, and who rings and asks to be called back, is attempting without an attempt.
    const isTried =
      attempts > 0 || leaseExpiresAtMs !== null || (status === 'attempting' && inbound.length > 0)
    if (!isFinal(status) && (status === 'raw') === isTried) return `${of} has ${attempts} attempts`
    // Somebody who rings is no attempt too many.
    const rung = inbound.filter(({ countsAsAttempt }) => countsAsAttempt)
    const most =
      Math.max(
        ...(known.settings[move.company]?.[move.campaign] ?? []).map(({ settings }) => settings.maxAttempts),
      ) + rung.length
    if (attempts - forgiven > most) return `${of} has ${attempts - forgiven} attempts of at most ${most}`
    if (rank !== priority && rank !== 101 && places > 0) return `${of} has rank ${rank} in the queue`
    return null
  },
}

/** What a gate suppresses leaves the queue with the next claim. */
const isOfGate = ({ company, phone }: Move, { gates }: Known) =>
  gates.asked.some((one) => one.isNo && one.phone === phone && one.place.startsWith(`${company}/`))

/** Its number may be suppressed by its hash, after an erasure; a gate has its own list. */
const mayBeOut = ({ company, campaign, phone }: Move, { erased, gates }: Known, isSuppressed: boolean) =>
  isSuppressed ||
  erased.some((one) => one.company === company && one.phone === phone) ||
  (gates.changes.get(placeOf(company, campaign)) ?? 0) > 0
