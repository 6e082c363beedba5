// Where in the console one is, as the address says it after its #: campaign, page, and a lead where one is open.
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

export type Going = {
  readonly place: Place
  /** Null: nobody wants to leave what is not saved. */
  readonly leaving: { readonly leave: () => void; readonly stay: () => void } | null
}

/** Stays where something is not saved until a person says to leave it. */
export function usePlace(): Going {
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
      // The address goes on naming what is shown.
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
