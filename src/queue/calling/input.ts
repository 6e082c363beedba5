// What a client may send about calls: text goes in, values or a message come out. A campaign's settings are in
// queue/campaigns/settings-input.ts.
import * as z from 'zod/mini'
import { judge, judgeIds, judgeItems, mapReading, type Reading } from '../../base/http/reading.ts'
import {
  boolean,
  cursor,
  instant,
  integer,
  isAbsent,
  isObject,
  list,
  members,
  oneOf,
  optional,
  pageSize,
  problem,
  query,
  requiredText,
  storable,
  text,
  timestamp,
  withoutEmpty,
} from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { parseTimestampMs } from '../../base/timestamp.ts'
import { pastOutcomes, reportedOutcomes } from '../campaigns/outcomes.ts'
import { settingRanges } from '../campaigns/settings.ts'
import { campaignId, emptyCampaignId, isE164, jsonObject } from '../leads/fields.ts'
import { memberSourcesOfItems } from '../leads/json-source.ts'
import { finalStatuses } from '../leads/lead.ts'
import { originFilter } from '../leads/query-input.ts'
import { callCursorPattern, openCallCursorPattern, timeCursorPattern } from './cursors.ts'
import type { ClaimRequest } from './store/claim.ts'
import type { ExtendRequest } from './store/extend.ts'
import type { InboundRequest } from './store/inbound/answer-caller.ts'
import type { Release } from './store/release.ts'
import type { RequeueMany } from './store/requeue-many.ts'
import type { CallReport } from './store/sql/report-steps.ts'

/** Null and empty members are removed before: see withoutEmpty. */
const absent = <Schema extends z.ZodMiniType>(schema: Schema) => z.nullish(schema)

const claimFields = {
  campaignId: campaignId('campaignId is required'),
  limit: absent(integer('limit', { min: 1, max: limits.callsPerRequest })),
  leaseSeconds: absent(integer('leaseSeconds', settingRanges.leaseSeconds)),
  agent: absent(text('agent', limits.agentMaxChars)),
}

export const claimBody = members({
  ...claimFields,
  waitSeconds: absent(integer('waitSeconds', { min: 0, max: limits.waitMaxSeconds })),
})
/** Whose acknowledgement must not wait: see judgeNestedClaim. */
export const claimOfReportBody = members(claimFields)

/** `waitSeconds`: how long the request may be held. */
export type ClaimInput = {
  readonly campaignId: string
  readonly request: ClaimRequest
  readonly waitSeconds: number
}

export const readClaim = (json: string): Reading<ClaimInput> => judgeClaim(JSON.parse(json))

const judgeClaim = (value: unknown): Reading<ClaimInput> =>
  mapReading(judge(claimBody, withoutEmpty(value)), ({ campaignId, waitSeconds, limit, ...claim }) => ({
    campaignId,
    request: { maxCalls: limit ?? 1, leaseSeconds: claim.leaseSeconds ?? null, agent: claim.agent ?? null },
    waitSeconds: waitSeconds ?? 0,
  }))

const callId = requiredText('callId is required', 'callId must be a string')

const tooManyCalls = `Maximum ${limits.callsPerRequest} calls per request`
/** Each call is validated on its own: see judgeItems. */
const calls = list('calls', limits.callsPerRequest, tooManyCalls)
/** `claim` is validated after the calls: see judgeNestedClaim. */
export const reportBody = members({ calls, claim: z.optional(z.unknown()) })
export const releaseBody = members({ calls })

const notACall = 'callId is required'
export const reportedCall = members(
  {
    callId,
    outcome: oneOf('outcome', reportedOutcomes),
    callbackAt: absent(timestamp('callbackAt')),
    doNotCall: absent(boolean('doNotCall')),
    durationSeconds: absent(integer('durationSeconds', { min: 0, max: limits.durationMaxSeconds })),
    providerCallId: absent(text('providerCallId', limits.externalIdMaxChars)),
    details: absent(jsonObject('details', limits.detailsMaxBytes)),
  },
  { invalid: notACall },
).check(
  problem(({ outcome, callbackAt }) =>
    outcome === 'callback_requested' && !callbackAt ? 'callbackAt is required' : null,
  ),
)

/** Reported calls, and the claim in the same request, if any. */
type ReportInput = { readonly calls: readonly CallReport[]; readonly claim: ClaimInput | null }

export function readReport(json: string): Reading<ReportInput> {
  const body: unknown = JSON.parse(json)
  const outer = judge(reportBody, body)
  if (!outer.isValid) return outer
  const sources = memberSourcesOfItems(json, 'calls', 'details')
  const items = outer.value.calls.map((item, index) =>
    withoutEmpty(isObject(item) && isObject(item.details) ? { ...item, details: sources[index] } : item),
  )
  const calls = judgeCalls(reportedCall, items)
  if (!calls.isValid) return calls
  const claim = judgeNestedClaim(body)
  if (!claim.isValid) return claim
  return {
    isValid: true,
    value: {
      calls: calls.value.map((call) => ({
        callId: call.callId,
        outcome: call.outcome,
        callbackAtMs: call.callbackAt ? parseTimestampMs(call.callbackAt) : null,
        doNotCall: call.doNotCall ?? false,
        durationSeconds: call.durationSeconds ?? null,
        providerCallId: call.providerCallId ?? null,
        details: call.details?.text ?? null,
      })),
      claim: claim.value,
    },
  }
}

function judgeNestedClaim(body: unknown): Reading<ClaimInput | null> {
  const claim = isObject(body) ? body.claim : undefined
  if (claim === undefined || claim === null) return { isValid: true, value: null }
  if (!isObject(claim)) return { isValid: false, message: 'claim must be an object' }
  if (!isAbsent(claim.waitSeconds)) return { isValid: false, message: 'claim.waitSeconds is not supported' }
  const reading = judgeClaim(claim)
  return reading.isValid ? reading : { isValid: false, message: `claim.${reading.message}` }
}

function judgeCalls<Schema extends z.ZodMiniType<{ callId: string }>>(
  schema: Schema,
  items: readonly unknown[],
) {
  const calls = judgeItems(schema, 'calls', items)
  if (!calls.isValid) return calls
  const ids = calls.value.map(({ callId }) => callId)
  const repeated = ids.findIndex((id, at) => ids.indexOf(id) < at)
  return repeated === -1
    ? calls
    : { isValid: false as const, message: `calls[${repeated}].callId is given twice` }
}

export const extendBody = members({
  callIds: list('callIds', limits.callsPerRequest, tooManyCalls),
  leaseSeconds: absent(integer('leaseSeconds', settingRanges.leaseSeconds)),
  dialledAt: absent(timestamp('dialledAt')),
})

export function readExtend(json: string): Reading<ExtendRequest> {
  const body = judge(extendBody, withoutEmpty(JSON.parse(json)))
  if (!body.isValid) return body
  const { callIds, leaseSeconds, dialledAt } = body.value
  return mapReading(judgeIds('callIds', callIds), (ids) => ({
    callIds: ids,
    leaseSeconds: leaseSeconds ?? null,
    dialledAtMs: dialledAt ? parseTimestampMs(dialledAt) : null,
  }))
}

const fromNotText = 'from must be a string'

export const inboundBody = members({
  from: z
    .string({ error: ({ input }) => (input === undefined ? 'from is required' : fromNotText) })
    .check(
      storable(
        'from',
        limits.callerIdMaxChars,
        `from must have at most ${limits.callerIdMaxChars} characters`,
      ),
    ),
  to: absent(text('to', limits.callerIdMaxChars)),
  campaignId: absent(campaignId(emptyCampaignId)),
  take: absent(boolean('take')),
  leaseSeconds: absent(integer('leaseSeconds', settingRanges.leaseSeconds)),
  countsAsAttempt: absent(boolean('countsAsAttempt')),
}).check(
  problem(({ take, leaseSeconds, countsAsAttempt }) =>
    take || ((leaseSeconds ?? null) === null && !countsAsAttempt)
      ? null
      : 'leaseSeconds and countsAsAttempt need take: true',
  ),
)

const callerNumber = z.string().check(isE164)

/** A provider may have no number of the caller, or none in E.164: then it is nobody's. */
export function readInbound(json: string): Reading<Omit<InboundRequest, 'token'>> {
  const body: unknown = JSON.parse(json)
  const given = isObject(body) && body.from === null ? { ...body, from: '' } : body
  return mapReading(judge(inboundBody, withoutEmpty(given, ['from', 'campaignId'])), (inbound) => ({
    phoneNumber: callerNumber.safeParse(inbound.from).success ? inbound.from : null,
    campaignId: inbound.campaignId ?? null,
    take: inbound.take
      ? { leaseSeconds: inbound.leaseSeconds ?? null, countsAsAttempt: inbound.countsAsAttempt ?? false }
      : null,
  }))
}

export const releasedCall = members(
  { callId, delaySeconds: absent(integer('delaySeconds', settingRanges.releaseDelaySeconds)) },
  { invalid: notACall },
)

const releaseDelaySeconds = 60

export function readRelease(json: string): Reading<readonly Release[]> {
  const outer = judge(releaseBody, JSON.parse(json))
  if (!outer.isValid) return outer
  const items = outer.value.calls.map((item) => withoutEmpty(item))
  return mapReading(judgeCalls(releasedCall, items), (released) =>
    released.map(({ callId: id, delaySeconds }) => ({
      callId: id,
      delaySeconds: delaySeconds ?? releaseDelaySeconds,
    })),
  )
}

/** A misspelt member that is ignored in silence would requeue other leads than were meant. */
export const requeueBody = members({ status: oneOf('status', finalStatuses), since: timestamp('since') })

export const readRequeue = (json: string): Reading<RequeueMany> =>
  mapReading(judge(requeueBody, JSON.parse(json)), ({ status, since }) => ({
    status,
    sinceMs: parseTimestampMs(since),
  }))

export const openCallsQuery = query({
  campaignId: campaignId('campaignId query parameter is required'),
  agent: optional(text('agent', limits.agentMaxChars)),
  limit: pageSize(limits.callsPerRequest),
  cursor: cursor(openCallCursorPattern),
})

export const pastCallsQuery = query({
  limit: pageSize(limits.callsPerRequest),
  cursor: cursor(timeCursorPattern),
})

export const campaignCallsQuery = query({
  from: instant('from'),
  to: instant('to'),
  outcome: optional(oneOf('outcome', pastOutcomes)),
  agent: optional(text('agent', limits.agentMaxChars)),
  origin: originFilter,
  limit: pageSize(limits.callsPerPage),
  cursor: cursor(callCursorPattern),
})

export const callingQuery = query({ at: instant('at') })
