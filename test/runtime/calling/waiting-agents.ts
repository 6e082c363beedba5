// Agents that wait, in the time of the model: who waits at each campaign, whom a ring wakes, and the timers and
// deadlines of the waits. Who is rung and when a timer ends is the product's own arithmetic; sockets and requests are
// in waits.test.ts.
import type { Outlook } from '../../../src/queue/calling/bell/store/outlook.ts'
import {
  chooseLongest,
  isNewRing,
  nextRingCount,
  ringCount,
  tagOf,
  timerOf,
  type Waiter,
} from '../../../src/queue/calling/bell/waiters.ts'

const waitMs = 25_000
const lookAgainMs = 1_000

type Step = {
  readonly kind: 'ring' | 'look'
  readonly atMs: number
  readonly momentMs: number
  readonly count: number
}

type Wait = {
  readonly campaign: number
  readonly maxCalls: number
  readonly waiter: Waiter
  step: Step | null
  /** A ring for its campaign was dropped. */
  mayMiss: boolean
}

/** What becomes of the rings of an action. */
export type Delivery = 'rung' | 'doubled' | 'dropped'

type Doings = {
  /** Claims twice, as a request that may wait. Null: it is answered at once. */
  readonly claimOrWait: (
    campaign: number,
    maxCalls: number,
    nowMs: number,
  ) => Promise<{ nextMs: number | null } | null>
  /** Claims as the agent does whose wait is over. */
  readonly claimAfter: (campaign: number, maxCalls: number, nowMs: number) => Promise<void>
  readonly look: (campaign: number, nowMs: number) => Promise<Outlook>
  /** Whether a naive scheduler would lease something. */
  readonly canLease: (campaign: number, nowMs: number) => boolean
}

export function createWaitingAgents({ claimOrWait, claimAfter, look, canLease }: Doings) {
  let waits: Wait[] = []
  let laterRings: { readonly campaign: number; readonly atMs: number }[] = []
  const rungMoments = [new Map<number, number>(), new Map<number, number>()]
  const leftSinceMs: (number | null)[] = [null, null]

  async function begin(campaign: number, maxCalls: number, nowMs: number): Promise<void> {
    const begun = await claimOrWait(campaign, maxCalls, nowMs)
    if (begun === null) return
    const waiter = { sinceMs: nowMs, untilMs: nowMs + waitMs }
    waits.push({ campaign, maxCalls, waiter, step: ringAt(begun.nextMs, nowMs), mayMiss: false })
  }

  async function ring(campaign: number, count: number, nowMs: number): Promise<void> {
    const taggedWith = (tag: string) =>
      waits.filter((wait) => wait.campaign === campaign && tagOf(wait.waiter, wait.waiter.sinceMs) === tag)
    const rung = chooseLongest(taggedWith, ({ waiter }) => waiter, count, nowMs).chosen
    const chosen = rung.map(({ socket }) => socket)
    waits = waits.filter((wait) => !chosen.includes(wait))
    for (const { maxCalls } of chosen) await begin(campaign, maxCalls, nowMs)
  }

  /** The rings of a commit. */
  async function deliver(
    rings: readonly { readonly campaign: number; readonly atMs: number | null }[],
    delivery: Delivery,
    nowMs: number,
  ): Promise<void> {
    for (const { campaign, atMs } of rings) {
      if (delivery === 'dropped') drop(campaign)
      else if ((atMs ?? 0) > nowMs) laterRings.push({ campaign, atMs: atMs as number })
      else {
        await ring(campaign, ringCount, nowMs)
        if (delivery === 'doubled') await ring(campaign, ringCount, nowMs)
      }
    }
  }

  function drop(campaign: number): void {
    for (const wait of waits) if (wait.campaign === campaign) wait.mayMiss = true
  }

  async function takeStep(wait: Wait, { kind, momentMs, count }: Step, nowMs: number): Promise<void> {
    const { campaign } = wait
    if (kind === 'ring') {
      wait.step = { kind: 'look', atMs: nowMs + lookAgainMs, momentMs, count }
      const isNew = isNewRing(rungMoments[campaign] as Map<number, number>, momentMs, count)
      if (isNew) await ring(campaign, count, nowMs)
      return
    }
    const outlook = await look(campaign, nowMs)
    const next = nextRingCount(count)
    if (!outlook.canLease) wait.step = ringAt(outlook.nextMs, nowMs)
    else wait.step = next === null ? null : { kind: 'ring', atMs: nowMs, momentMs, count: next }
  }

  /** The next thing that happens by itself, at `toMs` at the latest. */
  function nextEvent(toMs: number): { readonly atMs: number; readonly run: () => Promise<void> } | null {
    const events = [
      ...waits.map((wait) => ({
        atMs: wait.waiter.untilMs,
        run: async () => {
          waits = waits.filter((each) => each !== wait)
          await claimAfter(wait.campaign, wait.maxCalls, wait.waiter.untilMs)
        },
      })),
      ...laterRings.map((later) => ({
        atMs: later.atMs,
        run: async () => {
          laterRings = laterRings.filter((each) => each !== later)
          await ring(later.campaign, ringCount, later.atMs)
        },
      })),
      ...waits.flatMap((wait) => {
        const { step } = wait
        return step === null ? [] : [{ atMs: step.atMs, run: () => takeStep(wait, step, step.atMs) }]
      }),
    ]
    return events.filter(({ atMs }) => atMs <= toMs).sort((a, b) => a.atMs - b.atMs)[0] ?? null
  }

  /** Campaigns with a lead for an agent that waits. A timer may be a second late, and look a second after that. */
  function left(nowMs: number): number[] {
    return [0, 1].filter((campaign) => {
      const here = waits.filter((wait) => wait.campaign === campaign)
      const isLeft = here.some((wait) => !wait.mayMiss) && canLease(campaign, nowMs)
      const sinceMs = isLeft ? (leftSinceMs[campaign] ?? nowMs) : null
      leftSinceMs[campaign] = sinceMs
      if (sinceMs === null) return false
      const isAboutToEnd = here.some(({ step }) => step !== null && step.atMs <= nowMs + lookAgainMs)
      return !isAboutToEnd || nowMs > sinceMs + 2 * lookAgainMs
    })
  }

  return { begin, deliver, drop, nextEvent, left, countWaiting: () => waits.length }
}

function ringAt(momentMs: number | null, nowMs: number): Step | null {
  return momentMs === null
    ? null
    : { kind: 'ring', atMs: timerOf(momentMs, nowMs), momentMs, count: ringCount }
}
