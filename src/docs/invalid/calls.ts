// The 400 messages of claims, reports, extensions, releases and queries of calls. As in leads.ts, this file has
// invalid inputs; the code that reads requests gives the messages.
import {
  callingQuery,
  openCallsQuery,
  pastCallsQuery,
  readClaim,
  readExtend,
  readRelease,
  readReport,
} from '../../calling/input.ts'
import { limits } from '../../limits.ts'
import { bodyMessages, type Fields, queryMessages } from '../openapi/failures.ts'
import { idempotencyKeyMessage } from './leads.ts'

const campaignId = 'demo'
const longer = (maxChars: number) => 'x'.repeat(maxChars + 1)
const tooMany = Array.from({ length: limits.callsPerRequest + 1 }, (_, i) => `${i}`)

export const wrongClaims: readonly Fields[] = [
  { campaignId: undefined },
  { campaignId: longer(limits.campaignIdMaxChars) },
  { limit: limits.callsPerRequest + 1 },
  { leaseSeconds: 1 },
  { agent: longer(limits.agentMaxChars) },
  { agent: '\0' },
  { waitSeconds: limits.waitMaxSeconds + 1 },
].map((wrong) => ({ campaignId, ...wrong }))

const call = { callId: '1', outcome: 'busy' }
export const wrongReports: readonly Fields[] = [
  { callId: undefined },
  { callId: 7 },
  { outcome: 'rang' },
  { callbackAt: 'soon' },
  { doNotCall: 'yes' },
  { durationSeconds: -1 },
  { providerCallId: longer(limits.externalIdMaxChars) },
  { providerCallId: '\0' },
  { details: [] },
  { details: { notes: longer(limits.detailsMaxBytes) } },
  { outcome: 'callback_requested' },
].map((wrong) => ({ ...call, ...wrong }))

const wrongCalls: readonly unknown[] = [
  [],
  {},
  { calls: [] },
  { calls: tooMany.map((callId) => ({ ...call, callId })) },
]

const withoutIndex = (message: string) => message.replace(/^\w+\[\d+\]\./, '')

export const claimMessages = [...bodyMessages([[], ...wrongClaims], readClaim), idempotencyKeyMessage]

export const reportMessages = [
  ...bodyMessages(
    [
      ...wrongCalls,
      { calls: [call], claim: 'one' },
      ...wrongClaims.map((claim) => ({ calls: [call], claim })),
    ],
    readReport,
  ),
  idempotencyKeyMessage,
]
/** Without the index, which precedes the message in a response: `calls[3].`. */
export const reportedCallMessages = bodyMessages(
  [...wrongReports.map((wrong) => ({ calls: [wrong] })), { calls: [call, call] }],
  readReport,
).map(withoutIndex)

export const extendMessages = bodyMessages(
  [
    [],
    {},
    { callIds: [] },
    { callIds: tooMany },
    { callIds: ['1'], leaseSeconds: 1 },
    { callIds: ['1'], dialledAt: 'now' },
  ],
  readExtend,
)

export const releaseMessages = bodyMessages(wrongCalls, readRelease)
export const releasedCallMessages = bodyMessages(
  [
    { calls: [{}] },
    { calls: [{ callId: 7 }] },
    { calls: [{ callId: '1', delaySeconds: -1 }] },
    { calls: [{ callId: '1' }, { callId: '1' }] },
  ],
  readRelease,
).map(withoutIndex)

export const openCallsMessages = queryMessages(
  openCallsQuery,
  [
    { campaignId: undefined },
    { campaignId: longer(limits.campaignIdMaxChars) },
    { agent: longer(limits.agentMaxChars) },
    { agent: '\0' },
    { limit: '0' },
    { cursor: 'next' },
  ],
  { campaignId },
)

export const pastCallsMessages = queryMessages(pastCallsQuery, [{ limit: '0' }, { cursor: 'next' }])

export const callingMessages = queryMessages(callingQuery, [{ at: 'soon' }])
