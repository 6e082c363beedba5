// The catalogue's entry of the log: what happened, from the beginning or after a place.

import { companyDb } from '../database/store.ts'
import { api } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { seedKey, seedWorld } from '../world.ts'
import { callBeside } from './calls.ts'
import { type Endpoint, endpoint, type Scene, type Sent, scopesOf, withQuery } from './endpoint.ts'
import { almostKnown, givenTwice, invalidQuery } from './mistakes.ts'
import { invalid, problems } from './said.ts'

const path = '/api/v1/events'

/** The place from which the log continues now, as a key of every right reads it. */
async function placeIn({ companyId }: { companyId: string }, query = ''): Promise<string> {
  const { key } = await seedKey({ companyId, scope: 'manage' })
  return (dataOf(await api(key).request('GET', path + query), 200) as { next: string }).next
}

/** Two entries, and the place before the first of the log. */
async function withChanges({ companyId, campaignId }: Scene): Promise<string> {
  const before = await placeIn({ companyId }, '?limit=1')
  const { key } = await seedKey({ companyId, scope: 'manage' })
  const change = (name: string) => api(key).request('PATCH', `/api/v1/campaigns/${campaignId}`, { name })
  await change('One')
  await change('Another')
  return before.replace(/.{11}$/, '00000000009')
}

const withEvents: Endpoint['alsoSucceeds'][string] = async (world) => {
  await placeIn(world)
  const { agent, call } = await callBeside(world)
  await agent.report([{ callId: call.callId, outcome: 'do_not_call' }])
  return { path }
}

const listEvents = endpoint({
  name: 'listEvents',
  method: 'GET',
  path,
  scopes: scopesOf.read,
  actsOn: 'nothing',
  request: () => ({ path }),
  alsoSucceeds: {
    'with events': withEvents,
    'of some types': async (world) => ({
      ...(await withEvents(world, '')),
      query: { types: 'lead.exhausted,call.reported', limit: '1' },
    }),
    'of a lead': async (world) => {
      await placeIn(world)
      const { agent, call } = await callBeside(world)
      await agent.report([{ callId: call.callId, outcome: 'busy' }])
      return { path, query: { leadId: call.lead._id } }
    },
    'after a place': async (world) => {
      await withChanges(world)
      return { path, query: { after: await placeIn(world) } }
    },
  },
  invalid: [
    ...['after', 'types', 'leadId', 'limit'].map(givenTwice),
    invalidQuery('after is not valid', { after: 'evt_1' }),
    invalidQuery('types must be event types, separated by commas', { types: 'call.reported,call.made' }),
    invalidQuery('leadId is not valid', { leadId: '1' }),
    invalidQuery('limit must be an integer between 1 and 1000', { limit: '1001' }),
    almostKnown('Types', 'types'),
  ],
  alsoFails: [
    {
      name: 'types that are for those who manage',
      said: problems.scope,
      change: withQuery({ types: 'call.reported,key.created' }),
    },
    {
      name: 'a place in the log of another company',
      said: invalid('after is not valid'),
      change: async (sent) => withQuery({ after: await placeIn(await seedWorld()) })(sent),
    },
    {
      name: 'a place that is yet to come',
      said: invalid('after is not valid'),
      change: async (sent, place) =>
        withQuery({ after: (await placeIn(place)).replace(/.{11}$/, 'ffffffffff9') })(sent),
    },
    {
      name: 'a place that a restore has removed',
      said: invalid(
        'after names an event that is gone: the log was restored to an earlier time. Ask without ' +
          'after, or after an older event',
      ),
      async change(sent: Sent, place: Scene) {
        await withChanges(place)
        const after = await placeIn(place)
        await companyDb
          .prepare(`update companies set log_epochs = '[[1795000000,2,0]]' where id = ?1`)
          .bind(place.companyId)
          .run()
        return withQuery({ after })(sent)
      },
    },
    {
      name: 'a place after which the log was cut off',
      said: invalid('after is older than 90 days'),
      async change(sent: Sent, place: Scene) {
        const after = await withChanges(place)
        await companyDb
          .prepare('delete from events where company_id = ?1 and number = 1')
          .bind(place.companyId)
          .run()
        return withQuery({ after })(sent)
      },
    },
  ],
})

export const eventEndpoints = [listEvents]
