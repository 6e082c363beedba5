// Claiming: leases the next leads of a campaign to an agent, in one transaction. Its statements are in
// claim-steps.ts, its answer in claim-answer.ts; this file decides how often it is tried.
import type { Access, PepperLost, Refusal } from '../../../base/access/store/rights.ts'
import { randomBase62 } from '../../../base/base62.ts'
import { runBatch } from '../../../base/database/database.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { type StaleLanes, writeOpenings } from '../../campaigns/store/openings.ts'
import { leadTokenChars } from '../../leads/lead.ts'
import { agentNameOf } from './agents.ts'
import {
  answersTo,
  type ClaimAnswer,
  type ClaimResult,
  noteWaiting,
  readAnswer,
  readStaleLanes,
  type StaleLanesRow,
  selectStaleLanes,
} from './claim-answer.ts'
import { restLanes } from './resting-lanes.ts'
import { pickSteps, settlingSteps } from './sql/claim-steps.ts'

export type { ClaimedCall, ClaimResult } from './claim-answer.ts'

/** The request of the claim: the same in every try, and when it is sent again with its Idempotency-Key. */
export type ClaimOrigin = Access & {
  /** Follows from the Idempotency-Key and the body, or is random. */
  readonly requestToken: string
  /** Names the Idempotency-Key of the request for its API key, if it has one. */
  readonly requestKey: string | null
  readonly hashes: NumberHashes
}

/** What is answered: neither refused nor without a pepper. */
export type Claimed = Exclude<ClaimResult, Refusal | PepperLost>

export type ClaimRequest = {
  readonly maxCalls: number
  /** Null: as the campaign has it. */
  readonly leaseSeconds: number | null
  readonly agent: string | null
  /** It is never blocked as an agent that fails, nor by another agent of its name: it rests by itself. */
  readonly isDialer?: true
}

/** How many blocked leads a claim postpones, beyond the requested number (the bound of the fairness proof). */
const slack = 50

/** The same for the second try, when all candidates of the first were blocked: many more are likely. */
const wideSlack = 500

/**
 * Leases the next leads of the campaign to an agent. It tries once more when it had to prepare something first, or
 * when too many leads were blocked. Throws DatabaseUnavailable.
 */
export async function claimCalls(
  db: D1Database,
  origin: ClaimOrigin,
  request: ClaimRequest,
): Promise<ClaimResult> {
  const first = await beginClaim(db, origin, request, { mayWait: false })
  return first.mustTryAgain ? (await first.tryAgain(origin.nowMs)).result : first.result
}

export type ClaimTry = Pick<ClaimAnswer, 'result' | 'campaignNumber' | 'nextMs'>

/**
 * The first try of a claim, and the second, which a request sends at most once: it is for everything that the first
 * had to prepare, and for a claim that waits, whose second try has a later time. `mayWait`: the campaign is noted as
 * waited for when nothing is leased. Throws DatabaseUnavailable.
 */
export async function beginClaim(
  db: D1Database,
  origin: ClaimOrigin,
  request: ClaimRequest,
  { mayWait }: { readonly mayWait: boolean },
): Promise<
  ClaimTry & { readonly mustTryAgain: boolean; readonly tryAgain: (nowMs: number) => Promise<ClaimTry> }
> {
  const values = valuesOf(origin, request)
  const first = await tryToClaim(db, [], values, { isFirst: true, settlesFirst: true, slack, mayWait })
  const isBlocked = first.picked === request.maxCalls + slack
  const stale = first.mustSettle ? await settle(db, values) : first.stale
  if (stale !== null) await writeOpenings(db, stale, origin.nowMs, { rings: false })
  const mustTryAgain = !hasCalls(first) && (first.hasRunOut || first.mustSettle || isBlocked)
  const second = { isFirst: false, slack: mustTryAgain ? wideSlack : slack }
  return {
    ...first,
    mustTryAgain,
    tryAgain: (nowMs) => tryToClaim(db, [], { ...values, nowMs }, second),
  }
}

/**
 * The same, in one transaction with the statements `before` it, whose rows are returned. It is tried once: what a
 * second try would need is prepared for the next claim, since a request may not send more statements. `afterSettling`
 * follow the settling of leases.
 */
export async function claimAfter(
  db: D1Database,
  before: readonly D1PreparedStatement[],
  afterSettling: readonly D1PreparedStatement[],
  origin: ClaimOrigin,
  request: ClaimRequest,
): Promise<{ readonly rowsBefore: readonly (readonly unknown[])[]; readonly result: ClaimResult }> {
  const values = valuesOf(origin, request)
  const { rowsBefore, ...answer } = await tryToClaim(db, before, values, { isFirst: true, slack })
  const stale = answer.mustSettle ? await settle(db, values, afterSettling) : answer.stale
  if (stale !== null) await writeOpenings(db, stale, origin.nowMs, { rings: true })
  return { rowsBefore, result: answer.hasRunOut ? claimAgainNow(answer.result) : answer.result }
}

/** Settles leases that have ended. Returns the lanes that are stale after that. */
async function settle(
  db: D1Database,
  values: ClaimValues,
  afterSettling: readonly D1PreparedStatement[] = [],
): Promise<StaleLanes | null> {
  const steps = settlingSteps.map((step) => step(db, values))
  const { rows } = await runBatch(db, [...steps, ...afterSettling, selectStaleLanes(db, values)])
  return readStaleLanes(rows.at(-1)?.[0] as StaleLanesRow | undefined)
}

/** The openings are written now. */
const claimAgainNow = (result: ClaimResult): ClaimResult =>
  result.kind === 'claimed' && result.reason === 'waiting' ? { ...result, retryAfterSeconds: 1 } : result

const valuesOf = (origin: ClaimOrigin, request: ClaimRequest) => ({
  ...origin,
  ...request,
  pepperCheck: origin.hashes.pepperCheck,
  agentName: agentNameOf(request.isDialer ? null : request.agent, origin.keyId),
})

type ClaimValues = ReturnType<typeof valuesOf>

const hasCalls = ({ result }: ClaimAnswer) => result.kind !== 'claimed' || result.calls.length > 0

type TryOptions = {
  readonly isFirst: boolean
  /** Picks nothing before settlingSteps have done what they can. */
  readonly settlesFirst?: boolean
  readonly slack: number
  readonly mayWait?: boolean
}

/** Each try has its own token: its row in `claims` holds the picks of this try only. */
async function tryToClaim(
  db: D1Database,
  before: readonly D1PreparedStatement[],
  values: ClaimValues,
  { isFirst, settlesFirst = false, slack, mayWait = false }: TryOptions,
): Promise<ClaimAnswer & { readonly rowsBefore: readonly (readonly unknown[])[] }> {
  const own = {
    ...values,
    token: randomBase62(leadTokenChars),
    canWait: isFirst ? 1 : 0,
    settlesFirst: settlesFirst ? 1 : 0,
    slack,
  }
  const answers = answersTo(values)
  const { rows } = await runBatch(db, [
    ...before,
    ...[...pickSteps, ...(mayWait ? [noteWaiting] : []), ...answers].map((step) => step(db, own)),
  ])
  const answer = readAnswer(rows.slice(-answers.length), values.nowMs)
  const triesAgain = isFirst && answer.hasRunOut
  if (answer.isLongRead && !triesAgain) await restLanes(db, values)
  return { rowsBefore: rows.slice(0, before.length), ...answer }
}
