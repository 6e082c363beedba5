// Who is looking: the API key, kept for as long as the tab is open and nowhere else, and beside it what is known of its
// rights and its company.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Ask } from './api.ts'
import { type Learned, nothingLearned, type Rights } from './rights.ts'

export type Session = {
  readonly key: string
  readonly ask: Ask
  readonly rights: Rights
  /** Null: the service does not say. */
  readonly companyId: string | null
}

const [keyPlace, rightsPlace, companyPlace] = ['lead-intake-key', 'lead-intake-rights', 'lead-intake-company']

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

/** The company of the key, asked for once. Null: the service could not say, or is too old to. */
export async function companyOf(key: string, ask: Ask): Promise<string | null> {
  const kept = key === readKey() ? sessionStorage.getItem(companyPlace) : null
  if (kept !== null) return kept
  const { data } = await ask<{ company?: { id?: string } }>('GET', '/keys/self')
  return data?.company?.id ?? null
}

export function keepCompany(companyId: string | null): void {
  if (companyId === null) sessionStorage.removeItem(companyPlace)
  else sessionStorage.setItem(companyPlace, companyId)
}

export function forgetKey(): void {
  sessionStorage.removeItem(keyPlace)
  sessionStorage.removeItem(rightsPlace)
  keepCompany(null)
}

export const SessionContext = createContext<Session | null>(null)

/** Of a panel, which is shown to who has signed in only. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('no session')
  return session
}
