// The cells of a row that are a consent: when it was given, to what, and its evidence. The rules of consent-input.ts without
// zod, which is large: a test compares both. That a time is not in the future is left to the service: a request that is
// repeated must have the same rows.
import { limits } from '../../../limits.ts'
import { isTimestamp } from '../../../timestamp.ts'
import { type ConsentField, consentFields } from '../columns.ts'

/** Those that are not empty. */
export type ConsentCells = { [field in ConsentField]?: string | undefined }

/** For rows that have the time of a consent, and not their own. */
type ConsentOfFile = { readonly purpose?: string | undefined; readonly text?: string | undefined }

type ConsentReading =
  /** As it is sent. Undefined: there is none. */
  { readonly consent: object | undefined } | { readonly problem: string; readonly field: ConsentField }

export type ReadConsent = (cells: ConsentCells) => ConsentReading

export const consentReader =
  ({ purpose, text }: ConsentOfFile): ReadConsent =>
  (cells) => {
    if (cells.consentGivenAt === undefined) return { consent: undefined }
    // A text has its hash from the service, which takes one of both.
    const textOfFile = cells.consentTextSha256 === undefined ? text : undefined
    const all: ConsentCells = { consentPurpose: purpose, consentText: textOfFile, ...cells }
    // About the time, because its cell is not empty.
    if (all.consentPurpose === undefined)
      return { problem: 'consentPurpose is empty, and the file has no purpose', field: 'consentGivenAt' }
    for (const field of consentFields) {
      const [cell, [isUsable, rule]] = [all[field], rules[field]]
      if (cell !== undefined && !isUsable(cell)) return { problem: `${field} must be ${rule}`, field }
    }
    if (all.consentText !== undefined && all.consentTextSha256 !== undefined)
      return { problem: 'consentTextSha256 must be empty in a row with a text', field: 'consentTextSha256' }
    const members = Object.entries(all).map(([field, cell]) => [memberOf(field), cell])
    const { url, ip, userAgent, ...consent } = Object.fromEntries(members)
    const source = { url, ip, userAgent }
    const hasSource = Object.values(source).some((cell) => cell !== undefined)
    return { consent: { ...consent, ...(hasSource && { source }) } }
  }

/** `givenAt` of `consentGivenAt`. */
const memberOf = (field: string) => field.replace(/^consent(.)/, (_, first) => first.toLowerCase())

/** `rule`: what a cell must be. */
export type Rule = readonly [isUsable: (cell: string) => boolean, rule: string]

const isAtMost = (cell: string, maxChars: number) => [...cell.slice(0, 2 * maxChars + 1)].length <= maxChars
const atMost = (maxChars: number): Rule => [
  (cell) => isAtMost(cell, maxChars),
  `text of at most ${maxChars} characters`,
]
const timestamp: Rule = [isTimestamp, 'an ISO 8601 timestamp with a UTC offset']
const url = (what: string, protocol?: string): Rule => [
  (cell) => {
    if (!isAtMost(cell, limits.consentUrlMaxChars) || !URL.canParse(cell)) return false
    const parsed = new URL(cell)
    return `${parsed.username}${parsed.password}` === '' && parsed.protocol === (protocol ?? parsed.protocol)
  },
  `${what} of at most ${limits.consentUrlMaxChars} characters, without a user name or password`,
]
/** As URLs have it: one of IPv4 unchanged, one of IPv6 in brackets. The service takes none with both. */
const isAddress = (cell: string) =>
  /^[\d.]+$/.test(cell)
    ? URL.canParse(`http://${cell}`) && new URL(`http://${cell}`).hostname === cell
    : /^[\da-f:]+$/i.test(cell) && URL.canParse(`http://[${cell}]`)

export const purposeRule: Rule = [
  (cell) => /^[A-Za-z0-9._-]{1,64}$/.test(cell),
  '1 to 64 of letters, digits, dot, underscore and hyphen',
]
export const consentTextRule = atMost(limits.consentTextMaxChars)

const rules: Readonly<Record<ConsentField, Rule>> = {
  consentGivenAt: timestamp,
  consentPurpose: purposeRule,
  consentExpiresAt: timestamp,
  consentText: consentTextRule,
  consentTextSha256: [(cell) => /^[0-9A-Fa-f]{64}$/.test(cell), 'a SHA-256 of 64 hexadecimal digits'],
  consentUrl: url('a URL'),
  consentIp: [isAddress, 'an IPv4 or IPv6 address'],
  consentUserAgent: atMost(limits.userAgentMaxChars),
  consentCertificateUrl: url('an https URL', 'https:'),
  consentReference: atMost(limits.consentReferenceMaxChars),
}
