// Why a post is refused, what other posts count as that are not stored, and how names of a post are shown. Pure.
import { limits } from '../../base/limits.ts'

/** In the words of the API: `code` is that of an answer. No value of the post is in it. */
export type PostProblem = {
  readonly code: string
  readonly message: string
  /** Its post was not refused: the next one that is refused need not wait for its minute. */
  readonly isNote?: true
}

/** Codes of uses of a source's key: posts that are neither stored nor refused. */
export const otherPosts: readonly string[] = ['lead_exists', 'number_suppressed', 'honeypot']

/**
 * A name with an address, a number or a line break may be what a person has written; one with a brace or a tag is no
 * form's.
 */
export const shownName = (name: string): string =>
  /@|(?:\d\D*){7}|^\s*[{[]|[<>\r\n]/.test(name)
    ? '(hidden)'
    : [...name].slice(0, limits.postNameShownMaxChars).join('')

/** In a sentence. */
export function listNames(names: readonly string[]): string {
  const shown = [...new Set(names.map(shownName))]
  const more = shown.length - limits.postNamesListed
  return shown.slice(0, limits.postNamesListed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
