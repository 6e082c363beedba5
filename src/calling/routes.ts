// The calling agent's requests: input, then store, then answer. Campaigns and their settings are in campaigns.ts, what is
// asked of one lead is in lead-calls.ts.
import { accessTo, granted, type KeyedExchange, keyAccessOf } from '../access/authenticate.ts'
import { type Answer, success, successOf } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import { parseBody, readBodyOf, readQueryOf } from '../http/validate.ts'
import { limits } from '../limits.ts'
import { originOf } from '../leads/idempotency.ts'
import { type ClaimInput, openCallsQuery, readClaim, readExtend, readRelease, readReport } from './input.ts'
import { type ClaimedCall, type ClaimOrigin, type ClaimOutcome, claimCalls } from './store/claim.ts'
import { extendCalls } from './store/extend.ts'
import { listOpenCalls } from './store/open-calls.ts'
import { releaseCalls } from './store/release.ts'
import { type CallResult, reportAndClaim, reportCalls } from './store/report.ts'

const readSmallBody = readBodyOf(limits.leadBodyMaxBytes)
const readReportBody = readBodyOf(limits.reportBodyMaxBytes)
const readOpenCallsQuery = readQueryOf(openCallsQuery)

export async function postClaim(x: KeyedExchange): Promise<Answer> {
  const body = await readSmallBody(x)
  const claim = parseBody(body, readClaim)
  const outcome = await granted(x, claimCalls(x.db, claimOriginOf(x, body, claim), requestOf(claim)))
  return tellClaim(x, claim, outcome, (data) => data)
}

export async function postReport(x: KeyedExchange): Promise<Answer> {
  const body = await readReportBody(x)
  const { calls, claim } = parseBody(body, readReport)
  if (claim === null) {
    const { results } = await granted(x, reportCalls(x.db, keyAccessOf(x), calls))
    return success({ results: tellResults(x, results) })
  }
  const origin = claimOriginOf(x, body, claim)
  const outcome = await granted(x, reportAndClaim(x.db, calls, origin, requestOf(claim)))
  const results = JSON.stringify(tellResults(x, outcome.results))
  const claimed = await granted(x, Promise.resolve(outcome.claim))
  return tellClaim(x, claim, claimed, (data) => `{"results":${results},"claim":${data}}`)
}
