// The index of the search: what it finds of a page's markup.
import MiniSearch from 'minisearch'
import type { Html } from './html.ts'
import { type Place, searchOptions } from './search.ts'

/** What people type for a place, as a whole, where its own title and names do not say it. In lower case. */
export const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  '/docs#paging': ['pagination', 'cursor', 'next page', 'limit and offset'],
  '/docs#errors': ['401', '403', '404', 'unauthorized', 'forbidden', 'error codes', 'status codes'],
  '/docs#keys': ['authentication', 'authorization', 'permissions', 'api key', 'x-api-key'],
  '/docs#rate-limits': ['429', 'too many requests', 'throttling', 'quota'],
  '/docs#versions': ['deprecation', 'breaking changes'],
  '/docs#e-164-phone-numbers': [
    'phone number format',
    'phone number',
    'invalid phone number',
    'country code',
  ],
  '/docs#testing-and-staging': ['staging', 'sandbox', 'test environment', 'test mode'],
  '/docs#listLeads': ['csv export', 'export leads', 'export csv', 'download leads'],
  '/docs#createLeads': ['duplicate', 'duplicates', 'deduplication', 'import leads'],
  '/docs#changeCampaign': ['pause campaign', 'pause a campaign', 'resume campaign', 'stop calling'],
  '/docs#erasePerson': ['gdpr', 'erase person', 'delete a person', 'right to be forgotten', 'erasure'],
  '/docs/data': ['gdpr compliance', 'privacy', 'data protection', 'subprocessors'],
  '/docs/tested': ['simulation', 'deterministic simulation testing', 'fault injection'],
  '/docs/mcp': ['mcp', 'model context protocol', 'claude'],
}

type Named = Pick<Place, 'id' | 'title'> & { readonly method?: string; readonly names?: readonly string[] }

export function placeOf({ id, title, method = '', names = [] }: Named, { markup }: Html): Place {
  const withoutTitle = markup.replace(/^\s*<h[12]\b.*?<\/h[12]>/, '')
  const headings = [...markup.matchAll(/<h[23]\b.*?>(.*?)<\/h/g)].map(([, heading = '']) => plain(heading))
  return {
    id,
    title,
    method,
    names: [...names, ...(alsoCalled[id] ?? [])].join('\n'),
    headings: headings.join('\n'),
    text: plain(withoutTitle),
  }
}

export function searchIndex(places: readonly Place[]): string {
  const index = new MiniSearch(searchOptions)
  index.addAll(places)
  return JSON.stringify(index)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** What every operation has, and nobody looks for: types, marks, titles of parts, values of examples. */
const ofEveryOperation =
  /<span class="(?:type|mark)">.*?<\/span>|<h4>.*?<\/h4>|<summary>Members of .*?<\/summary>|Example: <code>.*?<\/code>/g

const plain = (markup: string) =>
  markup
    .replace(ofEveryOperation, '')
    .replace(/<\/?(?:a|code|em|i|span|strong)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
