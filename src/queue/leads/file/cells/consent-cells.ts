// The cells of a row that are a consent: when it was given, to what, and its evidence, by the rules of
// consent-input.ts. That a time is not in the future is left to the service: a request that is repeated must have the
// same rows.

import { limits } from '../../../../base/limits.ts'
import { isAtMost } from '../../../../base/text-length.ts'
import { isTimestamp } from '../../../../base/timestamp.ts'
import { purposeRule } from '../../../campaigns/settings.ts'
import { addressRule, certificateUrlRule, type Rule, sha256Rule, sourceUrlRule } from '../../consent-rules.ts'
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
    if (cells.consentGivenAt === undefined) {
      const field = consentFields.find((each) => cells[each] !== undefined)
      if (field === undefined) return { consent: undefined }
      return { problem: `consentGivenAt is empty, and ${field} is not`, field }
    }
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

const atMost = (maxChars: number): Rule => [
  (cell) => isAtMost(cell, maxChars),
  `text of at most ${maxChars} characters`,
]
const timestamp: Rule = [isTimestamp, 'an ISO 8601 timestamp with a UTC offset']
export const consentTextRule = atMost(limits.consentTextMaxChars)

const rules: Readonly<Record<ConsentField, Rule>> = {
  consentGivenAt: timestamp,
  consentPurpose: purposeRule,
  consentExpiresAt: timestamp,
  consentText: consentTextRule,
  consentTextSha256: sha256Rule,
  consentUrl: sourceUrlRule,
  consentIp: addressRule,
  consentUserAgent: atMost(limits.userAgentMaxChars),
  consentCertificateUrl: certificateUrlRule,
  consentReference: atMost(limits.consentReferenceMaxChars),
}
