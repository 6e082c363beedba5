// Finds phrases of no among a text’s words, by the words of languages.ts. Pure, apart from a cache.
import { digits, stop, wordsOf } from './fold.ts'
import { allLanguages, bitOf, type Kind, languageCount, termsByWord } from './terms.ts'

type Found = { readonly from: number; readonly to: number; readonly languages: number }

/** The longest term of a kind that begins at a word. */
export function match(
  kind: Kind,
  words: readonly string[],
  from: number,
  languages = allLanguages,
): Found | null {
  for (const term of termsByWord().get(words[from] ?? '') ?? [])
    if (term.kind === kind && (term.languages & languages) !== 0)
      if (term.words.every((word, at) => words[from + at] === word))
        return { from, to: from + term.words.length, languages: term.languages & languages }
  return null
}

/** The first of the kinds that is there. */
const matchAny = (kinds: readonly Kind[], words: readonly string[], from: number, languages = allLanguages) =>
  kinds.reduce<Found | null>((found, kind) => found ?? match(kind, words, from, languages), null)

export const findAll = (kind: Kind, words: readonly string[]): readonly Found[] =>
  words.map((_, at) => match(kind, words, at)).filter((found) => found !== null)

export const has = (kind: Kind, words: readonly string[], languages = allLanguages): boolean =>
  words.some((_, at) => match(kind, words, at, languages) !== null)

const [rememberedMax, rememberedMaxChars] = [4000, 200]
/** Keeps what is read of short texts: names are the same few, a thousand times in a bulk. */
export function remembering<Value>(read: (text: string) => Value): (text: string) => Value {
  const remembered = new Map<string, Value>()
  return (text) => {
    const before = remembered.get(text)
    if (before !== undefined) return before
    const value = read(text)
    if (remembered.size >= rememberedMax) remembered.clear()
    if (text.length <= rememberedMaxChars) remembered.set(text, value)
    return value
  }
}

const openedOnce = remembering((word) => opened(word))
export const openedWords = (text: string): string[] => wordsOf(text).flatMap(openedOnce)

/** Written together, a phrase has as many letters at least. */
const [compoundMinChars, longestWord] = [8, 40]
/** What no name is written together of: answers, and what stands around a phrase. */
const loose = /^(?:stops|clear|denied|active|inactive|unknown|told|ask|nothing|asks|beside|me|yes|no)$/
const glued =
  'is has on of from lead hs crm custom field customer kunde client cliente klant list flag status number request ' +
  'requested federal national state wireless home global internal company owner listed registered registry settings ' +
  'activated known kz kennzeichen new'

let parts: ReadonlyMap<string, number> | undefined
/** The languages of each. */
function partsOfWords(): ReadonlyMap<string, number> {
  if (parts !== undefined) return parts
  const known = new Map(glued.split(' ').map((word) => [word, allLanguages]))
  const add = (word: string, languages: number) => known.set(word, (known.get(word) ?? 0) | languages)
  for (const { kind, words, languages } of [...termsByWord().values()].flat())
    for (const word of words)
      if (word.length > 1 && !loose.test(kind)) {
        add(word, languages)
        if (/^[aeiouh]/.test(word))
          for (const before of ['d', 'l', 'm']) add(before + word, languages & bitOf('french'))
      }
  parts = known
  return parts
}

/**
 * By their length, the beginnings of a word as the fewest words of these languages that they are written together
 * of.
 */
function beginningsOf(word: string, languages: number): readonly (readonly string[] | undefined)[] {
  const known = partsOfWords()
  const best: (readonly string[] | undefined)[] = [[]]
  for (let from = 0; from < word.length; from++) {
    const before = best[from]
    for (let to = from + 2; before !== undefined && to <= Math.min(word.length, from + 20); to++) {
      const isFewer = (best[to]?.length ?? word.length) > before.length
      if (isFewer && (known.get(word.slice(from, to)) ?? 0) & languages)
        best[to] = [...before, word.slice(from, to)]
    }
  }
  return best
}

/** The same in one language, that which needs the fewest. */
function splitter(word: string): (length: number) => readonly string[] | null {
  const inAny = beginningsOf(word, allLanguages)
  let inEach: readonly ReturnType<typeof beginningsOf>[] | undefined
  return (length) => {
    if (inAny[length] === undefined) return null
    inEach ??= Array.from({ length: languageCount }, (_, bit) => beginningsOf(word, 1 << bit))
    const found = inEach.map((best) => best[length]).filter((one) => one !== undefined)
    return found.sort((one, other) => one.length - other.length)[0] ?? null
  }
}

/**
 * What French and Italian write together with a vowel: `d’appels`, `n’appelez`, `dell’opposizione`. Null: it is
 * none.
 */
function withoutArticle(word: string): readonly string[] | null {
  const [, before, rest = ''] = /^(d|l|m|n|j|t|s|qu|dell|all)([aeiouh].+)$/.exec(word) ?? []
  const kinds = ['call', 'calls', 'called', 'be', 'contact', 'contacted', 'order', 'allow', 'out'] as const
  const language = before === 'dell' || before === 'all' ? bitOf('italian') : bitOf('french')
  const isOne = before !== undefined && kinds.some((kind) => match(kind, [rest], 0, language))
  return isOne ? (before === 'n' ? ['ne', rest] : [rest]) : null
}

/** A long word as those that it is written together of: `donotcall`, `nichtanrufen`. */
function opened(word: string): readonly string[] {
  if (termsByWord().has(word)) return [word]
  const elided = withoutArticle(word)
  if (elided !== null) return elided
  if (word.length < compoundMinChars || word.length > longestWord) return [word]
  const split = splitter(word)(word.length)
  return split?.flatMap((part) => withoutArticle(part) ?? part) ?? [...phraseWithin(word), word]
}

const negations = /(?=do?not|dont|never|stop|nicht|kein|nepas|neplus|niet|geen|nooit|nunca|inte|aldrig)/g

/** A word that has more in it. */
function phraseWithin(word: string): readonly string[] {
  for (const { index } of word.matchAll(negations)) {
    const split = splitter(word.slice(index))
    for (let length = word.length - index; length >= compoundMinChars; length--) {
      const found = split(length)
      if (found !== null && phrasesIn(found).length > 0) return found
    }
  }
  return []
}

/** `isNone`: as "no calls", which may be none that there were. */
type Phrase = Found & { readonly kind: 'call' | 'contact'; readonly isNone: boolean }

const gapMaxWords = 4
const isGap = (words: readonly string[], at: number, languages: number) =>
  (words[at] === stop && /^(?:aby|zeby|by)$/.test(words[at + 1] ?? '')) ||
  match('filler', words, at, languages) !== null ||
  matchAny(['phone', 'allow', 'be', 'other'], words, at) !== null

/** "No contact person". */
const thing =
  /^(?:person|details?|info|information|data|name|center|centre|sign|button|option|log|id|back|number|email)$/

/** "Continue without contact". In Polish alone it is how people say no, as a whole name. */
const without = /^(?:without|ohne|sans|sin|senza|zonder|sem|bez|utan)$/

/** A word of calling or contact behind a negation. */
function findTarget(
  words: readonly string[],
  { from, to, languages }: Found,
  isNone: boolean,
): Phrase | null {
  for (let at = to; at <= to + gapMaxWords && at < words.length; at++) {
    const of = (...kinds: Kind[]) => matchAny(kinds, words, at, languages)
    const around = [...words.slice(to, at), ...words.slice(at + 1, at + 3)]
    const found =
      (isNone ? of('calls') : of('calls', 'call', 'back')) ??
      of('contact') ??
      (has('be', around, languages) ? of('called', 'contacted') : null)
    const kind = of('contact', 'contacted') ? 'contact' : 'call'
    const isThing =
      thing.test(words[found?.to ?? at] ?? '') ||
      (kind === 'contact' && without.test(words[from] ?? '') && words.join(' ') !== 'bez kontaktu')
    if (found !== null && isNone && isThing && !has('phone', around)) return null
    if (found !== null) return { ...found, from, kind, isNone }
    if (!isGap(words, at, languages)) return null
  }
  return null
}

/** "Ring inte", "bel me niet". */
function findAfter(words: readonly string[], { from, to, languages }: Found): Phrase | null {
  for (let at = to; at <= to + 2; at++) {
    const found = match('after', words, at, languages)
    const kind = match('contact', words, from, languages) ? 'contact' : 'call'
    if (found !== null) return { ...found, from, kind, isNone: false }
    if (!isGap(words, at, languages)) return null
  }
  return null
}

/** In "yes/no calls", the no is none. */
const isChoice = (words: readonly string[], at: number) =>
  words[at - 1] === 'or' && match('yes', words, at - 2) !== null

/** "Not on the do-not-call list", "no DNC". */
function isNegated(words: readonly string[], at: number, isList: boolean): boolean {
  let before = at - 1
  while (/^(?:on|in|an?|the|our|any|listed|registered|auf|der|sur|la|en|op|de|na)$/.test(words[before] ?? ''))
    before--
  return (isList || before < at - 1) && matchAny(['not', 'none'], words, before) !== null
}

export function phrasesIn(words: readonly string[]): readonly Phrase[] {
  const found: Phrase[] = []
  for (let at = 0; at < words.length; at++) {
    if (!termsByWord().has(words[at] ?? '')) continue
    const not = match('not', words, at)
    const none = match('none', words, at)
    const order = match('order', words, at)
    const list = match('lists', words, at)
    const listed =
      list && ({ ...list, kind: words[at] === 'dnd' ? 'contact' : 'call', isNone: false } as const)
    const target = (not && findTarget(words, not, false)) ?? (none && findTarget(words, none, true))
    for (const one of [isChoice(words, at) ? null : target, order && findAfter(words, order), listed])
      if (one && !isNegated(words, at, one === listed)) found.push(one)
    // The rest of "do not" is no negation of its own.
    if (target && not) at = not.to - 1
  }
  return found
}

const callKinds: readonly Kind[] = ['phone', 'calls', 'call']
/** Other channels than calls, and no calls. */
export const namesOtherOnly = (words: readonly string[]) =>
  has('other', words) && !callKinds.some((kind) => has(kind, words))
export const isOfOtherChannel = remembering((text) => namesOtherOnly(openedWords(text)))

const fromWhom = /^(?:you|us|your|our|the|this|any|all|phone|calls?|company|partners|sales|marketing)$/

/**
 * Whether some word takes back what a phrase says: "do not call before 9", but not "check this box" or "opted out
 * from".
 */
export function saysNothing(words: readonly string[], languages: number, isNone: boolean): boolean {
  // Nobody knows in which language the rest is beside "DNC" and "stop".
  const known = languages === allLanguages ? bitOf('english') : languages | bitOf('english')
  const isOut = words.includes('from') && has('out', words)
  return words.some((word, at) => {
    const next = words[at + 1] ?? ''
    if (word === 'from') return !fromWhom.test(next) && !isOut
    if (word === 'since' || word === 'seit') return isNone
    if (/^check(?:ing)?$/.test(word) && /^(?:this|the|if|here|box)$/.test(next)) return false
    return match('nothing', words, at, known) !== null
  })
}

/** The phrases that are not taken back. */
export function clearPhrases(words: readonly string[]): readonly Phrase[] {
  const known = new Map<string, boolean>()
  return phrasesIn(words).filter(({ languages, isNone }) => {
    const key = `${languages} ${isNone}`
    if (!known.has(key)) known.set(key, saysNothing(words, languages, isNone))
    return !known.get(key)
  })
}

const glue: readonly Kind[] = [
  'filler',
  'beside',
  'be',
  'phone',
  'mobile',
  'yes',
  'no',
  'not',
  'none',
  'mine',
]
/** Whether all words are such as people write around a phrase, or of one of `more`. */
export function isOnlyGlue(words: readonly string[], more: readonly Kind[] = []): boolean {
  for (let at = 0; at < words.length; ) {
    const ends = [...glue, ...more].map((kind) => match(kind, words, at)?.to ?? 0)
    const to = words[at] === stop || words[at] === digits ? at + 1 : Math.max(...ends)
    if (to === 0) return false
    at = to
  }
  return true
}

const firstWords: readonly Kind[] = ['not', 'none', 'order', 'lists', 'out', 'barred', 'revoked', 'remove']
/** A first look: whether a text has any word without which none says no. */
export const maySay = (words: readonly string[]) =>
  words.some((word) =>
    termsByWord()
      .get(word)
      ?.some(({ kind }) => firstWords.includes(kind)),
  )
