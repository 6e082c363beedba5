// A claim that may wait: it claims, registers with the campaign's bell, claims once more, and then waits. The order
// matters: leads that come in between looking and registering would be lost for the whole wait. Once the wait has
// begun it leases nothing: a client that has left would take the lead with it.
import { refuseEndedKey } from '../../base/access/authenticate.ts'
import { granted, type KeyedExchange } from '../../base/access/granted.ts'
import { ApiError } from '../../base/http/errors.ts'
import { timed } from '../../base/http/request-record.ts'
import { readNotice, type WaitedCampaign } from '../campaigns/waited-campaign.ts'
import { type Registered, register, ring } from './bell/bell-client.ts'
import { waitForEndOfBlock, waitForLead } from './bell/wait.ts'
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
  const { campaignNumber, tryAgain, ...begun } = await beginning
  if (!mayWait(first) || campaignNumber === null) return first
  const campaign = { companyId: x.apiKey.companyId, number: campaignNumber }
  await ringBefore(x, campaign)

  const { env, db, startedAtMs: sinceMs } = x
  const untilMs = sinceMs + waitSeconds * 1000
  const wait = { env, db, campaign, sinceMs, untilMs, signal: x.c.req.raw.signal }
  if (!takePlace(heldHere, wait, Date.now())) {
    x.record.problems.push('too many waits')
    throw new ApiError({ kind: 'service_unavailable', retryAfterSeconds: mostSeconds })
  }
  let bell: Registered | null = null
  let empty = first
  let { nextMs } = begun
  try {
    if (first.reason !== 'agent_failing') {
      bell = await register(x.env, campaign, wait)
      const trying = tryAgain(Date.now())
      const second = await resultOf(x, trying)
      if (bell === null || !mayWait(second)) return second
      empty = second
      nextMs = (await trying).nextMs
    }
    // No ring is for a failing agent, which would take it from the others.
    const isFailing = empty.reason === 'agent_failing'
    if (isFailing) bell?.leave()
    const waiting =
      bell === null || isFailing ? waitForEndOfBlock(wait, nextMs) : waitForLead(wait, bell, nextMs)
    const event = await timed(x.record, 'waitedMs', waiting)
    await refuseEndedKey(x)
    return event === 'ready' ? ready : atDeadline(empty)
  } finally {
    heldHere.delete(wait)
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
