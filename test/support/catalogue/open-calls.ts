import { newPhone } from '../world.ts'
import { agentBeside, callBeside, longAgent, noCallId, wrongCalls } from './calls.ts'
import { endpoint, type Sent, scopesOf, type World, withFields, withoutQuery, withQuery } from './endpoint.ts'
import {
  almostKnown,
  campaignDenied,
  emptyCampaign,
  givenTwice,
  invalidBody,
  invalidQuery,
  notAnObject,
  notStorable,
  tooLongCampaign,
  unknownMembers,
  wrongIdempotencyKey,
} from './mistakes.ts'

const extendRequest = (callId = noCallId) => ({ path: '/api/v1/calls/extend', body: { callIds: [callId] } })

const extendCalls = endpoint({
  name: 'extendCalls',
  method: 'POST',
  path: '/api/v1/calls/extend',
  scopes: scopesOf.agent,
  actsOn: 'nothing',
  maxBytes: 64 * 1024,
  request: () => extendRequest(),
  alsoSucceeds: {
    'of a call that goes on': async (world) => extendRequest((await callBeside(world)).call.callId),
    'of a call that should end': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.suppress([call.lead.phoneNumber])
      return extendRequest(call.callId)
    },
  },
  invalid: [
    notAnObject,
    invalidBody('callIds array is required', { callIds: noCallId }),
    invalidBody('callIds array cannot be empty', { callIds: [] }),
    invalidBody('Maximum 100 calls per request', { callIds: Array(101).fill(noCallId) }),
    invalidBody('leaseSeconds must be an integer between 30 and 7200', { leaseSeconds: 7201 }),
    invalidBody('dialledAt must be an ISO 8601 timestamp with a UTC offset', {
      dialledAt: '2026-11-20 09:03',
    }),
    ...unknownMembers,
    invalidBody('callIds[1] must be a string', { callIds: [noCallId, 7] }),
    invalidBody('callIds[1] must not be empty', { callIds: [noCallId, ''] }),
  ],
})

const releaseRequest = (callId = noCallId) => ({
  path: '/api/v1/calls/release',
  body: { calls: [{ callId }] },
})

const withRelease = (fields: object) => (sent: Sent) => {
  const { calls } = sent.body as { calls: object[] }
  return withFields({ calls: [...calls, { callId: `${noCallId}1`, ...fields }] })(sent)
}

const releaseCalls = endpoint({
  name: 'releaseCalls',
  method: 'POST',
  path: '/api/v1/calls/release',
  scopes: scopesOf.agent,
  actsOn: 'nothing',
  maxBytes: 64 * 1024,
  request: () => releaseRequest(),
  alsoSucceeds: {
    'of a call that goes on': async (world) => releaseRequest((await callBeside(world)).call.callId),
  },
  invalid: [
    notAnObject,
    ...wrongCalls,
    ...unknownMembers,
    { message: 'calls[1].callId is required', change: withRelease({ callId: undefined }) },
    { message: 'calls[1].callId must be a string', change: withRelease({ callId: 7 }) },
    {
      message: 'calls[1].delaySeconds must be an integer between 0 and 86400',
      change: withRelease({ delaySeconds: 86_401 }),
    },
    { message: 'calls[1].delay is not a member', change: withRelease({ delay: 5 }) },
    { message: 'calls[1].callId is given twice', change: withRelease({ callId: noCallId }) },
  ],
})

const openCallsOf = ({ campaignId }: { campaignId: string }) => ({
  path: '/api/v1/calls',
  query: { campaignId },
})

/** Two open calls, of an agent with a name and of one without. */
async function twoOpenCalls(world: World, more: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const agent = await agentBeside(world)
  await agent.add()
  await agent.claim({ agent: 'seat 7' })
  await agent.call()
  return withQuery(more)(openCallsOf(agent))
}

const listOpenCalls = endpoint({
  name: 'listOpenCalls',
  method: 'GET',
  path: '/api/v1/calls',
  scopes: scopesOf.agent,
  actsOn: 'campaign',
  request: openCallsOf,
  alsoSucceeds: {
    'with calls': (world) => twoOpenCalls(world),
    'that is a page': (world) => twoOpenCalls(world, { limit: '1' }),
    'of one agent': (world) => twoOpenCalls(world, { agent: 'seat 7' }),
    'by HEAD': async (world) => ({ ...(await twoOpenCalls(world)), method: 'HEAD' }),
  },
  invalid: [
    { message: 'campaignId query parameter is required', change: withoutQuery('campaignId') },
    invalidQuery(tooLongCampaign, { campaignId: 'x'.repeat(129) }),
    invalidQuery(longAgent, { agent: 'x'.repeat(65) }),
    invalidQuery(notStorable('agent'), { agent: '\0' }),
    invalidQuery('limit must be an integer between 1 and 100', { limit: '101' }),
    invalidQuery('cursor is not valid', { cursor: 'next' }),
    ...['campaignId', 'agent', 'limit', 'cursor'].map(givenTwice),
    almostKnown('Agent', 'agent'),
  ],
})

const inboundPath = '/api/v1/calls/inbound'
const inboundRequest = (body: object = {}) => ({ path: inboundPath, body: { from: newPhone(), ...body } })
const tooLong = (name: string) => `${name} must have at most 256 characters`

const findCaller = endpoint({
  name: 'findCaller',
  method: 'POST',
  path: inboundPath,
  scopes: scopesOf.agent,
  actsOn: 'nothing',
  maxBytes: 64 * 1024,
  request: () => inboundRequest(),
  alsoSucceeds: {
    'that is not known': async () => inboundRequest({ from: 'anonymous', to: '+493012345678' }),
    'whose call is taken': async (world) => {
      const agent = await agentBeside(world)
      const { phoneNumber } = await agent.add({ metadata: { name: 'Ada' } })
      return inboundRequest({
        from: phoneNumber,
        campaignId: agent.campaignId,
        take: true,
        countsAsAttempt: true,
      })
    },
    'who is on the phone': async (world) => {
      const { call } = await callBeside(world)
      return inboundRequest({ from: call.lead.phoneNumber, take: true })
    },
    'who was called before': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.report([{ callId: call.callId, outcome: 'busy', details: { summary: 'later' } }])
      return inboundRequest({ from: call.lead.phoneNumber })
    },
  },
  invalid: [
    notAnObject,
    invalidBody('from is required', { from: undefined }),
    invalidBody('from must be a string', { from: 49 }),
    invalidBody(tooLong('from'), { from: '1'.repeat(257) }),
    invalidBody(notStorable('from'), { from: '\0' }),
    invalidBody('to must be a string of at most 256 characters', { to: '1'.repeat(257) }),
    invalidBody(tooLongCampaign, { campaignId: 'x'.repeat(129) }),
    invalidBody(emptyCampaign, { campaignId: '' }),
    invalidBody('take must be true or false', { take: 'yes' }),
    invalidBody('leaseSeconds must be an integer between 30 and 7200', { leaseSeconds: 29 }),
    invalidBody('countsAsAttempt must be true or false', { countsAsAttempt: 1 }),
    ...unknownMembers,
    invalidBody('leaseSeconds and countsAsAttempt need take: true', { leaseSeconds: 60 }),
    wrongIdempotencyKey,
  ],
  conflicts: [campaignDenied],
})

export const openCallEndpoints = [extendCalls, releaseCalls, listOpenCalls, findCaller]
