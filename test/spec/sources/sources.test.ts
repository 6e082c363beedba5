// The sources of a campaign: made, read, changed, replaced and removed by a manage key; and what their URLs answer
// then.
import { expect, it } from 'vitest'
import { companyDb } from '../../support/database/store.ts'
import { openHost } from '../../support/dialers/provider-host.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import {
  leadsOf,
  navigate,
  newMobile,
  postForm,
  postJson,
  type ShownSource,
  seedSource,
} from '../../support/sources/source-world.ts'
import { revokeKey, seedCampaign, seedKey } from '../../support/world.ts'

type Keys = {
  keys: { keyId: string; sourceId: string | null; scope: string; name: string; revokedAt: string | null }[]
}

const keysOf = async ({ manager }: { manager: ReturnType<typeof api> }) =>
  (dataOf(await manager.request('GET', '/api/v1/keys'), 200) as Keys).keys

const statusOf = async (url: string) => (await postJson(url, { phone: newMobile() })).status

it('A new source has its defaults, a URL of at most 600 characters, and a key of its own', async () => {
  const own = await seedSource()
  expect(await own.shown('GET')).toEqual({
    ...{
      sourceId: expect.stringMatching(/^src_[0-9A-Za-z]{20}$/),
      name: 'Form',
      countries: ['DE'],
      nationalCountry: 'DE',
      timeZones: {},
      fields: {},
    },
    ...{
      ignored: [],
      notDoNotCall: [],
      permissions: 'keep',
      consent: null,
      onExisting: 'keep',
      redirectUrl: null,
      hasTurnstile: false,
      enabled: true,
    },
    ...{
      createdAt: expect.any(String),
      url: expect.stringContaining('/in/'),
      lastNames: [],
      lastProblem: null,
    },
    received: { stored: 0, existing: 0, suppressed: 0, dropped: 0, refused: 0, lastAt: null },
  })
  expect(own.url.length).toBeLessThanOrEqual(600)
  const [key] = (await keysOf(own)).filter(({ sourceId }) => sourceId === own.sourceId)
  expect(key).toMatchObject({ scope: 'write', name: 'Form', revokedAt: null })
  const rotated = await own.manager.request('POST', `/api/v1/keys/${key?.keyId}/rotate`)
  expectFailure(rotated, 409, 'The key of a source is not rotated', 'key_of_source')
})

it('A change sets the members that are sent, null restores a default, and others stay', async () => {
  const own = await seedSource({ fields: { timeZone: null }, redirectUrl: 'https://example.com/a' })
  const changed = await own.shown('PATCH', {
    name: 'New',
    ignored: ['x'],
    consent: { purpose: 'p', text: 't' },
  })
  expect(changed).toMatchObject({
    ...{
      name: 'New',
      ignored: ['x'],
      fields: { timeZone: null },
      redirectUrl: 'https://example.com/a',
      url: own.url,
    },
    consent: { purpose: 'p', text: 't', field: null, expiresAfterDays: null },
  })
  const reset = await own.shown('PATCH', { fields: null, consent: null, redirectUrl: null, ignored: null })
  expect(reset).toMatchObject({ name: 'New', fields: {}, consent: null, redirectUrl: null, ignored: [] })
  expect((await keysOf(own)).find(({ sourceId }) => sourceId === own.sourceId)?.name).toBe('New')
})

it('Names that say nothing of calls, and what a refused permission does, are set for one source and no other', async () => {
  const own = await seedSource({ notDoNotCall: ['opt_out'], permissions: 'suppress' })
  const other = await seedSource({}, own)
  expect(own).toMatchObject({ notDoNotCall: ['opt_out'], permissions: 'suppress' })
  expect(other).toMatchObject({ notDoNotCall: [], permissions: 'keep' })
  const changed = await own.shown('PATCH', { notDoNotCall: ['dnc'] })
  expect(changed).toMatchObject({ notDoNotCall: ['dnc'], permissions: 'suppress', ignored: [] })
  const reset = await own.shown('PATCH', { notDoNotCall: null, permissions: null })
  expect(reset).toMatchObject({ notDoNotCall: [], permissions: 'keep' })
  expect(await other.shown('GET')).toMatchObject({ notDoNotCall: [], permissions: 'keep' })
})

it.each<[body: object, message: string]>([
  [{ permissions: 'all' }, 'permissions must be one of keep, suppress'],
  [{ notDoNotCall: 'dnc' }, 'notDoNotCall must be an array of at most 300 names of 1 to 255 characters'],
  [{ notDoNotCall: [''] }, 'notDoNotCall must be a string of 1 to 255 characters'],
])('A setting of what is heard that cannot be is refused in words: %j', async (body, message) => {
  const own = await seedSource()
  expectFailure(await own.manager.request('PATCH', own.one, body), 400, message)
})

it('A list has all sources of the campaign and no other’s', async () => {
  const own = await seedSource()
  const other = await seedSource({}, own)
  const { id } = await seedCampaign(own.companyId)
  const elsewhere = await own.manager.request('POST', `/api/v1/campaigns/${id}/sources`, {
    name: 'Elsewhere',
    countries: ['FR'],
  })
  dataOf(elsewhere, 201)
  const { sources } = dataOf(await own.manager.request('GET', own.path), 200) as { sources: ShownSource[] }
  expect(sources.map(({ sourceId }) => sourceId)).toEqual([own.sourceId, other.sourceId])
  const denied = await own.manager.request('GET', `/api/v1/campaigns/${id}/sources/${own.sourceId}`)
  expectFailure(denied, 404, 'Source not found', 'source_not_found')
})

it('A replaced URL is 404 from the next request on, and the new one stores', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  const { url } = await own.shown('POST', undefined, '/rotate')
  expect(url).not.toBe(own.url)
  expect([await statusOf(own.url), await statusOf(url), await statusOf(other.url)]).toEqual([404, 200, 200])
})

it('A removed source is 404, its key is revoked, and its leads stay', async () => {
  const own = await seedSource()
  expect(await statusOf(own.url)).toBe(200)
  dataOf(await own.manager.request('DELETE', own.one), 200)
  expect(await statusOf(own.url)).toBe(404)
  expectFailure(await own.manager.request('GET', own.one), 404, 'Source not found')
  expectFailure(await own.manager.request('DELETE', own.one), 404, 'Source not found')
  expect((await keysOf(own)).find(({ sourceId }) => sourceId === own.sourceId)?.revokedAt).not.toBeNull()
  expect(await leadsOf(own.campaign)).toHaveLength(1)
})

it('A disabled source is 410, and takes posts again once it is enabled', async () => {
  const own = await seedSource()
  await own.shown('PATCH', { enabled: false })
  const refused = await postJson(own.url, { phone: newMobile() })
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([410, 'source_disabled'])
  expect((await postForm(own.url, {}, navigate)).text).toContain('closed')
  await own.shown('PATCH', { enabled: true })
  expect(await statusOf(own.url)).toBe(200)
})

it('A source of an archived campaign is 410', async () => {
  const own = await seedSource()
  dataOf(await own.manager.request('PATCH', `/api/v1/campaigns/${own.campaignId}`, { archived: true }), 200)
  expect(await statusOf(own.url)).toBe(410)
})

it('Revoking its key disables a source, which gets a new one when it is enabled', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  const keyId = (await keysOf(own)).find(({ sourceId }) => sourceId === own.sourceId)?.keyId
  dataOf(await own.manager.request('DELETE', `/api/v1/keys/${keyId}`), 200)
  expect([(await own.shown('GET')).enabled, await statusOf(own.url)]).toEqual([false, 410])
  expect((await own.shown('PATCH', { name: 'Still off' })).enabled).toBe(false)
  expect(await statusOf(own.url)).toBe(410)
  expect((await own.shown('PATCH', { enabled: true })).enabled).toBe(true)
  expect([await statusOf(own.url), await statusOf(other.url)]).toEqual([200, 200])
})

it('A source ends with what the key that made it has created', async () => {
  const own = await seedSource()
  const maker = await seedKey({ companyId: own.companyId, scope: 'manage', campaign: own.campaign })
  const made = await api(maker.key).request('POST', own.path, { name: 'Theirs', countries: ['DE'] })
  const theirs = dataOf(made, 201) as ShownSource
  dataOf(await own.manager.request('DELETE', `/api/v1/keys/${maker.id}?withCreated=true`), 200)
  expect([await statusOf(theirs.url), await statusOf(own.url)]).toEqual([410, 200])
})

it('A campaign’s own manage key has its sources, and those of no other campaign', async () => {
  const own = await seedSource()
  const stranger = await seedKey({
    companyId: own.companyId,
    scope: 'manage',
    campaign: await seedCampaign(own.companyId),
  })
  expectFailure(await api(stranger.key).request('GET', own.one), 403, 'Campaign not found or access denied')
  const keeper = await seedKey({ companyId: own.companyId, scope: 'manage', campaign: own.campaign })
  dataOf(await api(keeper.key).request('GET', own.one), 200)
  await revokeKey(keeper.id)
  expectFailure(await api(keeper.key).request('GET', own.one), 401, 'Invalid or inactive API key')
})

it('A try says what would become of a post, and stores and counts nothing', async () => {
  const own = await seedSource({ fields: { priority: 'rank' } })
  const phone = newMobile()
  expect(await own.tried({ phone, rank: '7', note: 'x', password: 'p' })).toEqual({
    ...{ phoneNumber: { from: 'phone', value: phone }, fields: { priority: { from: 'rank', value: 7 } } },
    ...{
      timeZone: null,
      metadata: { note: 'x' },
      consent: false,
      suppresses: false,
      problem: null,
      leftOut: ['password'],
    },
  })
  expect((await own.tried('a,b', 'text/csv')).problem?.code).toBe('unsupported_media_type')
  expect((await own.tried({ phone, _gotcha: 'x' })).problem?.code).toBe('honeypot')
  expect((await own.tried({ phone, dnc: 'yes' })).suppresses).toBe(true)
  expect(await leadsOf(own.campaign)).toEqual([])
  expect((await own.shown('GET')).lastNames).toEqual([])
})

it('A source with a secret of Turnstile takes only posts whose token Cloudflare accepts', async () => {
  const answers: (object | number)[] = []
  const asked: unknown[] = []
  openHost(({ text }) => {
    asked.push(JSON.parse(text))
    const answer = answers.shift() ?? 500
    return typeof answer === 'number' ? new Response('no', { status: answer }) : Response.json(answer)
  }, 'challenges.cloudflare.com')
  const own = await seedSource({ turnstileSecret: '0x4AAAA-secret' })
  expect([own.hasTurnstile, JSON.stringify(own)]).toEqual([true, expect.not.stringContaining('0x4AAAA')])
  const post = (token?: string) =>
    postForm(own.url, { phone: newMobile(), ...(token && { 'cf-turnstile-response': token }) })
  const without = await post()
  expect([without.status, without.headers.get('x-error-code')]).toEqual([400, 'turnstile_failed'])
  expect(asked).toEqual([])
  answers.push({ success: false }, { success: true })
  expect([(await post('bad')).status, (await post('good')).status, (await post('late')).status]).toEqual([
    400, 200, 503,
  ])
  expect(asked[0]).toMatchObject({ secret: '0x4AAAA-secret', response: 'bad' })
  expect(await leadsOf(own.campaign)).toMatchObject([{ metadata: null }])
  expect((await own.shown('PATCH', { turnstileSecret: null })).hasTurnstile).toBe(false)
  expect((await post()).status).toBe(200)
  const { results } = await companyDb
    .prepare('select sealed_secrets as sealed from sources where company_id = ?1')
    .bind(own.companyId)
    .all<{ sealed: string | null }>()
  expect(results).toEqual([{ sealed: null }])
})
