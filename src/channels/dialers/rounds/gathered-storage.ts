// The storage of a dialer's object, which pays for each row that is written: what is written between two awaits is
// gathered, so that each key is written once. Before anything is sent, `write` is called: what an object has sent must
// never be unknown to its next life. What only people see, or what is found again, stays in memory until its key is
// written, and may be lost.

export type GatheredStorage = ReturnType<typeof gatherWrites>

export function gatherWrites(kv: SyncKvStorage) {
  /** Undefined: to be deleted. */
  const due = new Map<string, unknown>()
  const later = new Map<string, unknown>()
  const write = () => {
    const all = [...due]
    due.clear()
    for (const [key, value] of all)
      if (value === undefined) kv.delete(key)
      else kv.put(key, value)
  }
  const writeSoon = (key: string, value: unknown) => {
    if (due.size === 0) queueMicrotask(write)
    due.set(key, value)
    later.delete(key)
  }
  return {
    write,
    get<Value>(key: string): Value | undefined {
      const kept = [later, due].find((some) => some.has(key))
      return kept === undefined ? kv.get<Value>(key) : (kept.get(key) as Value | undefined)
    },
    list<Value>(options: { prefix: string }): readonly (readonly [string, Value])[] {
      write()
      return [...kv.list<Value>(options)]
    },
    put: (key: string, value: unknown): void => writeSoon(key, value),
    putLater: (key: string, value: unknown): void => void later.set(key, value),
    delete(key: string): void {
      later.delete(key)
      due.delete(key)
      if (kv.get(key) !== undefined) writeSoon(key, undefined)
    },
    /** What waits is for nobody. */
    drop(): void {
      due.clear()
      later.clear()
    },
  }
}
