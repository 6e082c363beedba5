// The search of /docs. The build fills its index (search-places.ts); the page loads this file and the index at the
// first key press.
import MiniSearch, { type Options } from 'minisearch'

/** An operation, an area or a chapter of the reference, or a page beside it. */
export type Place = {
  /** Its address. */
  readonly id: string
  readonly title: string
  /** `GET`, or `EVENT`, for an operation. Else empty. */
  readonly method: string
  /** The id and path of an operation. */
  readonly names: string
  readonly headings: string
  readonly text: string
}

type Found = Pick<Place, 'id' | 'title' | 'method'> & { readonly line: string }

export const searchOptions: Options<Place> = {
  fields: ['title', 'names', 'headings', 'text'],
  storeFields: ['title', 'method', 'names', 'headings', 'text'],
  tokenize: (text) => wordsOf(text).flatMap(withParts),
  processTerm: (word) => stemOf(word.toLowerCase()),
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}_]+/u).filter(Boolean)

/** `retries` is found by `retry`, and `webhooks` by `webhook`. */
const stemOf = (word: string) => word.replace(/ies$/, 'y').replace(/(?<=[^su]{2})s$/, '')

/** `callbackAt` is found by `callback`, too, and `do_not_call` by `call`. */
function withParts(word: string): string[] {
  const parts = word.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u).filter(Boolean)
  return parts.length > 1 ? [word, ...parts] : parts
}

/**
 * `index`: the JSON that the build wrote. The function finds the places with every word of a query, best first; where
 * there is none, those with all words but one.
 */
export function openSearch(index: string): (query: string) => Found[] {
  const places = MiniSearch.loadJSON(index, searchOptions)
  return (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    const name = words.join(' ')
    const search = (combineWith: 'AND' | 'OR') =>
      places.search(query, {
        tokenize: wordsOf,
        combineWith,
        // The word that is being typed. In short words one letter makes another word.
        prefix: (word, at, all) => at === all.length - 1 && word.length > 1,
        fuzzy: (word) => word.length > 4 && 0.2,
        boost: { title: 10, names: 3, headings: 6 },
        boostDocument: (_id, _term, { title, names, headings } = {}) =>
          isOneOf(`${title}\n${names}`, name) ? 100 : isOneOf(String(headings), name) ? 10 : 1,
      })
    const whole = search('AND')
    const count = wordsOf(query).length
    const found =
      whole.length > 0 || count < 2
        ? whole
        : search('OR').filter(({ queryTerms }) => new Set(queryTerms).size >= count - 1)
    return found.map(({ id, title, method, text, terms }) => ({
      id,
      title,
      method,
      line: lineAround(text, terms),
    }))
  }
}

/** What a query names exactly comes first. */
const isOneOf = (lines: string, name: string) => lines.toLowerCase().split('\n').includes(name)

/** The text around the first of the words that is in it. */
function lineAround(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0)
  if (places.length === 0) return ''
  const from = text.lastIndexOf(' ', Math.max(0, Math.min(...places) - 30)) + 1
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 90)}…`
}
