// The catalogue's entries of what is asked of one lead's calls: their history, why it is not called, and requeueing,
// also of many.
import { seedLead } from '../world.ts'
import { callBeside } from './calls.ts'
import { endpoint, type Scene, type Sent, scopesOf, withQuery } from './endpoint.ts'
import { wrongOrigin } from './leads.ts'
import {
  almostKnown,
  givenTwice,
  invalidBody,
  invalidQuery,
  neverGiven,
  noId,
  notAnObject,
} from './mistakes.ts'

const ofLead =
  (what: string) =>
  async ({ campaign }: Scene): Promise<Sent> => ({
    path: `/api/v1/leads/${await seedLead(campaign)}/${what}`,
  })

/** In the place of the request's lead. */
const withLead = (sent: Sent, leadId: string): Sent => ({
  ...sent,
  path: sent.path.replace(/(?<=leads\/)[^/]+/, leadId),
})

const listCallsOfLead = endpoint({
  name: 'listCallsOfLead',
  method: 'GET',
  path: '/api/v1/leads/:leadId/calls',
  scopes: scopesOf.look,
  actsOn: 'lead',
  request: ofLead('calls'),
  alsoSucceeds: {
    'that was called': async (world) => {
      const { agent, call } = await callBeside(world)
      const details = { summary: 'on holiday', score: 1.0 }
      await agent.report([
        {
          callId: call.callId,
          outcome: 'callback_requested',
          callbackAt: '2027-01-15T09:30:00+01:00',
          durationSeconds: 61,
          providerCallId: 'CA1',
          details,
        },
      ])
      return withLead(await ofLead('calls')(world), call.lead._id)
    },
    'that is being called': async (world) => {
      const { call } = await callBeside(world)
      return withLead(await ofLead('calls')(world), call.lead._id)
    },
    'a page of them': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.release([{ callId: call.callId, delaySeconds: 0 }])
      await agent.claim()
      return withQuery({ limit: '1' })(withLead(await ofLead('calls')(world), call.lead._id))
    },
  },
  invalid: [
    invalidQuery('limit must be an integer between 1 and 100', { limit: '101' }),
    invalidQuery('cursor is not valid', { cursor: 'next' }),
    ...['limit', 'cursor'].map(givenTwice),
    almostKnown('Limit', 'limit'),
  ],
  conflicts: [neverGiven],
  alsoFails: [noId],
})

const explainLead = endpoint({
  name: 'explainLead',
  method: 'GET',
  path: '/api/v1/leads/:leadId/calling',
  scopes: scopesOf.look,
  actsOn: 'lead',
  request: ofLead('calling'),
  alsoSucceeds: {
    'that is being called': async (world) => {
      const { call } = await callBeside(world)
      return withLead(await ofLead('calling')(world), call.lead._id)
    },
    'that waits for its time, at another moment': async (world) => {
      const { agent } = await callBeside(world)
      const { leadId } = await agent.add({ scheduledFor: '2030-01-15T09:30:00+01:00' })
      return withQuery({ at: '2030-01-15T08:00:00+00:00' })(withLead(await ofLead('calling')(world), leadId))
    },
  },
  invalid: [
    invalidQuery('at must be an ISO 8601 timestamp with a UTC offset, or Unix milliseconds', { at: 'soon' }),
    ...['at'].map(givenTwice),
    almostKnown('AT', 'at'),
  ],
  conflicts: [neverGiven],
  alsoFails: [noId],
})

const requeueLead = endpoint({
  name: 'requeueLead',
  method: 'POST',
  path: '/api/v1/leads/:leadId/requeue',
  scopes: scopesOf.write,
  actsOn: 'lead',
  request: ofLead('requeue'),
  alsoSucceeds: {
    'that is concluded': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.report([{ callId: call.callId, outcome: 'answered' }])
      return withLead(await ofLead('requeue')(world), call.lead._id)
    },
  },
  conflicts: [
    neverGiven,
    {
      name: 'a lead that is being called',
      said: [409, 'Lead is being called', 'lead_leased'],
      change: async (sent, place) => withLead(sent, (await callBeside(place)).call.lead._id),
    },
    {
      name: 'a lead whose number is suppressed',
      said: [409, 'Phone number is suppressed', 'number_suppressed'],
      async change(sent, place) {
        const { agent } = await callBeside(place)
        const { leadId, phoneNumber } = await agent.add()
        await agent.suppress([phoneNumber])
        return withLead(sent, leadId)
      },
    },
  ],
  alsoFails: [noId],
})

const requeueLeads = endpoint({
  name: 'requeueLeads',
  method: 'POST',
  path: '/api/v1/campaigns/:campaignId/requeue',
  scopes: scopesOf.write,
  actsOn: 'campaign',
  maxBytes: 64 * 1024,
  request: ({ campaignId }) => ({
    path: `/api/v1/campaigns/${encodeURIComponent(campaignId)}/requeue`,
    body: { status: 'exhausted', since: '2026-11-20T08:00:00+01:00' },
  }),
  alsoSucceeds: {
    'of leads that are concluded': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.report([{ callId: call.callId, outcome: 'answered' }])
      return {
        path: `${agent.campaignPath}/requeue`,
        body: { status: 'concluded', since: '2020-01-01T00:00:00Z' },
      }
    },
  },
  invalid: [
    notAnObject,
    invalidBody('status must be one of exhausted, concluded', { status: 'raw' }),
    invalidBody('since must be an ISO 8601 timestamp with a UTC offset', { since: 'today' }),
    invalidBody('colour is not a member', { colour: 'red' }),
    invalidBody('A member is not a member', { 'no name': 1 }),
  ],
})

const callsOf = ({ campaignId }: { campaignId: string }) => ({
  path: `/api/v1/campaigns/${encodeURIComponent(campaignId)}/calls`,
})
const notATime = 'must be an ISO 8601 timestamp with a UTC offset, or Unix milliseconds'

const listCallsOfCampaign = endpoint({
  name: 'listCallsOfCampaign',
  method: 'GET',
  path: '/api/v1/campaigns/:campaignId/calls',
  scopes: scopesOf.read,
  actsOn: 'campaign',
  request: callsOf,
  alsoSucceeds: {
    'with calls, one of which cost': async (world) => {
      const { agent, call } = await callBeside(world)
      const details = {
        summary: 'Well',
        costAmount: 0.12,
        costCurrency: 'USD',
        recordingUrl: 'https://a.example/r',
      }
      await agent.report([{ callId: call.callId, outcome: 'answered', details }])
      await agent.call()
      return { ...callsOf(agent), query: { limit: '1' } }
    },
    'as a page of CSV': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.report([{ callId: call.callId, outcome: 'busy' }])
      await agent.call()
      return { ...callsOf(agent), query: { limit: '1' }, headers: { accept: 'text/csv' } }
    },
    'as CSV, through every filter': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.report([{ callId: call.callId, outcome: 'busy' }])
      const query = { from: '1', to: '9'.repeat(13), outcome: 'busy', origin: 'api' }
      return { ...callsOf(agent), query, headers: { accept: 'text/csv' } }
    },
  },
  invalid: [
    ...['from', 'to', 'outcome', 'agent', 'origin', 'limit', 'cursor'].map(givenTwice),
    invalidQuery(`from ${notATime}`, { from: 'yesterday' }),
    invalidQuery(`to ${notATime}`, { to: 'tomorrow' }),
    invalidQuery(
      'outcome must be one of answered, not_interested, wrong_number, invalid_number, do_not_call, ' +
        'no_answer, busy, voicemail, failed, abandoned, callback_requested, unknown, released',
      { outcome: 'rang' },
    ),
    invalidQuery('agent must be a string of at most 64 characters', { agent: 'x'.repeat(65) }),
    invalidQuery(wrongOrigin, { origin: 'form' }),
    invalidQuery('limit must be an integer between 1 and 1000', { limit: '1001' }),
    invalidQuery('cursor is not valid', { cursor: 'next' }),
    almostKnown('_from', 'from'),
  ],
})

export const leadCallEndpoints = [
  listCallsOfLead,
  listCallsOfCampaign,
  explainLead,
  requeueLead,
  requeueLeads,
]
