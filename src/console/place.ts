// The place in the console, from the address after its #. Pages of a campaign begin with `#/`, because its id may be
// any text; those of the company do not. Nothing that a person typed, such as a number, is part of an address.
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Loss, lossAt } from './ui/unsaved.ts'

export const campaignPages = [
  'overview',
  'leads',
  'calls',
  'import',
  'sources',
  'connect',
  'calling',
  'settings',
] as const
export type CampaignPage = (typeof campaignPages)[number]

export const companyPages = ['campaigns', 'search', 'company'] as const
export type CompanyPage = (typeof companyPages)[number]

/** `part`: the lead that is open, or the section of settings. */
type Place =
  | {
      readonly kind: 'campaign'
      readonly campaignId: string
      readonly page: CampaignPage
      readonly part: string | null
    }
  | { readonly kind: 'company'; readonly page: CompanyPage; readonly part: string | null }
  /** The campaign where there is one only, the list of campaigns, or the first steps. */
  | { readonly kind: 'home' }

export function readPlace(hash: string): Place {
  const [first = '', ...rest] = hash.replace(/^#/, '').split('/').map(decode)
  if (first !== '') {
    const page = companyPages.find((name) => name === first)
    return page === undefined ? { kind: 'home' } : { kind: 'company', page, part: rest[0] || null }
  }
  const [campaignId = '', page, part] = rest
  if (campaignId === '') return { kind: 'home' }
  return {
    kind: 'campaign',
    campaignId,
    page: campaignPages.find((name) => name === page) ?? 'overview',
    part: part || null,
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

const addressOf = (parts: readonly (string | undefined)[]) =>
  parts
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join('/')

export const hashOf = (campaignId: string, page: CampaignPage, part?: string) =>
  `#/${addressOf([campaignId, page, part])}`

export const companyHashOf = (page: CompanyPage, part?: string) => `#${addressOf([page, part])}`

export type Navigation = {
  readonly place: Place
  /** Null: nothing would be lost. */
  readonly leaving: { readonly loss: Loss; readonly leave: () => void; readonly stay: () => void } | null
}

/** Stays on a page with unsaved changes, or with an import that would be paused, until a person agrees. */
export function usePlace(): Navigation {
  const [hash, setHash] = useState(location.hash)
  const shown = useRef(hash)
  const [wanted, setWanted] = useState<{ readonly hash: string; readonly loss: Loss } | null>(null)
  const show = (next: string) => {
    shown.current = next
    setWanted(null)
    setHash(next)
  }
  useEffect(() => {
    const read = () => {
      if (location.hash === shown.current) return
      const loss = lossAt(location.hash)
      if (loss === null) return show(location.hash)
      setWanted({ hash: location.hash, loss })
      // The address stays that of the page that is shown.
      history.replaceState(null, '', shown.current || location.pathname)
    }
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  if (wanted === null) return { place: readPlace(hash), leaving: null }
  const leave = () => {
    history.pushState(null, '', wanted.hash || location.pathname)
    show(wanted.hash)
  }
  return { place: readPlace(hash), leaving: { loss: wanted.loss, leave, stay: () => setWanted(null) } }
}
