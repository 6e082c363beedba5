// Who is signed in: the API key, which stays in this tab until it is closed and is stored nowhere else, with its rights
// and its company.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { KeySelf } from '../../sdk/src/models.ts'
import type { Client } from './client.ts'
import type { Rights } from './rights.ts'

export type Session = {
  readonly key: string
  readonly keyId: string
  /** Of the key. Null: all campaigns of the company. */
  readonly campaignId: string | null
  /** Throws. */
  readonly client: Client
  readonly rights: Rights
  readonly company: KeySelf['company']
}

const keyPlace = 'lead-intake-key'

export const readKey = (): string | null => sessionStorage.getItem(keyPlace)
export const saveKey = (key: string) => sessionStorage.setItem(keyPlace, key)
export const forgetKey = () => sessionStorage.removeItem(keyPlace)

export const SessionContext = createContext<Session | null>(null)

/** For panels, which are shown only after sign-in. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('no session')
  return session
}
