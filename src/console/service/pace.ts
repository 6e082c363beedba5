// How soon a campaign is read again: sooner after a change and while calls are live, as far as the key's quota allows.
// Pure.

/** What is left of a key's request quota. */
export type Quota = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]

/** What is known of the key in use, and of what this page has done with it. */
export type Use = {
  readonly quota: Quota | null
  /** Requests of this page in the last hour. */
  readonly sent: number
  /** When something was last changed here; null: never. */
  readonly changedAtMs: number | null
}

/** What a round shows soonest after a change. */
const changeEveryMs = 5 * secondMs
const changeForMs = 2 * minuteMs
const liveEveryMs = 15 * secondMs
export const usualEveryMs = minuteMs

/** The share of what the key has left that the page may use. */
const most = 1 / 3

/** `perRound`: requests of a round, those of the open page included. */
export function roundEveryMs(
  { quota, sent, changedAtMs }: Use,
  hasLiveCalls: boolean,
  perRound: number,
  nowMs: number,
): number {
  const isChanged = changedAtMs !== null && nowMs < changedAtMs + changeForMs
  const wantedMs = isChanged ? changeEveryMs : hasLiveCalls ? liveEveryMs : usualEveryMs
  if (quota === null) return wantedMs
  // What this page has sent is left again within the hour.
  const share = (quota.remaining + sent) * most
  // A round a minute stays affordable for the next hour.
  if (sent + (hourMs / usualEveryMs) * perRound <= share) return wantedMs
  const affordableMs = share < 1 ? hourMs : (hourMs * perRound) / share
  const wholeAgainMs = Math.max(usualEveryMs, quota.resetSeconds * secondMs)
  return Math.min(Math.max(usualEveryMs, affordableMs), wholeAgainMs)
}

/** The requests of a round while a test call is read with it. */
const perRoundOfTest = 3

/** How soon a test call is read again, which is live, beside the rounds. */
export const testEveryMs = (use: Use, nowMs: number): number => roundEveryMs(use, true, perRoundOfTest, nowMs)
