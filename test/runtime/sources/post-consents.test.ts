// The consent of a post that is sent twice: a double click, or a form tool that repeats what it has sent.
import { beforeEach, expect, it, vi } from 'vitest'
import { companyDb } from '../../support/database/store.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { navigate, newMobile, seedSource, send } from '../../support/sources/source-world.ts'

const startMs = Date.UTC(2036, 7, 8, 12)
const minuteMs = 60_000
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: startMs }))

const consent = { purpose: 'offers', text: 'Call me.', expiresAfterDays: 365 }
const address = '192.0.2.8'
type Source = Awaited<ReturnType<typeof seedSource>>

async function post({ url }: Source, phone: string, sent: { address?: string; referer?: string } = {}) {
  const { address: from = address, ...headers } = sent
  const body = new URLSearchParams({ phone })
  const answer = await send(url, { body, headers: { ...navigate, ...headers } }, { address: from })
  expect(answer.status).toBe(200)
}

const givenBy = async ({ companyId }: Source, phone: string) =>
  (
    await companyDb
      .prepare(
        'select given_at_ms as at from consents where company_id = ?1 and phone_number = ?2 order by given_at_ms',
      )
      .bind(companyId, phone)
      .all<{ at: number }>()
  ).results.map(({ at }) => at - startMs)

it('A post that is repeated within a minute stores its consent once, and a later one stores it again', async () => {
  const own = await seedSource({ consent })
  const phone = newMobile()
  await Promise.all(Array.from({ length: 10 }, () => post(own, phone)))
  vi.setSystemTime(startMs + minuteMs - 1)
  await post(own, phone)
  expect(await givenBy(own, phone)).toEqual([0])
  vi.setSystemTime(startMs + minuteMs)
  await post(own, phone)
  expect(await givenBy(own, phone)).toEqual([0, minuteMs])
})

it('Another consent within a minute is stored: of another number, address, page, source, text, time or company', async () => {
  const own = await seedSource({ consent })
  const beside = await seedSource({ consent }, own)
  const other = await seedSource({ consent })
  const [phone, neighbour] = [newMobile(), newMobile()]
  for (const [place, sent] of [
    [own, {}],
    [own, { address: '192.0.2.9' }],
    [own, { referer: 'https://blog.example.com/' }],
    [beside, {}],
  ] as const)
    await post(place, phone, sent)
  expect(await givenBy(own, phone)).toHaveLength(4)
  await post(own, neighbour)
  await post(other, phone)
  expect([await givenBy(own, neighbour), await givenBy(other, phone)]).toEqual([[0], [0]])
  for (const change of [{ text: 'Call me back.' }, { purpose: 'service' }, { expiresAfterDays: 30 }]) {
    vi.setSystemTime(Date.now() + 1)
    await own.shown('PATCH', { consent: { ...consent, ...change } })
    await post(own, neighbour)
  }
  expect(await givenBy(own, neighbour)).toHaveLength(4)
})

it('A consent that was withdrawn since is given again by the next post', async () => {
  const own = await seedSource({ consent })
  const [phone, neighbour] = [newMobile(), newMobile()]
  await post(own, phone)
  await post(own, neighbour)
  vi.setSystemTime(startMs + 10_000)
  dataOf(await own.manager.request('POST', '/api/v1/consents/withdraw', { phoneNumber: phone }), 200)
  vi.setSystemTime(startMs + 20_000)
  await post(own, phone)
  await post(own, neighbour)
  expect([await givenBy(own, phone), await givenBy(own, neighbour)]).toEqual([[0, 20_000], [0]])
})

it('A consent that is sent with a lead, or alone, is stored as often as it was given', async () => {
  const own = await seedSource()
  const phone = newMobile()
  const given = (atMs: number) => ({
    ...{ purpose: 'offers', text: 'Call me.' },
    givenAt: new Date(atMs).toISOString(),
  })
  for (const atMs of [startMs - 2, startMs - 1])
    dataOf(
      await own.manager.request('POST', '/api/v1/consents', {
        consents: [{ phoneNumber: phone, ...given(atMs) }],
      }),
      200,
    )
  expect(await givenBy(own, phone)).toEqual([-2, -1])
})
