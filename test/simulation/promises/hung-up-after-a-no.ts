// 2b. A dialer hangs up when the phone of its call says no meanwhile: within ten minutes, which is longer than it takes
// to look at its calls, unless alarms are late. So does an agent of the client, and at once when it is told.
import { covers, isLifted, type Rung } from '../model/known.ts'
import type { Promised } from './promise.ts'

const [withinMs, atOnceMs] = [600_000, 1_000]

export const hungUpAfterANo: Promised = {
  name: 'hung up after a no',

  atEnd(_, company, nowMs, known) {
    const told = known.talks.find(
      ({ company: of, toldMs, endedMs }) =>
        of === company && toldMs !== null && (endedMs ?? nowMs) > toldMs + atOnceMs,
    )
    if (told !== undefined) return `the client goes on with call ${told.callId}, which it was told to stop`
    if (known.areAlarmsTroubled || known.restored.has(company)) return null
    for (const rung of known.rung) {
      const call = known.calls.find((one) => one.callId === rung.callId && one.company === company)
      if (call === undefined || !isFollowed(rung)) continue
      const said = known.noes.find((no) => {
        const saidMs = no.exchange.commits.at(-1)?.atMs ?? nowMs
        return (
          covers(no, company, call.campaign, call.phone) &&
          no.exchange.answeredAt !== null &&
          rung.atMs < saidMs &&
          Math.min(rung.talk.endedAtMs, nowMs) > saidMs + withinMs &&
          !isLifted(known, no)
        )
      })
      if (said !== undefined)
        return `phone ${call.phone} is talked to for minutes after its no by ${said.exchange.operation}`
    }
    return null
  },
}

/** Its dialer can ask for it, and hang up. */
const isFollowed = ({ isAnswered, talk }: Rung) =>
  isAnswered && (talk.status === 'fine' || talk.status === 'never_ends')
