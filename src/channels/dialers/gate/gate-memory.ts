// What the object of a gate remembers: what it was told lately, how often leads got no answer, and how many calls were
// claimed. Places, counts and times only. It follows from these how many answers are needed, and when it rests.
import { limits } from '../../../base/limits.ts'
import type { WaitedCampaign } from '../../../queue/campaigns/waited-campaign.ts'

export type GateMemory = {
  readonly campaign: WaitedCampaign
  /** Where the company was last found. Null: in D1. */
  readonly storeName: string | null
  /** The gate that all else is about. */
  readonly version: number
  /** The last answers, and whether each was a no. */
  readonly recent: readonly (readonly [atMs: number, isNo: boolean])[]
  /** How often each of these leads got no answer in a row, by its place. */
  readonly tries: readonly (readonly [seq: number, tries: number])[]
  /** Requests in a row without an answer that can be read. */
  readonly silent: number
  /** It asks nothing before then. */
  readonly restsUntilMs: number
  /** When leads that it has put off are to be asked about: the next times. */
  readonly next: readonly number[]
  /** How many calls were claimed in an hour, as it was at some moments of the last ten minutes. */
  readonly claimed: readonly (readonly [atMs: number, hour: number, calls: number])[]
}

export const firstMemory = (campaign: WaitedCampaign, storeName: string | null): GateMemory => ({
  ...{ campaign, storeName, version: 0, recent: [], tries: [] },
  ...{ silent: 0, restsUntilMs: 0, next: [], claimed: [] },
})

/** Another gate has answered nothing yet. */
export const memoryOf = (memory: GateMemory, version: number): GateMemory =>
  memory.version === version
    ? memory
    : { ...firstMemory(memory.campaign, memory.storeName), version, claimed: memory.claimed }

const judgedAnswers = 50
const judgedMs = limits.hourMs

/** `isRefusing`: more than half of 50 answers within an hour were a no. Those before `sinceMs` do not count. */
export function noteAnswer(
  memory: GateMemory,
  isNo: boolean,
  atMs: number,
  sinceMs: number,
): { readonly memory: GateMemory; readonly isRefusing: boolean } {
  const counted = memory.recent.filter(([ms]) => ms >= sinceMs && ms > atMs - judgedMs)
  const recent = [...counted, [atMs, isNo] as const].slice(-judgedAnswers)
  const noes = recent.filter(([, wasNo]) => wasNo).length
  return {
    memory: { ...memory, recent },
    isRefusing: recent.length === judgedAnswers && noes > judgedAnswers / 2,
  }
}

/** In the order in which they came: of more, the oldest are forgotten, and begin anew. */
const triesKept = 500
const [firstPauseMs, longestPauseMs] = [2_000, 600_000]

/** Twice as long each time. */
export const pauseMs = (tries: number) => Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1))

/** The lead got no answer. `tries`: so often in a row. */
export function noteSilence(memory: GateMemory, seq: number) {
  const before = memory.tries.find(([one]) => one === seq)?.[1] ?? 0
  const others = memory.tries.filter(([one]) => one !== seq)
  const tries = before + 1
  return { tries, memory: { ...memory, tries: [...others, [seq, tries] as const].slice(-triesKept) } }
}

export const forgetTries = (memory: GateMemory, seqs: ReadonlySet<number>): GateMemory => ({
  ...memory,
  tries: memory.tries.filter(([seq]) => !seqs.has(seq)),
})

/** Of more, the latest are forgotten: each minute somebody wakes it. */
const nextKept = 50

/** A lead is put off until then. */
export const noteNext = (memory: GateMemory, atMs: number, nowMs: number): GateMemory => ({
  ...memory,
  next: [...new Set([...memory.next.filter((ms) => ms > nowMs), atMs])]
    .sort((one, other) => one - other)
    .slice(0, nextKept),
})

/** Null: none is known. */
export const nextOf = ({ next }: GateMemory, nowMs: number): number | null =>
  next.find((ms) => ms > nowMs) ?? null

/** So many requests in a row without an answer, and it rests: it asks about one lead at a time, less and less often. */
export const restsAfter = 10
const longestRestMs = 60_000

export const restMs = (silent: number) =>
  silent < restsAfter ? 0 : Math.min(longestRestMs, 1_000 * 2 ** Math.min(10, silent - restsAfter))

const aheadMs = 600_000
const leastNeed = 20
/** The queue is read as far as that. */
const mostNeed = 1_000
/** A snapshot is taken so often. */
const snapshotMs = 30_000

type Paced = {
  readonly callsPerMinute: number | null
  readonly claimed: readonly (readonly [hour: number, calls: number])[]
}

/** How many yeses the next ten minutes need: what the pace allows, else as many as the last ten minutes took. */
export function needOf(
  memory: GateMemory,
  { callsPerMinute, claimed }: Paced,
  nowMs: number,
): { readonly need: number; readonly memory: GateMemory } {
  const hour = Math.floor(nowMs / limits.hourMs)
  const callsIn = (wanted: number) => claimed.find(([one]) => one === wanted)?.[1] ?? 0
  const kept = memory.claimed.filter(([atMs]) => atMs >= nowMs - aheadMs)
  const [oldest] = kept
  const since = oldest === undefined ? 0 : callsSince(oldest, hour, callsIn)
  const isDue = (kept.at(-1)?.[0] ?? 0) <= nowMs - snapshotMs
  const need = callsPerMinute === null ? Math.max(leastNeed, since) : callsPerMinute * (aheadMs / 60_000)
  return {
    need: Math.min(mostNeed, need),
    memory: isDue ? { ...memory, claimed: [...kept, [nowMs, hour, callsIn(hour)]] } : memory,
  }
}

function callsSince(
  [, hour, calls]: readonly [number, number, number],
  thisHour: number,
  callsIn: (hour: number) => number,
): number {
  return hour === thisHour ? callsIn(hour) - calls : callsIn(hour) - calls + callsIn(thisHour)
}

/** Leads that are due by then are asked about now. */
export const askedAheadMs = aheadMs
