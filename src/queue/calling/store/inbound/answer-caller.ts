// A call that comes in: who is it, and an agent takes it. A lease that has ended is settled first, and a dialer that is
// about to call the same person is stopped.
import type { KeyAccess } from '../../../../base/access/store/rights.ts'
import { runSteps } from '../../../../base/database/database.ts'
import type { NumberHashes } from '../../../../base/ledger/suppression/number-hash.ts'
import { phoneKey, spellingsOf } from '../../../../base/ledger/suppression/spellings.ts'
import { defaultSettings } from '../../../campaigns/settings.ts'
import { toRow } from '../../../campaigns/store/settings-row.ts'
import { callIdOf, stoppedDelaySeconds } from '../../call.ts'
import { type CallRow, type ClaimedCall, readCall } from '../claim-answer.ts'
import { releaseCalls } from '../release.ts'
import { settlingSteps } from '../sql/claim-steps.ts'
import {
  type Candidate,
  type FirstLead,
  type LiveCall,
  ownCall,
  readSteps,
  takeSteps,
} from './inbound-steps.ts'

export type InboundRequest = {
  /** Null: it is no number in E.164. */
  readonly phoneNumber: string | null
  readonly campaignId: string | null
  /** Null: nothing is taken. */
  readonly take: { readonly leaseSeconds: number | null; readonly countsAsAttempt: boolean } | null
  /** Of the call: follows from the Idempotency-Key and the body, or is random. */
  readonly token: string
}

export type Caller = {
  readonly first: FirstLead | null
  readonly candidates: readonly Candidate[]
  readonly openCall: LiveCall | null
  readonly isSuppressed: boolean
  /** The call that was opened. */
  readonly call: ClaimedCall | null
}

type CallerResult =
  | { readonly kind: 'key_refused' | 'campaign_denied' }
  | ({ readonly kind: 'caller' } & Caller)

const toSettings = { ...toRow(defaultSettings), version: 1, callableSinceMs: 0 }

async function findCaller(
  db: D1Database,
  access: KeyAccess,
  { phoneNumber, campaignId, take, token }: InboundRequest,
  hashes: NumberHashes,
): Promise<CallerResult> {
  const hashOf = (number: string) => (phoneNumber === null ? '' : hashes.of(number))
  const values = {
    ...access,
    ...toSettings,
    campaignId,
    token,
    phones: JSON.stringify(phoneNumber === null ? [] : spellingsOf(phoneNumber)),
    numberHash: hashOf(phoneNumber ?? ''),
    keyHash: hashOf(phoneKey(phoneNumber ?? '')),
    pepperCheck: hashes.pepperCheck,
    takenSeconds: take?.leaseSeconds ?? null,
    counts: take?.countsAsAttempt ? 1 : 0,
  }
  const isTaking = take !== null && phoneNumber !== null
  const steps = [...(isTaking ? takeSteps : []), ...readSteps, ...(isTaking ? [ownCall] : [])]
  const { rows } = await runSteps(db, steps, values)
  const [[state], [first], candidates, [openCall], [call] = []] = rows.slice(
    steps.length - (isTaking ? 5 : 4),
  ) as [
    { readonly isGranted: number; readonly isSuppressed: number }[],
    FirstLead[],
    Candidate[],
    LiveCall[],
    CallRow[]?,
  ]
  if (state === undefined) return { kind: 'key_refused' }
  if (state.isGranted !== 1) return { kind: 'campaign_denied' }
  return {
    kind: 'caller',
    first: first ?? null,
    candidates,
    openCall: openCall ?? null,
    isSuppressed: phoneNumber !== null && state.isSuppressed === 1,
    call: call === undefined ? null : readCall(call),
  }
}

/** Stops a start of a dialer. False: the phone may ring already, or nobody knows. */
export type StopStart = (campaignNumber: number, callId: string) => Promise<boolean>

/** A second try is for what the first found in the way, a third for what came in between. */
const maxTries = 3

/** Who rings; with `take`, the call is opened when nobody is on the phone. Throws DatabaseUnavailable. */
export async function answerCaller(
  db: D1Database,
  access: KeyAccess,
  request: InboundRequest,
  hashes: NumberHashes,
  stopStart: StopStart,
): Promise<CallerResult> {
  for (let tries = 1; ; tries++) {
    const result = await findCaller(db, access, request, hashes)
    if (request.take === null || tries === maxTries || result.kind !== 'caller' || result.call !== null)
      return result
    const { first, openCall } = result
    if (first?.mustSettle === 1)
      await runSteps(db, settlingSteps, { ...access, campaignId: first.campaignId })
    else if (first === null || openCall === null || !(await isStopped(db, access, openCall, stopStart)))
      return result
  }
}

/** A lease of a dialer that has not started its call: it does not, and the lead is released by the service. */
async function isStopped(
  db: D1Database,
  access: KeyAccess,
  open: LiveCall,
  stopStart: StopStart,
): Promise<boolean> {
  const { seq, keyId, isOfDialer, dialledAtMs, campaignNumber } = open
  if (isOfDialer !== 1 || dialledAtMs !== null || seq === null) return false
  const callId = callIdOf({ ...open, seq })
  if (!(await stopStart(campaignNumber, callId))) return false
  const released = [{ callId, delaySeconds: stoppedDelaySeconds }]
  await releaseCalls(db, { ...access, keyId, actor: 'system' }, released)
  return true
}
