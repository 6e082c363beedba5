// The words that a lead is found by, and what a search looks for. Pure. Words are compared without case and diacritics.
// A whole e-mail address begins with `@`, so that the many different addresses are not among the words.

const wordsPerLead = 12
const wordMaxChars = 32

/** Letters whose stroke or ligature is no diacritic in Unicode. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
}

/** Upper case first: it makes `ss` of `ß`. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđðþæœς]/g, (letter) => plainLetters[letter] ?? letter)

const cut = (word: string) => (word.length <= wordMaxChars ? word : [...word].slice(0, wordMaxChars).join(''))

/** Not by one expression: without an `@`, it would try a long text from each of its characters. */
const partsOf = (folded: string) => folded.split(/[\s<>,;:"'()]+/)
const isEmail = (part: string) => part.lastIndexOf('@') > 0
const emailsIn = (folded: string) =>
  partsOf(folded)
    .filter(isEmail)
    .map((email) => `@${cut(email)}`)
const wordsIn = (folded: string) => folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

/** Texts among the values of an object or array. */
function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (depth === 0 || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((member) => textsIn(member, depth - 1))
}

/**
 * The words of metadata, JSON text: of its text values to depth 2. Where these have more than fit, short values go
 * first: names and addresses are short, notes are long.
 */
export function wordsOf(metadata: string): string[] {
  const values = textsIn(JSON.parse(metadata), 2).map((text) => {
    const folded = fold(text)
    return [...emailsIn(folded), ...wordsIn(folded).map(cut)]
  })
  values.sort((one, other) => one.length - other.length)
  return [...new Set(values.flat())].slice(0, wordsPerLead)
}

export type Search = {
  /** The end of a number; null: it cannot be one. */
  readonly digits: string | null
  readonly externalId: string
  /** Starts of words: a lead has all of them. */
  readonly words: readonly string[]
}

export function readSearch(q: string): Search {
  const folded = fold(q)
  const rest = partsOf(folded)
    .filter((part) => !isEmail(part))
    .join(' ')
  const words = [...new Set([...emailsIn(folded), ...wordsIn(rest).map(cut)])].slice(0, wordsPerLead)
  return { digits: digitsOf(q), externalId: q.trim(), words }
}

/** As people write numbers: with separators, `+`, a leading 0 or 00, or (0). */
function digitsOf(q: string): string | null {
  const compact = q.normalize('NFKC').replace(/\(0\)|[\s\-‐-―./()]/g, '')
  const [, digits = ''] = /^(?:\+|00?)?(\d+)$/.exec(compact) ?? []
  return /^\d{4,15}$/.test(digits) ? digits : null
}

/** The range of words that start with a text: from the first, up to but without the second. */
type WordRange = readonly [from: string, until: string]

const last = '\u{10ffff}'
const startingWith = (start: string): WordRange => [start, start + last]

/** What a search reads of the index: the number, the external id, and its most selective word. */
export function rangesOf({ digits, externalId, words }: Search): WordRange[] {
  const reversed = digits === null ? [] : [startingWith(`#${[...digits].reverse().join('')}`)]
  const id = `=${externalId.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}`
  const [word] = words.toSorted((one, other) => weight(other) - weight(one))
  return [...reversed, [id, `${id}\x01`], ...(word === undefined ? [] : [startingWith(word)])]
}

const weight = (word: string) => word.length + (word.startsWith('@') ? wordMaxChars : 0)
