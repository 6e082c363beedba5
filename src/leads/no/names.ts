// What a name says of calls: of a member, a column, a question. Pure, but for what it remembers.
import type { Kind } from './languages.ts'
import {
  findAll,
  has,
  isOfOtherChannel,
  isOnlyOf,
  match,
  namesOtherOnly,
  openedWords,
  phrasesIn,
  saysNothing,
} from './phrases.ts'

/** What a yes under a name means. `maybe`: it may be about e-mail. `permission`: a no under it is one. */
export type NameVerdict = 'no' | 'maybe' | 'permission' | null
export type Under = Exclude<NameVerdict, null>

export function verdictOf(words: readonly string[], isOtherAround: boolean): NameVerdict | 'until' {
  const isOther = isOtherAround ? !names('phone') && !names('calls') : namesOtherOnly(words)
  function names(kind: Kind) {
    return has(kind, words)
  }
  const phrases = phrasesIn(words).filter(({ kind }) => kind === 'call' || !isOther)
  const says = phrases.filter((one) => !saysNothing(words, one.languages | 1, one.isNone))
  const [said] = says
  if (said !== undefined) return has('until', words, said.languages) ? 'until' : 'no'
  if (phrases.length > 0 || saysNothing(words, 1, false) || / call back /.test(` ${words.join(' ')} `))
    return null
  const isOfCalls = names('calls') || names('call') || names('called') || names('phone')
  const isChannel = isOfCalls || names('mobile')
  const isOut = names('out') || (names('consent') && names('revoked'))
  if (isChannel && (isOut || names('revoked') || names('barred') || isRefused(words)))
    return isOther ? null : 'no'
  if (isOut) return isOther ? null : 'maybe'
  if (names('asks')) return null
  if (names('allow') && isOfCalls) return 'permission'
  return mayCall(words) ? 'permission' : null
}

/** "calls not allowed", "no consent (phone)". */
const isRefused = (words: readonly string[]) =>
  words.some((_, at) => {
    const not = match('not', words, at) ?? match('none', words, at)
    return not !== null && match('allow', words, not.to, not.languages) !== null
  })

function mayCall(words: readonly string[]): boolean {
  if (
    words.includes('tcpa') ||
    findAll('me', words).some(({ from, to }) => isOnlyOf([...words.slice(0, from), ...words.slice(to)]))
  )
    return true
  return findAll('may', words).some(({ to, languages }) => {
    for (let at = to; at <= to + 4 && at < words.length; at++) {
      if ((['calls', 'call', 'called'] as const).some((kind) => match(kind, words, at, languages)))
        return true
      if (
        match('filler', words, at) === null &&
        match('may', words, at) === null &&
        match('be', words, at) === null
      )
        return false
    }
    return false
  })
}

const remembered = new Map<string, NameVerdict | 'until'>()
const rememberedMax = 4000

/** As `nameSays`, where another channel may be named around it; `until`: no, while its date lies ahead. */
export function judgeName(name: string, isOtherAround = false): NameVerdict | 'until' {
  const key = isOtherAround ? `\0${name}` : name
  const before = remembered.get(key)
  if (before !== undefined) return before
  const verdict = verdictOf(openedWords(name.slice(0, nameMaxChars)), isOtherAround)
  if (remembered.size >= rememberedMax) remembered.clear()
  if (name.length <= 200) remembered.set(key, verdict)
  return verdict
}
const nameMaxChars = 1000

/** What a yes under this name, or under this path in one text, means. */
export function nameSays(name: string): NameVerdict {
  const verdict = judgeName(name)
  return verdict === 'until' ? null : verdict
}

const weights = ['no', 'maybe', 'permission', null] as const
/** Each step alone, and each with the step before it. */
export function pathSays(path: readonly string[]): NameVerdict {
  const isOther = path.some((step) => isOfOtherChannel(step))
  const said = path.flatMap((step, at) => [
    judgeName(step, isOther),
    at === 0 ? null : judgeName(`${path[at - 1]}.${step}`, isOther),
  ])
  return weights.find((weight) => said.includes(weight)) ?? null
}
