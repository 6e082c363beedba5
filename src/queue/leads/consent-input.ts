// What a client may send of a consent, with a lead or alone: text goes in, a consent or a message come out. What is
// stored of it is in base/ledger/consent/consents.ts.
import * as z from 'zod/mini'
import {
  isObject,
  isStorable,
  members,
  problem,
  text,
  timestamp,
  withoutEmpty,
} from '../../base/http/schemas.ts'
import type { NewConsent } from '../../base/ledger/consent/consents.ts'
import { limits } from '../../base/limits.ts'
import { parseTimestampMs } from '../../base/timestamp.ts'
import { purpose } from '../campaigns/settings-input.ts'
import { addressRule, certificateUrlRule, type Rule, sha256Rule, sourceUrlRule } from './consent-rules.ts'
import { phoneNumber } from './fields.ts'

/** A time that has passed, or nearly: clocks may be fast. */
export function pastTime(name: string) {
  return timestamp(name).check(
    problem((value) =>
      parseTimestampMs(value) > Date.now() + limits.clockAheadMs
        ? `${name} must not be more than 5 minutes in the future`
        : null,
    ),
  )
}

function ruled(name: string, [isUsable, rule]: Rule) {
  const invalid = `${name} must be ${rule}`
  return z.string(invalid).check(problem((value) => (isUsable(value) && isStorable(value) ? null : invalid)))
}

/** `of`: the beginning of names in messages, such as `consent.` */
const source = (of: string) =>
  members(
    {
      url: z.optional(ruled(`${of}source.url`, sourceUrlRule)),
      ip: z.optional(ruled(`${of}source.ip`, addressRule)),
      userAgent: z.optional(text(`${of}source.userAgent`, limits.userAgentMaxChars)),
    },
    { name: `${of}source`, unknown: 'is not a member' },
  )

/** In the order in which they are described: of several wrong members, the message names the first. */
const fields = (of: string) => ({
  purpose: purpose(`${of}purpose`),
  givenAt: pastTime(`${of}givenAt`),
  expiresAt: z.optional(timestamp(`${of}expiresAt`)),
  text: z.optional(text(`${of}text`, limits.consentTextMaxChars)),
  textSha256: z.optional(ruled(`${of}textSha256`, sha256Rule)),
  source: z.optional(source(of)),
  certificateUrl: z.optional(ruled(`${of}certificateUrl`, certificateUrlRule)),
  reference: z.optional(text(`${of}reference`, limits.consentReferenceMaxChars)),
})

const oneText = (of: string) =>
  problem(({ text, textSha256 }: { text?: string | undefined; textSha256?: string | undefined }) =>
    text !== undefined && textSha256 !== undefined
      ? `${of}text and ${of}textSha256 cannot both be sent`
      : null,
  )

/** The member `consent` of a lead. */
export const consentOfLead = members(fields('consent.'), { name: 'consent' }).check(oneText('consent.'))

/** An item of a list of consents, which names its number. */
export const consentItem = members(
  { phoneNumber, ...fields('') },
  { invalid: 'phoneNumber is required' },
).check(oneText(''))

/** Empty members are not set (D10), those of `source` too. */
export function withoutEmptyMembers(sent: unknown): unknown {
  const set = withoutEmpty(sent)
  if (!isObject(set) || !isObject(set.source)) return set
  return { ...set, source: withoutEmpty(set.source) }
}

export const toConsent = (phoneNumber: string, sent: z.output<typeof consentOfLead>): NewConsent => ({
  phoneNumber,
  purpose: sent.purpose,
  givenAtMs: parseTimestampMs(sent.givenAt),
  expiresAtMs: sent.expiresAt === undefined ? null : parseTimestampMs(sent.expiresAt),
  text: sent.text ?? null,
  textSha256: sent.textSha256?.toLowerCase() ?? null,
  url: sent.source?.url ?? null,
  ip: sent.source?.ip ?? null,
  userAgent: sent.source?.userAgent ?? null,
  certificateUrl: sent.certificateUrl ?? null,
  reference: sent.reference ?? null,
})
