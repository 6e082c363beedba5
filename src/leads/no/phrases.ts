// Finds phrases of no among a text’s words, by the words of languages.ts. Pure.
import { digits, stop, wordsOf } from './fold.ts'
import { type Kind, type Term, termsByWord } from './languages.ts'

export type Found = { readonly from: number; readonly to: number; readonly languages: number }

export function match(kind: Kind, words: readonly string[], from: number, languages = -1): Found | null {
  const term = termsByWord
    .get(words[from] ?? '')
    ?.find(
      (one: Term) =>
        one.kind === kind &&
        (one.languages & languages) !== 0 &&
        one.words.every((word, at) => words[from + at] === word),
    )
  return term ? { from, to: from + term.words.length, languages: term.languages & languages } : null
}

export function findAll(kind: Kind, words: readonly string[], languages = -1): readonly Found[] {
  const found: Found[] = []
  for (let at = 0; at < words.length; at++) {
    const one = match(kind, words, at, languages)
    if (one === null) continue
    found.push(one)
    at = one.to - 1
  }
  return found
}

export const has = (kind: Kind, words: readonly string[], languages = -1) =>
  words.some((_, at) => match(kind, words, at, languages) !== null)

/** A long word as those that it is written together of, where it is only of such: `donotcall`, `nichtanrufen`. */
function opened(word: string): readonly string[] {
  if (word.length < 8 || termsByWord.has(word)) return [word]
  const best: (readonly string[] | undefined)[] = [[]]
  for (let to = 2; to <= word.length; to++)
    for (let from = Math.max(0, to - 20); from <= to - 2; from++) {
      const before = best[from]
      if (before === undefined || (best[to]?.length ?? 99) < before.length + 1) continue
      const part = word.slice(from, to)
      if (vocabulary().has(part)) best[to] = [...before, part]
    }
  return best[word.length] ?? [...inside(word), word]
}

/** Of a longer word, a phrase of no somewhere in it. */
function inside(word: string): readonly string[] {
  for (const { 0: not, index } of word.matchAll(
    /donot|dont|never|stop|nicht|keine|nepas|neplus|niet|geen|nunca/g,
  )) {
    const rest = word.slice(index + not.length)
    for (let size = Math.min(16, rest.length); size >= 3; size--) {
      const verb = [rest.slice(0, size)]
      if (
        not.length + size >= 8 &&
        (match('calls', verb, 0) || match('call', verb, 0) || match('contact', verb, 0))
      )
        return [...(parts[not] ?? [not]), ...verb]
    }
  }
  return []
}
const parts: Readonly<Record<string, readonly string[]>> = {
  nepas: ['ne', 'pas'],
  neplus: ['ne', 'plus'],
}

const isOfNames = (kind: Kind) =>
  !/^(?:stops|clear|denied|active|inactive|unknown|told|ask|nothing|asks|beside|yes|no)$/.test(kind)

let known: ReadonlySet<string> | undefined
/** All words of two letters or more, and what systems write beside them. */
function vocabulary(): ReadonlySet<string> {
  known ??= new Set([
    ...'is has on of from lead hs crm custom field customer kunde client cliente klant list flag status number'.split(
      ' ',
    ),
    ...[...termsByWord.values()]
      .flat()
      .filter(({ kind }) => isOfNames(kind))
      .flatMap(({ words }) => words.filter(({ length }) => length > 1)),
  ])
  return known
}

export const openedWords = (text: string) => wordsOf(text).flatMap(opened)

export type Phrase = Found & { readonly kind: 'call' | 'contact'; readonly isNone: boolean }

const isGap = (words: readonly string[], at: number, languages: number) =>
  words[at] !== undefined &&
  (match('filler', words, at, languages) !== null ||
    (['phone', 'allow', 'be', 'other'] as const).some((kind) => match(kind, words, at) !== null))

const gapMax = 4

/** A word of calling or contact behind a negation, which ends at `from`. */
function findTarget(
  words: readonly string[],
  from: number,
  languages: number,
  isNone: boolean,
): Omit<Phrase, 'from'> | null {
  for (let at = from; at <= from + gapMax && at < words.length; at++) {
    const of = (kind: Kind) => match(kind, words, at, languages)
    const isDone = of('called') ?? of('contacted')
    const beside = [...words.slice(from, at), ...words.slice(at + 1, at + 3)]
    const found =
      of('calls') ??
      (isNone ? null : of('call')) ??
      of('contact') ??
      (isDone && has('be', beside, languages) ? isDone : null)
    if (found !== null) {
      const isContact = of('contact') !== null || of('contacted') !== null
      return { ...found, kind: isContact ? 'contact' : 'call', isNone }
    }
    if (!isGap(words, at, languages)) return null
  }
  return null
}

/** Of "yes/no calls", the no is none. */
const isChoice = (words: readonly string[], at: number) =>
  words[at - 1] === 'or' && match('yes', words, at - 2) !== null

export function phrasesIn(words: readonly string[]): readonly Phrase[] {
  const found: Phrase[] = []
  for (let at = 0; at < words.length; at++) {
    const not = match('not', words, at)
    const none = match('none', words, at)
    const target = isChoice(words, at)
      ? null
      : ((not && findTarget(words, not.to, not.languages, false)) ??
        (none && findTarget(words, none.to, none.languages, true)))
    if (target) found.push({ ...target, from: at })
    const order = match('order', words, at)
    if (order !== null)
      for (let next = order.to; next <= order.to + 2; next++) {
        const after = match('after', words, next, order.languages)
        if (after !== null) {
          const kind = match('contact', words, at, order.languages) ? 'contact' : 'call'
          found.push({ ...after, from: at, kind, isNone: false })
        }
        if (after !== null || !isGap(words, next, order.languages)) break
      }
    const list = match('lists', words, at)
    if (list !== null && !isNegated(words, at))
      found.push({ ...list, kind: words[at] === 'dnd' ? 'contact' : 'call', isNone: false })
  }
  return found
}

/** "not on DNC", "no DNC". */
function isNegated(words: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= Math.max(0, at - 4); before--) {
    if (
      match('not', words, before) !== null ||
      match('none', words, before) !== null ||
      words[before] === 'non'
    )
      return true
    const isBetween =
      match('filler', words, before) !== null ||
      /^(?:listed|registered|in|on|a|the|auf|sur|en)$/.test(words[before] ?? '')
    if (!isBetween) return false
  }
  return false
}

/** Other channels than calls, and no calls. */
export const isOfOtherChannel = (text: string) => namesOtherOnly(openedWords(text))
export const namesOtherOnly = (words: readonly string[]) =>
  has('other', words) && !(['phone', 'mobile', 'calls', 'call'] as const).some((kind) => has(kind, words))

/** "Check this box", "opted out from": they take nothing back. */
export function saysNothing(words: readonly string[], languages: number, isNone: boolean): boolean {
  return words.some((word, at) => {
    const next = words[at + 1] ?? ''
    if (word === 'from')
      return (
        !/^(?:you|us|your|our|the|this|any|all|phone|calls?|company|partners|sales|marketing)$/.test(next) &&
        !match('out', words, at - 1) &&
        !has('out', words)
      )
    if (word === 'since' || word === 'seit') return isNone
    if (/^check(?:ing)?$/.test(word) && /^(?:this|the|if|here|box)$/.test(next)) return false
    return match('nothing', words, at, languages) !== null
  })
}

export const glue: readonly Kind[] = ['filler', 'beside', 'be', 'phone', 'mobile', 'yes', 'no']
export const isOnlyOf = (words: readonly string[]) =>
  words.every(
    (word, at) => word === stop || word === digits || glue.some((kind) => match(kind, words, at) !== null),
  )
