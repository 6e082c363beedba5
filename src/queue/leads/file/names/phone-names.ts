// Which names, of a column or of a field of a form, are those of a phone number. More than those by which one is chosen
// as the lead's (column-names.ts): what stands beside a no is held back wherever it stands. Pure.
import { columnNames } from './column-names.ts'

const listed: ReadonlySet<string> = new Set(columnNames.phoneNumber.split(',').map((name) => name.trim()))

/** Folded, as `wordsOf` folds. Those of Chinese stand within a word. */
const phoneWords = `tel phones? telephones? telefon[oe]? telefoon mobiles? mobil mobiel movil celular cellulare
  cell handy gsm
  whatsapp rufnummer telemovel komorka`
const withinWords = ['电话', '電話', '手机', '手機']
/** What is written together with them: `telefonnummer`, `homephone`, `cellno`. */
const others = `home work office business private privat primary main contact dienst firmen geschafts kontakt
  kunden your my
  customer client person lead direct other
  number num nbr no nr nummer numero numeri`
const alternatives = (words: string) => words.trim().split(/\s+/).join('|')
const phoneWord = new RegExp(
  `^(?:${alternatives(others)})*(?:${alternatives(phoneWords)})(?:${alternatives(`${phoneWords} ${others}`)})*$`,
)
const lastOfOthers = new Set('type types consent opt dnc label id ids ext extension fax'.split(' '))
const neverWith = ['telefax', 'telegram']

/**
 * "billing_phone", "No Label phone", "tel-647" and "phoneNumber" as words without accents; what ends in digits ends
 * there.
 */
export const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('whats app', 'whatsapp')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')

/** Whether a name is a phone's, whosever the phone is. */
export function isPhoneName(name: string): boolean {
  const words = wordsOf(name)
  if (listed.has(words.join(' '))) return true
  if (words.length === 0 || lastOfOthers.has(words.at(-1) ?? '')) return false
  if (words.some((word) => neverWith.some((other) => word.startsWith(other)))) return false
  return words.some((word) => phoneWord.test(word) || withinWords.some((phone) => word.includes(phone)))
}

const word = new RegExp(`^(?:${alternatives(`${phoneWords} ${others}`)})+$`)

/** Whether it is the name of a phone without more, such as of the phone's owner, carrier or country. */
export function isPlainPhoneName(name: string): boolean {
  const words = wordsOf(name)
  return isPhoneName(name) && (listed.has(words.join(' ')) || word.test(words.at(-1) ?? ''))
}

/** Words for somebody else than the person of a row or a post, with any word beside them. */
export const otherPeople = 'owners?|agents?|employers?|emergency|spouses?'
/** A post may have a company around its own person. */
const othersOfRow = new RegExp(`^(?:${otherPeople}|company|companies|office)$`)

/** Whether a column's phone is another person's by its name, so that a no in the row is not about it. */
export const isOtherPersons = (name: string): boolean => wordsOf(name).some((word) => othersOfRow.test(word))
