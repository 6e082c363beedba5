// The fields of consents in the API description.

import { consentIdPattern } from '../../base/ledger/consent/consents.ts'
import { limits } from '../../base/limits.ts'
import { timestampPattern } from '../../base/timestamp.ts'
import { consentOfLead as consentBody } from '../../queue/leads/consent-input.ts'
import * as s from '../openapi/json-schema.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'

export const consentId = {
  type: 'string',
  pattern: `^${consentIdPattern}$`,
  description: 'The id of the consent.',
  examples: [exampleIds.consent],
}

const chars = (maxLength: number) => ({ maxLength })
const url = { ...chars(limits.consentUrlMaxChars), format: 'uri' }

/** What a client sends of a consent: what zod cannot express, and the descriptions. */
export const consentFields: s.Properties = {
  purpose: {
    pattern: '^[A-Za-z0-9._-]{1,64}$',
    description: 'What the person agrees to. A campaign requires a purpose by this name.',
    examples: ['phone-offers'],
  },
  givenAt: {
    pattern: timestampPattern.source,
    description: 'When it was given: ISO 8601 with a UTC offset, at most 5 minutes in the future.',
    examples: ['2026-11-20T08:30:00Z'],
  },
  expiresAt: {
    pattern: timestampPattern.source,
    description: 'From when on it no longer counts. An expired consent is stored too.',
  },
  text: {
    ...chars(limits.consentTextMaxChars),
    description: 'The text that the person agreed to. Stored once for each company.',
    examples: ['I agree that Acme calls me about offers.'],
  },
  textSha256: {
    pattern: '^[0-9A-Fa-f]{64}$',
    description: 'Instead of the text: its SHA-256, in hexadecimal digits.',
  },
  source: {
    properties: {
      url: {
        type: 'string',
        ...url,
        pattern: '^https?:',
        description: 'The page or form: http or https, no user name, no password.',
      },
      ip: { type: 'string', description: 'The IPv4 or IPv6 address of the person.' },
      userAgent: { type: 'string', ...chars(limits.userAgentMaxChars), description: 'The browser.' },
    },
    description: 'Where it was given.',
    examples: [{ url: 'https://acme.example/offer', ip: '203.0.113.7' }],
  },
  certificateUrl: {
    ...url,
    pattern: '^https:',
    description: 'A certificate of somebody who witnessed it: https.',
  },
  reference: { ...chars(limits.consentReferenceMaxChars), description: 'Your own id of the consent.' },
}

/** A consent as answers have it. */
export const shownConsent: s.Properties = {
  consentId,
  purpose: s.text('What the person agrees to.'),
  givenAt: s.time('When it was given.'),
  expiresAt: s.timeOrNull('From when on it no longer counts.'),
  text: s.textOrNull`The text that the person agreed to. Null: none was sent, only its SHA-256, or not through the
    campaign of the key.`,
  textSha256: s.textOrNull('The SHA-256 of the text.'),
  source: s.orNull({
    ...s.exactObject({ url: s.textOrNull(''), ip: s.textOrNull(''), userAgent: s.textOrNull('') }),
    description: 'Null: nothing is known of it, or it was erased.',
  }),
  certificateUrl: s.textOrNull('The certificate of a witness.'),
  reference: s.textOrNull('Your own id of the consent.'),
  storedAt: s.time('When it was stored.'),
}

export const consentOfLead = {
  ...s.describeBody(
    consentBody,
    prose`A consent of the person, kept for the number: see [consents](#area-consents). It is stored also if the
      lead exists already, but not in a dry run. No other members.`,
    consentFields,
  ),
  examples: [
    {
      purpose: 'phone-offers',
      givenAt: '2026-11-20T08:30:00Z',
      source: { url: 'https://acme.example/offer' },
    },
  ],
}
