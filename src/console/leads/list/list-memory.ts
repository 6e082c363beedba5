// What a list of leads shows, kept in memory until the person signs out: it is the same after a lead was open. What was
// typed is stored nowhere else.
import { useState } from 'preact/hooks'
import { type Session, useSession } from '../../service/session.ts'
import { type Filter, type LeadPage, noFilter } from './read-leads.ts'

/** Where a page begins: after how many leads, and the cursor; null: the first. */
type PageStart = { readonly after: number; readonly cursor: string | null }

export type ListState = {
  readonly typed: string
  readonly filter: Filter
  /** How the pages begin, up to the one that is shown. */
  readonly starts: readonly PageStart[]
  readonly page: (LeadPage & { readonly atMs: number }) | null
  /** The lead that was opened last. */
  readonly openedId: string | null
}

export const firstPage: readonly PageStart[] = [{ after: 0, cursor: null }]
const newList: ListState = { typed: '', filter: noFilter, starts: firstPage, page: null, openedId: null }

type Lists = {
  /** By campaign; null: the search in all campaigns. */
  readonly states: Map<string | null, ListState>
  /** The one that was shown last. */
  latest: string | null | undefined
}

const listsOfSessions = new WeakMap<Session, Lists>()

function listsOf(session: Session): Lists {
  const lists = listsOfSessions.get(session) ?? { states: new Map(), latest: undefined }
  listsOfSessions.set(session, lists)
  return lists
}

export function useList(campaignId: string | null) {
  const lists = listsOf(useSession())
  const [state, setState] = useState(() => lists.states.get(campaignId) ?? newList)
  lists.latest = campaignId
  const change = (part: Partial<ListState>) => {
    const after = { ...(lists.states.get(campaignId) ?? newList), ...part }
    lists.states.set(campaignId, after)
    setState(after)
  }
  return { state, change }
}

/** Whether a lead was opened from the search in all campaigns, to which its page returns. */
export function isOpenedFromSearch(session: Session, leadId: string): boolean {
  const { states, latest } = listsOf(session)
  return latest === null && states.get(null)?.openedId === leadId
}

/** After an erasure: nothing of the person stays, so what was typed and found is dropped. */
export function forgetLeads(session: Session): void {
  const { states } = listsOf(session)
  for (const [place, { filter }] of states) states.set(place, { ...newList, filter: { ...filter, q: '' } })
}
