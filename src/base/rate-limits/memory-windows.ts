// Sliding windows in this isolate's memory, bounded in size: for limits of a single isolate, and instead of the Durable
// Object while it does not answer.
import { admit, type Decision, look, type Window, type WindowState } from './sliding-window.ts'

const maxSubjects = 10_000

/** Decides like the Durable Object, on this isolate's state. */
export function createMemoryWindows() {
  const states = new Map<string, WindowState>()
  return {
    admit: (subject: string, windows: readonly Window[]): Decision => {
      const { decision, state } = admit(states.get(subject) ?? {}, windows, Date.now())
      remember(states, subject, state, maxSubjects)
      return decision
    },
    look: (subject: string, windows: readonly Window[]): Decision =>
      look(states.get(subject) ?? {}, windows, Date.now()),
  }
}

/** Sets an entry, and deletes the oldest when the map is full. */
export function remember<Value>(
  map: Map<string, Value>,
  name: string,
  value: Value,
  maxEntries: number,
): void {
  map.delete(name)
  map.set(name, value)
  if (map.size > maxEntries) map.delete(map.keys().next().value as string)
}
