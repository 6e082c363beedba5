// A post whose source changes while it is on its way: what is checked in each transaction, and what is acknowledged.
// And the limit of a source, which goes by the source whatever its URL is.
import { beforeEach, expect, it, vi } from 'vitest'
import { limits } from '../../../src/base/limits.ts'
import { databaseThat } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { openHost } from '../../support/dialers/provider-host.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { endLead } from '../../support/sources/ended-lead.ts'
import {
  leadsOf,
  newMobile,
  postForm,
  postJson,
  seedSource,
  send,
} from '../../support/sources/source-world.ts'

type Source = Awaited<ReturnType<typeof seedSource>>

const startMs = Date.UTC(2036, 5, 5, 12)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: startMs }))

/** A post before whose trips to the database, counted from 1, something happens. */
async function postWhile(
  own: Source,
  fields: Record<string, string>,
  before: Readonly<Record<number, () => Promise<unknown>>>,
) {
  let trips = 0
  const { DB } = databaseThat(async (run) => {
    await before[++trips]?.()
    return run()
  })
  const body = new URLSearchParams(fields)
  const { status } = await send(own.url, { body }, { bindings: { DB } })
  return { status, trips }
}

const revokeKey = async (own: Source) => {
  const { keys } = dataOf(await own.manager.request('GET', '/api/v1/keys'), 200) as {
    keys: { keyId: string; sourceId?: string }[]
  }
  const keyId = keys.find(({ sourceId }) => sourceId === own.sourceId)?.keyId
  return dataOf(await own.manager.request('DELETE', `/api/v1/keys/${keyId}`), 200)
}

const dueIn = async ({ campaign }: Source) =>
  (
    await companyDb
      .prepare('select due_at_ms as due from leads where campaign_number = ?1')
      .bind(campaign.number)
      .first<{ due: number | null }>()
  )?.due

const suppressedIn = async ({ campaign }: Source) =>
  (
    await companyDb
      .prepare('select phone_number as phone from suppressions where campaign_number = ?1')
      .bind(campaign.number)
      .all()
  ).results

it('A post whose key is revoked between reading and storing is 410, and not an acknowledged nothing', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  const phone = newMobile()
  expect(await postWhile(own, { phone }, { 2: () => revokeKey(own) })).toMatchObject({ status: 410 })
  expect(await leadsOf(own.campaign)).toEqual([])
  expect((await postForm(other.url, { phone })).status).toBe(200)
  expect(await leadsOf(other.campaign)).toHaveLength(1)
})

it('A no whose key is revoked between reading and storing is 410: its sender must know that it is on no list', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  const post = { phone: newMobile(), dnc: 'yes' }
  expect(await postWhile(own, post, { 2: () => revokeKey(own) })).toMatchObject({ status: 410 })
  expect(await suppressedIn(own)).toEqual([])
  expect((await postForm(other.url, post)).status).toBe(200)
  expect(await suppressedIn(other)).toContainEqual({ phone: post.phone })
})

it('A person who posts again is called again by no source whose key was revoked before: 410', async () => {
  const [own, other] = [
    await seedSource({ onExisting: 'requeue' }),
    await seedSource({ onExisting: 'requeue' }),
  ]
  const phone = newMobile()
  for (const source of [own, other]) {
    await postJson(source.url, { phone })
    await endLead(source, phone, startMs, { outcome: 'busy' })
  }
  // The first trip reads the source, the second finds the lead, the third queues it again.
  expect(await postWhile(own, { phone }, { 3: () => revokeKey(own) })).toMatchObject({ status: 410 })
  expect((await postForm(other.url, { phone })).status).toBe(200)
  expect([await dueIn(own), await dueIn(other)]).toEqual([null, startMs])
})

it('A person who posts again to a URL that is replaced meanwhile is not called again', async () => {
  const own = await seedSource({ onExisting: 'requeue' })
  const phone = newMobile()
  await postJson(own.url, { phone })
  await endLead(own, phone, startMs, { outcome: 'busy' })
  const rotate = () => own.shown('POST', undefined, '/rotate')
  expect(await postWhile(own, { phone }, { 3: rotate })).toMatchObject({ status: 404 })
  expect([await dueIn(own), await leadsOf(own.campaign)]).toMatchObject([null, [{ status: 'exhausted' }]])
  expect((await postForm((await own.shown('GET')).url, { phone })).status).toBe(200)
  expect(await dueIn(own)).toBe(startMs)
})

it('A person whose number is suppressed by its hash alone is not called again, but is by another company', async () => {
  const [own, other] = [
    await seedSource({ onExisting: 'requeue' }),
    await seedSource({ onExisting: 'requeue' }),
  ]
  const phone = newMobile()
  dataOf(await own.manager.request('POST', '/api/v1/erasures', { phoneNumber: phone }), 200)
  expect(await suppressedIn(own)).toEqual([])
  for (const source of [own, other]) {
    expect((await postForm(source.url, { phone })).status).toBe(200)
    await endLead(source, phone, startMs, { outcome: 'busy' })
    expect((await postForm(source.url, { phone })).status).toBe(200)
  }
  expect([await dueIn(own), await dueIn(other)]).toEqual([null, startMs])
})

it('A post that is repeated because its source has changed asks Turnstile once', async () => {
  const asked: unknown[] = []
  openHost(({ text }) => {
    asked.push(JSON.parse(text))
    // A token is good for one question.
    return Response.json({ success: asked.length === 1 })
  }, 'challenges.cloudflare.com')
  const own = await seedSource({ turnstileSecret: '0x4AAAA-secret' })
  const post = { phone: newMobile(), 'cf-turnstile-response': 'token' }
  const enable = (enabled: boolean) => own.shown('PATCH', { enabled })
  const sent = postWhile(own, post, { 2: () => enable(false), 3: () => enable(true) })
  expect(await sent).toEqual({ status: 200, trips: 4 })
  expect(asked).toHaveLength(1)
  expect(await leadsOf(own.campaign)).toHaveLength(1)
})

it('The limit of a source goes by the source: neither a new URL nor another source of the company shares it', async () => {
  const own = await seedSource()
  const other = await seedSource({}, own)
  expect(other.companyId).toBe(own.companyId)
  const phone = newMobile()
  const statusOf = async (url: string) => (await postForm(url, { phone })).status
  for (let posts = 0; posts < limits.sourcePostsPerMinute; posts++) expect(await statusOf(own.url)).toBe(200)
  expect(await statusOf(own.url)).toBe(429)
  const { url } = await own.shown('POST', undefined, '/rotate')
  expect([await statusOf(own.url), await statusOf(url)]).toEqual([429, 429])
  expect(await statusOf(other.url)).toBe(200)
  vi.setSystemTime(startMs + 60_000)
  expect([await statusOf(own.url), await statusOf(url)]).toEqual([404, 200])
})
