// What a provider may send to a dialer: a URL that believes nothing, and brings the next asking forward.
import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import { lasting, seedDialer } from '../../support/dialers/dialer-world.ts'
import { api } from '../../support/http/api.ts'
import { expectFailure } from '../../support/http/expectations.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

const nudge = (url: string, body: object | string = {}, address?: string) =>
  api(null, address === undefined ? {} : { address }).request('POST', new URL(url).pathname, body as object)

it('A nudge without a key is accepted, and asks for the calls at once', async () => {
  const { add, run, asks, shown, object } = await seedDialer()
  await add()
  await run()
  vi.setSystemTime(Date.now() + 6_000)
  await runDurableObjectAlarm(object)
  expect(asks()).toHaveLength(0)
  const { endUrl } = await shown('GET')
  expect(endUrl.length).toBeLessThanOrEqual(200)
  const answer = await nudge(endUrl, { CallStatus: 'completed' })
  expect([answer.status, answer.body]).toEqual([
    202,
    { success: true, data: { accepted: true }, error: null },
  ])
  await run(0, 1)
  expect(asks()).toHaveLength(1)
})

it.each(['GET', 'PUT', 'DELETE'])('A nudge is a POST: %s is 405, whatever the token', async (method) => {
  const { endUrl } = await (await seedDialer()).shown('GET')
  for (const path of [new URL(endUrl).pathname, '/dialer-events/other']) {
    const answer = await api(null).request(method, path)
    expectFailure(answer, 405, 'Method not allowed', 'method_not_allowed')
    expect(answer.headers.get('allow')).toBe('POST')
  }
  expectFailure(await api(null).request(method, '/dialer-events/a/b'), 404, 'Not found', 'not_found')
})

it('A nudge sooner than five seconds after an asking is kept, and asks when they are over', async () => {
  const { add, run, asks, shown } = await seedDialer()
  await add()
  await run()
  await run(15, 1)
  expect(asks()).toHaveLength(1)
  const { endUrl } = await shown('GET')
  vi.setSystemTime(Date.now() + 1_000)
  await nudge(endUrl)
  await run(0, 1)
  expect(asks()).toHaveLength(1)
  await run(4, 1)
  expect(asks()).toHaveLength(2)
})

it('A nudge while the provider is being asked is kept, too', async () => {
  let duringAsk = async () => {}
  const { add, run, asks, shown } = await seedDialer(async (sent) => {
    if (sent.method === 'GET') await duringAsk()
    return lasting(sent)
  })
  await add()
  await run()
  const { endUrl } = await shown('GET')
  duringAsk = async () => {
    vi.setSystemTime(Date.now() + 1_000)
    await nudge(endUrl)
    duringAsk = async () => {}
    vi.setSystemTime(Date.now() + 1_000)
  }
  await run(15, 1)
  expect(asks()).toHaveLength(1)
  await run(5, 1)
  expect(asks()).toHaveLength(2)
})

it('The URL of one call asks for that call alone', async () => {
  const { add, run, starts, asks } = await seedDialer()
  await Promise.all([add(), add()])
  await run()
  const [first] = starts().map(({ text }) => JSON.parse(text) as { endUrl: string })
  vi.setSystemTime(Date.now() + 6_000)
  await nudge(first?.endUrl as string)
  await run(0, 1)
  expect(asks()).toHaveLength(1)
})

it('A token that this service has not made, or has made for another, is 404 and wakes nobody', async () => {
  const { add, run, asks, shown, campaign } = await seedDialer()
  await add()
  await run()
  const { endUrl } = await shown('GET')
  const token = endUrl.split('/').at(-1) as string
  const changed = [
    // Some letters at the end of Base64 mean the same bytes.
    ...[...'ABCDEFGHQRSTghijwxyz'].flatMap((last) =>
      token.endsWith(last) ? [] : [token.slice(0, -1) + last],
    ),
    token.replace(`~${campaign.number}~`, `~${campaign.number + 1}~`),
    token.slice(0, -1),
    `${token.slice(0, -22)}${'A'.repeat(22)}`,
    '',
    '%00',
    'x'.repeat(5_000),
  ].map((one) => endUrl.replace(token, one))
  for (const url of changed) expectFailure(await nudge(url), 404, 'Not found')
  vi.setSystemTime(Date.now() + 6_000)
  await run(0, 1)
  expect(asks()).toHaveLength(0)
})

it('More than 60 nudges a minute for one token are 429, also from many addresses', async () => {
  const { shown } = await seedDialer()
  const { endUrl } = await shown('GET')
  for (let i = 0; i < 60; i++) expect((await nudge(endUrl, {}, `192.0.2.${i}`)).status).toBe(202)
  const refused = await nudge(endUrl, {}, '198.51.100.7')
  expectFailure(refused, 429, 'Rate limit exceeded')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('A nudge reads no body, whatever it is', async () => {
  const { shown } = await seedDialer()
  const { endUrl } = await shown('GET')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await api(null).request('POST', new URL(endUrl).pathname, '{'.repeat(100_000), headers)
  expect(answer.status).toBe(202)
})
