// 3c. A claim is given the first leads of the queue that may be called, as many as it asks for and its campaign has
// room for: appointments first, then by priority, then who has waited longest.
import { phoneOf as phoneIn } from '../cast.ts'
import { blockersOf, inOrder, isOfNewLane, isUnsure, roomOf, type Subject } from '../model/blockers.ts'
import type { Known } from '../model/known.ts'
import type { Move } from '../model/moves.ts'
import type { LeadSeen } from '../model/seen.ts'
import type { Call } from '../observed.ts'
import type { Promised } from './promise.ts'

export const givenInOrder: Promised = {
  name: 'given in order',

  onMove(move, known) {
    const begun = move.all.flatMap(({ call, was }) => (was === null ? [call] : []))
    const isClaim = begun[0]?.seq === move.after.seq && begun[0].direction === 'outbound'
    // What is reported in the same request changes the queue first.
    return isClaim && begun.length === move.all.length ? judgeClaim(begun, move, known) : null
  },
}

function judgeClaim(begun: readonly Call[], move: Move, known: Known): string | null {
  const { company, campaign, moment, leadsBefore, exchange, after } = move
  const nowMs = Math.min(...begun.map(({ claimedAtMs }) => claimedAtMs))
  const leads = leadsBefore.filter(({ number, erasedAtMs }) => number === after.number && erasedAtMs === null)
  const subjects = leads.map(
    (lead): Subject => ({
      ...{ lead, company, campaign, moment, leads: leadsBefore },
      phone: phoneOf(lead, known),
    }),
  )
  if (subjects.some((subject) => isUnsure(known, subject, nowMs))) return null
  const callable = subjects
    .filter((subject) => blockersOf(known, subject, nowMs).every(({ code }) => code === 'at_capacity'))
    .map(({ lead }) => lead)
    .sort(inOrder)
  const given = new Set(begun.map(({ seq }) => seq))
  const stranger = begun.find(({ seq }) => !callable.some((lead) => lead.seq === seq))
  if (stranger !== undefined) return `a lead of phone ${stranger.phone} is given, which may not be called`
  const room = roomOf(known, subjects[0] as Subject, nowMs)
  if (given.size > room) return `a claim is given ${given.size} calls, and there is room for ${room}`
  const last = callable.findLastIndex(({ seq }) => given.has(seq)) + 1
  // Nobody knows how many a dialer asks for, or whether an agent without a name is held back.
  const asked = exchange?.operation === 'claimCalls' && exchange.body.agent ? exchange.body.limit : last
  const expected = withoutTwins(callable.slice(0, Math.max(last, Math.min(asked, room))), known)
  const missed = expected.find((lead) => !given.has(lead.seq) && !isOfNewLane(lead, leads, nowMs, known))
  return missed === undefined
    ? null
    : `a lead of phone ${phoneOf(missed, known)} may be called, and a claim is given ${given.size} others`
}

const phoneOf = ({ phoneNumber }: LeadSeen, { cast }: Known): number => phoneIn(cast, phoneNumber)

/** Of one phone the first: the next claim finds it in a call. */
const withoutTwins = (leads: readonly LeadSeen[], known: Known): readonly LeadSeen[] =>
  leads.filter(
    (lead, place) => leads.findIndex((one) => phoneOf(one, known) === phoneOf(lead, known)) === place,
  )
