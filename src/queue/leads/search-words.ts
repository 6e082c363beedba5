// The words that a lead is found by, and what a search looks for. Pure. Words are compared without case and diacritics.
// In the index each begins with the mark of its company, so that no search reads what another company has. A whole
// e-mail address begins with `@`, a number with `#` and an external id with `=`, so that none of them is found by a
// word.
import { createHash } from 'node:crypto'
import { isE164 } from './file/cells/number-reading.ts'

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

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)
const withoutMarks = (text: string) => text.replace(/\p{M}+/gu, '')

/**
 * Of the first units only, and of as many after decomposing: one character may become 18, and thousands of marks on one
 * take milliseconds. By upper case, which makes `ss` of `ß`; that one's own capital has to become it first.
 */
function fold(whole: string): string {
  const text = whole.slice(0, textMaxUnits)
  if (isAscii(text)) return text.toLowerCase()
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
/** ASCII takes half the time. */
const splitWords = (folded: string): readonly string[] =>
  folded.match(isAscii(folded) ? /[a-z\d]+/g : /[\p{L}\p{N}]+/gu) ?? []

/** Adds the first texts among the values of an object or array. */
function addTexts(texts: string[], value: unknown, depth: number): void {
  if (typeof value === 'string') texts.push(value)
  else if (depth > 0 && typeof value === 'object' && value !== null)
    for (const name in value) {
      if (texts.length >= maxTexts) return
      addTexts(texts, (value as Record<string, unknown>)[name], depth - 1)
    }
}

/** A number with as many separators as people write. */
const numberMaxUnits = 40
const mayBeNumber = (text: string) => text.length <= numberMaxUnits && /[+＋]/.test(text)
/** What people write between digits, and characters that nobody sees. */
const separators = /\(0\)|[\s\p{Cf}\-‐-―./()]/gu

function numberIn(folded: string): string | null {
  const compact = folded.replace(separators, '')
  return isE164(compact) ? compact : null
}

/** A text that is a number in E.164, separators aside: that number; else null. */
export const numberOf = (text: string) => (mayBeNumber(text) ? numberIn(fold(text)) : null)

/** Texts that may hold addresses or be numbers, then the short ones. */
const placeOf = (text: string) =>
  (text.includes('@') || mayBeNumber(text) ? 0 : textMaxUnits) + Math.min(text.length, textMaxUnits)

/**
 * The words of metadata, JSON text: of its text values to depth 2. Where these have more than fit, addresses and
 * numbers go first, then short values: names are short, notes are long. Texts are read as far as the units go, once as
 * they are sent and once folded: a folded text may be 18 times as long.
 */
export function wordsOf(metadata: string): string[] {
  const texts: string[] = []
  addTexts(texts, JSON.parse(metadata), 2)
  if (texts.length > 1) texts.sort((one, other) => placeOf(one) - placeOf(other))
  const words = new Set<string>()
  const ofTexts: (readonly string[])[] = []
  let [unitsLeft, foldedLeft] = [textsMaxUnits, textsMaxUnits]
  for (const text of texts) {
    if (unitsLeft <= 0 || foldedLeft <= 0) break
    const kept = text.slice(0, Math.min(unitsLeft, textMaxUnits))
    unitsLeft -= kept.length
    const folded = fold(kept)
    foldedLeft -= folded.length
    for (const email of emailsIn(folded)) words.add(email)
    // Read in part, it would be another's.
    const number = kept === text && mayBeNumber(text) ? numberIn(folded) : null
    if (number !== null) words.add(numberWord(number.slice(1)))
    ofTexts.push(splitWords(folded))
  }
  if (ofTexts.length > 1) ofTexts.sort((one, other) => one.length - other.length)
  for (const ofText of ofTexts)
    for (const word of ofText) {
      if (words.size >= wordsPerLead) return [...words].slice(0, wordsPerLead)
      words.add(cut(word))
    }
  return [...words].slice(0, wordsPerLead)
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

/** The words of leads that have one of these numbers in their metadata, as the index has them. */
export const numberWordsOf = (companyId: string, phoneNumbers: readonly string[]): readonly string[] =>
  phoneNumbers.map((phoneNumber) => marked(companyId)(numberWord(inOneWord(phoneNumber.slice(1)))))

/** For the index: those with any of the words. */
export const matchOf = (words: readonly string[]): string => words.map(quoted).join(' OR ')

/** `words` are all that a lead must have, each behind a space, and before one where it must be whole. */
type Wanted = {
  /** For the index, where a start stands for more: the lead itself decides. */
  readonly match: string
  /** JSON. */
  readonly words: string
}

type Search = {
  /** The end of a number; null: it cannot be one. */
  readonly digits: string | null
  /** How a number in metadata begins that ends so, behind a space; null as `digits`. */
  readonly numberStart: string | null
  /** As the index has an external id: in one case, without diacritics, with `_` for what is no letter or digit. */
  readonly externalWord: string
  /** Leads with that number or external id, or with the words as they are. */
  readonly whole: Wanted
  /** Those with words that begin so; null: no word is long enough. */
  readonly starts: Wanted | null
}

export function readSearch(companyId: string, q: string): Search {
  const mark = marked(companyId)
  const digits = digitsOf(q)
  const ownExternalWord = mark(externalWord(q.trim()))
  const words = wordsIn(q)
  const starts = words.flatMap(startForms).map(([form, end]) => `${quoted(mark(form))}${end}`)
  const forms = [
    ...(digits === null ? [] : [`${quoted(mark(numberWord(digits)))}*`]),
    quoted(ownExternalWord),
    ...(words.length === 0 ? [] : [`(${words.map((word) => quoted(mark(word))).join(' AND ')})`]),
  ]
  const texts = words.map((word) => ` ${mark(word)}`)
  return {
    digits,
    numberStart: digits === null ? null : ` ${mark(numberWord(digits))}`,
    externalWord: ownExternalWord,
    whole: { match: forms.join(' OR '), words: JSON.stringify(texts.map((text) => `${text} `)) },
    starts:
      starts.length === 0
        ? null
        : {
            match: starts.join(' AND '),
            words: JSON.stringify(texts),
          },
  }
}

/** A word of the index holds no quote. */
const quoted = (word: string) => `"${word}"`

/** The index has a list of leads for starts of so many letters (`prefix` in the migration). */
export const startLetters = 3

/**
 * For the index, in which an address is one word, and its parts are others: all but the last are whole. None: too
 * short.
 */
function startForms(word: string): (readonly [form: string, end: '' | '*'])[] {
  const parts = word.split(/[@_]/)
  const start = [...(parts.pop() ?? '')].slice(0, startLetters)
  return [
    ...parts.flatMap((part) => (part === '' ? [] : [[part, ''] as const])),
    ...(start.length < startLetters ? [] : [[start.join(''), '*'] as const]),
  ]
}

/** Words and addresses in a text that is looked for. */
function wordsIn(q: string): string[] {
  const folded = fold(q)
  const rest = partsOf(folded)
    .filter((part) => !isEmail(part))
    .join(' ')
  return [...new Set([...emailsIn(folded), ...splitWords(rest).map(cut)])].slice(0, wordsPerSearch)
}

/**
 * As people write numbers: with separators, `+`, zeros in front, or (0). Zeros stay where fewer than four digits would
 * be left: what ends with these ends with fewer of them, too.
 */
function digitsOf(q: string): string | null {
  const compact = q.normalize('NFKC').replace(/\(0\)|[\s\-‐-―./()]/g, '')
  const digits = /^\+?\d+$/.test(compact) ? compact.replace(/^\+?0*(?=\d{4})/, '') : ''
  return /^\d{4,15}$/.test(digits) ? digits : null
}
