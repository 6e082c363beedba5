// The requests of calling agents: claim, report, extend, release, open calls. Requests about campaigns are in
// campaigns.ts, about one lead in lead-calls.ts.
import {
  accessTo,
  granted,
  type KeyedExchange,
  keyAccessOf,
  noteLostPepper,
} from '../../base/access/granted.ts'
import { type Answer, success, successOf, successOfPage } from '../../base/http/envelope.ts'
import { ApiError } from '../../base/http/errors.ts'
import { parseBody, readBodyOf, readQueryOf, readSmallBody } from '../../base/http/validate.ts'
import { hashesOf } from '../../base/ledger/suppression/number-hash.ts'
import { limits } from '../../base/limits.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { originOfClaim } from '../leads/idempotency.ts'
import { directionOf } from './call.ts'
import { cursorOfPlace, placeOfCursor } from './cursors.ts'
import { type ClaimInput, openCallsQuery, readClaim, readExtend, readRelease, readReport } from './input.ts'
import {
  type Claimed,
  type ClaimedCall,
  type ClaimOrigin,
  type ClaimResult,
  claimCalls,
} from './store/claim.ts'
import { extendCalls } from './store/extend.ts'
import { listOpenCalls } from './store/history.ts'
import { releaseCalls } from './store/release.ts'
import { reportAndClaim, reportCalls } from './store/report.ts'
import type { CallResult } from './store/sql/call-result.ts'
import { suppressionUnavailable } from './store/sql/queue-state.ts'
import { claimOrWait } from './waiting-claim.ts'

const readReportBody = readBodyOf(limits.reportBodyMaxBytes)
const readOpenCallsQuery = readQueryOf(openCallsQuery)

export async function postClaim(x: KeyedExchange): Promise<Answer> {
  const body = await readSmallBody(x)
  const claim = parseBody(body, readClaim)
  const origin = claimOriginOf(x, body, claim)
  const { request, waitSeconds } = claim
  const result =
    waitSeconds > 0
      ? await claimOrWait(x, origin, request, waitSeconds)
      : await granted(x, claimCalls(x.db, origin, request))
  return answerClaim(x, claim, result, (data) => data)
}

export async function postReport(x: KeyedExchange): Promise<Answer> {
  const body = await readReportBody(x)
  const { calls, claim } = parseBody(body, readReport)
  if (claim === null) {
    const result = await granted(x, reportCalls(x.db, keyAccessOf(x), calls))
    return success({ results: resultsJson(x, result.results) })
  }
  const origin = claimOriginOf(x, body, claim)
  const result = await granted(x, reportAndClaim(x.db, calls, origin, claim.request))
  if (result.kind === 'reused') throw new ApiError({ kind: 'idempotency_key_reused' })
  const claimed = await claimOfReport(x, result.claim)
  const results = JSON.stringify(resultsJson(x, result.results))
  return answerClaim(x, claim, claimed, (data) => `{"results":${results},"claim":${data}}`)
}

/** The reports are recorded: a lost pepper refuses only the claim. */
async function claimOfReport(x: KeyedExchange, claim: ClaimResult): Promise<Claimed> {
  if (claim.kind !== 'pepper_lost') return granted(x, Promise.resolve(claim))
  noteLostPepper(x)
  return { kind: 'claimed', calls: [], isReplay: false, ...suppressionUnavailable }
}

export async function postExtend(x: KeyedExchange): Promise<Answer> {
  const wanted = parseBody(await readSmallBody(x), readExtend)
  const { calls } = await granted(x, extendCalls(x.db, keyAccessOf(x), wanted))
  return success({
    calls: calls.map(({ callId, leaseExpiresAtMs, dialBeforeMs, stop }) => ({
      callId,
      leaseExpiresAt: formatTimestamp(leaseExpiresAtMs),
      dialBefore: formatTimestamp(dialBeforeMs),
      stop,
    })),
  })
}

export async function postRelease(x: KeyedExchange): Promise<Answer> {
  const releases = parseBody(await readSmallBody(x), readRelease)
  const { results } = await granted(x, releaseCalls(x.db, keyAccessOf(x), releases))
  return success({ results: resultsJson(x, results) })
}

/** The calls that are still open, for an agent that has restarted. */
export async function getOpenCalls(x: KeyedExchange): Promise<Answer> {
  const { campaignId, agent, limit, cursor } = await readOpenCallsQuery(x)
  const range = {
    agent,
    maxCalls: limit ?? limits.callsPerRequest,
    after: cursor === null ? null : placeOfCursor(cursor),
  }
  const page = await granted(x, listOpenCalls(x.db, accessTo(x, campaignId), range))
  x.record.campaignId = campaignId
  const calls = page.calls.map((call) =>
    callJson(
      call,
      `"direction":"${directionOf(call)}","agent":${JSON.stringify(call.agent)},"stop":${JSON.stringify(call.stop)},`,
    ),
  )
  return successOfPage('calls', calls, page.end === null ? null : cursorOfPlace(page.end))
}

/** The Idempotency-Key of a report belongs to its claim (D53). */
function claimOriginOf(x: KeyedExchange, body: ArrayBuffer, { campaignId }: ClaimInput): ClaimOrigin {
  const { token, requestKey } = originOfClaim(x, body)
  return { ...accessTo(x, campaignId), requestToken: token, requestKey, hashes: hashesOf(x) }
}

/** `wrap` gets the claim's data as JSON text. */
function answerClaim(
  x: KeyedExchange,
  { campaignId }: ClaimInput,
  result: Claimed,
  wrap: (data: string) => string,
): Answer {
  if (result.kind === 'reused') throw new ApiError({ kind: 'idempotency_key_reused' })
  const { calls, reason, retryAfterSeconds, isReplay } = result
  Object.assign(x.record, { campaignId, callsClaimed: isReplay ? 0 : calls.length })
  const members = JSON.stringify({ reason, retryAfterSeconds }).slice(1)
  const data = `{"calls":[${calls.map((call) => callJson(call)).join()}],${members}`
  return successOf(wrap(data), 200, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
}

/**
 * The lead is JSON text, with its metadata as it was sent. Id, times and zone hold nothing that JSON escapes: written
 * as text, a call costs a third of JSON.stringify.
 */
export function callJson(call: ClaimedCall, more = ''): string {
  const { callId, attempt, isLastAttempt, timeZone, lead } = call
  const [leaseExpiresAt, dialBefore, dialledAt] = [
    call.leaseExpiresAtMs,
    call.dialBeforeMs,
    call.dialledAtMs,
  ].map((ms) => (ms === null ? 'null' : `"${formatTimestamp(ms)}"`))
  return (
    `{"callId":"${callId}","attempt":${attempt},"isLastAttempt":${isLastAttempt},` +
    `"leaseExpiresAt":${leaseExpiresAt},"dialBefore":${dialBefore},"dialledAt":${dialledAt},` +
    `"timeZone":"${timeZone}",${more}"lead":${lead}}`
  )
}

function resultsJson(x: KeyedExchange, results: readonly CallResult[]) {
  x.record.callsReported = results.filter(({ result }) => result === 'recorded').length
  return results.map((result) => {
    if (result.leadId === null) return { ...result, status: null, attempts: null, nextCallAt: null }
    const { nextCallAtMs, ...rest } = result
    return { ...rest, nextCallAt: formatTimestamp(nextCallAtMs) }
  })
}
