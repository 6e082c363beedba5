// A wait for a lead: until a ring, the time of a timer, or the deadline. The Worker holds the request and the object
// sleeps. It leases nothing: the client claims after `ready`.
import { scheduler } from 'node:timers/promises'
import type { WaitedCampaign } from '../../campaigns/waited-campaign.ts'
import { type Registered, register, ring } from './bell-client.ts'
import { type Outlook, readOutlook } from './store/outlook.ts'
import { nextRingCount, ringCount, timerOf } from './waiters.ts'

type Wait = {
  readonly env: Env
  readonly db: D1Database
  readonly campaign: WaitedCampaign
  /** When the request arrived, and until when it may be held. */
  readonly sinceMs: number
  readonly untilMs: number
  /** The client has left. */
  readonly signal: AbortSignal
}

/** What the timer does next: ring for a moment, or look whether the lead of that moment was leased. */
type Step = {
  readonly kind: 'ring' | 'look'
  readonly atMs: number
  readonly momentMs: number
  readonly count: number
}

const lookAgainMs = 1_000

/** A request sends at most 40 statements, of which two claims, the end of a lost bell and the key may take 34. */
export const mostLooks = 6

const rejoinMs = 1_000

/** `nextMs`: the moment that the claim before knew of. Never throws, and leaves the bell. */
export async function waitForLead(
  wait: Wait,
  registered: Registered,
  nextMs: number | null,
): Promise<'ready' | 'over'> {
  let bell = registered
  let step = ringAt(nextMs)
  let looks = 0
  try {
    for (let rejoined = false; ; ) {
      const atMs = Math.min(step?.atMs ?? Number.POSITIVE_INFINITY, wait.untilMs)
      const event = await firstOf(atMs, bell.ended, wait.signal)
      if (event === 'rung') return 'ready'
      if (event === 'left' || (event === 'lost' && rejoined)) return 'over'
      if (event === 'lost') {
        rejoined = true
        const again = await rejoin(wait)
        if (again === null) return 'over'
        bell = again
        // Registered first, then looked: so no lead comes in between.
        const outlook = await lookAt(wait)
        if (outlook.canLease) return 'ready'
        step = ringAt(outlook.nextMs)
      } else if (step === null || atMs === wait.untilMs) return 'over'
      // The client's next claim looks with statements of its own.
      else if (step.kind === 'look' && ++looks > mostLooks) return 'ready'
      else step = await takeStep(wait, step)
    }
  } finally {
    bell.leave()
  }
}

/**
 * All timers of a moment do the same, and the bell rings for the first: so it does not matter which of them have ended.
 */
async function takeStep(wait: Wait, { kind, momentMs, count }: Step): Promise<Step | null> {
  if (kind === 'ring') {
    await ring(wait.env, wait.campaign, count, momentMs)
    return { kind: 'look', atMs: Date.now() + lookAgainMs, momentMs, count }
  }
  const outlook = await lookAt(wait)
  if (!outlook.canLease) return ringAt(outlook.nextMs)
  const next = nextRingCount(count)
  return next === null ? null : { kind: 'ring', atMs: Date.now(), momentMs, count: next }
}

function ringAt(momentMs: number | null): Step | null {
  return momentMs === null
    ? null
    : { kind: 'ring', atMs: timerOf(momentMs, Date.now()), momentMs, count: ringCount }
}

/** The bell was reset, with all its waits: not all join at once. */
async function rejoin({ env, campaign, sinceMs, untilMs }: Wait): Promise<Registered | null> {
  await scheduler.wait(Math.random() * rejoinMs)
  return register(env, campaign, { sinceMs, untilMs })
}

/** Without an answer nothing is known, and the wait continues. */
async function lookAt({ db, campaign }: Wait): Promise<Outlook> {
  try {
    return await readOutlook(db, campaign, Date.now())
  } catch {
    return { canLease: false, nextMs: null }
  }
}

function firstOf(
  atMs: number,
  ended: Promise<'rung' | 'lost'>,
  signal: AbortSignal,
): Promise<'rung' | 'lost' | 'left' | 'time'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('time'), Math.max(0, atMs - Date.now()))
    const end = (event: 'rung' | 'lost' | 'left') => {
      clearTimeout(timer)
      resolve(event)
    }
    void ended.then(end)
    if (signal.aborted) end('left')
    else signal.addEventListener('abort', () => end('left'), { once: true })
  })
}

/** A wait that no ring concerns: until the end of the agent's block, if that is ahead. */
export async function waitForEndOfBlock(
  { untilMs, signal }: Wait,
  endsAtMs: number | null,
): Promise<'ready' | 'over'> {
  const isOverFirst = endsAtMs === null || endsAtMs > untilMs
  await firstOf(isOverFirst ? untilMs : endsAtMs, new Promise(() => {}), signal)
  return isOverFirst ? 'over' : 'ready'
}
