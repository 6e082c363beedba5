// Lists through the client: page by page, and from where a reader broke off.
import { expect, it } from 'vitest'
import { scripted } from './scripted-service.ts'

it('A list fetches pages only as far as it is read', async () => {
  const { client, asked } = scripted((_, number) => ({
    data: {
      leads: [{ _id: `a${number}` }, { _id: `b${number}` }],
      count: 2,
      nextCursor: number < 3 ? `c${number}` : null,
    },
  }))
  const ids: string[] = []
  for await (const { _id } of client.leads.list({ campaignId: 'spring', status: 'raw' })) ids.push(_id)
  expect(ids).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  expect(asked.map(({ path }) => path)).toEqual([
    '/api/v1/leads?limit=1000&campaignId=spring&status=raw',
    '/api/v1/leads?limit=1000&campaignId=spring&status=raw&cursor=c1',
    '/api/v1/leads?limit=1000&campaignId=spring&status=raw&cursor=c2',
  ])
  for await (const { _id } of client.leads.list({ campaignId: 'spring' })) if (_id.startsWith('b')) break
  expect(asked).toHaveLength(4)
  expect((await client.leads.list({ campaignId: 'spring', limit: 2, cursor: 'c9' }).page()).count).toBe(2)
  expect(asked[4]?.path).toBe('/api/v1/leads?limit=2&campaignId=spring&cursor=c9')
})

it('The calls of a lead are read page by page, or all of them at once', async () => {
  const { client, asked } = scripted((_, number) => ({
    data: { calls: [{ callId: `k${number}` }], nextCursor: number < 3 ? `c${number}` : null },
  }))
  const ids: string[] = []
  for await (const { callId } of client.leads.callPages('a/b')) ids.push(callId)
  expect(ids).toEqual(['k1', 'k2', 'k3'])
  expect((await client.leads.callPages('a/b', { limit: 1, cursor: 'c9' }).page()).calls).toHaveLength(1)
  const all = await scripted((_, number) => ({
    data: { calls: [{ callId: `k${number}` }], nextCursor: number < 3 ? `c${number}` : null },
  })).client.leads.calls('a/b')
  expect(all.map(({ callId }) => callId)).toEqual(['k1', 'k2', 'k3'])
  expect(asked.map(({ path }) => path)).toEqual(
    ['', '?cursor=c1', '?cursor=c2', '?limit=1&cursor=c9'].map(
      (query) => `/api/v1/leads/a%2Fb/calls${query}`,
    ),
  )
})

it('The calls of an unknown lead throw its error', async () => {
  const refused = { status: 404, error: 'Lead not found', headers: { 'x-error-code': 'lead_not_found' } }
  const { client } = scripted(() => refused)
  await expect(client.leads.calls('lead-1')).rejects.toThrow('Lead not found')
})

it('Events are read up to the newest, across pages that have none of their types', async () => {
  const pages = [['evt_1'], [], ['evt_3'], []]
  const { client, asked } = scripted((_, number) => ({
    data: { events: pages[number - 1]?.map((id) => ({ id })), next: `evt_${Math.min(number, 3)}` },
  }))
  const ids: string[] = []
  for await (const { id } of client.events.list({
    after: 'evt_0',
    types: ['call.reported', 'lead.erased'],
  }))
    ids.push(id)
  expect(ids).toEqual(['evt_1', 'evt_3'])
  expect(asked.map(({ path }) => path)).toEqual(
    [0, 1, 2, 3].map((number) => `/api/v1/events?after=evt_${number}&types=call.reported%2Clead.erased`),
  )
})

it('A reader of events continues where the service stopped reading, even if no event had its types', async () => {
  const pages = [['evt_1', 'evt_2'], [], []]
  const { client } = scripted((_, number) => ({
    data: {
      events: pages[number - 1]?.map((id) => ({ id })),
      next: ['evt_2', 'evt_900', 'evt_900'][number - 1],
    },
  }))
  const events = client.events.list({ types: ['lead.erased'] })
  expect(events.next).toBe(null)
  const seen: unknown[] = []
  for await (const { id } of events) seen.push([id, events.next])
  // A page counts once all of it was taken.
  expect(seen).toEqual([
    ['evt_1', null],
    ['evt_2', null],
  ])
  expect(events.next).toBe('evt_900')
  expect(client.events.list({ after: 'evt_900' }).next).toBe('evt_900')
})

it('A reader of events that stops within a page continues at the start of that page', async () => {
  const { client, asked } = scripted((_, number) => ({
    data: {
      events: [{ id: `evt_${2 * number - 1}` }, { id: `evt_${2 * number}` }],
      next: `evt_${2 * number}`,
    },
  }))
  const events = client.events.list()
  for await (const { id } of events) if (id === 'evt_3') break
  expect(events.next).toBe('evt_2')
  await client.events.list({ after: null }).page()
  expect(asked.at(-1)?.path).toBe('/api/v1/events')
})
