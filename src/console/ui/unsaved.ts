// Tracks what leaving a page would cost: unsaved changes, a key or secret that is shown once, or a running import.
// While changes are unsaved, the browser asks before a reload; before another page of the console, place.ts asks.
import { useEffect, useRef } from 'preact/hooks'

/** `secret`: it is not shown again. `import`: it would be paused. */
export type Loss = 'changes' | 'secret' | 'import'

/** `hash`: where the person goes. */
type Guard = (hash: string) => Loss | null

/** Null: saved. Otherwise why not, in words. */
type Save = () => Promise<string | null>

/** `save` null: what would be lost cannot be saved from outside of its form. */
type Entry = { readonly guard: Guard; readonly save: () => Save | null }

const entries = new Set<Entry>()
const unsaved: Guard = () => 'changes'
const shownOnce: Guard = () => 'secret'

/** Null: nothing is lost. The worst comes first: an import can be resumed. */
export function lossAt(hash: string): Loss | null {
  const losses = [...entries].map(({ guard }) => guard(hash))
  const worst: readonly Loss[] = ['changes', 'secret', 'import']
  return worst.find((loss) => losses.includes(loss)) ?? null
}

/** Before a reload or the end of the session: an import is stored, and can be resumed. */
export function lossAtEnd(): Loss | null {
  const loss = lossAt(location.hash)
  return loss === 'import' ? null : loss
}

/** Saves all forms with unsaved changes. Null: one of them cannot be saved from here. */
export function saverOfAll(): Save | null {
  const saves = [...entries].filter(({ guard }) => guard === unsaved).map(({ save }) => save())
  if (saves.length === 0 || saves.includes(null)) return null
  return async () => {
    for (const save of saves) {
      const problem = (await save?.()) ?? null
      if (problem !== null) return problem
    }
    return null
  }
}

addEventListener('beforeunload', (event) => {
  if (lossAtEnd() !== null) event.preventDefault()
})

/** With `save`, the question before leaving offers it. */
export const useUnsaved = (isUnsaved: boolean, save: Save | null = null) =>
  useGuard(isUnsaved ? unsaved : null, save)

export const useShownOnce = (isShown: boolean) => useGuard(isShown ? shownOnce : null)

/** A guard that changes with each render would be replaced each time, which is cheap. */
export function useGuard(guard: Guard | null, save: Save | null = null): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    if (guard === null) return
    const entry: Entry = { guard, save: () => latest.current }
    entries.add(entry)
    return () => void entries.delete(entry)
  }, [guard])
}
