// Somebody with a manage key tries to get the secret of a dialer out. They may change anything that such a key may, and
// read all that it reads; the host of the dialer's template is not theirs.
import { beforeEach, describe, expect, it } from 'vitest'
import { lasting, secret, seedDialer, templateAt } from '../support/dialers/dialer-world.ts'
import { openHost } from '../support/dialers/provider-host.ts'
import { api } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { entriesOf, listenTo } from '../support/ledger/log.ts'
import { catchLogs } from '../support/run/logs.ts'
import { useFutureClock } from '../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

type Template = ReturnType<typeof templateAt>

/** By the dialer's own host and the attacker's: changes that would take the secret along. */
const changes: readonly (readonly [way: string, change: (own: string, evil: string) => object])[] = [
  ['the URL of the start', (own, evil) => ({ template: withPart(own, 'start', { url: `${evil}/calls` }) })],
  ['the URL of the status', (own, evil) => ({ template: withPart(own, 'status', { url: `${evil}/calls` }) })],
  ['the URL of the end', (own, evil) => ({ template: withPart(own, 'hangUp', { url: `${evil}/end` }) })],
  ['the URL of the check', (own, evil) => ({ template: withPart(own, 'check', { url: `${evil}/me` }) })],
  ['all URLs', (_, evil) => ({ template: templateAt(evil) })],
  [
    'a host in place of the end’s URL',
    (own, evil) => ({
      template: { ...templateAt(own), hangUp: { method: 'POST', urlAt: '/url', within: new URL(evil).host } },
    }),
  ],
  ['another preset', () => ({ preset: 'retell', variables: { fromNumber: '+14155550123' } })],
  ['another kind of auth', (own) => ({ template: { ...templateAt(own), auth: headerAuth('x-mine') } })],
  ['the secret as a prefix', (own) => ({ template: { ...templateAt(own), auth: headerAuth('accept') } })],
  ['a secret in the body', (own) => ({ template: withPart(own, 'start', { body: { k: placeholder } }) })],
  ['a secret in a URL', (own) => ({ template: withPart(own, 'start', { url: `${own}/${placeholder}` }) })],
  ['a secret in a header', (own) => ({ template: withPart(own, 'start', { headers: { k: placeholder } }) })],
  ['a secret in the end', (own) => ({ template: withPart(own, 'hangUp', { body: { k: placeholder } }) })],
  [
    'a host that is a variable',
    (own) => ({
      template: withPart(own, 'start', { url: 'https://{{variables.host}}/calls' }),
      variables: { host: 'evil.example.com' },
    }),
  ],
  [
    'credentials in the URL',
    (own, evil) => ({ template: withPart(own, 'check', { url: `https://a@${new URL(evil).host}/` }) }),
  ],
  ['plain http', (own) => ({ template: withPart(own, 'check', { url: own.replace('https', 'http') }) })],
  [
    'the same template with a secret removed',
    (_, evil) => ({ template: templateAt(evil), secrets: { apiKey: null } }),
  ],
]

const placeholder = '{{secrets.apiKey}}'
const headerAuth = (name: string) => ({ kind: 'header', name, secret: 'apiKey', prefix: '' })
const withPart = (own: string, part: keyof Template, change: object) => {
  const template = templateAt(own)
  return { ...template, [part]: { ...(template[part] as object), ...change } }
}

it.each(changes)('A dialer whose change is %s needs new secrets, or is refused', async (_, change) => {
  const { shown, ask, url } = await seedDialer()
  const evil = openHost(lasting)
  const answer = await ask('PATCH', change(url, evil.url))
  expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'invalid_field'])
  expect(answer.text).not.toContain(secret)
  expect((await shown('GET')).secrets).toEqual({ apiKey: { hint: '…1a2b' } })
})

it('A dialer that is set anew, or in another campaign, has none of the secrets of before', async () => {
  const { ask, url, manager, another } = await seedDialer()
  const whole = { preset: 'custom', template: templateAt(url) }
  expectFailure(await ask('PUT', whole), 400, 'secrets.apiKey is required')
  const { campaignPath } = await another()
  expectFailure(
    await manager.request('PUT', `${campaignPath}/dialer`, whole),
    400,
    'secrets.apiKey is required',
  )
})

describe('What a dialer sends and says', () => {
  it('Texts that look like a placeholder are put in as they are', async () => {
    const { add, run, starts, shown, url } = await seedDialer()
    const template = withPart(url, 'start', {
      body: { to: '{{lead.phoneNumber}}', note: '{{variables.note}} {{lead.metadata.note}}' },
    })
    const note = placeholder
    await shown('PUT', { preset: 'custom', template, variables: { note }, secrets: { apiKey: secret } })
    await add({ metadata: { note } })
    await run()
    expect(JSON.parse(starts()[0]?.text ?? '').note).toBe(`${note} ${note}`)
  })

  it('A provider that redirects is not followed', async () => {
    const evil = openHost(lasting)
    const { add, run, starts, ask } = await seedDialer(() => Response.redirect(`${evil.url}/calls`, 307))
    await add()
    await run()
    await ask('POST', {}, '/check')
    expect(starts()).toHaveLength(1)
    expect(evil.sent).toEqual([])
  })

  it('The end that a status names is sent without the secret, and only within its host', async () => {
    const evil = openHost(lasting)
    let end = `${evil.url}/end`
    const own = await seedDialer((sent) =>
      sent.method === 'GET' ? Response.json({ state: 'talking', url: end }) : lasting(sent),
    )
    const hangUp = { method: 'POST', urlAt: '/url', within: own.host, body: { k: 1 } }
    const template = { ...templateAt(own.url), hangUp }
    await own.shown('PUT', { preset: 'custom', template, secrets: { apiKey: secret } })
    for (const to of [end, `${own.url}/end`]) {
      end = to
      const { leadId } = await own.add()
      await own.run()
      dataOf(await own.manager.request('DELETE', `/api/v1/leads/${leadId}`), 200)
      await own.run(15)
    }
    expect(evil.sent).toEqual([])
    const credentials = own.hungUp().map(({ headers }) => headers.get('authorization'))
    expect(new Set(credentials)).toEqual(new Set([null]))
  })

  it('A secret that the provider echoes is nowhere: not in answers, events, alerts, calls or logs', async () => {
    const logs = catchLogs()
    const echoes = { Authorization: `Bearer ${secret}`, message: `no ${secret}`, code: secret.slice(0, 60) }
    let isOver = false
    const { add, run, ask, companyId, manager, campaignPath, callsOf } = await seedDialer((sent) => {
      if (sent.path === '/me') return Response.json(echoes, { status: 401 })
      const summary = `said ${secret}`
      const end = { state: 'ended', reason: secret, talked: true, analysis: { outcome: secret, summary } }
      return isOver && sent.method === 'GET' ? Response.json(end) : lasting(sent)
    })
    await listenTo(companyId)
    const { leadId } = await add()
    await run()
    isOver = true
    await run(15)
    expect((await callsOf(leadId))[0]?.outcome).toBe('answered')
    const texts = [
      (await ask('GET')).text,
      (await ask('POST', {}, '/check')).text,
      (await ask('POST', { leadId }, '/preview')).text,
      (await manager.request('GET', `/api/v1/leads/${leadId}/calls`)).text,
      (await manager.request('GET', '/api/v1/events')).text,
      (await manager.request('GET', `${campaignPath}/overview`)).text,
      (await manager.request('GET', '/api/v1/keys')).text,
      JSON.stringify(await entriesOf(companyId)),
      JSON.stringify(logs.records),
    ]
    expect(texts[1]).toContain('401')
    expect(texts[3]).toContain('said …')
    expect(texts.filter((text) => text.includes(secret))).toEqual([])
  })

  it('A key of another campaign or company neither sees nor uses the secret', async () => {
    const { path, another, leadId } = await (async () => {
      const world = await seedDialer()
      return {
        path: `${world.campaignPath}/dialer`,
        another: await world.another(),
        leadId: (await world.add()).leadId,
      }
    })()
    const { manageKey } = await seedDialer()
    for (const key of [manageKey, another.agentKey])
      for (const [method, what, body] of [
        ['GET', '', undefined],
        ['POST', '/check', {}],
        ['POST', '/preview', { leadId }],
        ['PATCH', '', { enabled: false }],
      ] as const)
        expect((await api(key).request(method, path + what, body)).status).toBe(403)
  })
})
