// Which key and which variables a request for a live call carries once the settings were changed, and that no key which
// a provider quotes is shown.
import { beforeEach, expect, it } from 'vitest'
import { lasting, secret, seedDialer, templateAt } from '../../support/dialers/dialer-world.ts'
import { openHost } from '../../support/dialers/provider-host.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

const other = 'sk-9876543210-other-3c4d'
const keyOf = ({ headers }: { readonly headers: Headers }) => headers.get('authorization')

it('With a new template and its secret, a live call is asked for and hung up with the secret of its start', async () => {
  const world = await seedDialer()
  const neighbour = await seedDialer()
  for (const { add, run } of [world, neighbour]) {
    await add()
    await run()
  }
  const { host, sent, url } = openHost(lasting)
  expect(host).not.toBe(world.host)
  await world.shown('PUT', { preset: 'custom', template: templateAt(url), secrets: { apiKey: other } })
  const { phoneNumber } = await world.add()
  for (const { run } of [world, neighbour]) await run(15)
  expect(world.asks().map(keyOf)).toEqual([`Bearer ${secret}`])
  expect(neighbour.asks().map(keyOf)).toEqual([`Bearer ${secret}`])
  expect(sent.map((one) => [one.method, keyOf(one)])).toContainEqual(['POST', `Bearer ${other}`])
  expect(new Set(sent.map(keyOf))).toEqual(new Set([`Bearer ${other}`]))
  await world.suppress([phoneNumber])
  await world.run(15)
  await world.run(15)
  expect(world.hungUp()).toEqual([])
  expect(new Set(sent.filter(({ path }) => path.endsWith('/end')).map(keyOf))).toEqual(
    new Set([`Bearer ${other}`]),
  )
  expect(new Set(world.sent.map(keyOf))).toEqual(new Set([`Bearer ${secret}`]))
})

it('With another preset, a live call is asked for with the secret of its start; with a new secret alone, with that', async () => {
  const world = await seedDialer()
  await world.add()
  await world.run()
  await world.shown('PUT', { preset: 'pretend' })
  await world.run(15)
  expect(world.asks().map(keyOf)).toEqual([`Bearer ${secret}`])
  await world.shown('PUT', { preset: 'custom', template: templateAt(world.url), secrets: { apiKey: other } })
  await world.run(15)
  expect(world.asks().map(keyOf)).toEqual([`Bearer ${secret}`, `Bearer ${other}`])
})

it('When a variable changes that stands in the URL of the status alone, a live call is asked for at its own', async () => {
  const template = (url: string) => {
    const { status, ...rest } = templateAt(url)
    return { ...rest, status: { ...status, url: `${url}/of/{{variables.account}}/calls/{{provider.id}}` } }
  }
  const world = await seedDialer()
  const settings = { preset: 'custom', template: template(world.url), secrets: { apiKey: secret } }
  await world.shown('PUT', { ...settings, variables: { account: 'one' } })
  await world.add()
  await world.run()
  await world.shown('PATCH', { variables: { account: 'two' } })
  await world.run(15)
  await world.add()
  await world.run(0)
  await world.run(15)
  const accounts = world.asks().map(({ path }) => path.split('/')[2])
  expect(accounts.toSorted()).toEqual(['one', 'one', 'two'])
})

it.each<[where: string, isOf: (of: { method: string; path: string }) => boolean]>([
  ['a start', ({ method, path }) => method === 'POST' && path === '/calls'],
  ['a status', ({ method, path }) => method === 'GET' && path.startsWith('/calls/')],
  ['a hang-up', ({ path }) => path.endsWith('/end')],
  ['a check', ({ path }) => path === '/me'],
])(
  'A key that the provider quotes in its error to %s is neither in the trace nor in the last problem',
  async (_, isOf) => {
    const quoted = `The key ${secret}, sent as "Bearer ${secret}", and ${secret.toUpperCase()} are not valid`
    const world = await seedDialer((sent) =>
      isOf(sent)
        ? Response.json({ code: secret, error: { code: secret }, message: quoted }, { status: 500 })
        : sent.path === '/me'
          ? Response.json({})
          : lasting(sent),
    )
    const { phoneNumber } = await world.add()
    await world.run()
    await world.run(15)
    await world.suppress([phoneNumber])
    await world.run(15)
    const checked = dataOf(await world.ask('POST', {}, '/check'), 200)
    const shown = JSON.stringify([
      checked,
      await world.shown('GET'),
      dataOf(await world.ask('GET', undefined, '/trace'), 200),
    ])
    expect(shown).toContain('are not valid')
    expect(shown).not.toContain(secret)
  },
)
