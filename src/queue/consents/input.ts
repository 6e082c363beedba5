// Parses and checks the bodies and queries of requests about consents and the record of a number.
import * as z from 'zod/mini'
import { judge, judgeItems, mapReading, type Reading } from '../../base/http/reading.ts'
import {
  cursor,
  invalidCursor,
  isObject,
  list,
  members,
  pageSize,
  query,
  text,
  withoutEmpty,
} from '../../base/http/schemas.ts'
import type { NewConsent } from '../../base/ledger/consent/consents.ts'
import { limits } from '../../base/limits.ts'
import { parseTimestampMs } from '../../base/timestamp.ts'
import { timeCursorPattern } from '../calling/cursors.ts'
import { purpose } from '../campaigns/settings-input.ts'
import { consentItem, pastTime, toConsent, withoutEmptyMembers } from '../leads/consent-input.ts'
import { phoneNumber } from '../leads/fields.ts'
import { recordCursorPattern } from './record-cursor.ts'
import type { Withdrawal } from './store/keep-consents.ts'

export const consentsBody = members({
  consents: list(
    'consents',
    limits.consentsPerRequest,
    `Maximum ${limits.consentsPerRequest} consents per request`,
  ),
})

/** Throws SyntaxError when it is not JSON, as every function here. */
export function readConsents(json: string): Reading<readonly NewConsent[]> {
  const body = judge(consentsBody, JSON.parse(json))
  if (!body.isValid) return body
  const items = judgeItems(consentItem, 'consents', body.value.consents.map(withoutEmptyMembers))
  return mapReading(items, (sent) => sent.map((item) => toConsent(item.phoneNumber, item)))
}

export const numberBody = members({ phoneNumber })

export const readNumber = (json: string) => judge(numberBody, JSON.parse(json))

export const withdrawBody = members({
  phoneNumber,
  purpose: z.optional(purpose('purpose')),
  withdrawnAt: z.optional(pastTime('withdrawnAt')),
  reason: z.optional(text('reason', limits.reasonMaxChars)),
})

/** An empty purpose is none by mistake: it would withdraw every consent. */
export const readWithdraw = (json: string): Reading<Withdrawal> =>
  mapReading(judge(withdrawBody, withoutEmpty(JSON.parse(json), ['purpose'])), (body) => ({
    phoneNumber: body.phoneNumber,
    purpose: body.purpose ?? null,
    withdrawnAtMs: body.withdrawnAt === undefined ? null : parseTimestampMs(body.withdrawnAt),
    reason: body.reason ?? null,
  }))

export const usesQuery = query({
  limit: pageSize(limits.leadsPerPage),
  cursor: cursor(timeCursorPattern),
})

export const recordBody = members({
  phoneNumber,
  cursor: z.optional(z.string(invalidCursor).check(z.regex(recordCursorPattern, invalidCursor))),
})

export const readRecordBody = (json: string) => {
  const sent: unknown = JSON.parse(json)
  return judge(recordBody, isObject(sent) && sent.cursor === null ? withoutEmpty(sent) : sent)
}
