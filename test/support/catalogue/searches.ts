// The catalogue's entries of finding leads, and of requeueing a selection of them.

import { api } from '../http/api.ts'
import { newPhones, seedKey, seedLead } from '../world.ts'
import { callBeside } from './calls.ts'
import { endpoint, type Sent, scopesOf, type World, withoutQuery, withQuery } from './endpoint.ts'
import { wrongOrigin } from './leads.ts'
import {
  almostKnown,
  emptyCampaign,
  givenTwice,
  invalidBody,
  invalidQuery,
  notAnObject,
  notStorable,
  tooLongCampaign,
  unknownMembers,
} from './mistakes.ts'

const searchRequest = ({ campaignId }: { campaignId: string }) => ({
  path: '/api/v1/leads/search',
  query: { q: 'ada', campaignId },
})

/** With leads that are found. */
async function fullSearch(world: World, query: Readonly<Record<string, string>>): Promise<Sent> {
  const { companyId, campaignId } = world
  const leads = newPhones(2).map((phoneNumber) => ({
    phoneNumber,
    metadata: { name: 'Ada' },
    externalId: 'crm-1',
  }))
  await api((await seedKey({ companyId })).key).importLeads({ campaignId, leads })
  return withQuery(query)(searchRequest(world))
}

const wrongQ = 'q must be a string of 1 to 100 characters'

const searchLeads = endpoint({
  name: 'searchLeads',
  method: 'GET',
  path: '/api/v1/leads/search',
  scopes: scopesOf.read,
  actsOn: 'campaign',
  request: searchRequest,
  alsoSucceeds: {
    'in all campaigns': async (world) => withoutQuery('campaignId')(await fullSearch(world, {})),
    'with origin': (world) => fullSearch(world, { include: 'origin', origin: 'api' }),
    'that is a page': (world) => fullSearch(world, { limit: '1' }),
    'by external id and status': (world) => fullSearch(world, { q: 'crm-1', status: 'raw' }),
    'for a lead that was called': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.report([{ callId: call.callId, outcome: 'busy' }])
      return { path: '/api/v1/leads/search', query: { q: call.lead.phoneNumber, outcome: 'busy' } }
    },
  },
  invalid: [
    { message: wrongQ, change: withoutQuery('q') },
    invalidQuery(wrongQ, { q: '' }),
    invalidQuery(wrongQ, { q: 'x'.repeat(101) }),
    ...['q', 'campaignId', 'status', 'outcome', 'origin', 'include', 'limit', 'cursor'].map(givenTwice),
    invalidQuery(notStorable('q'), { q: '\0' }),
    invalidQuery(emptyCampaign, { campaignId: '' }),
    invalidQuery(tooLongCampaign, { campaignId: 'x'.repeat(129) }),
    invalidQuery('status must be one of raw, attempting, exhausted, concluded', { status: 'called' }),
    invalidQuery(
      'outcome must be one of answered, not_interested, wrong_number, invalid_number, do_not_call, ' +
        'no_answer, busy, voicemail, failed, abandoned, callback_requested, unknown',
      { outcome: 'rang' },
    ),
    invalidQuery(wrongOrigin, { origin: 'src_' }),
    invalidQuery('include must be some of origin, separated by commas', { include: 'calling' }),
    invalidQuery('limit must be an integer between 1 and 100', { limit: '101' }),
    invalidQuery('cursor is not valid', { cursor: 'next' }),
    almostKnown('campaign_id', 'campaignId'),
    almostKnown('Q', 'q'),
  ],
})

const selection = (leadIds: readonly unknown[]) => ({ path: '/api/v1/leads/requeue', body: { leadIds } })

const requeueSelection = endpoint({
  name: 'requeueSelection',
  method: 'POST',
  path: '/api/v1/leads/requeue',
  scopes: scopesOf.write,
  actsOn: 'nothing',
  maxBytes: 64 * 1024,
  request: async ({ campaign }) => selection([await seedLead(campaign)]),
  alsoSucceeds: {
    'of leads in every state': async (world) => {
      const { agent, call } = await callBeside(world)
      const suppressed = await agent.add()
      await agent.suppress([suppressed.phoneNumber])
      return selection([call.lead._id, suppressed.leadId, await seedLead(world.campaign), 'none'])
    },
  },
  invalid: [
    notAnObject,
    invalidBody('leadIds array is required', { leadIds: 'one' }),
    invalidBody('leadIds array cannot be empty', { leadIds: [] }),
    invalidBody('Maximum 100 leads per request', { leadIds: Array(101).fill('1') }),
    ...unknownMembers,
    invalidBody('leadIds[1] must be a string', { leadIds: ['1', 7] }),
    invalidBody('leadIds[1] must not be empty', { leadIds: ['1', ''] }),
    invalidBody('leadIds[1] is given twice', { leadIds: ['1', '1'] }),
  ],
})

export const searchEndpoints = [searchLeads, requeueSelection]
