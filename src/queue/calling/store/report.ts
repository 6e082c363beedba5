// Reporting calls, with a claim in the same transaction when requested (D53). The statements are in report-steps.ts;
// releasing is in release.ts.
import type { KeyAccess, Refusal } from '../../../base/access/store/rights.ts'
import { runBatch, statement } from '../../../base/database/database.ts'
import { type ClaimOrigin, type ClaimRequest, type ClaimResult, claimAfter } from './claim.ts'
import { callItem, clearAgents } from './sql/call-of-key.ts'
import { type CallResult, readResults } from './sql/call-result.ts'
import { type CallReport, type ReportAnswer, reportSteps } from './sql/report-steps.ts'
import { type KeyWithClaimNames, keyWithClaim } from './sql/reported-leads.ts'

type Reported = { readonly kind: 'reported'; readonly results: readonly CallResult[] }
type Reused = Extract<ClaimResult, { kind: 'reused' }>

const withoutClaim = { campaignId: null, requestKey: null, requestToken: null }

/** Records the outcomes of calls. Caller must name each call once. Throws DatabaseUnavailable. */
export async function reportCalls(
  db: D1Database,
  access: KeyAccess,
  reports: readonly CallReport[],
): Promise<{ readonly kind: 'key_refused' } | Reported> {
  const steps = reportSteps(db, { ...withoutClaim, ...access }, reports)
  const { rows } = await runBatch(db, [clearAgentsOf(db, access, reports), ...steps])
  const answer = readReport(rows, reports, access.nowMs)
  return answer.kind === 'reported' ? answer : { kind: 'key_refused' }
}

/**
 * The same, and a claim in the same transaction. When the claim is refused, or its Idempotency-Key belongs to another
 * request, nothing is recorded (D53). When the pepper is lost, the reports are recorded and `claim` is `pepper_lost`.
 */
export async function reportAndClaim(
  db: D1Database,
  reports: readonly CallReport[],
  origin: ClaimOrigin,
  request: ClaimRequest,
): Promise<Refusal | Reused | (Reported & { readonly claim: ClaimResult })> {
  const clearing = clearAgentsOf(db, origin, reports)
  const before = [clearing, ...reportSteps(db, origin, reports)]
  const { rowsBefore, result: claim } = await claimAfter(db, before, [clearing], origin, request)
  const reported = readReport(rowsBefore, reports, origin.nowMs)
  return reported.kind === 'reported' ? { ...reported, claim } : reported
}

const clear = statement<KeyWithClaimNames | 'items'>(clearAgents(keyWithClaim))

/**
 * An agent that reports works: its count is forgotten. Once more after leases are settled, since those that ran out
 * before this request do not count against the agent that sends it.
 */
function clearAgentsOf(
  db: D1Database,
  access: KeyAccess,
  reports: readonly CallReport[],
): D1PreparedStatement {
  const items = JSON.stringify(reports.map(({ callId }) => callItem(callId)))
  return clear(db, { ...withoutClaim, ...access, items })
}

function readReport(
  rows: readonly (readonly unknown[])[],
  reports: readonly CallReport[],
  nowMs: number,
): Refusal | Reused | Reported {
  const answer = rows.at(-1)?.[0] as ReportAnswer | undefined
  if (answer === undefined) return { kind: 'key_refused' }
  if (answer.isGranted !== 1) return { kind: 'campaign_denied' }
  if (answer.isReused === 1) return { kind: 'reused' }
  const callIds = reports.map((report) => report.callId)
  return { kind: 'reported', results: readResults(callIds, answer, nowMs) }
}
