// The place in the console, from the address after its #: campaign, page, and the lead that is open.
import { useEffect, useRef, useState } from 'preact/hooks'
import { isAnyUnsaved } from './ui/unsaved.ts'

export const pages = ['overview', 'leads', 'import', 'settings'] as const
export type PageName = (typeof pages)[number]

export type Place = {
  readonly campaignId: string | null
  readonly page: PageName
  readonly leadId: string | null
}

function readPlace(hash: string): Place {
  const [campaign = '', page = '', lead = ''] = hash.replace(/^#\/?/, '').split('/').map(decode)
  return {
    campaignId: campaign === '' ? null : campaign,
    page: pages.find((name) => name === page) ?? 'overview',
    leadId: lead === '' ? null : lead,
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

export function hashOf(campaignId: string, page: PageName, leadId?: string): string {
  return `#/${[campaignId, page, ...(leadId === undefined ? [] : [leadId])].map(encodeURIComponent).join('/')}`
}

export type Navigation = {
  readonly place: Place
  /** Null: no unsaved changes are in the way. */
  readonly leaving: { readonly leave: () => void; readonly stay: () => void } | null
}

/** Stays on a page with unsaved changes until a person discards them. */
export function usePlace(): Navigation {
  const [hash, setHash] = useState(location.hash)
  const shown = useRef(hash)
  const [wanted, setWanted] = useState<string | null>(null)
  const show = (next: string) => {
    shown.current = next
    setWanted(null)
    setHash(next)
  }
  useEffect(() => {
    const read = () => {
      if (location.hash === shown.current) return
      if (!isAnyUnsaved()) return show(location.hash)
      setWanted(location.hash)
      // The address stays that of the page that is shown.
      history.replaceState(null, '', shown.current || location.pathname)
    }
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  const leave = () => {
    history.pushState(null, '', wanted || location.pathname)
    show(wanted ?? '')
  }
  return {
    place: readPlace(hash),
    leaving: wanted === null ? null : { leave, stay: () => setWanted(null) },
  }
}
