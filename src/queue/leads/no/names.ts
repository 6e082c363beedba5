// What a name says of calls: of a member, a column, a question. Pure, apart from a cache.
import {
  clearPhrases,
  findAll,
  has,
  isOfOtherChannel,
  isOnlyGlue,
  match,
  namesOtherOnly,
  openedWords,
  phrasesIn,
  remembering,
  saysNothing,
} from './phrases.ts'
import { bitOf, type Kind, termsByWord } from './terms.ts'

/** What a yes under a name means. `maybe`: it may be about e-mail. `permission`: a no under it is one. */
export type NameVerdict = 'no' | 'maybe' | 'permission' | null
export type Under = Exclude<NameVerdict, null>
/** `until`: no, while its date lies ahead. */
type Verdict = NameVerdict | 'until'

/** "Calls not allowed", "no consent (phone)". */
const isRefused = (words: readonly string[]) =>
  has('allow', words) &&
  [...findAll('not', words), ...findAll('none', words)].some(({ to, languages }) =>
    (['allow', 'clear', 'told'] as const).some((kind) => match(kind, words, to, languages) !== null),
  )

/** "May we call you", "OK to contact by phone". */
const mayCall = (words: readonly string[]) =>
  findAll('may', words).some(({ to, languages }) => {
    const of = (at: number, ...kinds: Kind[]) =>
      kinds.some((kind) => match(kind, words, at, languages) !== null)
    for (let at = to; at <= to + 4; at++) {
      if (of(at, 'calls', 'call', 'called')) return true
      if (of(at, 'contact', 'contacted')) return has('phone', words)
      if (!of(at, 'filler', 'may', 'be', 'phone')) return false
    }
    return false
  })

/** "Call me", and no more. */
const asksForCall = (words: readonly string[]) =>
  findAll('me', words).some(({ from, to }) => isOnlyGlue([...words.slice(0, from), ...words.slice(to)]))

/** What others have counted or asked for. */
const figures = /\bcall back\b|\b(?:blocked|barred) (?:phone )?calls?\b/

/** `isOtherAround`: a step around it, or a member beside it, names other channels than calls. */
export function verdictOf(words: readonly string[], isOtherAround = false): Verdict {
  if (!words.some((word) => termsByWord().has(word))) return null
  const names = (...kinds: Kind[]) => kinds.some((kind) => has(kind, words))
  const isOther = isOtherAround ? !names('phone', 'calls', 'call') : namesOtherOnly(words)
  const isHeard = ({ kind }: { kind: string }) => kind === 'call' || !isOther
  const said = clearPhrases(words).find(isHeard)
  if (said !== undefined) return has('until', words, said.languages) ? 'until' : 'no'
  if (
    phrasesIn(words).some(isHeard) ||
    saysNothing(words, bitOf('english'), false) ||
    figures.test(words.join(' '))
  )
    return null
  const isOfCalls = names('calls', 'call', 'called', 'phone')
  const isOut = names('out') || (names('consent') && names('revoked'))
  const isDenied = names('revoked', 'barred') || (names('consent') && names('denied')) || isRefused(words)
  if ((isOfCalls || names('mobile')) && (isOut || isDenied)) return isOther ? null : 'no'
  if (isOut || (isDenied && names('contact'))) return isOther ? null : 'maybe'
  if (names('asks')) return null
  const isPermission =
    (isOfCalls && names('allow')) || words.includes('tcpa') || asksForCall(words) || mayCall(words)
  return isPermission ? 'permission' : null
}

const nameMaxChars = 2000
const verdictIn = (isOtherAround: boolean) =>
  remembering((name) => verdictOf(openedWords(name.slice(0, nameMaxChars)), isOtherAround))
const [judgeAlone, judgeAmongOthers] = [verdictIn(false), verdictIn(true)]

/** As `nameSays`, in its surroundings. */
export const judgeName = (name: string, isOtherAround = false): Verdict =>
  (isOtherAround ? judgeAmongOthers : judgeAlone)(name)

/** What a yes under this name, or under this path in one text, means. */
export function nameSays(name: string): NameVerdict {
  const verdict = judgeName(name)
  return verdict === 'until' ? null : verdict
}

const weights: readonly NameVerdict[] = ['no', 'maybe', 'permission']
/** Each step alone, and each with the step before it: the heaviest. */
export function pathSays(path: readonly string[]): NameVerdict {
  const isOther = path.some(isOfOtherChannel)
  const names = path.flatMap((step, at) => (at === 0 ? [step] : [step, `${path[at - 1]}.${step}`]))
  const said = names.map((name) => judgeName(name, isOther))
  return weights.find((one) => said.includes(one)) ?? null
}
