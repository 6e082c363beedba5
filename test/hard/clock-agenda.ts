// Things to do on simulated days, in the order of their moments.

export type Agenda = ReturnType<typeof createAgenda>

export function createAgenda() {
  const heap: { atMs: number; place: number; act: (atMs: number) => Promise<void> }[] = []
  let place = 0
  const isBefore = (a: number, b: number) => {
    const [one, two] = [heap[a], heap[b]]
    if (one === undefined || two === undefined) return false
    return one.atMs < two.atMs || (one.atMs === two.atMs && one.place < two.place)
  }
  const swap = (a: number, b: number) => {
    const [one, two] = [heap[a], heap[b]]
    if (one === undefined || two === undefined) return
    heap[a] = two
    heap[b] = one
  }
  return {
    add(atMs: number, act: (atMs: number) => Promise<void>): void {
      heap.push({ atMs, place: place++, act })
      for (let i = heap.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1
        if (!isBefore(i, parent)) return
        swap(i, parent)
        i = parent
      }
    },
    /** When the next thing is to be done; Infinity: there is none. */
    nextAtMs: () => heap[0]?.atMs ?? Number.POSITIVE_INFINITY,
    /** Does the next thing, and returns when that was. `nowMs`: where the clock is not moved by the agenda alone. */
    async next(nowMs = Number.NEGATIVE_INFINITY): Promise<number> {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined) throw new Error('Nothing left to do')
      if (heap.length > 0) {
        heap[0] = last
        for (let i = 0; ; ) {
          const [left, right] = [2 * i + 1, 2 * i + 2]
          const child = isBefore(right, left) ? right : left
          if (!isBefore(child, i)) break
          swap(i, child)
          i = child
        }
      }
      const atMs = Math.max(first.atMs, nowMs)
      await first.act(atMs)
      return atMs
    },
  }
}
