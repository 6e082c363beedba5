// Who is looking: the API key, kept for as long as the tab is open and nowhere else, and what it may do. A right is
// learned by asking for it with nothing to do: the API refuses a scope before it reads a body.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Ask, query } from './api.ts'

export type Rights = {
  /** Lists leads. */
  readonly read: boolean
  readonly write: boolean
  /** Sees live calls. */
  readonly agent: boolean
  readonly manage: boolean
  /** Of the whole company, not of one campaign. */
  readonly company: boolean
}

export type Session = { readonly key: string; readonly ask: Ask; readonly rights: Rights }

const place = 'lead-intake-key'

export const readKey = (): string | null => sessionStorage.getItem(place)
export const keepKey = (key: string): void => sessionStorage.setItem(place, key)
export const forgetKey = (): void => sessionStorage.removeItem(place)

/** Once for each time that a key is given or the page is loaded: two requests for a key that manages, five for others. */
export async function learnRights(ask: Ask, campaignId: string): Promise<Rights> {
  const isGranted = async (method: string, path: string, body?: unknown) => {
    const { status } = await ask(method, path, body === undefined ? {} : { body })
    return status !== 403 && status !== 0
  }
  const [manage, company] = await Promise.all([
    isGranted('GET', '/webhooks'),
    isGranted('GET', `/suppressions${query({ limit: 1 })}`),
  ])
  if (manage) return { read: true, write: true, agent: true, manage, company }
  const [read, write, agent] = await Promise.all([
    isGranted('GET', `/leads${query({ campaignId, limit: 1 })}`),
    isGranted('POST', '/suppressions', {}),
    isGranted('GET', `/calls${query({ campaignId, limit: 1 })}`),
  ])
  return { read, write, agent, manage, company }
}

export const SessionContext = createContext<Session | null>(null)

/** Of a panel, which is shown to who has signed in only. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('no session')
  return session
}
