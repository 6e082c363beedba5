// The index of the search: what it finds of a page's markup.
import MiniSearch from 'minisearch'
import type { Html } from './html.ts'
import { type Place, searchOptions } from './search.ts'

type Named = Pick<Place, 'id' | 'title'> & { readonly method?: string; readonly names?: readonly string[] }

export function placeOf({ id, title, method = '', names = [] }: Named, { markup }: Html): Place {
  const withoutTitle = markup.replace(/^\s*<h[12]\b.*?<\/h[12]>/, '')
  const headings = [...markup.matchAll(/<h[23]\b.*?>(.*?)<\/h/g)].map(([, heading = '']) => plain(heading))
  return {
    id,
    title,
    method,
    names: names.join('\n'),
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

const plain = (markup: string) =>
  markup
    .replace(/<\/?(?:a|code|em|i|span|strong)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
