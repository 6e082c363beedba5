// Whether a post says do-not-call, wherever in it: as a member beside a value, behind a number or a label, in a list. Pure.
import { isObject } from '../http/schemas.ts'
import { readYesNo } from '../leads/file/cells/yes-no.ts'
import { guessDoNotCall } from '../leads/file/guess-columns.ts'
import { besides, namedOf, objectOf, valueNames } from './flatten.ts'

/** `unclear`: neither yes nor no. */
type SaidNo = 'yes' | 'unclear' | null

/** The heaviest first. */
const weights: readonly SaidNo[] = ['yes', 'unclear', null]
const heaviest = (said: readonly SaidNo[]): SaidNo => weights.find((one) => said.includes(one)) ?? null

/**
 * A form may have its dots in the name itself, a number behind one that is sent again, and JotForm one in front. A name that may
 * be about e-mail is none: nobody can be asked.
 */
function isNoName(step: string): boolean {
  const name = step.replace(/ \(\d+\)$/, '').replace(/^q\d+_/, '')
  return [name, name.split('.').at(-1) ?? ''].some((one) => guessDoNotCall(one) === 'doNotCall')
}

/** Where a value is that stands deeper, beside ids, options and such. */
const isInside = (step: string) => /^(?:\d+|labels?|names?|texts?)$/.test(step)

/** `ignored`: names of which a clear yes alone counts. */
export function readSaidNo(root: object, ignored: readonly string[]): SaidNo {
  const isIgnored = (path: readonly string[]) =>
    ignored.some((name) => name === path.join('.').replace(/ \(\d+\)$/, ''))

  function judge(value: unknown, path: readonly string[]): SaidNo {
    const answer = answerIn(value)
    return answer === 'unclear' && isIgnored(path) ? null : answer
  }

  function walk(value: unknown, path: readonly string[], isOpened: boolean): SaidNo {
    const members = typeof value === 'string' && !isOpened ? objectOf(value) : value
    if (typeof members !== 'object' || members === null) return null
    const opened = isOpened || members !== value
    const named = namedOf(members)
    const own =
      named !== null && isNoName(named.name)
        ? judge((members as Record<string, unknown>)[named.valueName], [...path, named.name])
        : null
    return heaviest([
      own,
      ...Object.entries(members).map(([name, member]) => {
        if (besides.includes(name)) return null
        const inner = [...path, name]
        return isNoName(name) ? judge(member, inner) : walk(member, inner, opened)
      }),
    ])
  }
  return walk(root, [], false)
}

/** Null: no, or nothing. */
function answerIn(value: unknown): SaidNo {
  if (Array.isArray(value)) return heaviest(value.map(answerIn))
  const members = typeof value === 'string' ? objectOf(value) : value
  if (!isObject(members)) {
    const answer = value === null || value === undefined ? 'no' : readYesNo(String(value))
    return answer === 'no' ? null : (answer ?? 'unclear')
  }
  const names = Object.keys(members)
  const there = names.filter((name) => valueNames.includes(name))
  const inside = there.length > 0 ? there : names.filter(isInside)
  return answerIn(inside.map((name) => members[name]))
}
