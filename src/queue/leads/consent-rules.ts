// What the members of a consent must be: for the service, and for lead files, which are read without zod.
import { limits } from '../../base/limits.ts'
import { isAtMost } from '../../base/text-length.ts'

/** `rule`: what a text must be. */
export type Rule = readonly [isUsable: (text: string) => boolean, rule: string]

export const sha256Rule: Rule = [
  (text) => /^[0-9A-Fa-f]{64}$/.test(text),
  'a SHA-256 of 64 hexadecimal digits',
]

/** As URLs have it: one of IPv4 unchanged, one of IPv6 in brackets. */
export const addressRule: Rule = [
  (text) =>
    /^[\d.]+$/.test(text)
      ? URL.canParse(`http://${text}`) && new URL(`http://${text}`).hostname === text
      : /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`),
  'an IPv4 or IPv6 address',
]

/** Absolute, and without a password: that would be kept and shown. Others than these name a person, as tel: does. */
const urlRule = (what: string, ...protocols: readonly string[]): Rule => [
  (text) => {
    if (!isAtMost(text, limits.consentUrlMaxChars) || !URL.canParse(text)) return false
    const { username, password, protocol } = new URL(text)
    return `${username}${password}` === '' && protocols.includes(protocol)
  },
  `${what} of at most ${limits.consentUrlMaxChars} characters, without a user name or password`,
]
export const sourceUrlRule = urlRule('an http or https URL', 'http:', 'https:')
export const certificateUrlRule = urlRule('an https URL', 'https:')
