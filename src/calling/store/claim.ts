// Claiming: the next leads of a campaign are leased to an agent, in one transaction. What is done in it is in claim-steps.ts,
// what it answers in claim-answer.ts; here is how often it is tried.
import type { Access } from '../../access/store/rights.ts'
import { randomBase62 } from '../../base62.ts'
import { writeOpenings } from '../../campaigns/store/openings.ts'
import { type Bind, runBatch, statement } from '../../database/database.ts'
import { leadTokenChars } from '../../leads/lead.ts'
import { queueHashedLeads } from '../../leads/store/queue.ts'
import type { NumberHashes } from '../../ledger/suppression/number-hash.ts'
import { agentNameOf } from './agents.ts'
import { answersTo, type ClaimAnswer, type ClaimResult, readAnswer } from './claim-answer.ts'
import { restLanes } from './resting-lanes.ts'
import { granted, pickSteps, preparingSteps } from './sql/claim-steps.ts'

export type { ClaimedCall, ClaimResult } from './claim-answer.ts'

/** Whose claim this is: the same in every try, and in a request that is sent again with its Idempotency-Key. */
export type ClaimOrigin = Access & {
  /** Follows from the Idempotency-Key and the body, or is random. */
  readonly requestToken: string
  /** Names the Idempotency-Key of the request for its API key, if it has one. */
  readonly requestKey: string | null
  /** Of the company's numbers. */
  readonly hashes: NumberHashes
}

export type ClaimRequest = {
  readonly maxCalls: number
  /** Null: as the campaign has it. */
  readonly leaseSeconds: number | null
  readonly agent: string | null
}

/** How many blocked leads a claim moves out of the way, beyond those it was asked for (the proof's bound). */
const slack = 50

/** The same where all that it looked at first were blocked: many of them stand before the next lead. */
const wideSlack = 500

const queueHashed = statement(queueHashedLeads(granted))

/**
 * Leases the next leads of the campaign to an agent. Where there was something to prepare first, or too many were blocked,
 * it goes on with one more try. Throws DatabaseUnavailable.
 */
export async function claimCalls(
  db: D1Database,
  origin: ClaimOrigin,
  request: ClaimRequest,
): Promise<ClaimResult> {
  const values = valuesOf(origin, request)
  const first = await tryToClaim(db, [], values, { isFirst: true })
  const isBlocked = first.picked === request.maxCalls + slack
  if (first.stale !== null) await writeOpenings(db, first.stale, origin.nowMs)
  const hashing = hashLeads(db, first, values)
  const mustGoOn = first.hasRunOut || hashing.length > 0 || isBlocked
  if (hasCalls(first) || !mustGoOn) {
    if (hashing.length > 0) await runBatch(db, hashing)
    return first.outcome
  }
  return (await tryToClaim(db, hashing, values, { isFirst: false })).outcome
}

/**
 * The same, in one transaction with statements that come before it, whose rows are returned, and with those that come
 * between the settling of leases and the pick. What it could not do, it only prepares for the next claim: a request may
 * not send more statements.
 */
export async function claimAfter(
  db: D1Database,
  before: readonly D1PreparedStatement[],
  between: readonly D1PreparedStatement[],
  origin: ClaimOrigin,
  request: ClaimRequest,
): Promise<{ readonly rowsBefore: readonly (readonly unknown[])[]; readonly outcome: ClaimResult }> {
  const values = valuesOf(origin, request)
  const { rowsBefore, ...answer } = await tryToClaim(db, before, values, { isFirst: true, between })
  const hashing = hashLeads(db, answer, values)
  if (answer.stale !== null) await writeOpenings(db, answer.stale, origin.nowMs)
  else if (hashing.length > 0) await runBatch(db, hashing)
  return { rowsBefore, outcome: answer.hasRunOut ? soon(answer.outcome) : answer.outcome }
}

/** The openings are there by now. */
const soon = (outcome: ClaimResult): ClaimResult =>
  outcome.kind === 'claimed' && outcome.reason === 'waiting' ? { ...outcome, retryAfterSeconds: 1 } : outcome

const valuesOf = (origin: ClaimOrigin, request: ClaimRequest) => ({
  ...origin,
  ...request,
  pepperCheck: origin.hashes.pepperCheck,
  agentName: agentNameOf(request.agent, origin.keyId),
})

type ClaimValues = ReturnType<typeof valuesOf>

const hasCalls = ({ outcome }: ClaimAnswer) => outcome.kind !== 'claimed' || outcome.calls.length > 0

/** Each try has a token of its own: its row in `claims` says what it, and no other, has picked. */
async function tryToClaim(
  db: D1Database,
  before: readonly D1PreparedStatement[],
  values: ClaimValues,
  { isFirst, between = [] }: { readonly isFirst: boolean; readonly between?: readonly D1PreparedStatement[] },
): Promise<ClaimAnswer & { readonly rowsBefore: readonly (readonly unknown[])[] }> {
  const own = {
    ...values,
    token: randomBase62(leadTokenChars),
    canWait: isFirst ? 1 : 0,
    slack: isFirst ? slack : wideSlack,
  }
  const answers = answersTo(values)
  const bind = (step: Bind) => step(db, own)
  const preparing = isFirst ? preparingSteps.map(bind) : []
  const { rows } = await runBatch(db, [
    ...before,
    ...preparing,
    ...between,
    ...[...pickSteps, ...answers].map(bind),
  ])
  const answer = readAnswer(rows.slice(-answers.length), values.nowMs)
  const comesAgain = isFirst && answer.hasRunOut
  if (answer.isLongRead && !comesAgain) await restLanes(db, values)
  return { rowsBefore: rows.slice(0, before.length), ...answer }
}

/** A statement that queues leads whose numbers the database cannot hash; none where there are no such leads. */
function hashLeads(
  db: D1Database,
  { leadsToHash, outcome }: ClaimAnswer,
  values: ClaimValues,
): readonly D1PreparedStatement[] {
  if (leadsToHash.length === 0 || outcome.kind !== 'claimed') return []
  const hashed = leadsToHash.map(([seq, phoneNumber]) => [seq, values.hashes.of(phoneNumber)])
  return [queueHashed(db, { ...values, hashedLeads: JSON.stringify(hashed) })]
}
