// The endpoints of consents, and of the record of a number. Numbers are sent in bodies only: paths and queries are
// logged by others.
import { accepts } from 'hono/accepts'
import { granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { type Answer, success, successOf } from '../../base/http/envelope.ts'
import { ApiError } from '../../base/http/errors.ts'
import { invalidCursor } from '../../base/http/schemas.ts'
import { parseBody, readBodyOf, readQueryOf } from '../../base/http/validate.ts'
import { hashesOf } from '../../base/ledger/suppression/number-hash.ts'
import { limits } from '../../base/limits.ts'
import { formatTimestamp, withTimestamps } from '../../base/timestamp.ts'
import { cursorOfTime, timeOfCursor } from '../calling/cursors.ts'
import { readConsents, readNumber, readRecordBody, readWithdraw, usesQuery } from './input.ts'
import { cursorOfRecord, recordOfCursor } from './record-cursor.ts'
import { entryCsv, entryJson, recordCsvHeader } from './record-format.ts'
import { storeConsentsAlone, withdrawConsents } from './store/keep-consents.ts'
import { findConsents, listUses } from './store/read-consents.ts'
import { readRecord } from './store/record.ts'

const readSmallBody = readBodyOf(limits.leadBodyMaxBytes)
const readConsentsBody = readBodyOf(limits.bulkBodyMaxBytes)
const readUsesQuery = readQueryOf(usesQuery)

export async function postConsents(x: KeyedExchange): Promise<Answer> {
  const consents = parseBody(await readConsentsBody(x), readConsents)
  const { results } = await granted(x, storeConsentsAlone(x.db, keyAccessOf(x), consents, hashesOf(x)))
  return success({ results: results.map((result, index) => ({ index, ...result })) })
}

export async function postConsentSearch(x: KeyedExchange): Promise<Answer> {
  const { phoneNumber } = parseBody(await readSmallBody(x), readNumber)
  const { consents, withdrawals } = await granted(x, findConsents(x.db, keyAccessOf(x), phoneNumber))
  return success({
    consents: consents.map(({ json }) => withTimestamps(json)),
    withdrawals: withdrawals.map(({ json }) => withTimestamps(json)),
  })
}

export async function postWithdrawal(x: KeyedExchange): Promise<Answer> {
  const withdrawal = parseBody(await readSmallBody(x), readWithdraw)
  const { withdrawnAtMs, consents } = await granted(x, withdrawConsents(x.db, keyAccessOf(x), withdrawal))
  return success({ withdrawnAt: formatTimestamp(withdrawnAtMs), consents })
}

export async function getConsentUses(x: KeyedExchange): Promise<Answer> {
  const { limit, cursor } = await readUsesQuery(x)
  const range = {
    maxUses: limit ?? limits.leadsPerPage,
    afterMs: cursor === null ? 0 : timeOfCursor(cursor),
  }
  const consentId = x.c.req.param('consentId') ?? ''
  const result = await granted(x, listUses(x.db, keyAccessOf(x), consentId, range))
  if (result.kind !== 'found') throw new ApiError({ kind: 'consent_not_found' })
  return success({
    uses: result.uses.map(({ json }) => withTimestamps(json)),
    nextCursor: result.endMs === null ? null : cursorOfTime(result.endMs),
  })
}

/** All that the company holds of a number. Each read is logged. */
export async function postRecord(x: KeyedExchange): Promise<Answer> {
  const supports = ['application/json', 'text/csv']
  const type = accepts(x.c, { header: 'Accept', supports, default: 'application/json' })
  const { phoneNumber, cursor } = parseBody(await readSmallBody(x), readRecordBody)
  const after = cursor === undefined ? null : recordOfCursor(cursor)
  if (cursor !== undefined && after === null)
    throw new ApiError({ kind: 'invalid_field', message: invalidCursor })
  const { entries, keptUntilMs, isPartial, end } = await granted(
    x,
    readRecord(x.db, keyAccessOf(x), phoneNumber, hashesOf(x), after),
  )
  const nextCursor = end === null ? null : cursorOfRecord(end)
  if (type === 'application/json') {
    const keptUntil = formatTimestamp(keptUntilMs)
    const members = JSON.stringify({ keptUntil, isPartial, nextCursor }).slice(1)
    return successOf(`{"entries":[${entries.map(entryJson).join()}],${members}`, 200, { Vary: 'Accept' })
  }
  const headers = {
    Vary: 'Accept',
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    ...(nextCursor !== null && { 'Next-Cursor': nextCursor }),
  }
  // A page behind the first continues where that ended.
  const body = (after === null ? recordCsvHeader : '') + entries.map(entryCsv).join('')
  return { status: 200, headers, body }
}
