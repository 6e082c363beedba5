// Where in the console one is, as the address says it after its #: campaign, page, and a lead where one is open.
import { useEffect, useState } from 'preact/hooks'

export const pages = ['overview', 'leads', 'import', 'settings'] as const
export type PageName = (typeof pages)[number]

export type Place = {
  readonly campaignId: string | null
  readonly page: PageName
  readonly leadId: string | null
}

export function readPlace(hash: string): Place {
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

export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const read = () => setHash(location.hash)
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return readPlace(hash)
}
