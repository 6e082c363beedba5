// Tracks what leaving a page would cost: unsaved changes, or a running import. While changes are unsaved, the browser asks
// before a reload; before another page of the console, place.ts asks.
import { useEffect } from 'preact/hooks'

/** `import`: it would be paused. */
export type Loss = 'changes' | 'import'

/** `hash`: where the person goes. */
type Guard = (hash: string) => Loss | null

const guards = new Set<Guard>()
const unsaved: Guard = () => 'changes'

/** Null: nothing is lost. Changes come first, because an import can be resumed. */
export function lossAt(hash: string): Loss | null {
  const losses = [...guards].map((guard) => guard(hash))
  return losses.find((loss) => loss === 'changes') ?? losses.find((loss) => loss !== null) ?? null
}

export const isAnyUnsaved = () => lossAt(location.hash) === 'changes'

addEventListener('beforeunload', (event) => {
  if (isAnyUnsaved()) event.preventDefault()
})

export const useUnsaved = (isUnsaved: boolean) => useGuard(isUnsaved ? unsaved : null)

/** A guard that changes with each render would be replaced each time, which is cheap. */
export function useGuard(guard: Guard | null): void {
  useEffect(() => {
    if (guard === null) return
    const own: Guard = (hash) => guard(hash)
    guards.add(own)
    return () => void guards.delete(own)
  }, [guard])
}
