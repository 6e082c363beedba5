// The calls that transactions begin and end.
import { callIdOf } from '../../../src/queue/calling/call.ts'
import { phoneOf } from '../cast.ts'
import type { Call, Consent, Exchange } from '../observed.ts'
import type { Known } from './known.ts'
import type { CallRow, Seen } from './seen.ts'

/** What a transaction has made of a call. */
export type CallMove = {
  readonly call: Call
  /** How it was. Null: it has begun. */
  readonly was: Pick<Call, 'outcome' | 'isDone' | 'isLate' | 'endedLead'> | null
}

/** By whom, and when. */
export type Cause = {
  readonly exchange: Exchange | null
  readonly moment: number
  /** By the clock of the service. */
  readonly nowMs: number
}

/** Calls that have ended this long before are not looked at again. */
const lookBackMs = 60_000

/** A lease that has run out ends its call in the past. */
export const lookSinceMs = ({ calls }: Known, nowMs: number): number =>
  Math.min(
    nowMs - lookBackMs,
    ...calls.filter(({ outcome }) => outcome === null).map(({ claimedAtMs }) => claimedAtMs),
  )

/** `here`: the companies that are where it has looked. A move copies calls to where it is not yet. */
export function noteCalls(
  known: Known,
  { calls: rows }: Seen,
  here: ReadonlySet<unknown>,
  { exchange, moment, nowMs }: Cause,
): readonly CallMove[] {
  const moves: CallMove[] = []
  for (const row of rows) {
    if (!here.has(row.company)) continue
    const callId = callIdOf(row)
    const call = known.calls.find((one) => one.callId === callId)
    if (call === undefined) {
      const begun = callOf(known, callId, row, { exchange, moment, nowMs })
      known.calls.push(begun)
      moves.push({ call: begun, was: null })
      continue
    }
    const { outcome, isDone, isLate, endedLead } = call
    const wasMs = call.leaseExpiresAtMs ?? 0
    if (exchange?.operation === 'extendCalls' && row.leaseExpiresAtMs !== null)
      call.leaseLostMs = Math.max(call.leaseLostMs, wasMs - row.leaseExpiresAtMs)
    if (row.outcome === 'unknown' && outcome === null)
      call.leaseLostMs = Math.max(call.leaseLostMs, (row.endedAtMs ?? 0) - nowMs)
    call.leaseExpiresAtMs = row.leaseExpiresAtMs ?? call.leaseExpiresAtMs
    if (outcome === null && row.outcome !== null) call.endedAt = moment
    Object.assign(call, endOf(row))
    if (row.outcome !== outcome) moves.push({ call, was: { outcome, isDone, isLate, endedLead } })
  }
  return moves
}

const endOf = (row: CallRow) => ({
  ...{ outcome: row.outcome, endedAtMs: row.endedAtMs, callbackAtMs: row.callbackAtMs, seconds: row.seconds },
  ...{ isDone: row.isDone === 1, isLate: row.isLate === 1, endedLead: row.endedLead === 1 },
  ...(row.inbound === null
    ? { inbound: null, countsAsAttempt: true }
    : { inbound: JSON.parse(row.inbound), countsAsAttempt: JSON.parse(row.inbound).counts !== 0 }),
})

function callOf(known: Known, callId: string, row: CallRow, { exchange, moment }: Cause): Call {
  const { seq, token, attempt, consentId, claimedAtMs, scheduledAtMs, leaseExpiresAtMs, phoneNumber } = row
  const company = known.cast.companies.findIndex(({ id }) => id === row.company)
  const campaigns = known.cast.companies[company]?.campaigns ?? []
  return {
    ...{ callId, company, seq, token, attempt, consentId, claimedAtMs, scheduledAtMs, leaseExpiresAtMs },
    campaign: campaigns.findIndex(({ id }) => id === row.campaign),
    ...{ phoneNumber, phone: phoneOf(known.cast, phoneNumber) },
    consent: row.consent === null ? null : consentOf(known, JSON.parse(row.consent)),
    isAppointment: Boolean(row.wasAppointment),
    direction: row.inbound === null ? 'outbound' : 'inbound',
    lane: row.lane ?? '',
    claimedAt: moment,
    agent: row.agent,
    isOfDialer: row.agent === 'dialer',
    waitedSinceMs: null,
    exchange: row.agent === 'dialer' ? null : exchange,
    leaseLostMs: 0,
    endedAt: null,
    ...endOf(row),
  }
}

function consentOf({ cast }: Known, row: [string, string, string, number, number | null]): Consent {
  const [companyId, phoneNumber, purpose, givenAtMs, expiresAtMs] = row
  const company = cast.companies.findIndex(({ id }) => id === companyId)
  return { company, phone: phoneOf(cast, phoneNumber), purpose, givenAtMs, expiresAtMs }
}
