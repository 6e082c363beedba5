// 3f. While an agent waits, no lead is left that may be called: it is given within seconds, to one of those who wait.
import { blockersOf, isUnsure, type Subject } from '../model/blockers.ts'
import type { Known } from '../model/known.ts'
import { subjectsIn } from '../model/subjects.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

/** A timer may be a second late, and a look another. Each step of a ring and of the claim takes its time. */
const withinMs = ({ slowestMs }: Known) => 4_000 + 8 * slowestMs

export const nobodyWaitsInVain: Promised = {
  name: 'nobody waits in vain',

  onMove(move, known) {
    const { exchange, before, calls, company, campaign, phone, moment, leadsBefore, sinceMs } = move
    const begun = calls.find(({ was }) => was === null)?.call
    if (begun === undefined || before === null || exchange === null || !isWaiting(exchange, known))
      return null
    const thenMs = begun.claimedAtMs - withinMs(known)
    if (thenMs < Math.max(exchange.sentMs, sinceMs, settingsSinceMs(known, company, campaign))) return null
    const subject = { lead: before, company, campaign, phone, moment, leads: leadsBefore }
    return isLeft(subject, known, [thenMs, begun.claimedAtMs])
      ? `a lead of phone ${phone} is given to an agent who has waited for it for ${withinMs(known) / 1000} s`
      : null
  },

  onAnswer(exchange, known) {
    const { answer, answeredMs, answeredAt, body, company, sentMs } = exchange
    if (answer?.status !== 200 || !isWaiting(exchange, known) || answer.body.data.calls.length > 0)
      return null
    const [place, untilMs] = [company as number, (answeredMs as number) - withinMs(known)]
    const campaign =
      known.cast.companies[place]?.campaigns.findIndex(({ id }) => id === body.campaignId) ?? -1
    const sinceMs = Math.max(sentMs, known.movedMs[place] ?? 0, settingsSinceMs(known, place, campaign))
    if (sinceMs > untilMs) return null
    const subjects = subjectsIn(known, place, campaign, answeredAt as number)
    for (let ms = sinceMs; ms <= untilMs; ms += 1_000) {
      const left = subjects.find((subject) => isLeft(subject, known, [ms, ms + withinMs(known)]))
      if (left !== undefined)
        return `a lead of phone ${left.phone} may be called while an agent waits in vain`
    }
    return null
  },
}

/** An agent without a name may be held back, and one whom nobody has woken waits until the end. */
const isWaiting = ({ operation, body }: Exchange, { hasFailed }: Known): boolean =>
  operation === 'claimCalls' && body.agent && body.waitSeconds > 0 && !hasFailed

const settingsSinceMs = ({ settings }: Known, company: number, campaign: number): number =>
  settings[company]?.[campaign]?.at(-1)?.fromMs ?? 0

const isLeft = (subject: Subject, known: Known, times: readonly number[]): boolean =>
  times.every((ms) => !isUnsure(known, subject, ms) && blockersOf(known, subject, ms).length === 0)
