// What a client sends of a source: text goes in, its settings or a message come out.
import * as z from 'zod/mini'
import { judge, mapReading, type Reading } from '../../base/http/reading.ts'
import {
  boolean,
  integer,
  isObject,
  members,
  oneOf,
  problem,
  requiredText,
  storable,
  text,
} from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { settingRanges } from '../../queue/campaigns/settings.ts'
import { purpose } from '../../queue/campaigns/settings-input.ts'
import { certificateUrlRule } from '../../queue/leads/consent-rules.ts'
import { isZoneOf } from '../../queue/leads/file/cells/zone-cell.ts'
import {
  campaignClock,
  existingRules,
  isCountry,
  otherClocks,
  permissionRules,
  type SourceConsent,
  type SourceSettings,
  sourceFields,
} from './source-settings.ts'

const { sourceNameMaxChars, sourceCountriesMax, sourceFieldMaxChars, postNamesMax } = limits

const invalidName = `name must be a string of 1 to ${sourceNameMaxChars} characters`
const name = requiredText('name is required', invalidName).check(
  storable('name', sourceNameMaxChars, invalidName),
)

const invalidCountries = `countries must be an array of 1 to ${sourceCountriesMax} codes of countries, such as DE`
const countries = z.custom<readonly string[]>().check(
  problem((value) => {
    if (value === undefined || value === null) return 'countries is required'
    if (!Array.isArray(value) || value.length === 0 || value.length > sourceCountriesMax)
      return invalidCountries
    const wrong = value.findIndex((code) => !isCountry(code))
    if (wrong !== -1) return `countries[${wrong}] must be the code of a country, such as DE`
    return new Set(value).size === value.length ? null : 'countries must not repeat a value'
  }),
)

const invalidNational = 'nationalCountry must be one of countries, or null'
const nationalCountry = z
  .custom<string | null>()
  .check(problem((code) => (code === null || isCountry(code) ? null : invalidNational)))

const invalidZones = 'timeZones must be an object such as {"US": "America/New_York", "*": "campaign"}'
const timeZones = z.custom<Readonly<Record<string, string>>>().check(
  problem((value) => {
    if (!isObject(value) || Object.keys(value).length > sourceCountriesMax) return invalidZones
    for (const [country, zone] of Object.entries(value)) {
      if (country === '*') {
        if (!otherClocks.some((one) => one === zone)) return `timeZones.* must be ${otherClocks.join(' or ')}`
      } else if (!isCountry(country)) return invalidZones
      else if (zone !== campaignClock && !(typeof zone === 'string' && isZoneOf(country, zone)))
        return `timeZones.${country} must be a time zone of that country, or ${campaignClock}`
    }
    return null
  }),
)

/** As a sender names it. */
const senderName = (of: string) => {
  const invalid = `${of} must be a string of 1 to ${sourceFieldMaxChars} characters`
  return z.string(invalid).check(z.minLength(1, invalid), storable(of, sourceFieldMaxChars, invalid))
}

const fields = members(
  Object.fromEntries(sourceFields.map((field) => [field, z.nullish(senderName(`fields.${field}`))])),
  { name: 'fields', unknown: `is not a member: ${sourceFields.join(', ')}` },
)

function senderNames(of: string) {
  const invalid = `${of} must be an array of at most ${postNamesMax} names of 1 to ${sourceFieldMaxChars} characters`
  return z.array(senderName(of), invalid).check(z.maxLength(postNamesMax, invalid))
}

const consentText = 'consent.text'
const consent = members(
  {
    purpose: purpose('consent.purpose'),
    text: text(consentText, limits.consentTextMaxChars).check(
      z.minLength(1, `${consentText} must not be empty`),
    ),
    field: z.nullish(senderName('consent.field')),
    expiresAfterDays: z.nullish(integer('consent.expiresAfterDays', settingRanges.consentMaxAgeDays)),
  },
  { name: 'consent' },
)

const [isHttps, httpsRule] = certificateUrlRule
const invalidRedirect = `redirectUrl must be ${httpsRule}`
const redirectUrl = z.string(invalidRedirect).check(problem((url) => (isHttps(url) ? null : invalidRedirect)))

const invalidSecret = 'turnstileSecret must be a string of 1 to 255 printable ASCII characters'
const turnstileSecret = z.string(invalidSecret).check(z.regex(/^[!-~]{1,255}$/, invalidSecret))

const settings = {
  // Null is a choice of its own.
  nationalCountry: z.optional(nationalCountry),
  timeZones: z.nullish(timeZones),
  fields: z.nullish(fields),
  ignored: z.nullish(senderNames('ignored')),
  notDoNotCall: z.nullish(senderNames('notDoNotCall')),
  permissions: z.nullish(oneOf('permissions', permissionRules)),
  consent: z.nullish(consent),
  onExisting: z.nullish(oneOf('onExisting', existingRules)),
  redirectUrl: z.nullish(redirectUrl),
  turnstileSecret: z.nullish(turnstileSecret),
  // Null would be the default, which switches it on.
  enabled: z.optional(boolean('enabled')),
}
export const createSourceBody = members({ name, countries, ...settings })
export const changeSourceBody = members({
  name: z.optional(name),
  countries: z.optional(countries),
  ...settings,
})
export const trySourceBody = members({
  contentType: z.string('contentType must be a string'),
  body: z.string('body must be a string'),
})

/** `turnstileSecret`: undefined: it stays; null: there is none. */
export type SourceChange = Partial<SourceSettings> & { readonly turnstileSecret?: string | null }

type Sent = z.output<typeof changeSourceBody>

const defaults = {
  ...{ timeZones: {}, fields: {}, ignored: [], notDoNotCall: [], permissions: 'keep' },
  ...{ consent: null, onExisting: 'keep', redirectUrl: null },
} as const

const toConsent = (sent: NonNullable<Sent['consent']>): SourceConsent => ({
  purpose: sent.purpose,
  text: sent.text,
  field: sent.field ?? null,
  expiresAfterDays: sent.expiresAfterDays ?? null,
})

/** The members that are sent; null is the default. */
function toChange(sent: Sent): SourceChange {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined)
  const change = given.map(([name, value]) => [
    name,
    name === 'consent' && value !== null
      ? toConsent(value as NonNullable<Sent['consent']>)
      : (value ?? defaults[name as keyof typeof defaults] ?? null),
  ])
  return Object.fromEntries(change)
}

/** An empty text means not set, as elsewhere. */
const withoutEmptyTexts = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          member === '' && (name === 'redirectUrl' || name === 'turnstileSecret') ? null : member,
        ]),
      )
    : value

export function readSource(json: string): Reading<SourceSettings & SourceChange> {
  const reading = judge(createSourceBody, withoutEmptyTexts(JSON.parse(json)))
  return mapReading(
    reading,
    (sent) =>
      ({
        ...{ ...defaults, nationalCountry: sent.countries[0] },
        ...{ enabled: true, ...toChange(sent) },
      }) as SourceSettings & SourceChange,
  )
}

export const readSourceChange = (json: string): Reading<SourceChange> =>
  mapReading(judge(changeSourceBody, withoutEmptyTexts(JSON.parse(json))), toChange)

export const readTry = (json: string) => judge(trySourceBody, JSON.parse(json))

/** What only the settings together say. Null: nothing is wrong. */
export const problemOfNational = ({
  countries,
  nationalCountry: code,
}: Pick<SourceSettings, 'countries' | 'nationalCountry'>): string | null =>
  code === null || countries.includes(code) ? null : invalidNational
