// The fields of a source in the API description.
import { limits } from '../../base/limits.ts'
import {
  existingRules,
  noCountries,
  permissionRules,
  sourceFields,
} from '../../channels/sources/source-settings.ts'
import * as s from '../openapi/json-schema.ts'
import { prose } from '../openapi/prose.ts'

const senderName = { type: 'string', minLength: 1, maxLength: limits.sourceFieldMaxChars } as const
const fieldNames: s.Properties = Object.fromEntries(
  sourceFields.map((field) => [field, { ...s.orNull(senderName), description: 'A name of the sender.' }]),
)
export const consentFields: s.Properties = {
  purpose: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$', description: 'What the person consents to.' },
  text: {
    type: 'string',
    minLength: 1,
    maxLength: limits.consentTextMaxChars,
    description: 'The words that the person agrees to.',
  },
  field: {
    ...s.orNull(senderName),
    description: prose`The name whose yes gives the consent; \`text\` itself and the name are a yes, too. What
      is neither yes nor no is named in \`lastProblem\`. Null: every post gives it, unless it says no under a
      name that speaks of consent.`,
  },
  expiresAfterDays: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 3650,
    description: 'Null: it does not expire.',
  },
}
const consent = {
  type: 'object',
  additionalProperties: false,
  required: ['purpose', 'text'],
  properties: consentFields,
  description: prose`Stored with each lead that gives it, with the time of receipt, and the website and IP
    address where a browser sends the post. Null: none is stored.`,
}
export const fieldsOfSender = {
  type: 'object',
  additionalProperties: false,
  properties: fieldNames,
  description: prose`Where a field of the lead stands among the sender's names, exactly. Only \`phoneNumber\` is
    guessed when it is not named; null: never taken. A value that cannot be used stays metadata, and is named in
    \`lastProblem\`.`,
}
export const countryCodes = {
  type: 'array',
  items: { type: 'string', pattern: `^(?!${noCountries.join('|')})[A-Z]{2}$` },
  minItems: 1,
  maxItems: limits.sourceCountriesMax,
  uniqueItems: true,
  description:
    'ISO 3166-1 codes of the countries whose numbers are taken. Which one reads national numbers: `nationalCountry`.',
  examples: [['DE', 'AT']],
}
export const nationalCountry = {
  ...s.orNull({ type: 'string', pattern: '^[A-Z]{2}$' }),
  description: prose`One of \`countries\`, which reads numbers without a country code where the post does not
    say a country beside them. Null: each reads them, and one that may be a number of two is refused. Default:
    the first of \`countries\`.`,
  examples: ['DE'],
}
export const timeZones = {
  type: 'object',
  propertyNames: { pattern: '^([A-Z]{2}|\\*)$' },
  additionalProperties: { type: 'string' },
  maxProperties: limits.sourceCountriesMax,
  description: prose`By whose clock numbers of a country are called: a time zone of that country, or
    \`campaign\`. A country whose zones show one clock needs no answer. \`*\`: what becomes of others,
    \`campaign\` or \`refuse\`. A request that sends this or \`countries\` must have an answer for each country
    whose clock differs by an hour or more from the campaign's; without one, as in older sources, leads are
    called by the campaign's clock, with the alert \`source_clock\`.`,
  examples: [{ US: 'America/New_York', '*': 'campaign' }],
}
export const ignored = {
  type: 'array',
  items: senderName,
  maxItems: limits.postNamesMax,
  description: prose`Names that are left out. Those of passwords and captchas always are. Under such a name only
    a clear yes to do-not-call counts, and none where the name may be about e-mail (\`opt_out\`).`,
}
export const notDoNotCall = {
  type: 'array',
  items: senderName,
  maxItems: limits.postNamesMax,
  description: prose`Names, each as a whole, under which nothing says do-not-call, whatever they look like:
    neither the name nor its values.`,
  examples: [['dnc_list_name']],
}
export const permissions = s.oneOf(
  permissionRules,
)`What a no to a question such as "May we call you?" does. \`keep\`: the lead
  is stored without a consent, and \`lastProblem\` names it. \`suppress\`: as do-not-call.`
export const onExisting = s.oneOf(
  existingRules,
)`\`keep\`: a lead that is there stays as it is. \`requeue\`: one
  that has ended is called again, a day after its end, unless the person refused or the number was wrong.`
export const redirect = 'Where a browser goes that sends the form itself.'
/** Those of a request. */
export const fields: s.Properties = {
  name: {
    minLength: 1,
    maxLength: limits.sourceNameMaxChars,
    description: 'For people.',
    examples: ['Contact form'],
  },
  countries: countryCodes,
  nationalCountry,
  timeZones,
  fields: fieldsOfSender,
  ignored,
  notDoNotCall,
  permissions: { description: `${permissions.description} Default: \`keep\`.` },
  consent,
  onExisting: { description: `${onExisting.description} Default: \`keep\`.` },
  redirectUrl: {
    pattern: '^https:',
    maxLength: limits.consentUrlMaxChars,
    description: redirect,
    examples: ['https://example.com/thanks'],
  },
  turnstileSecret: {
    description: prose`The secret key of Cloudflare Turnstile: then every post must hold a valid
      \`cf-turnstile-response\`. Stored encrypted, never returned.`,
  },
  enabled: { description: 'False: posts are answered 410. Default: true.' },
}
