// Tracks unsaved changes. While there are any, the browser asks before a reload, and the console before another page
// (place.ts).
import { useEffect } from 'preact/hooks'

const unsaved = new Set<symbol>()

export const isAnyUnsaved = () => unsaved.size > 0

addEventListener('beforeunload', (event) => {
  if (isAnyUnsaved()) event.preventDefault()
})

export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const one = Symbol()
    unsaved.add(one)
    return () => void unsaved.delete(one)
  }, [isUnsaved])
}
