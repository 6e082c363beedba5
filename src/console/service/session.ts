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
  /** The campaign of the key. Null: all campaigns of the company. */
  readonly campaignId: string | null
  /** Throws. */
  readonly client: Client
  readonly rights: Rights
  readonly company: KeySelf['company']
  /** Who has signed in. Null: a key is in use. */
  readonly member: KeySelf['member']
}

const keyPlace = 'lead-intake-key'

export const readKey = (): string | null => sessionStorage.getItem(keyPlace)
export const saveKey = (key: string) => sessionStorage.setItem(keyPlace, key)
export const forgetKey = () => sessionStorage.removeItem(keyPlace)

/**
 * The page that a person signs in on wrote it (control/members/session-page.ts): of how many companies he is a member.
 */
export const hasCompanies = () => Number(sessionStorage.getItem('lead-intake-companies')) > 1

const sessionPath = '/console/session'

/** Also to change the company: the page asks which one. */
export const signIn = () => location.assign(sessionPath)

/** Null: not known. */
export const canSignIn = (): Promise<boolean | null> =>
  fetch('/console/sign-in')
    .then((answer) => answer.json())
    .then(
      ({ data }) => data.signIn,
      () => null,
    )

/** Ends the session, and then what it was made by. */
export async function endSession(key: string): Promise<void> {
  await fetch(sessionPath, { method: 'DELETE', headers: { 'x-api-key': key } }).catch(() => {})
  location.assign('/cdn-cgi/access/logout')
}

export const SessionContext = createContext<Session | null>(null)

/** For panels, which are shown only after sign-in. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('no session')
  return session
}
