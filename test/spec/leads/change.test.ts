// Changing a lead: what can be changed and what not, the condition in If-Match, and the order of the queue that
// follows.
import { expect, it, vi } from 'vitest'
import { seedAgent } from '../../support/calling/agent.ts'
import { type Answer, api, type Lead } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { clearedFields, setFields as full } from '../../support/leads/new-lead.ts'
import { stopClock } from '../../support/run/clock.ts'

type LeadAnswer = Answer<{ lead: Lead }>

async function seedChanging() {
  const agent = await seedAgent()
  const path = (leadId: string) => `/api/v1/leads/${leadId}`
  return {
    ...agent,
    read: (leadId: string) => agent.ask('GET', path(leadId)) as Promise<LeadAnswer>,
    patch: (leadId: string, body: object | string, headers: Record<string, string> = {}) =>
      api(agent.writeKey).request('PATCH', path(leadId), body, headers) as Promise<LeadAnswer>,
    claimIds: async (limit = 10) => (await agent.claim({ limit })).calls.map((call) => call.lead._id),
  }
}

it('A change sets each field that is named, leaves the others, and answers the lead as GET does', async () => {
  const world = await seedChanging()
  const { leadId, phoneNumber } = await world.add()
  for (const [name, value] of Object.entries(full)) {
    const before = dataOf(await world.read(leadId), 200).lead
    const answer = await world.patch(leadId, { [name]: value })
    expect(dataOf(answer, 200).lead).toEqual({ ...before, [name]: value })
    expect((await world.read(leadId)).text).toBe(answer.text)
  }
  const cleared = await world.patch(leadId, { ...full, externalId: null, metadata: null, priority: null })
  const { externalId: _externalId, metadata: _metadata, ...kept } = full
  const bare = {
    _id: leadId,
    campaignId: world.campaignId,
    phoneNumber,
    status: 'raw',
    priority: 0,
    attempts: 0,
    _creationTime: expect.any(Number),
  }
  expect(dataOf(cleared, 200).lead).toEqual({ ...kept, ...bare })
  const empty = dataOf(await world.patch(leadId, { ...clearedFields, scheduledFor: '' }), 200).lead
  expect(empty).toEqual(bare)
})

it('A change keeps metadata byte for byte as sent', async () => {
  const world = await seedChanging()
  const { leadId } = await world.add()
  const metadata = '{ "n": 12345678901234567890, "a": 1e400, "\\u0061": -0 }'
  dataOf(await world.patch(leadId, `{"metadata":${metadata}}`), 200)
  expect((await world.read(leadId)).text).toContain(`"metadata":${metadata},`)
})

it('A change is refused whole when it names what cannot be changed', async () => {
  const world = await seedChanging()
  const { leadId } = await world.add()
  const before = (await world.read(leadId)).text
  for (const name of ['phoneNumber', 'campaignId', 'status', 'attempts', '_id', 'prioritty'])
    expectFailure(
      await world.patch(leadId, { priority: 5, [name]: 1 }),
      400,
      `${name} is not a field that can be changed`,
    )
  expect((await world.read(leadId)).text).toBe(before)
})

it('The ETag of a lead changes with what GET shows, and with nothing else', async () => {
  const world = await seedChanging()
  const { leadId } = await world.add()
  const tag = async () => (await world.read(leadId)).headers.get('etag')
  expect(await tag()).toBe('"1"')
  await world.patch(leadId, {})
  await world.patch(leadId, { priority: 0, externalId: null })
  expect(await tag()).toBe('"1"')
  expect((await world.patch(leadId, { priority: 1 })).headers.get('etag')).toBe('"2"')
  const [call] = (await world.claim()).calls
  expect(await tag()).toBe('"3"')
  await world.extend([call?.callId ?? ''])
  expect(await tag()).toBe('"3"')
  await world.report([{ callId: call?.callId, outcome: 'answered' }])
  expect(await tag()).toBe('"4"')
  await world.requeue(leadId)
  expect(await tag()).toBe('"5"')
})

it('The ETag of a lead holds a change to what was read, and lets one that comes again pass', async () => {
  const world = await seedChanging()
  const { leadId } = await world.add()
  const old = { 'if-match': '"1"' }
  dataOf(await world.patch(leadId, { priority: 1 }, old), 200)
  const again = await world.patch(leadId, { priority: 1 }, old)
  expect([dataOf(again, 200).lead.priority, again.headers.get('etag')]).toEqual([1, '"2"'])
  for (const tag of ['"1"', 'W/"2"', '2', '"x"', '"1", "3"'])
    expectFailure(
      await world.patch(leadId, { priority: 2 }, { 'if-match': tag }),
      412,
      'Lead has changed since',
      'precondition_failed',
    )
  for (const [tag, priority] of [
    ['"1", "2"', 3],
    ['*', 4],
    ['"4"', 5],
    ['', 6],
  ] as const)
    expect(dataOf(await world.patch(leadId, { priority }, { 'if-match': tag }), 200).lead.priority).toBe(
      priority,
    )
  const gone = leadId.replace(/.{11}$/, '00000000000')
  expectFailure(await world.patch(gone, { priority: 1 }, old), 404, 'Lead not found')
})

it('The calling queue after a change has the lead in its new place at once', async () => {
  const world = await seedChanging()
  const leads = []
  for (let n = 0; n < 4; n++) leads.push((await world.add()).leadId)
  const [first = '', second = '', third = '', fourth = ''] = leads
  await world.patch(third, { priority: 9 })
  await world.patch(fourth, { timeZone: 'Asia/Tokyo', priority: 5 })
  await world.patch(first, { scheduledFor: '2099-01-01T00:00:00Z' })
  expect(await world.claimIds()).toEqual([third, fourth, second])
  await world.patch(first, { scheduledFor: null })
  expect(await world.claimIds()).toEqual([first])
})

it('The calling queue after a change has an appointment for a time that is later than now, and no other', async () => {
  stopClock()
  try {
    const world = await seedChanging()
    const { leadId: waiting } = await world.add({ scheduledFor: '2099-01-01T00:00:00Z' })
    const { leadId: urgent } = await world.add({ priority: 100 })
    vi.setSystemTime(Date.now() + 60_000)
    await world.patch(waiting, { scheduledFor: new Date(Date.now() - 1_000).toISOString() })
    expect(await world.claimIds()).toEqual([urgent, waiting])
    const { leadId: agreed } = await world.add()
    await world.add({ priority: 100 })
    await world.patch(agreed, { scheduledFor: new Date(Date.now() + 1_000).toISOString() })
    vi.setSystemTime(Date.now() + 2_000)
    expect((await world.claimIds())[0]).toBe(agreed)
  } finally {
    vi.useRealTimers()
  }
})

it('The calling queue after a change keeps a lease, and the lead follows its new values afterwards', async () => {
  const world = await seedChanging()
  const call = await world.call()
  const at = '2099-01-01T00:00:00.000Z'
  const changed = await world.patch(call.lead._id, { scheduledFor: at, priority: 3 })
  expect(dataOf(changed, 200).lead.status).toBe('attempting')
  expect((await world.openCalls()).calls.map(({ callId }) => callId)).toEqual([call.callId])
  const [result] = await world.report([{ callId: call.callId, outcome: 'no_answer' }]).then((r) => r.results)
  expect(result).toMatchObject({ result: 'recorded', nextCallAt: at })
  await world.patch(call.lead._id, { scheduledFor: null })
  expect(await world.claimIds()).toEqual([])
  const released = await world.call()
  await world.patch(released.lead._id, { scheduledFor: at })
  const [back] = await world.release([{ callId: released.callId, delaySeconds: 0 }])
  expect(back).toMatchObject({ result: 'recorded', nextCallAt: at })
})

it('The calling queue after a change keeps the time of a retry, unless the lead is given one', async () => {
  const world = await seedChanging()
  const call = await world.call()
  const { results } = await world.report([{ callId: call.callId, outcome: 'no_answer' }])
  const spacedUntil = results[0]?.nextCallAt
  const nextCallAt = async () => {
    const path = `/api/v1/leads/${call.lead._id}/calling`
    const { blockers } = dataOf(await world.ask('GET', path), 200) as {
      blockers: { code: string; until: string | null }[]
    }
    return blockers.find(({ code }) => code === 'spaced' || code === 'scheduled')?.until
  }
  await world.patch(call.lead._id, { priority: 50, timeZone: 'Asia/Tokyo' })
  expect(await nextCallAt()).toBe(spacedUntil)
  await world.patch(call.lead._id, { scheduledFor: '2099-01-01T00:00:00Z' })
  expect(await nextCallAt()).toBe('2099-01-01T00:00:00.000Z')
  await world.patch(call.lead._id, { scheduledFor: '2020-01-01T00:00:00Z' })
  expect(await nextCallAt()).toBeUndefined()
})

it('The calling queue after a change does not get a lead that is not in it', async () => {
  const world = await seedChanging()
  const { leadId, phoneNumber } = await world.add()
  await world.suppress([phoneNumber])
  const call = await world.call()
  await world.report([{ callId: call.callId, outcome: 'answered' }])
  for (const id of [leadId, call.lead._id])
    dataOf(await world.patch(id, { priority: 9, scheduledFor: '2020-01-01T00:00:00Z' }), 200)
  expect(await world.claimIds()).toEqual([])
  expect((await world.settings()).queue.queued).toBe(0)
})
