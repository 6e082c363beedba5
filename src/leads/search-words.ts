// The words that a lead is found by, and what a search looks for. Pure. Words are compared without case and diacritics.
// In the index each begins with the mark of its company, so that no search reads what another company has. A whole e-mail
// address begins with `@`, a number with `#` and an external id with `=`, so that none of them is found by a word.
import { createHash } from 'node:crypto'

const wordsPerLead = 24
export const wordsPerSearch = 12
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
 * take milliseconds. By upper case, which makes `ss` of `ß`; that one's own capital has to become it first.
 */
function fold(whole: string): string {
  const text = whole.slice(0, textMaxUnits)
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase()
  const decomposed = withoutMarks(text).normalize('NFKD').slice(0, textMaxUnits)
  return withoutMarks(decomposed)
    .toLowerCase()
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
  folded.includes('@')
    ? partsOf(folded)
        .filter(isEmail)
        .map((email) => `@${inOneWord(cut(email))}`)
    : []
const splitWords = (folded: string) => folded.match(/[\p{L}\p{N}]+/gu) ?? []

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

/** A folded text may be 18 times as long: of all of them together, so many units count again. */
function foldAll(texts: readonly string[]): string[] {
  let left = textsMaxUnits
  return texts.flatMap((text) => {
    if (left <= 0) return []
    const folded = fold(text)
    left -= folded.length
    return folded
  })
}

/**
 * The words of metadata, JSON text: of its text values to depth 2. Where these have more than fit, addresses go first,
 * then short values: names are short, notes are long.
 */
export function wordsOf(metadata: string): string[] {
  const folded = foldAll(textsIn(JSON.parse(metadata)))
  const words = folded.map(splitWords).sort((one, other) => one.length - other.length)
  return [...new Set([...folded.flatMap(emailsIn), ...words.flat().map(cut)])].slice(0, wordsPerLead)
}

/** The mark follows from the id, so a company that moves keeps its words. */
const marked = (companyId: string) => {
  const mark = createHash('sha256').update(companyId).digest('hex').slice(0, 8)
  return (word: string) => `${mark}_${word}`
}

/** Only these characters do not end a word in the index (`tokenchars` in the migration). */
const inOneWord = (text: string) => text.replace(/[^\p{L}\p{N}@]/gu, '_')
const numberWord = (digits: string) => `#${[...digits].reverse().join('')}`
const externalWord = (externalId: string) => `=${inOneWord(fold(externalId))}`

type Indexed = {
  readonly phoneNumber?: string
  readonly externalId?: string | null
  readonly metadata?: string | null
}

/** What the index has of a company's lead, by its columns. */
export function indexOf(companyId: string) {
  const mark = marked(companyId)
  return ({ phoneNumber = '', externalId = null, metadata = null }: Indexed) => ({
    numberWord: mark(numberWord(phoneNumber.slice(1))),
    externalWord: externalId === null ? null : mark(externalWord(externalId)),
    words: metadata === null ? null : wordsOf(metadata).map(mark).join(' ') || null,
  })
}

type Search = {
  /** The end of a number; null: it cannot be one. */
  readonly digits: string | null
  /** As the index has an external id: in one case, without diacritics, with `_` for what is no letter or digit. */
  readonly externalWord: string
  /** Starts of words, as the index has them: a lead has all of them. */
  readonly words: readonly string[]
  /** The same for the index, where a short word stands for more: the lead itself decides. */
  readonly match: string
}

export function readSearch(companyId: string, q: string): Search {
  const mark = marked(companyId)
  const digits = digitsOf(q)
  const externalIdWord = mark(externalWord(q.trim()))
  const words = wordsIn(q)
  const forms = [
    ...(digits === null ? [] : [`${quoted(mark(numberWord(digits)))}*`]),
    quoted(externalIdWord),
    ...(words.length === 0
      ? []
      : [`(${words.map((word) => `${quoted(mark(shortened(word)))}*`).join(' AND ')})`]),
  ]
  return { digits, externalWord: externalIdWord, words: words.map(mark), match: forms.join(' OR ') }
}

/** A word of the index holds no quote. */
const quoted = (word: string) => `"${word}"`

/** Of a start as long as one of these, the index has a list of leads of its own (`prefix` in the migration). */
const listedLengths = [8, 6, 4, 3, 2, 1]

/** Of a longer number than listed, few leads are found; of a longer word, there may be many. */
function shortened(word: string): string {
  const letters = [...word]
  return letters
    .slice(
      0,
      listedLengths.find((length) => length <= letters.length),
    )
    .join('')
}

/** Starts of words, and addresses, in a text that is looked for. */
function wordsIn(q: string): string[] {
  const folded = fold(q)
  const rest = partsOf(folded)
    .filter((part) => !isEmail(part))
    .join(' ')
  return [...new Set([...emailsIn(folded), ...splitWords(rest).map(cut)])].slice(0, wordsPerSearch)
}

/** As people write numbers: with separators, `+`, a leading 0 or 00, or (0). */
function digitsOf(q: string): string | null {
  const compact = q.normalize('NFKC').replace(/\(0\)|[\s\-‐-―./()]/g, '')
  const [, digits = ''] = /^(?:\+|00?)?(\d+)$/.exec(compact) ?? []
  return /^\d{4,15}$/.test(digits) ? digits : null
}
