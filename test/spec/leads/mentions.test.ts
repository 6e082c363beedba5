// A number in the metadata of a lead whose own number is another: the search finds it, the record names the lead, and
// the erasure of the number removes it there.
import { expect, it } from 'vitest'
import { type AgentWorld, seedAgent } from '../../support/calling/agent.ts'
import { api, type Lead } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { newPhone, seedKey } from '../../support/world.ts'

type Erased = { leadsErased: number; suppressed: boolean; alsoIn: string[]; isPartial: boolean }
type Entry = { type: string; at: string; leadId?: string; campaignId?: string }
type RecordPage = { entries: Entry[]; isPartial: boolean; nextCursor: string | null }

function askingIn({ manageKey }: Pick<AgentWorld, 'manageKey'>) {
  const ask = async <Data>(method: string, path: string, body?: object) =>
    dataOf(await api(manageKey).request(method, path, body), 200) as unknown as Data
  return {
    erasePerson: (body: object) => ask<Erased>('POST', '/api/v1/erasures', body),
    eraseLead: (leadId: string) => ask<Erased>('DELETE', `/api/v1/leads/${leadId}`),
    record: (phoneNumber: string, cursor?: string | null) =>
      ask<RecordPage>('POST', '/api/v1/numbers/record', { phoneNumber, cursor }),
    find: async (q: string) =>
      (
        await ask<{ leads: { _id: string }[] }>('GET', `/api/v1/leads/search?q=${encodeURIComponent(q)}`)
      ).leads.map(({ _id }) => _id),
  }
}

async function seed() {
  const agent = await seedAgent()
  const metadataOf = async (leadId: string) => {
    const answer = await api(agent.manageKey).request('GET', `/api/v1/leads/${leadId}`)
    const { lead } = dataOf(answer, 200) as { lead: Lead }
    return { ...lead, etag: answer.headers.get('etag') }
  }
  return { ...agent, ...askingIn(agent), metadataOf }
}

/** A number of the United States as people write it. */
const written = (phoneNumber: string) =>
  phoneNumber.replace(/^(\+1)(\d{3})(\d{3})(\d{4})$/, '$1 ($2) $3-$4').replace(/^(\+49)(\d{3})/, '$1 $2/')

it('The erasure of a person removes the number from the metadata of other leads, which stay, and names them', async () => {
  const world = await seed()
  const other = await world.another()
  const { phoneNumber } = await world.add({ metadata: { partner: written(newPhone()) } })
  const neighbour = newPhone()
  const metadata = { name: 'Ada', partner: written(phoneNumber), home: { phone: phoneNumber, city: 'Rome' } }
  const first = await world.add({ metadata: { ...metadata, friends: [phoneNumber, neighbour], n: 1.5 } })
  const second = await other.add({ metadata: { partner: phoneNumber } })
  const kept = { partner: neighbour, note: `ask for ${phoneNumber} at noon` }
  const untouched = await world.add({ metadata: kept })
  const { etag } = await world.metadataOf(first.leadId)
  expect(await world.erasePerson({ phoneNumber })).toMatchObject({
    leadsErased: 1,
    alsoIn: [second.leadId, first.leadId],
    isPartial: false,
  })
  const after = await world.metadataOf(first.leadId)
  expect(after).toMatchObject({
    phoneNumber: first.phoneNumber,
    metadata: { name: 'Ada', home: { city: 'Rome' }, friends: [neighbour], n: 1.5 },
  })
  expect(Object.keys(after.metadata as object)).toEqual(['name', 'home', 'friends', 'n'])
  expect(after.etag).not.toBe(etag)
  expect((await world.metadataOf(second.leadId)).metadata).toEqual({})
  expect((await world.metadataOf(untouched.leadId)).metadata).toEqual(kept)
  // By the words of its note.
  expect(await world.find(phoneNumber)).toEqual([untouched.leadId])
  expect(await world.find(neighbour)).toEqual([untouched.leadId, first.leadId])
  expect(await world.find('ada')).toEqual([first.leadId])
  expect(await world.erasePerson({ phoneNumber })).toMatchObject({ leadsErased: 0, alsoIn: [] })
})

it.each([
  ['Mexico', '+5215512345678', '+52 55 1234 5678'],
  ['Argentina', '+5491123456789', '+54 (11) 2345-6789'],
  ['Germany', '+491711234567', '+49 (0) 171 / 123 45 67'],
  ['Brazil', '+551187654321', '+55 11 98765-4321'],
])('Erasing a number of %s removes it in each spelling of its phone', async (_, phoneNumber, partner) => {
  const world = await seed()
  const { leadId } = await world.add({ metadata: { partner, name: 'Ada' } })
  expect((await world.record(phoneNumber)).entries).toMatchObject([{ type: 'mention', leadId }])
  expect((await world.erasePerson({ phoneNumber })).alsoIn).toEqual([leadId])
  expect((await world.metadataOf(leadId)).metadata).toEqual({ name: 'Ada' })
})

it('What else metadata holds stays byte for byte as it was sent', async () => {
  const world = await seed()
  const [phoneNumber, partner] = [newPhone(), newPhone()]
  const body = (metadata: string) =>
    `{"campaignId":"${world.campaignId}","phoneNumber":"${phoneNumber}","metadata":${metadata}}`
  const rest = '"big": 12345678901234567890, "e": 1e400, "list": [ -0 , "x" ]'
  const { leadId } = dataOf(
    await api(world.writeKey).request('POST', '/api/v1/leads', body(`{"a": "${partner}", ${rest}}`)),
    201,
  ) as { leadId: string }
  expect((await world.erasePerson({ phoneNumber: partner })).alsoIn).toEqual([leadId])
  const answer = await api(world.manageKey).request('GET', `/api/v1/leads/${leadId}`)
  expect(answer.text).toContain('"big":12345678901234567890,"e":1e400,"list":[ -0 , "x" ]')
})

it('A value with more than a number, in a name, or deeper than the search reads is no mention, nor a lead of the same phone', async () => {
  const world = await seed()
  const { phoneNumber, leadId } = await world.add()
  await world.add({ metadata: { note: `${phoneNumber} is his`, [phoneNumber]: 'x' } })
  await world.add({ metadata: { a: { b: { c: phoneNumber } } } })
  await world.add({ metadata: { digits: phoneNumber.slice(1), long: `${phoneNumber}1` } })
  const record = await world.record(phoneNumber)
  expect(record.entries).toMatchObject([{ type: 'lead', leadId }])
  expect(record.isPartial).toBe(false)
  expect(await world.erasePerson({ leadId })).toMatchObject({ leadsErased: 1, alsoIn: [] })
})

it('The record names leads that hold the number, once each and over pages, and none of its own or of another company', async () => {
  const [world, stranger] = [await seed(), await seed()]
  const { phoneNumber, leadId } = await world.add()
  await world.ask(
    'PATCH',
    `/api/v1/leads/${leadId}`,
    { metadata: { self: phoneNumber } },
    { key: world.manageKey },
  )
  await stranger.add({ metadata: { partner: phoneNumber } })
  const others: string[] = []
  for (let place = 0; place < 101; place++)
    others.push((await world.add({ metadata: { partner: phoneNumber } })).leadId)
  const first = await world.record(phoneNumber)
  const second = await world.record(phoneNumber, first.nextCursor)
  expect(second.nextCursor).toBeNull()
  const entries = [...first.entries, ...second.entries]
  expect(entries.filter(({ type }) => type === 'lead').map((entry) => entry.leadId)).toEqual([leadId])
  expect(entries.filter(({ type }) => type === 'mention').map((entry) => entry.leadId)).toEqual(others)
  expect(entries[0]).toMatchObject({ type: 'lead' })
  expect(entries[1]).toMatchObject({ type: 'mention', campaignId: world.campaignId })
  expect(entries[1]).not.toHaveProperty('lead')
  const { alsoIn } = await world.erasePerson({ leadId })
  expect(alsoIn).toEqual(others.toReversed())
  expect((await stranger.record(phoneNumber)).entries).toMatchObject([{ type: 'mention' }])
})

it('The erasure of one lead, and of a campaign’s key, leaves the number in the metadata of others', async () => {
  const world = await seed()
  const { phoneNumber, leadId } = await world.add()
  const { leadId: other } = await world.add({ metadata: { partner: phoneNumber } })
  const { key } = await seedKey({ companyId: world.companyId, scope: 'manage', campaign: world.campaign })
  const refused = await api(key).request('POST', '/api/v1/erasures', { phoneNumber })
  expect(refused.status).toBe(403)
  expect(await world.eraseLead(leadId)).toMatchObject({ leadsErased: 1, alsoIn: [], isPartial: false })
  expect((await world.metadataOf(other)).metadata).toEqual({ partner: phoneNumber })
})

it('A change that an erasure makes is an event of the lead, as any other change', async () => {
  const world = await seed()
  const events = async (after?: string) =>
    dataOf(
      await api(world.manageKey).request('GET', `/api/v1/events${after ? `?after=${after}` : ''}`),
      200,
    ) as unknown as { events: { type: string; data: Record<string, unknown> }[]; nextCursor: string }
  await events()
  const phoneNumber = newPhone()
  const { leadId } = await world.add({ metadata: { partner: phoneNumber } })
  await world.erasePerson({ phoneNumber })
  const found = (await events()).events.filter(({ type }) => type === 'lead.changed')
  expect(found.map(({ data }) => data)).toMatchObject([{ leadId, changed: ['metadata'] }])
})
