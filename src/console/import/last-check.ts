// The last check of a file, while the next one runs: nothing on the page jumps.
import { useRef } from 'preact/hooks'
import type { Check } from './import-messages.ts'

export function useLast(check: Check | null): Check | null {
  const last = useRef(check)
  if (check !== null) last.current = check
  return last.current
}
