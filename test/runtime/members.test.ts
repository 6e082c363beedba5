// Members: what they may do, what is theirs, when their sessions end with them, and who is named for what it did.
import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { addMember, type MemberMade, newEmail, sessionKeyOf } from '../support/access/identity.ts'
import { ask, type Data, makeKey, membersPath, refused, seedTeam, works } from '../support/access/team.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { entriesOf } from '../support/ledger/log.ts'
import { newPhone, newPhones, seedCampaign, seedKey, seedLead, seedWorld } from '../support/world.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('Removing a member ends his sessions with the next request, names what he made, and ends that when asked', async () => {
  const { session, at, manageKey, identity, campaignId, member } = await seedTeam()
  const beside = await addMember(manageKey)
  const besides = await identity.signIn(beside.email)
  const [key, other] = [await makeKey(session, { scope: 'manage' }), await makeKey(besides)]
  const grandchild = await makeKey(key.key as string)
  const webhook = await ask(
    session,
    'POST',
    '/api/v1/webhooks',
    { url: 'https://receiver.test/', types: null },
    201,
  )
  await ask(session, 'PUT', `/api/v1/campaigns/${campaignId}/dialer`, { preset: 'pretend' })
  const removed = await ask(manageKey, 'DELETE', at)
  const named = (created: unknown) => {
    const { keys, webhooks, dialers } = created as Record<'keys' | 'webhooks' | 'dialers', Data[]>
    return {
      keys: keys.map(({ keyId, revokedAt }) => [keyId, revokedAt !== null]),
      webhooks: webhooks.map(({ webhookId, disabledAt }) => [webhookId, disabledAt !== null]),
      dialers: dialers.map(({ campaignId, revokedAt }) => [campaignId, revokedAt !== null]),
    }
  }
  const all = (isEnded: boolean) => ({
    keys: [
      [key.keyId, isEnded],
      [grandchild.keyId, isEnded],
    ],
    webhooks: [[webhook.webhookId, isEnded]],
    dialers: [[campaignId, isEnded]],
  })
  expect(named(removed.created)).toEqual(all(false))
  expect([await works(session), await works(key.key as string)]).toEqual([false, true])
  expect((await identity.arrive(member.email)).status).toBe(403)
  const again = await ask(manageKey, 'DELETE', `${at}?withCreated=true`)
  expect(again.removedAt).toBe(removed.removedAt)
  expect(named(again.created)).toEqual(all(true))
  for (const gone of [key, grandchild]) expect(await works(gone.key as string)).toBe(false)
  expect([await works(besides), await works(other.key as string)]).toEqual([true, true])
  expect(await refused(manageKey, 'GET', at)).toEqual([404, 'member_not_found'])
  expect(await refused(manageKey, 'PATCH', at, { scope: 'read' })).toEqual([404, 'member_not_found'])
})

it('A role that is lowered ends the sessions that have more, and one that is raised or renamed ends none', async () => {
  const { session, at, manageKey, identity, member, campaignId, companyId } = await seedTeam()
  const other = await seedCampaign(companyId)
  const change = (fields: object) => ask(manageKey, 'PATCH', at, fields)
  await change({ name: 'Countess' })
  expect(await works(session)).toBe(true)
  expect(await change({ scope: 'write' })).toMatchObject({
    scope: 'write',
    name: 'Countess',
    campaignId: null,
  })
  expect(await works(session)).toBe(false)
  const writing = await identity.signIn(member.email)
  await change({ scope: 'manage' })
  expect(await works(writing)).toBe(true)
  expect(await refused(writing, 'GET', membersPath)).toEqual([403, 'insufficient_permissions'])
  await change({ campaignId })
  expect(await works(writing)).toBe(false)
  const inCampaign = await identity.signIn(member.email)
  await change({ campaignId: other.id })
  expect(await works(inCampaign)).toBe(false)
  const inOther = await identity.signIn(member.email)
  await change({ campaignId: null })
  expect(await works(inOther)).toBe(true)
})

it('A change that takes campaigns from a member ends what he made when asked, and another ends nothing', async () => {
  const { session, at, manageKey, campaignId, companyId, identity } = await seedTeam()
  const beside = await addMember(manageKey)
  const besides = await makeKey(await identity.signIn(beside.email))
  const change = (fields: object) => ask(manageKey, 'PATCH', `${at}?withCreated=true`, fields)
  const made = await makeKey(session)
  await change({ campaignId: null, name: 'Countess' })
  expect(await works(made.key as string)).toBe(true)
  await change({ campaignId })
  expect(await works(made.key as string)).toBe(false)
  const inCampaign = await makeKey(await identity.signIn((await ask(manageKey, 'GET', at)).email as string), {
    campaignId,
  })
  await change({ campaignId })
  await change({ campaignId: null })
  expect(await works(inCampaign.key as string)).toBe(true)
  await change({ campaignId: (await seedCampaign(companyId)).id })
  expect([await works(inCampaign.key as string), await works(besides.key as string)]).toEqual([false, true])
})

it('A request that was under way when the role was lowered changes nothing', async () => {
  const { session, at, manageKey, campaignId } = await seedTeam()
  const lead = { campaignId, phoneNumber: newPhone() }
  await ask(session, 'POST', '/api/v1/leads', lead, 201)
  await ask(manageKey, 'PATCH', at, { scope: 'read' })
  // This isolate remembers the session's scope: its statements do not.
  expect(await refused(session, 'POST', '/api/v1/leads', { ...lead, phoneNumber: newPhone() })).toEqual([
    401,
    'invalid_api_key',
  ])
})

it('The last company-wide manager cannot be removed or lowered by a member, himself included, but by a key', async () => {
  const { session, at, manageKey, campaignId, identity } = await seedTeam()
  await addMember(manageKey, { campaignId })
  const last = [409, 'last_manager']
  expect(await refused(session, 'DELETE', at)).toEqual(last)
  expect(await refused(session, 'PATCH', at, { scope: 'write' })).toEqual(last)
  expect(await refused(session, 'PATCH', at, { campaignId })).toEqual(last)
  expect(await works(session)).toBe(true)
  const second = await addMember(manageKey)
  const other = await identity.signIn(second.email)
  await ask(session, 'DELETE', at)
  expect([await works(session), await works(other)]).toEqual([false, true])
  expect(await refused(other, 'DELETE', `${membersPath}/${second.memberId}`)).toEqual(last)
  await ask(manageKey, 'DELETE', `${membersPath}/${second.memberId}`)
})

it('A manager of one campaign may go, or get another role, also where nobody manages the whole company', async () => {
  const { at, manageKey, campaignId, identity } = await seedTeam()
  const [asking, lowered] = [
    await addMember(manageKey, { campaignId }),
    await addMember(manageKey, { campaignId }),
  ]
  const session = await identity.signIn(asking.email)
  await ask(manageKey, 'DELETE', at)
  await ask(session, 'PATCH', `${membersPath}/${lowered.memberId}`, { scope: 'read' })
  await ask(session, 'DELETE', `${membersPath}/${asking.memberId}`)
})

it('A manager of one campaign sees, adds and changes members of that campaign only', async () => {
  const { manageKey, identity, campaignId, companyId, member } = await seedTeam()
  const other = await seedCampaign(companyId)
  const own = await addMember(manageKey, { campaignId, scope: 'read' })
  const elsewhere = await addMember(manageKey, { campaignId: other.id, scope: 'read' })
  const session = await identity.signIn((await addMember(manageKey, { campaignId })).email)
  const ids = ((await ask(session, 'GET', membersPath)).members as MemberMade[]).map(
    ({ memberId }) => memberId,
  )
  expect(ids).toContain(own.memberId)
  expect(ids).not.toContain(elsewhere.memberId)
  expect(ids).not.toContain(member.memberId)
  const missing = [404, 'member_not_found']
  for (const { memberId } of [elsewhere, member]) {
    expect(await refused(session, 'GET', `${membersPath}/${memberId}`)).toEqual(missing)
    expect(await refused(session, 'PATCH', `${membersPath}/${memberId}`, { scope: 'read' })).toEqual(missing)
    expect(await refused(session, 'DELETE', `${membersPath}/${memberId}`)).toEqual(missing)
  }
  const body = { email: newEmail(), scope: 'read' }
  expect(await refused(session, 'POST', membersPath, body)).toEqual([403, 'company_key_required'])
  expect(await refused(session, 'POST', membersPath, { ...body, campaignId: other.id })).toEqual([
    403,
    'campaign_denied',
  ])
  const at = `${membersPath}/${own.memberId}`
  expect(await refused(session, 'PATCH', at, { campaignId: null })).toEqual([403, 'company_key_required'])
  expect(await refused(session, 'PATCH', at, { campaignId: other.id })).toEqual([403, 'campaign_denied'])
  expect(await ask(session, 'PATCH', at, { scope: 'write' })).toMatchObject({ scope: 'write', campaignId })
})

it('A member of another company is not seen, changed or removed, and his session sees nothing here', async () => {
  const { manageKey, member, at, campaignId } = await seedTeam()
  const other = await seedTeam()
  for (const key of [other.manageKey, other.session]) {
    for (const method of ['GET', 'DELETE'])
      expect(await refused(key, method, at)).toEqual([404, 'member_not_found'])
    expect(await refused(key, 'PATCH', at, { scope: 'read' })).toEqual([404, 'member_not_found'])
  }
  const asked = await api(other.session).listLeads({ campaignId })
  expectFailure(asked, 403, 'Campaign not found or access denied')
  expect((await ask(manageKey, 'GET', at)).email).toBe(member.email)
})

it('One address is one member of a company, in any case of letters, and may be one of others', async () => {
  const { manageKey, member, identity, companyId, at } = await seedTeam()
  const same = { email: member.email.toUpperCase(), scope: 'read' }
  expect(await refused(manageKey, 'POST', membersPath, same)).toEqual([409, 'member_exists'])
  const second = await seedWorld()
  const secondKey = (await seedKey({ companyId: second.companyId, scope: 'manage' })).key
  await addMember(secondKey, { email: member.email, scope: 'read' })
  const choice = await identity.arrive(member.email)
  expect(choice.status).toBe(200)
  for (const id of [companyId, second.companyId])
    expect(choice.text).toContain(`<a href="/console/session?company=${id}">`)
  expect(choice.text).not.toContain('lk_')
  const session = await identity.signIn(member.email, `?company=${second.companyId}`)
  expect(await ask(session, 'GET', '/api/v1/keys/self')).toMatchObject({
    key: { scope: 'read' },
    company: { id: second.companyId },
  })
  expect((await identity.arrive(member.email, '?company=another')).status).toBe(403)
  await ask(manageKey, 'DELETE', at)
  const again = await addMember(manageKey, same)
  expect(again.email).toBe(member.email)
  expect(again.memberId).not.toBe(member.memberId)
})

it('The record of a number names the member who withdrew for it, also as CSV', async () => {
  const { session, member } = await seedTeam()
  const phoneNumber = newPhone()
  await ask(session, 'POST', '/api/v1/consents/withdraw', { phoneNumber })
  const read = (headers = {}) =>
    api(session).request('POST', '/api/v1/numbers/record', { phoneNumber }, headers)
  const { entries } = dataOf(await read(), 200) as { entries: Data[] }
  expect(entries.map(({ actor, actorName }) => [actor, actorName])).toEqual([[member.memberId, 'Ada']])
  const [header = '', row = ''] = (await read({ accept: 'text/csv' })).text.split('\r\n')
  const { actor, actorName } = Object.fromEntries(
    header.split(',').map((name, at) => [name, row.split(',')[at]]),
  )
  expect([actor, actorName]).toEqual([member.memberId, 'Ada'])
})

it('A member is named by name, else by address, and is a former member once removed', async () => {
  const { session, manageKey, at, campaignId, member } = await seedTeam()
  const pause = (key: string, paused: boolean) =>
    ask(key, 'PATCH', `/api/v1/campaigns/${campaignId}`, { paused })
  await pause(session, true)
  await pause(manageKey, false)
  const activity = async (query = '') =>
    ((await ask(manageKey, 'GET', `/api/v1/activity${query}`)).activity as Data[]).map(
      ({ type, actor, actorName }) => [type, actor, actorName],
    )
  const [byKey, byMember, signedIn, added] = await activity()
  expect(byKey).toEqual(['campaign.changed', expect.stringMatching(/^key-/), null])
  expect(byMember).toEqual(['campaign.changed', member.memberId, 'Ada'])
  expect([signedIn?.[0], added?.[0]]).toEqual(['member.signed_in', 'member.added'])
  expect(await activity(`?actor=${member.memberId}`)).toEqual([byMember, signedIn])
  await ask(manageKey, 'PATCH', at, { name: null })
  expect((await activity(`?actor=${member.memberId}`))[0]?.[2]).toBe(member.email)
  const { events } = await ask(manageKey, 'GET', '/api/v1/events?types=campaign.changed')
  expect((events as Data[])[0]).toMatchObject({ actor: member.memberId, actorName: member.email })
  await ask(manageKey, 'DELETE', `${at}?erase=true`)
  expect((await activity(`?actor=${member.memberId}`))[0]?.[2]).toBe('former member')
  const row = await companyDb
    .prepare('select email, name from members where id = ?1')
    .bind(member.memberId)
    .first<object>()
  expect(row).toEqual({ email: null, name: null })
  const { text } = await api(manageKey).request('GET', '/api/v1/events')
  expect(text).not.toContain(member.email)
})

it.each([
  ['when he is removed', false],
  ['after he was removed', true],
])(
  'Of a member who is erased %s neither name nor address is left, and another of that name stays',
  async (_, isRemoved) => {
    const { session, manageKey, at, member, companyId, campaignId } = await seedTeam()
    const beside = await addMember(manageKey, { name: 'Ada' })
    const foreign = await seedWorld()
    const { key: foreignKey } = await seedKey({ companyId: foreign.companyId, scope: 'manage' })
    await addMember(foreignKey, { email: member.email, name: 'Ada' })
    await ask(session, 'PATCH', at, { name: 'Ada Lovelace' })
    await ask(session, 'PATCH', `/api/v1/campaigns/${campaignId}`, { name: 'By Ada' })
    const key = await makeKey(session, { scope: 'manage' })
    const removedAt = isRemoved ? (await ask(manageKey, 'DELETE', at)).removedAt : null
    const erased = await ask(manageKey, 'DELETE', `${at}?erase=true`)
    if (removedAt !== null) expect(erased.removedAt).toBe(removedAt)
    const rows = async (id: string) =>
      (await companyDb.prepare('select * from members where company_id = ?1').bind(id).all()).results
    const own = await rows(companyId)
    expect(own.find(({ id }) => id === member.memberId)).toMatchObject({
      ...{ email: null, name: null, scope: 'manage', removed_at_ms: expect.any(Number) },
      erased_at_ms: expect.any(Number),
    })
    for (const text of ['Ada Lovelace', member.email]) expect(JSON.stringify(own)).not.toContain(text)
    for (const path of ['/api/v1/activity', '/api/v1/events', '/api/v1/keys', membersPath]) {
      const { status, text } = await api(key.key as string).request('GET', path)
      expect([path, status, text.includes('Ada Lovelace'), text.includes(member.email)]).toEqual([
        ...[path, 200, false, false],
      ])
    }
    expect(own.find(({ id }) => id === beside.memberId)).toMatchObject({ name: 'Ada', removed_at_ms: null })
    expect(await rows(foreign.companyId)).toMatchObject([
      { email: member.email, name: 'Ada', removed_at_ms: null, erased_at_ms: null },
    ])
    const logged = (await entriesOf(companyId)).filter(({ type }) => type === 'member.removed')
    expect(logged).toHaveLength(1)
  },
)

it('Activity says who read, exported, signed in, called a phone, recorded and withdrew consents, and changed a source', async () => {
  const { session, manageKey, campaignId, campaign, at, companyId } = await seedTeam()
  const other = await seedTeam()
  await ask(manageKey, 'PATCH', at, { scope: 'write' })
  await ask(manageKey, 'PATCH', at, { scope: 'manage' })
  const sources = `/api/v1/campaigns/${campaignId}/sources`
  const source = await ask(manageKey, 'POST', sources, { name: 'Form', countries: ['DE'] }, 201)
  await ask(manageKey, 'PATCH', `${sources}/${source.sourceId}`, { name: 'Contact', countries: ['AT'] })
  await ask(manageKey, 'POST', `${sources}/${source.sourceId}/rotate`)
  await ask(manageKey, 'DELETE', `${sources}/${source.sourceId}`)
  const leadId = await seedLead(campaign)
  const text = 'I agree to be called.'
  const consent = { phoneNumber: newPhone(), purpose: 'calls', givenAt: '2026-11-01T09:00:00Z', text }
  const consents = [consent, { ...consent, purpose: 'news' }, consent]
  for (const sent of [consents, [consent]])
    await ask(manageKey, 'POST', '/api/v1/consents', { consents: sent })
  const { phoneNumber } = consent
  await ask(manageKey, 'POST', '/api/v1/consents/withdraw', { phoneNumber, purpose: 'news' })
  await ask(manageKey, 'POST', '/api/v1/numbers/record', { phoneNumber })
  // One that stores nothing is none.
  const leads = newPhones(3).map((phoneNumber) => ({ phoneNumber }))
  for (const name of ['kontakte.xlsx', 'again.csv'])
    await api(manageKey).importLeads({ campaignId, leads }, { 'x-import-name': name })
  const csv = api(manageKey, { headers: { accept: 'text/csv' } })
  await csv.request('GET', `/api/v1/leads?campaignId=${campaignId}`)
  await ask(manageKey, 'DELETE', `/api/v1/leads/${leadId}`)
  const said = (await ask(manageKey, 'GET', '/api/v1/activity')).activity as Data[]
  const ofSource = { campaignId, changed: ['sources'], sourceId: source.sourceId }
  expect(said.map(({ type, data }) => [type, data])).toEqual([
    ['erasure.done', { campaignId, leadsErased: 1, suppressed: false }],
    ['leads.exported', expect.objectContaining({ campaignId })],
    ['leads.imported', { campaignId, count: 3, import: 'kontakte.xlsx' }],
    ['record.read', { campaignId: null }],
    ['consent.withdrawn', { campaignId: null, purpose: 'news' }],
    ['consent.recorded', { campaignId: null, count: 2 }],
    ['campaign.changed', { ...ofSource, sourceName: 'Contact', sourceChanged: ['removed'] }],
    ['campaign.changed', { ...ofSource, sourceName: 'Contact', sourceChanged: ['url'] }],
    ['campaign.changed', { ...ofSource, sourceName: 'Contact', sourceChanged: ['name', 'countries'] }],
    ['campaign.changed', { ...ofSource, sourceName: 'Form', sourceChanged: ['created'] }],
    ['member.changed', expect.objectContaining({ from: 'write', scope: 'manage' })],
    ['member.changed', expect.objectContaining({ from: 'manage', scope: 'write' })],
    ['member.signed_in', expect.objectContaining({ scope: 'manage' })],
    ['member.added', expect.objectContaining({ scope: 'manage' })],
  ])
  expect(JSON.stringify(await entriesOf(companyId))).not.toContain(phoneNumber.slice(1))
  // Another company's log has nothing of it.
  const others = (await ask(other.manageKey, 'GET', '/api/v1/activity')).activity as Data[]
  expect(others.map(({ type }) => type)).toEqual(['member.signed_in', 'member.added'])
  expect(await works(session)).toBe(false)
})

it('Activity comes by pages, newest first, of the campaign of the key, and starts no logging of leads', async () => {
  const { session, manageKey, campaignId, companyId, campaign } = await seedTeam()
  await companyDb
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 230)
       insert into events (company_id, number, at_ms, type, actor, campaign_number, data)
       select ?1, 1000 + i, 0, iif(i % 10 = 0, 'alert.raised', 'campaign.changed'), iif(i % 10 = 0, 'system', 'key_x'),
         iif(i % 2, ?2, null), '{}' from n`,
    )
    .bind(companyId, campaign.number)
    .run()
  const pages: number[] = []
  let cursor: unknown = ''
  const seen: string[] = []
  while (cursor !== null) {
    const page = await ask(session, 'GET', `/api/v1/activity?cursor=${cursor}`)
    seen.push(...(page.activity as Data[]).map(({ id }) => id as unknown as string))
    pages.push((page.activity as Data[]).length)
    cursor = page.nextCursor
  }
  expect(pages).toEqual([100, 100, 9])
  expect(seen).toEqual([...new Set(seen)].toSorted().toReversed())
  const key = (await seedKey({ companyId, campaign, scope: 'manage' })).key
  const own = (await ask(key, 'GET', '/api/v1/activity')).activity as Data[]
  expect(own.length).toBe(100)
  expect(own.every(({ data }) => (data as Data).campaignId === campaignId)).toBe(true)
  const listens = await companyDb
    .prepare('select listens_since_ms from companies where id = ?1')
    .bind(companyId)
    .first('listens_since_ms')
  expect(listens).toBeNull()
  expect(await refused(manageKey, 'GET', '/api/v1/activity?cursor=x')).toEqual([400, 'invalid_field'])
})

it('Of a member it is shown when he was last seen', async () => {
  const { manageKey, member, at, identity } = await seedTeam()
  const quiet = await addMember(manageKey)
  expect((await ask(manageKey, 'GET', `${membersPath}/${quiet.memberId}`)).lastSeenAt).toBeNull()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  sessionKeyOf(await identity.arrive(member.email))
  expect((await ask(manageKey, 'GET', at)).lastSeenAt).toBe(new Date(Date.now()).toISOString())
})

it('A company has at most 500 members, of whom one that is removed makes room', async () => {
  const { manageKey, companyId, at } = await seedTeam()
  await companyDb
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 499)
       insert into members (id, company_id, email, scope, created_at_ms, created_by)
       select 'mem_' || ?1 || i, ?1, i || '@example.com', 'read', 0, 'operator' from n`,
    )
    .bind(companyId)
    .run()
  const body = { email: newEmail(), scope: 'read' }
  expect(await refused(manageKey, 'POST', membersPath, body)).toEqual([409, 'too_many_members'])
  await ask(manageKey, 'DELETE', at)
  await ask(manageKey, 'POST', membersPath, body, 201)
})

it('The directory holds no address, and forgets a member that is removed', async () => {
  const { manageKey, member, at } = await seedTeam()
  const rows = async () =>
    (await env.DB.prepare('select * from member_directory where member_id = ?1').bind(member.memberId).all())
      .results
  const text = JSON.stringify(await rows())
  expect(text).toContain(member.memberId)
  expect(text).not.toContain(member.email.split('@')[0])
  await ask(manageKey, 'DELETE', at)
  await expect.poll(rows).toEqual([])
})
