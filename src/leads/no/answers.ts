// What a value says: under a name, as an answer; or by itself. Pure.
import { digits, fold, stop } from './fold.ts'
import { answersOf, type Kind } from './languages.ts'
import { type Under, verdictOf } from './names.ts'
import {
  type Found,
  findAll,
  glue,
  isOfOtherChannel,
  isOnlyOf,
  match,
  namesOtherOnly,
  openedWords,
  type Phrase,
  phrasesIn,
  saysNothing,
} from './phrases.ts'

/** `nothing`: it is not known. `unclear`: neither yes nor no. */
export type Answer = 'yes' | 'unclear' | 'no' | 'nothing'

const answerWeights: readonly Answer[] = ['yes', 'unclear', 'no', 'nothing']
export const heaviestOf = (answers: readonly Answer[]): Answer =>
  answerWeights.find((one) => answers.includes(one)) ?? 'nothing'

const yesWords = new Set([...answersOf('yes')].map(fold))
const noWords = new Set([...answersOf('no')].map(fold))
const edges = /^[\s"'“”„«»‹›`.,:;!()[\]{}<>*_=–—-]+|[\s"'“”„«»‹›`.,:;!()[\]{}<>*_=–—-]+$/g

/** A whole text that is yes or no; empty: nothing. */
export function wordAnswers(text: string): 'yes' | 'no' | 'nothing' | null {
  const word = fold(text).replace(edges, '')
  if (word === '') return 'nothing'
  if (yesWords.has(word)) return 'yes'
  return noWords.has(word) ? 'no' : null
}

const month = '(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*\\.?'
const date = new RegExp(
  `^(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.](?:\\d{4}|\\d{2})|(?:19|20)\\d{6}|` +
    `(?:[a-z]{3},? )?\\d{1,2}\\.? ${month},? \\d{4}|${month} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})(?:\\D|$)`,
  'i',
)
const phone = /^(?:tel:|whatsapp:)?\s*\+?(?:[\s().\-/]*\d){7,15}(?:\s*(?:x|ext\.?)\s*\d+)?$/i
const isTime = (number: number) => (number > 9e8 && number < 2.2e9) || (number > 9e11 && number < 2.2e12)

/** Not where it stands as a word of two letters or more alone: "on" and "off" begin much else. */
const begins = (words: readonly string[], answers: ReadonlySet<string>) =>
  (words[0] ?? '').length > 1 &&
  !/^(?:on|off|true story)$/.test(words[0] ?? '') &&
  answers.has(words[0] ?? '')

const holds = (words: readonly string[], answers: ReadonlySet<string>) =>
  words.some((word) => word.length > 1 && word !== 'on' && word !== 'off' && answers.has(word))

const clausesOf = (words: readonly string[]) =>
  words
    .join(' ')
    .split(stop)
    .map((clause) => clause.split(' ').filter((word) => word !== ''))
    .filter(({ length }) => length > 0)

/** "not requested", "do not allow", "opted out", "not stated": a state as a whole clause. */
function stateOf(clause: readonly string[], under: Under): Answer | null {
  let at = 0
  let isNot = false
  const skip = () =>
    match('filler', clause, at) ??
    match('be', clause, at) ??
    (/^(?:is|are|was|has|been|not)$/.test(clause[at] ?? '') ? { to: at + 1 } : null)
  for (; at < clause.length; ) {
    const not =
      match('not', clause, at) ??
      match('none', clause, at) ??
      (clause[at] === 'non' || clause[at] === 'nicht' ? { to: at + 1 } : null)
    const term = (['inactive', 'active', 'out', 'denied', 'stops', 'clear', 'unknown', 'told'] as const)
      .map((kind) => [kind, match(kind, clause, at)] as const)
      .find(([, found]) => found !== null)
    if (term !== undefined) {
      const [kind, found] = term
      const isWhole = isOnlyOf(clause.slice((found as Found).to))
      return meaningOf(kind, isNot, isWhole, under)
    }
    const next = not ?? skip()
    if (next === null) return null
    if (not !== null) isNot = true
    at = next.to
  }
  return null
}

function meaningOf(kind: Kind, isNot: boolean, isWhole: boolean, under: Under): Answer | null {
  if (kind === 'unknown' || kind === 'told')
    return (kind === 'unknown' || isNot) && isWhole ? 'nothing' : null
  const isGiven = (kind === 'clear') !== isNot
  if (under === 'permission') {
    if (kind === 'active' || kind === 'inactive') return (kind === 'active') !== isNot ? 'yes' : 'no'
    if (kind === 'out' || kind === 'denied') return isNot ? 'unclear' : 'no'
    if (kind === 'stops') return isNot ? 'nothing' : 'yes'
    return isGiven ? 'yes' : 'no'
  }
  const isYes = kind === 'active' || kind === 'stops' || kind === 'out' || kind === 'denied'
  if (isYes !== isNot) return 'yes'
  return isWhole ? 'no' : null
}

/** "did not ask", "never mentioned". */
const askedNothing = (clause: readonly string[]) =>
  clause.some((_, at) => {
    const not = match('not', clause, at)
    if (not === null && !/^(?:didnt|hasnt|doesnt|hadnt|never)$/.test(clause[at] ?? '')) return false
    const to = not?.to ?? at + 1
    return (
      [to, to + 1].some((next) => match('ask', clause, next) !== null) &&
      !/^(?:do|dont)$/.test(clause[at] ?? '')
    )
  })

function textAnswer(text: string, under: Under): Answer {
  const whole = wordAnswers(text)
  if (whole !== null) return whole
  const bare = fold(text).replace(edges, '')
  if (date.test(bare)) return 'yes'
  if (phone.test(bare)) return 'nothing'
  if (!/\p{L}/u.test(bare)) return 'unclear'
  const words = openedWords(text)
  const clauses = clausesOf(words).filter((clause) => !askedNothing(clause))
  if (clauses.length === 0) return 'nothing'
  const phrases = clauses.flatMap((clause) => phrasesIn(clause).map((phrase) => ({ clause, phrase })))
  const [state = null] = clauses.map((clause) => stateOf(clause, under))
  if (state === 'nothing' || (state === 'no' && phrases.length === 0)) return state
  const isNo = phrases.some(({ clause, phrase }) => !saysNothing(clause, phrase.languages | 1, phrase.isNone))
  if (isNo) return under === 'permission' ? 'no' : 'yes'
  if (phrases.length > 0) return 'unclear'
  if (state === 'yes') return state
  const isMixed = holds(words, yesWords) && holds(words, noWords)
  if (!isMixed && begins(words, yesWords)) return 'yes'
  if (!isMixed && begins(words, noWords))
    return words.some((word) => /^(?:dont|never|stop|remove|wieder|mehr)$/.test(word)) ? 'unclear' : 'no'
  if (under !== 'permission' && verdictOf(words, false) === 'permission') return 'no'
  return state ?? 'unclear'
}

const answerMembers = ['value', 'values', 'answer', 'result', 'objective', 'selected', 'checked', 'status']
const neverAnswers =
  /^(?:rationale|reason(?:ing)?|confidence|description|schema|ids?|type|key|ref|options|choices|definition|versions|source|by|user|(?:created|updated|changed|modified)[_ ]?(?:at|by|on|date)?)$/i
const besideStatus = /^(?:message|code|reason|date)$/i

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const answerDepthMax = 64

/** What a value says under such a name: of a list the heaviest, of an object what its answer is. */
export function answerOf(value: unknown, under: Under, depth = 0): Answer {
  if (depth > answerDepthMax) return 'unclear'
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') {
    if (value === 0 || value === 1) return value === 1 ? 'yes' : 'no'
    return isTime(value) ? 'yes' : 'unclear'
  }
  if (Array.isArray(value)) return heaviestOf(value.map((one) => answerOf(one, under, depth + 1)))
  if (isObject(value)) return heaviestOf(answersIn(value).map((one) => answerOf(one, under, depth + 1)))
  return typeof value === 'string' ? textAnswer(value, under) : 'unclear'
}

const isFilled = (value: unknown) => value !== null && value !== undefined && value !== '' && value !== 'null'

/** The answers among an object's members. */
export function answersIn(members: Readonly<Record<string, unknown>>): readonly unknown[] {
  const type =
    typeof members.type === 'string' && Object.hasOwn(members, members.type) && members.type !== 'type'
      ? members.type
      : null
  const answers = [...answerMembers, ...(type === null ? [] : [type])].filter((name) =>
    Object.hasOwn(members, name),
  )
  if (answers.length > 0) return answers.map((name) => members[name])
  return Object.entries(members)
    .filter(
      ([name]) =>
        !neverAnswers.test(name) &&
        !(name === 'subjective' && isFilled(members.objective)) &&
        !(Object.hasOwn(members, 'status') && besideStatus.test(name)) &&
        !isOfOtherChannel(name),
    )
    .map(([, member]) => member)
}

const textMaxChars = 80

/**
 * Whether a text says by itself that somebody must not be called. `tags`: under tags, labels, lists, a status, disposition,
 * stage or result, or as an answer to such a name; there and as an outcome, also "stop" and the words of opting out.
 */
export function valueSays(text: string, where: 'entry' | 'tags' | 'outcome' = 'entry'): boolean {
  if (text.length > textMaxChars) return false
  const words = openedWords(text)
  if (namesOtherOnly(words)) return false
  if (removes(words)) return true
  const phrases = phrasesIn(words).filter(
    (one) => !saysNothing(words, one.languages | 1, one.isNone) && isValue(words, one),
  )
  if (phrases.some(({ from, to }) => isOnlyBeside(words, from, to))) return true
  if (where === 'entry') return false
  return (['out', 'barred', 'not'] as const).some((kind) =>
    findAll(kind, words).some(
      ({ from, to }) =>
        (kind !== 'not' || /^(?:stop|stopp)$/.test(words[from] ?? '')) && isOnlyBeside(words, from, to),
    ),
  )
}

/** "No contact" is one that was not made. */
function isValue(words: readonly string[], { kind, isNone, from, to }: Phrase): boolean {
  if (/^(?:nix|tps)$/.test(words[from] ?? '')) return false
  return !(kind === 'contact' && isNone && words.length === to - from)
}

function removes(words: readonly string[]): boolean {
  return findAll('remove', words).some(({ from, to, languages }) => {
    for (let at = to; at <= to + 3; at++) {
      const mine = match('mine', words, at, languages)
      if (mine !== null) return isOnlyBeside(words, from, mine.to)
      if (match('filler', words, at) === null) return false
    }
    return false
  })
}

function isOnlyBeside(words: readonly string[], from: number, to: number): boolean {
  const besides = [...words.slice(0, from), stop, ...words.slice(to)]
  for (let at = 0; at < besides.length; ) {
    if (besides[at] === stop || besides[at] === digits) at++
    else {
      const found = (
        [
          ...glue,
          'other',
          'calls',
          'call',
          'called',
          'contact',
          'contacted',
          'not',
          'lists',
          'stops',
          'ask',
          'out',
          'mine',
        ] as const
      )
        .map((kind) => match(kind, besides, at))
        .find((one) => one !== null)
      if (!found) return false
      at = found.to
    }
  }
  return true
}
