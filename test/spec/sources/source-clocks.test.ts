// Which country reads the national numbers of a source, and by whose clock its leads are called, as the API takes and
// keeps it.
import { expect, it, vi } from 'vitest'
import { raisedIn } from '../../support/alerts/alerts.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { leadsOf, postJson, type ShownSource, seedSource } from '../../support/sources/source-world.ts'
import { seedKey, seedWorld } from '../../support/world.ts'

/** A campaign with a clock. */
async function seedClock(settings: object = {}, zone = 'Europe/Berlin') {
  const world = await seedWorld()
  const { key } = await seedKey({ companyId: world.companyId, scope: 'manage' })
  dataOf(await api(key).request('PATCH', `/api/v1/campaigns/${world.campaignId}`, { timeZone: zone }), 200)
  return seedSource(settings, world)
}

const unanswered = (...countries: string[]) =>
  `timeZones must say by whose clock numbers of ${countries.join(', ')} are called: a time zone of each, or campaign`

it('The first country reads national numbers, until another one does, or none', async () => {
  const own = await seedSource({ countries: ['DE', 'AT'] })
  const phoneOf = async () => (await own.tried({ phone: '0664 1234567' })).phoneNumber?.value ?? null
  expect([own.nationalCountry, await phoneOf()]).toEqual(['DE', '+496641234567'])
  expect((await own.shown('PATCH', { nationalCountry: 'AT' })).nationalCountry).toBe('AT')
  expect(await phoneOf()).toBe('+436641234567')
  expect((await own.shown('PATCH', { nationalCountry: null })).nationalCountry).toBeNull()
  expect(await phoneOf()).toBeNull()
  // What stays unsaid stays.
  expect((await own.shown('PATCH', { countries: ['AT', 'CH'] })).nationalCountry).toBeNull()
})

it('A national country that is called no more is the first one', async () => {
  const own = await seedSource({ countries: ['DE', 'AT'], nationalCountry: 'AT' })
  expect((await own.shown('PATCH', { countries: ['CH', 'DE'] })).nationalCountry).toBe('CH')
  expect((await own.shown('GET')).nationalCountry).toBe('CH')
  expect((await own.tried({ phone: '079 123 45 67' })).phoneNumber?.value).toBe('+41791234567')
})

it('A source of before has the first country, and no clock of its own', async () => {
  const own = await seedSource({ countries: ['AT', 'DE'], nationalCountry: 'DE' })
  await companyDb.prepare('update sources set national_country = null where id = ?1').bind(own.sourceId).run()
  expect(await own.shown('GET')).toMatchObject({ nationalCountry: 'AT', timeZones: {} })
})

it('A national country must be one of the countries, whichever of them is sent', async () => {
  const own = await seedSource({ countries: ['DE', 'AT'] })
  const message = 'nationalCountry must be one of countries, or null'
  for (const body of [
    { nationalCountry: 'CH' },
    { nationalCountry: 'de' },
    { nationalCountry: 7 },
    { countries: ['CH'], nationalCountry: 'DE' },
  ])
    expectFailure(await own.manager.request('PATCH', own.one, body), 400, message)
  const made = { name: 'x', countries: ['DE'], nationalCountry: 'AT' }
  expectFailure(await own.manager.request('POST', own.path, made), 400, message)
  expect((await own.shown('GET')).nationalCountry).toBe('DE')
})

it.each<[timeZones: unknown, message: string]>([
  ['US', 'timeZones must be an object such as {"US": "America/New_York", "*": "campaign"}'],
  [{ us: 'campaign' }, 'timeZones must be an object such as {"US": "America/New_York", "*": "campaign"}'],
  [{ US: 'Europe/Berlin' }, 'timeZones.US must be a time zone of that country, or campaign'],
  [{ US: 'refuse' }, 'timeZones.US must be a time zone of that country, or campaign'],
  [{ US: 1 }, 'timeZones.US must be a time zone of that country, or campaign'],
  [{ '*': 'America/New_York' }, 'timeZones.* must be campaign or refuse'],
])('Time zones that are none are refused: %j', async (timeZones, message) => {
  const own = await seedSource()
  expectFailure(await own.manager.request('PATCH', own.one, { timeZones }), 400, message)
})

it('A source must say whose clock counts where a country has several, and can be switched off without', async () => {
  const own = await seedClock({ countries: ['DE', 'IN'] })
  const made = (more: object) => own.manager.request('POST', own.path, { name: 'x', ...more })
  expectFailure(await made({ countries: ['DE', 'US', 'AU'] }), 400, unanswered('US', 'AU'))
  for (const timeZones of [
    { US: 'America/New_York', AU: 'campaign' },
    { '*': 'campaign' },
    { '*': 'refuse' },
  ])
    expect(dataOf(await made({ countries: ['DE', 'US', 'AU'], timeZones }), 201)).toMatchObject({ timeZones })
  const [old] = [dataOf(await made({ countries: ['US'], timeZones: { US: 'campaign' } }), 201) as ShownSource]
  await companyDb.prepare(`update sources set time_zones = '{}' where id = ?1`).bind(old?.sourceId).run()
  const change = (body: object) => own.manager.request('PATCH', `${own.path}/${old?.sourceId}`, body)
  dataOf(await change({ enabled: false, name: 'y', nationalCountry: 'US' }), 200)
  expectFailure(await change({ countries: ['US'] }), 400, unanswered('US'))
  expectFailure(await change({ timeZones: {} }), 400, unanswered('US'))
  dataOf(await change({ timeZones: { US: 'America/Denver' } }), 200)
  dataOf(await change({ countries: ['US', 'DE'] }), 200)
  // A campaign without a clock has none that differs.
  expect((await seedSource({ countries: ['US'] })).timeZones).toEqual({})
}, 20_000)

it('A lead gets the time zone of its country, and else stays by the campaign’s clock', async () => {
  const own = await seedClock({
    countries: ['DE', 'IN', 'US', 'CA'],
    timeZones: { US: 'America/New_York', CA: 'campaign' },
  })
  expect((await own.tried({ phone: '+919876543210' })).timeZone).toBe('Asia/Kolkata')
  for (const phone of ['+919876543210', '+12125550123', '+16045550123', '+4917112345678'])
    expect((await postJson(own.url, { phone })).status).toBe(200)
  expect((await leadsOf(own.campaign)).map(({ phone, timeZone }) => [phone, timeZone])).toEqual([
    ['+919876543210', 'Asia/Kolkata'],
    ['+12125550123', 'America/New_York'],
    ['+16045550123', ''],
    ['+4917112345678', ''],
  ])
})

it('A source of before that calls by a clock nobody chose raises an alert, until somebody answers', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2037, 4, 6, 12) })
  const settings = { countries: ['DE', 'US'], timeZones: { US: 'campaign' } }
  const [own, other] = [await seedClock(settings), await seedClock(settings)]
  const forget = companyDb.prepare(`update sources set time_zones = '{}' where id in (?1, ?2)`)
  await forget.bind(own.sourceId, other.sourceId).run()
  for (const { url } of [own, other]) await postJson(url, { phone: '+4917112345678' })
  await runCron()
  expect(await raisedIn(own.companyId)).toEqual([])
  for (const { url } of [own, other])
    for (const phone of ['+12125550123', '+12125550124']) await postJson(url, { phone })
  await runCron()
  expect(await raisedIn(own.companyId)).toEqual([`source_clock ${own.sourceId}`])
  await own.shown('PATCH', { name: 'z' })
  await runCron()
  expect(await raisedIn(own.companyId)).toEqual([`source_clock ${own.sourceId}`])
  await own.shown('PATCH', { timeZones: { '*': 'campaign' } })
  await other.shown('PATCH', { enabled: false })
  await runCron()
  expect([await raisedIn(own.companyId), await raisedIn(other.companyId)]).toEqual([[], []])
  vi.useRealTimers()
})
