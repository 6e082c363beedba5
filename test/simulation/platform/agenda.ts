// Everything that happens has its time in one agenda, and happens alone: what is next in it, and all promises that this
// settles.
import { AsyncLocalStorage } from 'node:async_hooks'
import { drawsOf } from '../draws.ts'
import type { PlannedFault } from '../faults.ts'
import type { Exchange } from '../observed.ts'
import type { Context, Life } from './context.ts'

type Entry = { readonly atMs: number; readonly order: number; run: (() => void) | null }

export type Agenda = ReturnType<typeof createAgenda>

export function createAgenda(seed: number, startMs: number) {
  /** 0: each answer comes at once. 1: it may take seconds. */
  let interleaving = 0
  const current = new AsyncLocalStorage<Context>()
  const heap: Entry[] = []
  let [nowMs, skewMs, order, happened] = [startMs, 0, 0, 0]

  const isBefore = (one: Entry, other: Entry) =>
    one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)

  function push(entry: Entry): void {
    let at = heap.push(entry) - 1
    for (;;) {
      const parent = (at - 1) >> 1
      if (at === 0 || !isBefore(entry, heap[parent] as Entry)) break
      heap[at] = heap[parent] as Entry
      at = parent
    }
    heap[at] = entry
  }

  function pop(): Entry {
    const first = heap[0] as Entry
    const last = heap.pop() as Entry
    if (heap.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child++
      if (!isBefore(heap[child] as Entry, last)) break
      heap[at] = heap[child] as Entry
      at = child
    }
    heap[at] = last
    return first
  }

  /** Happens then, unless it is cancelled. */
  function after(delayMs: number, run: () => void): () => void {
    const entry: Entry = { atMs: nowMs + Math.max(0, delayMs), order: order++, run }
    push(entry)
    return () => {
      entry.run = null
    }
  }

  const outOfContext: Context = { ...contextOf('nobody', null, []) }
  const context = () => current.getStore() ?? outOfContext

  function contextOf(
    name: string,
    exchange: Exchange | null,
    faults: readonly PlannedFault[],
    life: Life | null = null,
  ): Context {
    const draws = drawsOf(seed, name)
    return {
      name,
      exchange,
      faults,
      life,
      ids: draws.child('ids'),
      delays: draws.child('delays'),
      steps: new Map(),
    }
  }

  /** How long an answer takes: mostly some milliseconds, at times seconds. */
  function delayMs({ delays }: Context): number {
    if (interleaving === 0) return 0
    const fraction = delays.fraction()
    return (
      interleaving * (fraction < 0.9 ? fraction * 20 : fraction < 0.99 ? fraction * 300 : fraction * 4_000)
    )
  }

  /** Arrives after a while where that work goes on: an object takes it when its gate is open, or never. */
  function arrive(of: Context, run: () => void, inMs = delayMs(of)): () => void {
    const { life } = of
    return after(inMs, life === null ? run : () => life.take(run))
  }

  /** Until then. What a run does is done whole: one entry, and the promises that it settles. */
  async function runUntil(untilMs: number, isOver: () => boolean = () => false): Promise<void> {
    while (heap.length > 0 && (heap[0] as Entry).atMs <= untilMs && !isOver()) {
      const { atMs, run } = pop()
      if (run === null) continue
      nowMs = Math.max(nowMs, atMs)
      happened++
      run()
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (!isOver()) nowMs = Math.max(nowMs, untilMs)
  }

  return {
    after,
    arrive,
    context,
    contextOf,
    delayMs,
    runUntil,
    within: <Result>(of: Context, work: () => Result): Result => current.run(of, work),
    /** By the clock of the service. */
    nowMs: () => Math.floor(nowMs + skewMs),
    /** By the world's own, which never jumps. */
    worldMs: () => nowMs,
    /** How many entries have happened: what happened first has the lower one. */
    moment: () => happened,
    interleave(how: number): void {
      interleaving = how
    },
    jump(byMs: number): void {
      skewMs += byMs
    },
  }
}
