// Parses and checks the bodies of suppressing and removing numbers, and the query of listing them.
import * as z from 'zod/mini'
import { judge, type Reading } from '../../base/http/reading.ts'
import {
  cursor,
  list,
  members,
  oneOf,
  optionalId,
  pageSize,
  query,
  text,
  timestamp,
  withoutEmpty,
} from '../../base/http/schemas.ts'
import type { NumberPlace } from '../../base/ledger/suppression/numbers.ts'
import { limits } from '../../base/limits.ts'
import { campaignId, emptyCampaignId, isE164 } from '../leads/fields.ts'
import type { NumbersToSuppress } from './store/suppress.ts'

const fields = {
  phoneNumbers: list(
    'phoneNumbers',
    limits.phoneNumbersPerSuppression,
    `Maximum ${limits.phoneNumbersPerSuppression} phone numbers per request`,
  ),
  campaignId: z.nullish(campaignId(emptyCampaignId)),
}

export const suppressBody = members({
  ...fields,
  reason: z.nullish(text('reason', limits.reasonMaxChars)),
})
export const removeBody = members(fields)

export const readSuppress = (json: string) => readNumbers(suppressBody, json)
/** Without a reason. */
export const readRemove = (json: string) => readNumbers(removeBody, json)

const phoneNumber = z.string().check(isE164)

function readNumbers(
  schema: typeof suppressBody | typeof removeBody,
  json: string,
): Reading<NumbersToSuppress> {
  const body = judge(schema, withoutEmpty(JSON.parse(json), ['campaignId']))
  if (!body.isValid) return body
  const { phoneNumbers, campaignId: id, reason } = body.value as z.output<typeof suppressBody>
  const wrong = phoneNumbers.findIndex((number) => !phoneNumber.safeParse(number).success)
  if (wrong !== -1) {
    const kind = typeof phoneNumbers[wrong] === 'string' ? '' : 'a string '
    return { isValid: false, message: `phoneNumbers[${wrong}] must be ${kind}in E.164 format` }
  }
  // A repeated number counts once.
  return {
    isValid: true,
    value: {
      phoneNumbers: [...new Set(phoneNumbers as string[])],
      campaignId: id ?? null,
      reason: reason ?? null,
    },
  }
}

export const suppressionsQuery = query({
  campaignId: optionalId(campaignId(emptyCampaignId)),
  limit: pageSize(limits.phoneNumbersPerSuppression),
  cursor: cursor(/^[0-9]{7,15}-[0-9]{1,7}$/),
})

/** The cursor of a page: number and campaign of its last entry, opaque to clients. */
export const cursorOfNumber = ({ phoneNumber, campaignNumber }: NumberPlace) =>
  `${phoneNumber.slice(1)}-${campaignNumber}`

/** For cursors that suppressionsQuery accepts. */
export function numberOfCursor(cursor: string): NumberPlace {
  const [digits = '', campaignNumber = ''] = cursor.split('-')
  return { phoneNumber: `+${digits}`, campaignNumber: Number(campaignNumber) }
}

export const beforeAllNumbers: NumberPlace = { phoneNumber: '', campaignNumber: 0 }

/** Without a body: what gates have suppressed since then. */
export const liftQuery = query({
  campaignId: optionalId(campaignId(emptyCampaignId)),
  source: z.optional(oneOf('source', ['gate'])),
  since: z.optional(timestamp('since')),
})
