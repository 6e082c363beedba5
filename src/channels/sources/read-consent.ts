// Whether a post gives the consent that its source stores: by a yes of the field that the source names, else by being
// sent. What the post itself says against it withholds it. Pure.
import { stop, wordsOf } from '../../queue/leads/no/fold.ts'
import { withoutCount } from '../../queue/leads/no/hear.ts'
import { answerOf } from '../../queue/leads/no/judge.ts'
import { has, isOfOtherChannel, openedWords } from '../../queue/leads/no/phrases.ts'
import { type Entry, isNameOf } from './flatten.ts'
import { listNames } from './post-problem.ts'
import type { SourceSettings } from './source-settings.ts'

type Given = {
  readonly isGiven: boolean
  /** Why not, in words. Null: nothing is said of it. */
  readonly note: string | null
}

const plain = (text: string) =>
  wordsOf(text)
    .filter((word) => word !== stop)
    .join(' ')

/** Also by the title of a question, where its name is an id. */
const askedIn = ({ last, asked = last }: Entry): readonly string[] => [last, asked]

function answerIn(entry: Entry, text: string) {
  const { value } = entry
  const answer = answerOf(value, 'permission')
  if (answer === 'yes' || answer === 'no') return answer
  // What a form says in full, and a person ticks.
  const words = plain(value)
  return [text, ...askedIn(entry)].some((asked) => words === plain(asked)) ? 'yes' : 'unclear'
}

/** Also one that may mean something else than calls: a no to it is not a yes to them. */
const saysConsent = (name: string) =>
  !isOfOtherChannel(name) && (['allow', 'consent'] as const).some((kind) => has(kind, openedWords(name)))

/** Its name, and those of the steps around it. */
const namesOf = ({ name, steps }: Entry): readonly string[] => [
  withoutCount(name),
  ...steps.map((_, at) => steps.slice(0, at).join('.')),
]

/** `consent.given`, unless that is `consent.email`, `consent.revoked`, or of another channel by what is beside it. */
function isWithinConsent({ steps, last }: Entry, entries: readonly Entry[]): boolean {
  const around = steps.slice(0, -1)
  if (!around.some(saysConsent) || steps.some(isOfOtherChannel)) return false
  const words = openedWords(last)
  if ((['revoked', 'denied', 'inactive', 'out'] as const).some((kind) => has(kind, words))) return false
  const isBeside = (other: Entry) =>
    [around, steps].some((place) => isSamePath(other.steps.slice(0, -1), place))
  return !entries.some((other) => isBeside(other) && isOfOtherChannel(other.value))
}

const isSamePath = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((step, at) => step === other[at])

export function readConsent(
  entries: readonly Entry[],
  { consent, notDoNotCall = [] }: SourceSettings,
): Given {
  if (consent === null) return { isGiven: false, note: null }
  const { field, text } = consent
  if (field === null) {
    const against = entries.filter(
      (entry) =>
        answerOf(entry.value, 'permission') === 'no' &&
        (askedIn(entry).some(saysConsent) || isWithinConsent(entry, entries)) &&
        !namesOf(entry).some((name) => notDoNotCall.some((one) => isNameOf(name, one))),
    )
    const names = listNames(against.map(({ name }) => name))
    if (against.length === 0) return { isGiven: true, note: null }
    return { isGiven: false, note: `${names} says no: no consent is stored` }
  }
  // The last of a box and a hidden field beside it counts.
  const entry = entries.findLast(({ name }) => isNameOf(withoutCount(name), field))
  const answer = entry && answerIn(entry, text)
  if (answer === 'yes') return { isGiven: true, note: null }
  const why = { no: 'says no', unclear: 'is neither yes nor no', absent: 'is not in the post' }[
    answer ?? 'absent'
  ]
  return { isGiven: false, note: `${listNames([field])} ${why}: no consent is stored` }
}
