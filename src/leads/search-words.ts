// The words that a lead is found by, and what a search looks for. Pure. Words are compared without case and diacritics.
// A whole e-mail address begins with `@`, so that the many different addresses are not among the words.

const wordsPerLead = 12
const wordMaxChars = 32

// What is read of a lead's metadata, so that the worst costs as little as any other.
const maxTexts = 64
const textMaxUnits = 200
const textsMaxUnits = 1_000

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

const withoutMarks = (text: string) => text.replace(/\p{M}+/gu, '')

/**
 * Of the first units only, and of as many after decomposing: one character may become 18, and thousands of marks on one
 * take milliseconds. Upper case first: it makes `ss` of `ß`.
 */
function fold(whole: string): string {
  const text = whole.slice(0, textMaxUnits)
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase()
  const decomposed = withoutMarks(text).normalize('NFKD').slice(0, textMaxUnits)
  return withoutMarks(decomposed)
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđðþæœς]/g, (letter) => plainLetters[letter] ?? letter)
    .toWellFormed()
}

const cut = (word: string) => (word.length <= wordMaxChars ? word : [...word].slice(0, wordMaxChars).join(''))

/** Not by one expression: without an `@`, it would try a long text from each of its characters. */
const partsOf = (folded: string) => folded.split(/[\s<>,;:"'()]+/)
const isEmail = (part: string) => part.lastIndexOf('@') > 0
const emailsIn = (folded: string) =>
  partsOf(folded)
    .filter(isEmail)
    .map((email) => `@${cut(email)}`)
const wordsIn = (folded: string) => folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

/** Adds the first texts among the values of an object or array. */
function addTexts(texts: string[], value: unknown, depth: number): void {
  if (typeof value === 'string') texts.push(value)
  else if (depth > 0 && typeof value === 'object' && value !== null)
    for (const name in value) {
      if (texts.length >= maxTexts) return
      addTexts(texts, (value as Record<string, unknown>)[name], depth - 1)
    }
}

/** The texts that may hold addresses, then the short ones, as far as the units go. */
function textsIn(metadata: unknown): string[] {
  const texts: string[] = []
  addTexts(texts, metadata, 2)
  const placeOf = (text: string) =>
    (text.includes('@') ? 0 : textMaxUnits) + Math.min(text.length, textMaxUnits)
  let left = textsMaxUnits
  return texts
    .sort((one, other) => placeOf(one) - placeOf(other))
    .flatMap((text) => {
      const kept = text.slice(0, Math.min(left, textMaxUnits))
      left -= kept.length
      return kept === '' ? [] : [kept]
    })
}

/**
 * The words of metadata, JSON text: of its text values to depth 2. Where these have more than fit, addresses go first,
 * then short values: names are short, notes are long.
 */
export function wordsOf(metadata: string): string[] {
  const folded = textsIn(JSON.parse(metadata)).map(fold)
  const words = folded.map(wordsIn).sort((one, other) => one.length - other.length)
  return [...new Set([...folded.flatMap(emailsIn), ...words.flat().map(cut)])].slice(0, wordsPerLead)
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
