// What a post says of calls to its person, in any words: what the judge hears of it, by the settings of the source.
// Pure.

import { withoutCount } from '../../queue/leads/no/hear.ts'
import { type Heard, hear } from '../../queue/leads/no/judge.ts'
import { isNameOf } from './flatten.ts'
import { listNames } from './post-problem.ts'
import type { SourceSettings } from './source-settings.ts'

type Noes = {
  /** Whether nobody may call. `unclear`: neither yes nor no. */
  readonly says: 'yes' | 'unclear' | null
  /** A call is not permitted by its own words, which is less. */
  readonly isRefused: boolean
  /** What of it did not count, or not in full, in words. */
  readonly notes: readonly string[]
}

const nameOf = (path: readonly string[]) => withoutCount(path.join('.'))
const isAmong = (names: readonly string[], path: readonly string[]) =>
  names.some((name) => isNameOf(nameOf(path), name))

/** The last of a box and a hidden field beside it counts. */
const lastOfEach = (heard: readonly Heard[]): readonly Heard[] => [
  ...new Map(heard.map((one) => [nameOf(one.path), one])).values(),
]

export function hearNoes(root: object, { ignored, notDoNotCall = [], permissions }: SourceSettings): Noes {
  // Nor what stands within such a name.
  const isSilent = ({ path }: Heard) => path.some((_, at) => isAmong(notDoNotCall, path.slice(0, at + 1)))
  const heard = hear(root).filter((one) => !isSilent(one))
  const isIgnored = ({ path }: Heard) => isAmong(ignored, path)
  const said = (under: Heard['under'], answer: Heard['answer']) =>
    heard.filter((one) => one.under === under && one.answer === answer)
  const refused = lastOfEach(heard.filter(({ under }) => under === 'permission')).filter(
    ({ answer }) => answer === 'no',
  )
  const maybe = said('maybe', 'yes')
  const isNo =
    said('no', 'yes').length > 0 ||
    said('value', 'yes').length > 0 ||
    maybe.some((one) => !isIgnored(one)) ||
    (permissions === 'suppress' && refused.length > 0)
  const isUnclear = said('no', 'unclear').some((one) => !isIgnored(one))
  const smells = [...maybe.filter(isIgnored), ...said('maybe', 'unclear')]
  return {
    says: isNo ? 'yes' : isUnclear ? 'unclear' : null,
    isRefused: refused.length > 0,
    notes: [
      refused.length > 0 && `a call is not permitted by ${namesOf(refused)}: no consent is stored`,
      smells.length > 0 && `do-not-call is not heard of ${namesOf(smells)}`,
    ].filter((note) => note !== false),
  }
}

const namesOf = (heard: readonly Heard[]) => listNames(heard.map(({ path }) => path.join('.')))
