// The catalogue's entries of statistics, and of the overview that has them too.
import { seedAlerts } from '../alerts/alerts.ts'
import { seedCampaign } from '../world.ts'
import { callBeside } from './calls.ts'
import { type Endpoint, endpoint, scopesOf } from './endpoint.ts'
import { almostKnown, givenTwice, invalidQuery } from './mistakes.ts'

const pathOf = ({ campaignId }: { campaignId: string }) =>
  `/api/v1/campaigns/${encodeURIComponent(campaignId)}/stats`

const notATime = 'must be an ISO 8601 timestamp with a UTC offset, or Unix milliseconds'

const getCounts = endpoint({
  name: 'getStatistics',
  method: 'GET',
  path: '/api/v1/campaigns/:campaignId/stats',
  scopes: scopesOf.look,
  actsOn: 'campaign',
  request: (place) => ({ path: pathOf(place) }),
  alsoSucceeds: {
    'of a campaign that calls, by the day': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.report([{ callId: call.callId, outcome: 'answered' }])
      return { path: `${agent.campaignPath}/stats`, query: { bucket: 'day' } }
    },
    'by the hour': (world) => ({ path: pathOf(world), query: { by: 'hour' } }),
    'by the day': (world) => ({ path: pathOf(world), query: { by: 'day' } }),
    'by outcome, of calls that cost': async (world) => {
      const { agent, call } = await callBeside(world)
      const details = { costAmount: '0.12', costCurrency: 'USD' }
      await agent.report([{ callId: call.callId, outcome: 'answered', details }])
      return { path: `${agent.campaignPath}/stats`, query: { by: 'outcome' } }
    },
    'by origin': async (world) => {
      const { agent } = await callBeside(world)
      return { path: `${agent.campaignPath}/stats`, query: { by: 'origin' } }
    },
    'by agent as CSV': async (world) => {
      const { agent } = await callBeside(world)
      return {
        path: `${agent.campaignPath}/stats`,
        query: { by: 'agent' },
        headers: { accept: 'text/csv' },
      }
    },
    'of some hours': (world) => ({
      path: pathOf(world),
      query: { from: '2026-11-18T00:00:00+01:00', to: '1795086000000', bucket: 'hour' },
    }),
  },
  invalid: [
    ...['from', 'to', 'bucket'].map(givenTwice),
    invalidQuery(`from ${notATime}`, { from: 'yesterday' }),
    invalidQuery(`to ${notATime}`, { to: 'tomorrow' }),
    invalidQuery('bucket must be one of hour, day', { bucket: 'week' }),
    almostKnown('_from', 'from'),
    invalidQuery('from and to must not be before 1970', { from: '1969-12-31T23:59:59.999Z', to: '1' }),
    invalidQuery('to must be at most 366 days ahead', { to: '99999999999999' }),
    invalidQuery('from must be earlier than to', { from: '2', to: '2' }),
    invalidQuery('from and to must be at most 31 days apart when bucket is hour', {
      from: '0',
      to: '2678400001',
    }),
    invalidQuery('from and to must be at most 366 days apart when bucket is day', {
      bucket: 'day',
      from: '0',
      to: '31622400001',
    }),
    almostKnown('_from', 'from'),
  ],
})

const getStatistics: Endpoint = {
  ...getCounts,
  invalid: [
    ...getCounts.invalid,
    givenTwice('by'),
    invalidQuery('by must be one of day, hour, outcome, origin, agent', { by: 'week' }),
  ],
}

const overviewPathOf = ({ campaignId }: { campaignId: string }) =>
  `/api/v1/campaigns/${encodeURIComponent(campaignId)}/overview`

/** Its parameters are those of statistics, and one of its own. */
const getOverview: Endpoint = {
  ...getStatistics,
  name: 'getOverview',
  path: '/api/v1/campaigns/:campaignId/overview',
  request: (place) => ({ path: overviewPathOf(place) }),
  alsoSucceeds: {
    'of a campaign with a live call': async (world) => {
      const { agent } = await callBeside(world)
      return { path: `${agent.campaignPath}/overview`, query: { bucket: 'day' } }
    },
    'with leads': async (world) => {
      const { agent } = await callBeside(world)
      return { path: `${agent.campaignPath}/overview`, query: { include: 'leads' } }
    },
    'with webhooks and alerts': async (world) => {
      const campaign = await seedCampaign(world.companyId)
      await seedAlerts({ ...world, campaign })
      return { path: overviewPathOf({ campaignId: campaign.id }) }
    },
  },
  invalid: [
    ...getCounts.invalid,
    givenTwice('include'),
    invalidQuery('include must be one of leads', { include: 'queue' }),
  ],
}

export const statisticsEndpoints = [getStatistics, getOverview]
