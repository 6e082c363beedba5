// Whether a post says do-not-call, wherever in it: as a member beside a value, behind a number or a label, in a list. Pure.
import { isObject } from '../http/schemas.ts'
import { readYesNo } from '../leads/file/cells/yes-no.ts'
import { guessDoNotCall } from '../leads/file/guess-columns.ts'
import {
  at,
  besides,
  firstOf,
  holdsNumber,
  isNameOf,
  type Members,
  namePaths,
  objectOf,
  valueNames,
} from './flatten.ts'

/** `unclear`: neither yes nor no. */
type SaidNo = 'yes' | 'unclear' | null

/** The heaviest first. */
const weights: readonly SaidNo[] = ['yes', 'unclear', null]
const heaviest = (said: readonly SaidNo[]): SaidNo => weights.find((one) => said.includes(one)) ?? null

/** Deeper, nobody can say what an answer means. */
const deepest = 64

/**
 * A form may have its dots or brackets in the name itself, a number behind one that is sent again, and JotForm one in front. A
 * name that may be about e-mail is none: nobody can be asked.
 */
function isNoName(step: string): boolean {
  const name = firstOf(step).replace(/^q\d+_/, '')
  const inBrackets = /\[([^[\]]+)\](?:\[\])?$/.exec(name)?.[1] ?? ''
  return [name, name.split('.').at(-1) ?? '', inBrackets].some((one) => guessDoNotCall(one) === 'doNotCall')
}

const itemNamePaths = [...namePaths, ['id']]
const isOfName = (name: string) => itemNamePaths.some(([first]) => first === name)

/** Where an answer is, beside ids, options and such. */
const answerNames = ({ type, ...members }: Members) =>
  [
    ...valueNames,
    ...(typeof type === 'string' && !isOfName(type) ? [type] : []),
    'checked',
    'selected',
  ].filter((name) => Object.hasOwn(members, name))
/** Where it is if not there. */
const isInside = (step: string) => /^(?:\d+|labels?|names?|texts?|titles?)$/.test(step)

/** Of an answer that has its name beside it: a label for people, and a key for machines. */
const itemNames = (item: Members) =>
  answerNames(item).length === 0 || holdsNumber(item, 1)
    ? []
    : itemNamePaths.map((path) => at(item, path)).filter((name) => typeof name === 'string')

/** `ignored`: names of which a clear yes alone counts. */
export function readSaidNo(root: object, ignored: readonly string[]): SaidNo {
  const isIgnored = (path: readonly string[]) =>
    ignored.some((name) => isNameOf(firstOf(path.join('.')), name))

  /** `paths`: what its name may be. */
  function judge(value: unknown, ...paths: readonly (readonly string[])[]): SaidNo {
    const answer = answerIn(value)
    return answer === 'unclear' && paths.some(isIgnored) ? null : answer
  }

  function walk(value: unknown, path: readonly string[], isOpened: boolean): SaidNo {
    const members = typeof value === 'string' && !isOpened ? objectOf(value) : value
    if (typeof members !== 'object' || members === null) return null
    if (path.length > deepest) return 'unclear'
    const opened = isOpened || members !== value
    const names = isObject(members) ? itemNames(members) : []
    return heaviest([
      // In a list of such, the place of each is no part of its name.
      names.some(isNoName)
        ? judge(
            members,
            ...names.flatMap((name) => [
              [...path, name],
              [...path.slice(0, -1), name],
            ]),
          )
        : null,
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
function answerIn(value: unknown, depth = 0): SaidNo {
  if (depth > deepest) return 'unclear'
  const answersIn = (inner: readonly unknown[]) => heaviest(inner.map((one) => answerIn(one, depth + 1)))
  if (Array.isArray(value)) return answersIn(value)
  const members = typeof value === 'string' ? objectOf(value) : value
  if (!isObject(members)) {
    const answer = value === null || value === undefined ? 'no' : readYesNo(String(value))
    return answer === 'no' ? null : (answer ?? 'unclear')
  }
  const names = Object.keys(members)
  const known = [answerNames(members), names.filter(isInside)].find(({ length }) => length > 0)
  if (known !== undefined) return answersIn(known.map((name) => members[name]))
  const others = names.filter((name) => name !== 'id' && name !== 'type')
  return answersIn(others.map((name) => members[name])) && 'unclear'
}
