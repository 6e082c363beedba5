// What a value says of calls: as the answer to a name, or by itself. Pure.
import { fold, stop } from './fold.ts'
import { nameSays, type Under, verdictOf } from './names.ts'
import {
  clearPhrases,
  findAll,
  has,
  isOfOtherChannel,
  isOnlyGlue,
  match,
  maySay,
  namesOtherOnly,
  openedWords,
  phrasesIn,
} from './phrases.ts'
import type { Kind } from './terms.ts'

/** `nothing`: it is not known. `unclear`: neither yes nor no. */
export type Answer = 'yes' | 'unclear' | 'no' | 'nothing'

const weights: readonly Answer[] = ['yes', 'unclear', 'no']
const heaviest = (answers: readonly Answer[]): Answer =>
  weights.find((one) => answers.includes(one)) ?? 'nothing'

const around = '[\\s"\'“”„«»‹›`.,:;!()[\\]{}<>*_=]|[–—-](?!\\d)'
const edges = new RegExp(`^(?:${around})+|(?:${around})+$`, 'g')
/** A longer text is no word, date or number. */
const wordMaxChars = 200
const bareOf = (text: string) => (text.length > wordMaxChars ? text.trim() : fold(text).replace(edges, ''))

/** A whole text, with punctuation around it. Null: it is no such word. */
export function wordAnswer(text: string): 'yes' | 'no' | 'nothing' | null {
  const word = bareOf(text)
  if (word === '') return 'nothing'
  return match('yes', [word], 0) ? 'yes' : match('no', [word], 0) ? 'no' : null
}

const month = '(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*\\.?'
const date = new RegExp(
  `^(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.](?:\\d{4}|\\d{2})|(?:19|20)\\d{6}|` +
    `(?:[a-z]{3},? )?\\d{1,2}\\.? ${month},? \\d{4}|${month} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})(?:\\D|$)`,
  'i',
)
const phone = /^(?:(?:tel|whatsapp):)?\s*\+?(?:[\s().\-/]*\d){7,15}(?:\s*(?:x|ext\.?)\s*\d+)?$/i
/** When it is, where a text is a date. NaN: it is one, whenever; null: it is none. */
export function dateMsOf(text: string): number | null {
  const bare = bareOf(text)
  if (!date.test(bare)) return null
  return Date.parse(
    bare.replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})/, '$3-$2-$1').replace(/-(\d)(?!\d)/g, '-0$1'),
  )
}
/** Of a time in this century, in seconds or milliseconds; null: it is none. */
export function timeMsOf(number: number): number | null {
  if (number > 9e11 && number < 2.2e12) return number
  return number > 9e8 && number < 2.2e9 ? number * 1000 : null
}

const clausesOf = (words: readonly string[]): readonly (readonly string[])[] =>
  ` ${words.join(' ')} `
    .split(` ${stop} `)
    .map((clause) => clause.split(' ').filter((word) => word !== ''))
    .filter(({ length }) => length > 0)

/** "Did not ask", "never mentioned". */
const askedNothing = (clause: readonly string[]) =>
  findAll('not', clause).some(({ from, to }) => {
    const isOrder = /^(?:do|dont)$/.test(clause[from] ?? '')
    return !isOrder && [to, to + 1].some((at) => match('ask', clause, at) !== null)
  })

/** What a state says, as an answer under a name of no and under a permission, and behind a negation. */
const states = {
  inactive: { no: ['no', 'yes'], permission: ['no', 'yes'] },
  active: { no: ['yes', 'no'], permission: ['yes', 'no'] },
  out: { no: ['yes', 'no'], permission: ['no', 'unclear'] },
  denied: { no: ['yes', 'no'], permission: ['no', 'unclear'] },
  stops: { no: ['yes', 'no'], permission: ['yes', 'nothing'] },
  clear: { no: ['no', 'yes'], permission: ['yes', 'no'] },
  agreed: { no: ['unclear', 'yes'], permission: ['yes', 'no'] },
  unknown: { no: ['nothing', 'nothing'], permission: ['nothing', 'nothing'] },
  told: { no: [null, 'nothing'], permission: [null, 'nothing'] },
} as const satisfies Partial<Record<Kind, Record<'no' | 'permission', readonly (Answer | null)[]>>>
const stateKinds = Object.keys(states) as (keyof typeof states)[]
const beforeStates: readonly Kind[] = ['filler', 'be', 'beside', 'phone']

/** "Not requested", "do not allow", "opted out", "not stated". What calls somebody counts as a whole clause alone. */
function stateOf(clause: readonly string[], under: 'no' | 'permission'): Answer | null {
  let isNot = false
  for (let at = 0; at < clause.length; ) {
    const kind = stateKinds.find((one) => match(one, clause, at) !== null)
    if (kind !== undefined) {
      const rest = clause.slice(match(kind, clause, at)?.to)
      const saysIf = (isNegated: boolean) => states[kind][under][isNegated ? 1 : 0] ?? null
      const isStop = saysIf(isNot) === (under === 'no' ? 'yes' : 'no')
      // "Godkänner inte", "stimme nicht zu".
      const says = saysIf(isNot || (!isStop && has('after', rest)))
      return isStop || isOnlyGlue(rest, ['calls', 'call', 'called', 'contact', 'lists']) ? says : null
    }
    const not = match('not', clause, at) ?? match('none', clause, at)
    const next = not ?? beforeStates.map((one) => match(one, clause, at)).find((found) => found !== null)
    if (!next) return null
    isNot ||= not !== null
    at = next.to
  }
  return null
}

/** Two letters or more: what begins with less is no answer. */
const isAnswer = (word: string | undefined, answer: 'yes' | 'no') =>
  word !== undefined && word.length > 1 && !/^(?:on|off)$/.test(word) && match(answer, [word], 0) !== null
/** "No more", "nie wieder": they begin with a word for no, and say the contrary. */
const again =
  /^(?:dont|never|stop|remove|wieder|mehr|more|again|longer|piu|plus|mas|mais|mer|wiecej|meer|igen)$/

/** What a text says that begins with yes or no. */
function beginning(words: readonly string[]): Answer | null {
  const isYes = isAnswer(words[0], 'yes')
  if (!isYes && !isAnswer(words[0], 'no')) return null
  const isBoth = words.some((word) => isAnswer(word, isYes ? 'no' : 'yes'))
  if (isBoth || (!isYes && words.some((word) => again.test(word)))) return 'unclear'
  return isYes ? 'yes' : 'no'
}

const isNegation = (words: readonly string[]) => has('not', words) || has('none', words)

function textAnswer(text: string, under: Under): Answer {
  const word = wordAnswer(text)
  if (word !== null) return word
  const bare = bareOf(text)
  if (date.test(bare)) return 'yes'
  if (phone.test(bare)) return 'nothing'
  if (!/\p{L}/u.test(bare)) return 'unclear'
  const of = under === 'permission' ? under : 'no'
  const stops: Answer = of === 'no' ? 'yes' : 'no'
  const words = openedWords(text)
  const clauses = clausesOf(words).filter((clause) => !askedNothing(clause))
  if (words.length > 0 && clauses.length === 0) return 'nothing'
  if (clauses.some((clause) => clearPhrases(clause).length > 0) || valueSays(text, 'tags')) return stops
  if (clauses.some((clause) => phrasesIn(clause).length > 0)) return 'unclear'
  const said = clauses
    .map((clause, at) => stateOf(clause, of) ?? (at === 0 ? beginning(words) : null))
    .filter((one) => one !== null)
  if (said.includes('yes') && said.includes('no')) return 'unclear'
  if (said.length > 0) return heaviest(said)
  // "Never", "not by phone".
  if (of === 'permission') return isOnlyGlue(words) && isNegation(words) ? 'no' : 'unclear'
  if (isNegation(words)) return has('lists', words) || words.includes('list') ? 'no' : 'unclear'
  if (verdictOf(words) === 'permission') return 'no'
  // Which channels: `doNotContact: "phone, e-mail"`.
  const isOfCalls = (['phone', 'mobile', 'calls', 'call'] as const).some((kind) => has(kind, words))
  return isOfCalls && isOnlyGlue(words, ['other', 'calls', 'call']) ? 'yes' : 'unclear'
}

type Members = Readonly<Record<string, unknown>>
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON in a text; null: it is none. */
export function openedText(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const answerNames = ['value', 'values', 'answer', 'result', 'objective', 'selected', 'checked', 'status']
const besideAnswers = new RegExp(
  '^(?:rationale|reason(?:ing)?|confidence|description|schema|ids?|type|key|ref|options|choices|definition|versions|' +
    'source|by|user)$',
  'i',
)
const dates = /(?:^|_)(?:at|date|time|timestamp)$|[a-z](?:At|Date|Time|On)$/
const labels = /^(?:label|name|title|text|question)$/
/** Where an object has its answers, beside ids, options and such. */
function answersIn(members: Members): readonly unknown[] {
  const { type, channel, medium, objective } = members
  if ([channel, medium].some((one) => typeof one === 'string' && isOfOtherChannel(one))) return []
  // Where nothing stands as the objective, what is subjective counts.
  const isEmpty = objective === null || objective === '' || objective === 'null'
  const own = [type === 'type' || typeof type !== 'string' ? '' : type, isEmpty ? 'subjective' : '']
  const known = [...answerNames, ...own].filter((name) => Object.hasOwn(members, name))
  if (known.length > 0) return known.map((name) => members[name])
  const isBoolean = Object.values(members).some((one) => typeof one === 'boolean')
  const rest = Object.entries(members).filter(
    ([name, value]) =>
      !besideAnswers.test(name) &&
      (name === 'text' || !isOfOtherChannel(name)) &&
      !(isBoolean && labels.test(name) && typeof value === 'string' && nameSays(value) !== null),
  )
  const undated = rest.filter(([name]) => !dates.test(name))
  return (undated.length > 0 ? undated : rest).map(([, value]) => value)
}

/** Deeper, nobody can say what an answer means. */
const deepest = 64

/** What a value says under such a name: of a list the heaviest, of an object what its answer is. */
export function answerOf(value: unknown, under: Under): Answer {
  function answer(one: unknown, depth: number, isOpened: boolean): Answer {
    if (one === null || one === undefined) return 'nothing'
    if (one === true || one === 1) return 'yes'
    if (one === false || one === 0) return 'no'
    if (typeof one === 'number') return timeMsOf(one) === null ? 'unclear' : 'yes'
    const inner = typeof one === 'string' && !isOpened ? openedText(one) : null
    if (typeof one === 'string' && inner === null) return textAnswer(one, under)
    const members = inner ?? one
    if (depth > deepest) return 'unclear'
    if (typeof members !== 'object') return 'unclear'
    const answers = Array.isArray(members) ? members : answersIn(members as Members)
    return heaviest(answers.map((each) => answer(each, depth + 1, isOpened || inner !== null)))
  }
  return answer(value, 0, false)
}

const valueMaxChars = 80
const phraseKinds: readonly Kind[] = [
  'other',
  'calls',
  'call',
  'called',
  'contact',
  'contacted',
  'lists',
  'stops',
  'ask',
  'out',
]

/**
 * Whether a text says by itself that somebody must not be called. `tags`: it stands under tags, labels, lists, a
 * status, disposition, stage or result, or answers a name that says no. There, and as an outcome, "stop" and opting
 * out say it, too.
 */
export function valueSays(text: string, where: 'entry' | 'tags' | 'outcome' = 'entry'): boolean {
  if (text.length > valueMaxChars) return false
  const words = openedWords(text)
  const isBesides = (from: number, to: number) =>
    isOnlyGlue([...words.slice(0, from), stop, ...words.slice(to)], phraseKinds)
  if (!maySay(words) || namesOtherOnly(words)) return false
  // "No contact" is one that was not made, and two registers are common words.
  const phrases = clearPhrases(words).filter(
    ({ from, kind, isNone }) =>
      !/^(?:nix|tps)$/.test(words[from] ?? '') && !(kind === 'contact' && isNone && words.length === 2),
  )
  if (phrases.some(({ from, to }) => isBesides(from, to)) || removes(words)) return true
  if (
    verdictOf(words) === 'no' &&
    isOnlyGlue(words, [...phraseKinds, 'barred', 'consent', 'revoked', 'allow'])
  )
    return phrasesIn(words).length === 0
  if (where === 'entry') return false
  const stopWords = findAll('not', words).filter(({ from }) => /^stopp?$/.test(words[from] ?? ''))
  const isNot = words.some(
    (word, at) => !/^stopp?$/.test(word) && (match('not', words, at) ?? match('none', words, at)),
  )
  const outs = isNot ? [] : [...findAll('out', words), ...findAll('barred', words)]
  return [...outs, ...stopWords].some(({ from, to }) => isBesides(from, to))
}

/** The same of a text that may be several: `vip, do not call`, `Not interested - remove me`. */
export const partSays = (text: string, where: 'tags' | 'outcome'): boolean =>
  valueSays(text, where) || text.split(/[,;|\n]|[.:!] | [-–—/] /).some((part) => valueSays(part, where))

/** "Remove me", "take me off your list". */
const removes = (words: readonly string[]) =>
  has('remove', words) && has('mine', words) && isOnlyGlue(words, ['remove', 'calls'])
