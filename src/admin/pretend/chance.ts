// Draws a simulated call: its outcome, and how long each part of it takes. Pure: the same seed gives the same calls.
import type { ReportedOutcome } from '../../queue/campaigns/outcomes.ts'

/** Shares of a hundred calls, and their shortest and longest durations. */
const chances = {
  answered: { share: 30, fromSeconds: 40, toSeconds: 900 },
  no_answer: { share: 35, fromSeconds: 20, toSeconds: 40 },
  voicemail: { share: 15, fromSeconds: 20, toSeconds: 45 },
  busy: { share: 8, fromSeconds: 3, toSeconds: 8 },
  callback_requested: { share: 5, fromSeconds: 20, toSeconds: 120 },
  not_interested: { share: 4, fromSeconds: 10, toSeconds: 60 },
  do_not_call: { share: 2, fromSeconds: 5, toSeconds: 30 },
  failed: { share: 1, fromSeconds: 1, toSeconds: 5 },
} as const satisfies Partial<Record<ReportedOutcome, Chance>>

type Chance = { readonly share: number; readonly fromSeconds: number; readonly toSeconds: number }

type SimulatedOutcome = keyof typeof chances

/** From 0 to less than 1. */
export type Random = () => number

/** Mulberry32: 32 bits of state are enough here. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function drawCall(random: Random) {
  const outcome = drawOutcome(random)
  const { fromSeconds, toSeconds } = chances[outcome]
  const hourSeconds = 3_600
  return {
    outcome,
    // From the claim until somebody dials.
    untilDialSeconds: 1 + 3 * random(),
    // Most calls are short: the square puts the median at a quarter of the range.
    durationSeconds: Math.round(fromSeconds + (toSeconds - fromSeconds) * random() ** 2),
    // From the end of the call; null: no callback was agreed.
    callBackAfterSeconds:
      outcome === 'callback_requested' ? Math.round(hourSeconds * (1 + 23 * random())) : null,
  }
}

function drawOutcome(random: Random): SimulatedOutcome {
  const entries = Object.entries(chances) as [SimulatedOutcome, Chance][]
  let left = random() * entries.reduce((sum, [, { share }]) => sum + share, 0)
  for (const [outcome, { share }] of entries) {
    left -= share
    if (left < 0) return outcome
  }
  return 'failed'
}
