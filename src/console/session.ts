// Who is looking: the API key, kept for as long as the tab is open and nowhere else, and beside it what is known of its
// rights.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Ask } from './api.ts'
import { type Learned, nothingLearned, type Rights } from './rights.ts'

export type Session = { readonly key: string; readonly ask: Ask; readonly rights: Rights }

const [keyPlace, rightsPlace] = ['lead-intake-key', 'lead-intake-rights']

export const readKey = (): string | null => sessionStorage.getItem(keyPlace)

/** What a key may do does not change: once it is known, a reload asks for nothing. */
export function readLearned(key: string): Learned {
  const kept = sessionStorage.getItem(rightsPlace)
  return kept === null || key !== readKey() ? nothingLearned : { ...nothingLearned, ...JSON.parse(kept) }
}

export function keepKey(key: string, learned: Learned): void {
  sessionStorage.setItem(keyPlace, key)
  sessionStorage.setItem(rightsPlace, JSON.stringify(learned))
}

export function forgetKey(): void {
  sessionStorage.removeItem(keyPlace)
  sessionStorage.removeItem(rightsPlace)
}

export const SessionContext = createContext<Session | null>(null)

/** Of a panel, which is shown to who has signed in only. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('no session')
  return session
}
