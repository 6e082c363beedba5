// Which entries of a post are phone numbers by their name, and whose: of the person whose post it is, or of somebody
// else whom it names. Pure.
import { hasPlus, isLikeNumber } from '../../../queue/leads/file/header.ts'
import { isPhoneName, otherPeople, wordsOf } from '../../../queue/leads/file/names/phone-names.ts'
import type { Entry } from '../flatten.ts'

/** `account`: of who uses the sender's system, unless the post is of no other person. */
type Whose = 'person' | 'account' | 'other'

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s*,\s*/))

/** More of them in a post: who works for the sender or is near, and whom the person was before. */
const otherWords = new RegExp(
  `^(?:${otherPeople}|old|previous|before|salesperson|reps?|representatives?|advis[eo]rs?|consultants?|assigned.*|` +
    'organi[sz]ers?|referrers?|references?|kin|husband|wife|friends?|landlords?|doctors?|physicians?|lawyers?)$',
)
/** As the whole name of a step around them. */
const accountSteps = new RegExp(
  '^(?:users?|company|companies|accounts?|locations?|agency|agencies|vendors?|providers?|dealers?|stores?|support|' +
    'from|listings?|associated.*|(?:created|updated|modified) by)$',
)

const personNames =
  setOf(`name, full name, fullname, first name, firstname, last name, lastname, surname, given name, family name,
  your name, contact name, person name, lead name, vorname, nachname, prenom, nom, nombre, apellido, apellidos,
  nome, cognome,
  voornaam, achternaam, naam, sobrenome, imie, nazwisko`)
const personIds = setOf(
  `contact id, lead id, person id, customer id, client id, vid, record id, respondent id`,
)
const isAddress = (value: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim())
/** Around a name that is no person's. */
const things = setOf(
  'form, campaign, workflow, survey, list, event, product, page, source, site, deal, pipeline',
)

const wordsJoined = (step: string) => wordsOf(step).join(' ')
const isOther = (step: string) => wordsOf(step).some((word) => otherWords.test(word))
const isAccount = (step: string) => accountSteps.test(wordsJoined(step))

/** With those that a form has in its name itself, behind dots. */
export const stepsAround = ({ steps, last }: Entry) => [
  ...steps.slice(0, -1),
  ...last.split('.').slice(0, -1),
]

/**
 * By its own name, or by what a form tool says beside it. Within a member of a phone's name, what is written as a
 * number is one: `phones.work`, `phone.0.full`.
 */
function isPhone(entry: Entry, beside: (name: string) => string): boolean {
  if ([...entry.value.matchAll(/\p{Nd}/gu)].length < fewestDigits) return false
  const { name, last, type } = entry
  if ([last, beside(`${name}.label`), beside(`${name}.title`)].some(isPhoneName)) return true
  const isWithin = /phone|^tel$/i.test(type || beside(`${name}.type`)) || stepsAround(entry).some(isPhoneName)
  return (
    isWithin &&
    !ofNumber.has(wordsOf(last).at(-1) ?? '') &&
    (isLikeNumber(entry.value) || hasPlus(entry.value) || link.test(entry.value))
  )
}
const link = /^\s*(?:whatsapp:|(?:https?:\/\/)?(?:www\.)?wa\.me\/)/i
/** What stands beside a number. */
const ofNumber = setOf(
  'type, consent, opt, dnc, label, id, ids, ext, extension, fax, at, time, date, created, updated, timestamp',
)
const fewestDigits = 7

function whoseIs(entry: Entry): Whose {
  const around = stepsAround(entry)
  if ([...around, entry.last].some(isOther)) return 'other'
  return around.some(isAccount) ? 'account' : 'person'
}

/** Whether it says who a person is: by a name, an address or an id, which are nobody else's. */
function saysPerson(entry: Entry): boolean {
  if (whoseIs(entry) !== 'person') return false
  const name = wordsJoined(entry.last.split('.').at(-1) ?? '')
  if (isAddress(entry.value) || personIds.has(name)) return true
  return personNames.has(name) && !things.has(wordsJoined(stepsAround(entry).at(-1) ?? ''))
}

/** The numbers of a post, in the order of the body: of the person whose post it is, and of others. */
export function numbersOfPost(entries: readonly Entry[]): {
  readonly own: readonly Entry[]
  readonly others: readonly Entry[]
} {
  const values = new Map(entries.map(({ name, value }) => [name, value]))
  const found = entries
    .filter((entry) => isPhone(entry, (name) => values.get(name) ?? ''))
    .map((entry) => ({ entry, whose: whoseIs(entry) }))
  const isOfAccounts = found.some(({ whose }) => whose === 'account') && !entries.some(saysPerson)
  const isOwn = ({ whose }: (typeof found)[number]) =>
    whose === 'person' || (whose === 'account' && isOfAccounts)
  const entriesOf = (some: typeof found) => some.map(({ entry }) => entry)
  return {
    own: entriesOf(found.filter(isOwn)),
    others: entriesOf(found.filter((one) => !isOwn(one))),
  }
}

export const candidatesOf = (entries: readonly Entry[]): readonly Entry[] => numbersOfPost(entries).own

/** There are many other numbers of this name. */
export const isBareNumber = ({ last }: Entry) => wordsJoined(last.split('.').at(-1) ?? '') === 'numero'

export const isSomebodyElses = (entry: Entry) => whoseIs(entry) !== 'person'

/** By what they are told apart: e-mail addresses, and names. */
export function personOf(entries: readonly Entry[]): {
  readonly addresses: string[]
  readonly names: string
} {
  const own = entries.filter((entry) => whoseIs(entry) === 'person')
  const isName = ({ last }: Entry) => personNames.has(wordsJoined(last.split('.').at(-1) ?? ''))
  return {
    addresses: own.filter(({ value }) => isAddress(value)).map(({ value }) => value.trim().toLowerCase()),
    names: own
      .filter(isName)
      .map(({ value }) => value.trim().toLowerCase())
      .join(' '),
  }
}
