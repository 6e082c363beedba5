// When each field of a lead is valid, the message when it is not (D9-D11, D17-D19, D60), and what is stored. Which
// fields there are is in field-table.ts.
import * as z from 'zod/mini'
import {
  integer,
  isObject,
  oneOf,
  problem,
  requiredText,
  text,
  timestamp,
  timeZone,
  unstorable,
} from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { isAtMost } from '../../base/text-length.ts'
import {
  type ByKind,
  type ChangeableName,
  changeableNames,
  type FieldsAs,
  leadFieldTable,
} from './field-table.ts'
import { e164 } from './file/cells/number-reading.ts'
import { JsonSource } from './json-source.ts'
import { leadStatuses } from './lead.ts'

const invalidCampaignId = `campaignId must be a string of at most ${limits.campaignIdMaxChars} characters`
export const campaignId = (missing: string) =>
  requiredText(missing, invalidCampaignId).check(
    problem((text) => (isAtMost(text, limits.campaignIdMaxChars) ? null : invalidCampaignId)),
  )

/** The message where campaignId is optional. */
export const emptyCampaignId = 'campaignId must not be empty'

export const invalidPhoneNumber = 'phoneNumber must be in E.164 format'
export const isE164 = z.regex(e164, invalidPhoneNumber)
export const phoneNumberNotText = 'phoneNumber must be a string in E.164 format'
export const phoneNumber = requiredText('phoneNumber is required', phoneNumberNotText).check(isE164)

export const externalId = text('externalId', limits.externalIdMaxChars)

/** An object, validated by its source text, which replaces it before. */
export const jsonObject = (
  name: string,
  maxBytes: number,
  findMore = (_: JsonSource): string | null => null,
) =>
  z
    .custom<JsonSource>((value) => value instanceof JsonSource, {
      error: `${name} must be an object`,
      abort: true,
    })
    .check(
      problem((source) =>
        Buffer.byteLength(source.text) > maxBytes
          ? `${name} must be at most ${maxBytes} bytes`
          : findMore(source),
      ),
    )

const metadata = jsonObject('metadata', limits.metadataMaxBytes, ({ text, depth }) => {
  if (depth > limits.metadataMaxDepth)
    return `metadata must be nested at most ${limits.metadataMaxDepth} levels deep`
  return !text.includes('\\u') || isStorableJson(text) ? null : unstorable('metadata')
})

/** JSON.stringify writes only NUL and unpaired surrogates as escapes with these digits. */
function isStorableJson(text: string): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(JSON.stringify(JSON.parse(text)))
}

export const leadStatus = oneOf('status', leadStatuses)

const schemas: ByKind<(name: string, limit: number) => z.ZodMiniType> = {
  phone: () => phoneNumber,
  text,
  json: () => metadata,
  time: timestamp,
  number: (name, max) => integer(name, { min: 0, max }),
  zone: timeZone,
}
type SentAs = { phone: string; text: string; json: JsonSource; time: string; number: number; zone: string }
type Sent = { readonly [Name in ChangeableName]?: FieldsAs<SentAs>[Name] | null | undefined }
type Schemas = { readonly [Name in ChangeableName]: z.ZodMiniOptional<z.ZodMiniType<Sent[Name]>> }

/** What a client may change. In the order of D9: of several wrong fields, the message names the first. */
export const changeableFields = Object.fromEntries(
  changeableNames.map((name) => {
    const { kind, limit } = leadFieldTable[name]
    return [name, z.nullish(schemas[kind](name, limit))]
  }),
) as unknown as Schemas

/** What a client may send of a new lead, in the order of D9. */
export const leadFields = { phoneNumber, ...changeableFields }

/**
 * What means a member of a lead under another name, and is refused (D62, D71): ignored, it would call somebody at once,
 * by the wrong clock. What says that he said no is in no/posted-names.ts. Other unknown names are ignored (contract):
 * CRMs send `comment`, `timeline`, `phoneNumber2`. To add a name, add it here.
 */
export const meantNames = {
  others: {
    scheduledFor: ['scheduledAt', 'scheduleAt', 'callAt', 'callOn', 'callTime', 'appointmentAt'],
    priority: ['prio'],
    timeZone: ['tz'],
    consent: ['consents'],
  },
  // `content` is one change from `consent`.
  oneChange: ['scheduledFor', 'priority', 'timeZone', 'metadata'],
} as const

type Text = string | null
type StoredAs = { phone: string; text: Text; json: Text; time: Text; number: number; zone: Text }
/** A lead as it is stored: absent and null are alike (D10, D18). JSON is its text, exactly as sent. */
export type NewLead = FieldsAs<StoredAs>
type StoredFields = Pick<NewLead, ChangeableName>

/** The values that a change sets. */
export type LeadChange = Partial<StoredFields>

const kinds = changeableNames.map((name) => [name, leadFieldTable[name].kind] as const)

/** What is stored. One pass a lead: a transform a field takes four times as long. */
export function storedFields(sent: Sent): StoredFields {
  const stored: Record<string, unknown> = {}
  for (const [name, kind] of kinds) {
    const value = sent[name] ?? null
    // Adding 0 turns -0, which JSON can write, into 0.
    stored[name] = kind === 'number' ? Number(value) + 0 : value instanceof JsonSource ? value.text : value
  }
  return stored as StoredFields
}

/**
 * Makes of a parsed lead what the schemas validate: its metadata as source text, and an empty text as null, also where
 * a text is not allowed (D10): CRMs send it for what is not set. Changes the object itself: a copy costs a bulk a
 * tenth.
 */
export function sourcedLead(lead: Record<string, unknown>, metadataSource: JsonSource | undefined): object {
  if (isObject(lead.metadata)) lead.metadata = metadataSource
  for (const name of changeableNames) if (lead[name] === '') lead[name] = null
  return lead
}
