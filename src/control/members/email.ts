// How an e-mail address is compared: ASCII letters in lower case, then byte by byte. No other letter becomes an ASCII
// one, so nobody signs in by one that only looks like another's. And which addresses a new member may have.
import { createHmac } from 'node:crypto'
import { limits } from '../../base/limits.ts'

export const lowerEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** By which D1 finds a person's companies: keyed, since addresses can be guessed. */
export const hashEmail = (pepper: string, email: string): string =>
  createHmac('sha256', pepper).update(`member\n${email}`).digest('base64url')

/**
 * For clients too, so it says only what every engine of patterns reads alike: `\p{C}`, for example, means another thing
 * without the flag `u`.
 */
export const emailForm = /^[^\s@]+@[^\s@]+$/

/** Control characters, what nobody sees, and half a surrogate pair. */
const invisible = /\p{C}/u

/** What RFC 5322 allows between quotes only, which no address needs. So no `mailto:ada@example.com` is an address. */
const quotable = /[<>()[\]\\,;:"]/

/** Not whether it can get mail: the provider that signs people in has asked that. */
export const isEmail = (text: string): boolean =>
  text.length <= limits.emailMaxChars && emailForm.test(text) && !invisible.test(text)

/** Whether it is an address that a person would type: without a scheme, a name or brackets beside it. */
export const isPlainEmail = (text: string): boolean => isEmail(text) && !quotable.test(text)

/** Alphabets with letters that look like those of another. */
const alphabets = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Coptic', 'Cherokee', 'Lisu'].map(
  (name) => new RegExp(`\\p{Script=${name}}`, 'u'),
)

/** Letters of other alphabets that can look like Latin ones (Unicode's confusables). */
const likeLatinBy = {
  greek: 'αγικνορστυχωϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ',
  cyrillic: 'асеһіјӏорԛѕԝхуѵԁгкАВЕЅІЈКМНОРСТУХԌԚԜѴҮү',
  armenian: 'ցհոսօզյքԼՍՕ',
}
/** Words of these letters alone. */
const likeLatin = new RegExp(`^[${Object.values(likeLatinBy).join('')}\\P{L}]+$`, 'u')

/**
 * Whether an address may look like another's: letters of several alphabets in its name or in a part of its domain
 * (`аda@example.com` with a Cyrillic `а`), a word all of whose letters look Latin beside Latin ones, or another form
 * of letters, such as full-width ones. `иван@example.com` looks like no other.
 */
export function looksLikeAnother(email: string): boolean {
  const parts = email.split(/@|(?<=@.*)\./)
  const mixes = (text: string) => alphabets.filter((alphabet) => alphabet.test(text)).length > 1
  const imitates = (part: string) => /(?=\P{ASCII})\p{L}/u.test(part) && likeLatin.test(part)
  return (
    email.normalize('NFC') !== email.normalize('NFKC') ||
    parts.some(mixes) ||
    (mixes(email) && parts.some(imitates))
  )
}
