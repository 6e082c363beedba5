// The clock of a service that was started with --clock. All its code reads this one in place of Date.now and of the
// timers of setTimeout (start-clock.ts), and all its objects share it. While it is run it stands still between the
// steps of drive-clock.ts, so nothing that takes long falls behind.
import { formatTimestamp } from '../../base/timestamp.ts'

export type TestClock = {
  readonly state: 'real' | 'running' | 'jumping' | 'paused'
  /** While it is real: by how much it is ahead of the machine's. */
  readonly aheadMs: number
  /** Where it stands while it is not. */
  readonly atMs: number
  readonly untilMs: number | null
  /** It is run until the next event at most. */
  readonly stopsAtEvent: boolean
}

/** A day a minute. */
export const fullSpeed = 1_440

/** By the machine's clock, which no define replaces. */
export const realMs = () => Math.floor(performance.timeOrigin + performance.now())

let clock: TestClock = { state: 'real', aheadMs: 0, atMs: 0, untilMs: null, stopsAtEvent: false }

const nowMs = () => (clock.state === 'real' ? realMs() + clock.aheadMs : clock.atMs)

export const readClock = () => clock
export const isMoving = () => clock.state === 'running' || clock.state === 'jumping'
/** After a run it is another day here than it is for a provider. */
export const isReal = () => clock.state === 'real' && clock.aheadMs === 0

/** It arrives at `untilMs`, and is real again. */
export function setClock(change: Partial<TestClock>): void {
  clock = { ...clock, atMs: nowMs(), ...change }
  if (clock.untilMs !== null && clock.atMs >= clock.untilMs)
    clock = { ...clock, state: 'real', aheadMs: clock.atMs - realMs(), untilMs: null }
}

export const shownClock = () => ({
  now: formatTimestamp(nowMs()),
  speed: { real: 1, running: fullSpeed, jumping: fullSpeed, paused: 0 }[clock.state],
  state: clock.state,
  until: formatTimestamp(clock.untilMs),
})

const lookEveryMs = 20

/** Never later than by the machine's clock: while this one is paused, no request hangs. */
function setTimer(run: () => void, ms = 0): unknown {
  const [atMs, realAtMs] = [nowMs() + ms, realMs() + ms]
  const look = () => {
    if (nowMs() < atMs && realMs() < realAtMs) return
    clearInterval(timer)
    run()
  }
  const timer = setInterval(look, Math.min(ms, lookEveryMs))
  return timer
}

// As the defines name them.
Object.assign(globalThis, { testClockNow: nowMs, testClockTimer: setTimer })
