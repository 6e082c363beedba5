// A claim that may wait: it claims, registers with the campaign's bell, claims once more, and then waits. The order
// matters: leads that come in between looking and registering would be lost for the whole wait. Once the wait has
// begun it leases nothing: a client that has left would take the lead with it.
import { granted, type KeyedExchange, refuseEndedKey } from '../access/authenticate.ts'
import { readNotice, type WaitedCampaign } from '../campaigns/waited-campaign.ts'
import { ApiError } from '../http/errors.ts'
import { timed } from '../http/request-record.ts'
import { type Registered, register, ring } from './bell/bell-client.ts'
import { waitForLead, waitUntil } from './bell/wait.ts'
import { type Held, ringCount, takePlace } from './bell/waiters.ts'
import {
  beginClaim,
  type Claimed,
  type ClaimOrigin,
  type ClaimRequest,
  type ClaimTry,
} from './store/claim.ts'
import { mostSeconds } from './store/sql/queue-state.ts'

/** The requests that this isolate holds. */
const heldHere = new Set<Held>()

/** Held until `waitSeconds` after the request's arrival, unless leads are leased before the wait begins. */
export async function claimOrWait(
  x: KeyedExchange,
  origin: ClaimOrigin,
  request: ClaimRequest,
  waitSeconds: number,
): Promise<Claimed> {
  const beginning = beginClaim(x.db, origin, request, { mayWait: true })
  const first = await resultOf(x, beginning)
  const { campaignNumber, nextMs, tryAgain } = await beginning
  if (!mayWait(first) || campaignNumber === null) return first
  const campaign = { companyId: x.apiKey.companyId, number: campaignNumber }
  await ringBefore(x, campaign)

  const { signal } = x.c.req.raw
  const sinceMs = x.startedAtMs
  const untilMs = sinceMs + waitSeconds * 1000
  const held: Held = { untilMs }
  if (!takePlace(heldHere, held, Date.now())) {
    x.record.problems.push('too many waits')
    throw new ApiError({ kind: 'service_unavailable', retryAfterSeconds: mostSeconds })
  }
  // No ring is for a failing agent, which would take it from the others.
  const waitForEndOfBlock = async (blocked: Empty, endsAtMs: number | null): Promise<Claimed> => {
    const isOverFirst = endsAtMs === null || endsAtMs > untilMs
    await timed(x.record, 'waitedMs', waitUntil(isOverFirst ? untilMs : endsAtMs, signal))
    await refuseEndedKey(x)
    return isOverFirst ? atDeadline(blocked) : ready
  }
  let bell: Registered | null = null
  try {
    if (first.reason === 'agent_failing') return await waitForEndOfBlock(first, nextMs)
    bell = await register(x.env, campaign, { sinceMs, untilMs })
    const trying = tryAgain(Date.now())
    const second = await resultOf(x, trying)
    if (bell === null || !mayWait(second)) return second
    if (second.reason === 'agent_failing') {
      bell.leave()
      return await waitForEndOfBlock(second, (await trying).nextMs)
    }
    const wait = { env: x.env, db: x.db, campaign, sinceMs, untilMs, signal }
    const event = await timed(x.record, 'waitedMs', waitForLead(wait, bell, (await trying).nextMs))
    await refuseEndedKey(x)
    return event === 'ready' ? ready : atDeadline(second)
  } finally {
    heldHere.delete(held)
    bell?.leave()
  }
}

/** What this claim has settled concerns others now, not at its end. Rung later, it would wake itself. */
async function ringBefore(x: KeyedExchange, campaign: WaitedCampaign): Promise<void> {
  const own = [...x.waiting].filter((text) => readNotice(text).number === campaign.number)
  for (const text of own) x.waiting.delete(text)
  x.wakeOthers()
  if (own.length > 0) await ring(x.env, campaign, ringCount)
}

const resultOf = (x: KeyedExchange, trying: Promise<ClaimTry>) =>
  granted(
    x,
    trying.then(({ result }) => result),
  )

type Empty = Extract<Claimed, { readonly kind: 'claimed' }> & { readonly reason: string }

/** A repetition never waits, and only an operator can configure a campaign. */
function mayWait(claimed: Claimed): claimed is Empty {
  if (claimed.kind !== 'claimed' || claimed.isReplay) return false
  return claimed.reason !== null && claimed.reason !== 'not_configured'
}

const ready: Claimed = {
  kind: 'claimed',
  calls: [],
  isReplay: false,
  reason: 'ready',
  retryAfterSeconds: 0,
}

/** The next claim waits as well. */
const atDeadline = (claimed: Empty): Claimed => ({ ...claimed, retryAfterSeconds: 0 })
