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

/** Null: the service could not say yet. */
export type Learned = { readonly [Name in keyof Rights]: boolean | null }

const nothingLearned: Learned = { read: null, write: null, agent: null, manage: null, company: null }

/**
 * Once for each time that a key is given or the page is loaded: two requests for a key that manages, five for others.
 * What is `known` is not asked again.
 */
export async function learnRights(ask: Ask, campaignId: string, known = nothingLearned): Promise<Learned> {
  const learn = async (name: keyof Rights, method: string, path: string, body?: unknown) => {
    if (known[name] !== null) return known[name]
    const { status } = await ask(method, path, body === undefined ? {} : { body })
    // A service that is away or busy has refused nothing.
    if (status === 0 || status === 429 || status >= 500) return null
    return (status >= 200 && status < 300) || status === 400
  }
  const [manage, company] = await Promise.all([
    learn('manage', 'GET', '/webhooks'),
    learn('company', 'GET', `/suppressions${query({ limit: 1 })}`),
  ])
  if (manage === true) return { read: true, write: true, agent: true, manage, company }
  const [read, write, agent] = await Promise.all([
    learn('read', 'GET', `/leads${query({ campaignId, limit: 1 })}`),
    learn('write', 'POST', '/suppressions', {}),
    learn('agent', 'GET', `/calls${query({ campaignId, limit: 1 })}`),
  ])
  return { read, write, agent, manage, company }
}

/** What is not known is not offered. */
export const rightsOf = ({ read, write, agent, manage, company }: Learned): Rights => ({
  read: read === true,
  write: write === true,
  agent: agent === true,
  manage: manage === true,
  company: company === true,
})

export const SessionContext = createContext<Session | null>(null)

/** Of a panel, which is shown to who has signed in only. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('no session')
  return session
}
