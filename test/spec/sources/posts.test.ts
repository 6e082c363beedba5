// What a post to a source's URL comes to: a lead, a suppression, an answer for a script or a browser.
import { expect, it } from 'vitest'
import { companyDb } from '../../support/database/store.ts'
import {
  leadsOf,
  navigate,
  newMobile,
  postForm,
  postJson,
  seedSource,
  send,
} from '../../support/sources/source-world.ts'

const received = { success: true, data: { status: 'received' }, error: null }

it('A post of a stranger becomes a lead: its number as E.164, the rest as metadata', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  const number = newMobile()
  const answer = await postJson(own.url, {
    name: 'Ada',
    phone: number.replace('+49', '0'),
    email: 'a@example.com',
  })
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, received])
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(await leadsOf(own.campaign)).toMatchObject([
    {
      phone: number,
      metadata: { name: 'Ada', email: 'a@example.com' },
      priority: 0,
      timeZone: '',
      externalId: null,
    },
  ])
  expect(await leadsOf(other.campaign)).toEqual([])
})

it('A second post of the same person is answered as the first, and changes nothing', async () => {
  const { url, campaign } = await seedSource()
  const phone = newMobile()
  const first = await postForm(url, { phone, name: 'Ada' })
  const second = await postForm(url, { phone, name: 'Bob' })
  expect([second.status, second.text]).toEqual([first.status, first.text])
  expect(await leadsOf(campaign)).toMatchObject([{ phone, metadata: { name: 'Ada' } }])
})

it('Sixty posts at once of one person are one lead', async () => {
  const { url, campaign } = await seedSource({ onExisting: 'requeue' })
  const phone = newMobile()
  const answers = await Promise.all(Array.from({ length: 60 }, () => postJson(url, { phone })))
  expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200))
  expect(await leadsOf(campaign)).toHaveLength(1)
  const refused = await postJson(url, { phone })
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('Fields are taken where the source names them, and nowhere else', async () => {
  const fields = {
    externalId: 'id',
    scheduledFor: 'when',
    timeZone: 'zone',
    priority: 'rank',
    phoneNumber: 'tel',
  }
  const [own, other] = [await seedSource({ fields }), await seedSource()]
  const sent = {
    ...{ tel: newMobile(), phone: newMobile(), id: 'crm-1', when: '2099-01-01T10:00:00+01:00' },
    ...{ zone: 'Europe/Berlin', rank: '7' },
  }
  await postJson(own.url, sent)
  await postJson(other.url, sent)
  expect(await leadsOf(own.campaign)).toMatchObject([
    {
      ...{
        phone: sent.tel,
        externalId: 'crm-1',
        scheduledFor: sent.when,
        timeZone: 'Europe/Berlin',
        priority: 7,
      },
      metadata: { phone: sent.phone },
    },
  ])
  const { tel, phone, ...rest } = sent
  expect(await leadsOf(other.campaign)).toMatchObject([
    { phone, externalId: null, scheduledFor: null, timeZone: '', priority: 0, metadata: { tel, ...rest } },
  ])
})

it('A value that cannot be used stays metadata, is named as the last problem, and refuses nothing', async () => {
  const fields = { timeZone: 'zone', priority: 'rank', scheduledFor: 'when' }
  const { url, campaign, shown } = await seedSource({ fields })
  const sent = { phone: newMobile(), zone: 'America/New_York', rank: '101', when: '2099-01-01T10:00:00' }
  expect((await postJson(url, sent)).status).toBe(200)
  const { phone, ...metadata } = sent
  expect(await leadsOf(campaign)).toMatchObject([
    { phone, metadata, timeZone: '', priority: 0, scheduledFor: null },
  ])
  expect((await shown('GET')).lastProblem?.message).toContain('scheduledFor')
})

it.each<[what: string, phone: string, countries?: string[]]>([
  ['a premium number', '+49 900 1234567'],
  ['a shared-cost number', '+49 180 1234567'],
  ['a freephone number', '0800 1234567'],
  ['a personal number of Britain', '+44 70 1234 5678'],
  ['a satellite phone', '+8816 1234 5678'],
  ['a mobile of another country', '+1 415 555 2671'],
  ['a number paid by the call', '+1 212 976 1234', ['US', 'CA']],
  ['a number of no place', '+1 600 555 1234', ['US', 'CA']],
  ['a satellite phone of a country', '0147 123 456', ['AU']],
  ['a text', 'call me'],
])('A post with %s is refused, and stored nowhere', async (_, phone, countries = ['DE', 'GB']) => {
  const { url, campaign, shown } = await seedSource({ countries })
  const answer = await postJson(url, { phone })
  expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'invalid_field'])
  expect(answer.error).toMatch(/^phoneNumber /)
  expect(await leadsOf(campaign)).toEqual([])
  const { lastProblem, lastNames } = await shown('GET')
  expect([lastProblem?.code, lastProblem?.message, lastNames]).toEqual([
    'invalid_field',
    answer.error,
    ['phone'],
  ])
})

it('A source of several countries takes numbers of each of them, national ones of the first, and of no other', async () => {
  const { url, campaign } = await seedSource({ countries: ['DE', 'AT', 'US'] })
  const statusOf = async (phone: string) => (await postJson(url, { phone })).status
  const taken = ['0171 1234567', '+43 664 1234567', '+1 415 555 2671']
  for (const phone of taken) expect([phone, await statusOf(phone)]).toEqual([phone, 200])
  for (const phone of ['+41 79 123 45 67', '(415) 555-2671', '+1 416 555 2671'])
    expect([phone, await statusOf(phone)]).toEqual([phone, 400])
  expect((await leadsOf(campaign)).map(({ phone }) => phone)).toEqual([
    '+491711234567',
    '+436641234567',
    '+14155552671',
  ])
})

it('A yes under a name that says do-not-call suppresses the number in this campaign alone, and stores no lead', async () => {
  const own = await seedSource()
  const phone = newMobile()
  expect((await postJson(own.url, { phone, 'do not call': 'yes' })).status).toBe(200)
  expect(await leadsOf(own.campaign)).toEqual([])
  const { results } = await companyDb
    .prepare('select distinct campaign_number as number from suppressions where company_id = ?1')
    .bind(own.companyId)
    .all<{ number: number }>()
  expect(results.map(({ number }) => number)).toEqual([own.campaign.number])
  await postJson(own.url, { phone, 'do not call': 'no' })
  const { results: queued } = await companyDb
    .prepare('select due_at_ms as due from leads where campaign_number = ?1')
    .bind(own.campaign.number)
    .all<{ due: number | null }>()
  expect(queued).toEqual([{ due: null }])
})

it('A yes to a number that no country has any more suppresses it, with a lead of its other spelling; a no is refused', async () => {
  const { url, campaign } = await seedSource({ countries: ['MX'] })
  for (const phone of ['+525512345678', '+525512345679'])
    expect((await postJson(url, { phone })).status).toBe(200)
  const old = '+52 1 55 1234 5678'
  expect((await postJson(url, { phone: old, 'do not call': 'no' })).status).toBe(400)
  expect((await postJson(url, { phone: old, 'do not call': 'yes' })).status).toBe(200)
  expect((await postJson(url, { phone: 'none', 'do not call': 'yes' })).status).toBe(400)
  const { results } = await companyDb
    .prepare('select phone_number as number, due_at_ms is null as held from leads where campaign_number = ?1')
    .bind(campaign.number)
    .all()
  expect(results).toEqual([
    { number: '+525512345678', held: 1 },
    { number: '+525512345679', held: 0 },
  ])
})

it('A trap that is filled in is answered as a lead, and nothing is stored', async () => {
  const { url, campaign } = await seedSource()
  const traps = ['_gotcha', 'honeypot', 'Honeypot', '_honeypot', 'form_fields[honeypot]', 'Honeypot (2)']
  for (const trap of traps)
    for (const post of [postForm, postJson]) {
      const answer = await post(url, { phone: newMobile(), [trap]: 'x' })
      expect([trap, answer.status, JSON.parse(answer.text)]).toEqual([trap, 200, received])
    }
  expect(await leadsOf(campaign)).toEqual([])
  const untouched = [
    { _gotcha: '' },
    { honeypot: 'false' },
    { 'form_fields[honeypot]': ' ' },
    { honeypots: 'x' },
  ]
  for (const more of untouched)
    expect([more, (await postForm(url, { phone: newMobile(), ...more })).status]).toEqual([more, 200])
  expect(await leadsOf(campaign)).toHaveLength(untouched.length)
})

it('A form that the browser sends is answered by a redirect, or by a page of one sentence', async () => {
  const [plain, redirecting] = [
    await seedSource(),
    await seedSource({ redirectUrl: 'https://example.com/thanks' }),
  ]
  const page = await postForm(plain.url, { phone: newMobile() }, navigate)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).toContain('Thank you. We will call you.')
  const redirect = await postForm(redirecting.url, { phone: newMobile() }, navigate)
  expect([redirect.status, redirect.headers.get('location')]).toEqual([303, 'https://example.com/thanks'])
  const script = await postJson(redirecting.url, { phone: newMobile() }, navigate)
  expect([script.status, JSON.parse(script.text)]).toEqual([200, received])
  const bad = await postForm(redirecting.url, { phone: 'secret-word' }, navigate)
  expect([bad.status, bad.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  expect(bad.text).toMatch(/number.*go back/)
  expect(bad.text).not.toMatch(/secret-word|<script/)
  const absent = await postForm(`${plain.url}x`, { phone: newMobile() }, navigate)
  expect([absent.status, absent.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
})

it('GET says to post, a preflight is answered with what is allowed, and other methods are 405', async () => {
  const { url } = await seedSource()
  const look = await send(url, { method: 'GET' })
  expect([look.status, look.text]).toEqual([200, 'Send the form here by POST.'])
  expect((await send(url, { method: 'HEAD' })).status).toBe(200)
  const preflight = await send(url, {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
    204,
    'https://a.example',
  ])
  expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
  expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type')
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    const other = await send(url, { method })
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([405, '*'])
  }
})

it('Any page may read the answers, also with credentials and the headers that it asks for', async () => {
  const { url } = await seedSource()
  const corsOf = ({ headers }: { headers: Headers }) =>
    ['allow-origin', 'allow-credentials', 'allow-headers'].map((name) =>
      headers.get(`access-control-${name}`),
    )
  for (const origin of ['https://a.example', 'https://b.example', 'null']) {
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-requested-with',
    }
    const preflight = await send(url, { method: 'OPTIONS', headers })
    expect(corsOf(preflight)).toEqual([origin, 'true', 'content-type,x-requested-with'])
    const answers = [
      await postJson(url, { phone: newMobile() }, { origin }),
      await postJson(url, { phone: 'junk' }, { origin }),
      await postJson(`${url}x`, { phone: newMobile() }, { origin }),
      await send(url, { method: 'GET', headers: { origin } }),
      await send(url, { method: 'PUT', headers: { origin } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 200, 405])
    for (const answer of answers) {
      expect(corsOf(answer)).toEqual([origin, 'true', null])
      expect(answer.headers.get('vary')).toBe('Origin')
    }
  }
  expect(corsOf(await postJson(url, { phone: newMobile() }))).toEqual(['*', null, null])
})

it('What lies below a URL is no source: 404, charged to the address, and readable for a script', async () => {
  const { url, campaign } = await seedSource()
  for (const path of [`${url}/`, `${url}/x`, url.replace(/[^/]*$/, '')]) {
    const answer = await postJson(path, { phone: newMobile() })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
    expect(answer.headers.get('ratelimit-policy')).toContain('unknown')
  }
  expect(await leadsOf(campaign)).toEqual([])
})

it.each<[what: string, type: string | null, body: BodyInit, status: number, code: string | null]>([
  ['JSON', 'application/json', '{"phone":"+491711111111"}', 200, null],
  ['JSON of a kind', 'application/vnd.api+json', '{"phone":"+491711111111"}', 200, null],
  ['a list of one object', 'application/json', '[{"phone":"+491711111111"}]', 200, null],
  ['JSON as text', 'text/plain', '{"phone":"+491711111111"}', 200, null],
  ['JSON without a type', null, new TextEncoder().encode('{"phone":"+491711111111"}'), 200, null],
  ['a form', 'application/x-www-form-urlencoded; charset=UTF-8', 'phone=%2B491711111111', 200, null],
  ['text that is no JSON', 'text/plain', 'phone=1', 415, 'unsupported_media_type'],
  ['XML', 'application/xml', '<phone/>', 415, 'unsupported_media_type'],
  [
    'a form in a charset that nobody knows',
    'application/x-www-form-urlencoded; charset=ebcdic',
    'a=b',
    415,
    'unsupported_media_type',
  ],
  ['broken JSON', 'application/json', '{"phone":', 400, 'invalid_json'],
  ['a list of two', 'application/json', '[{},{}]', 400, 'invalid_field'],
  ['a number', 'application/json', '7', 400, 'invalid_field'],
  ['nothing', 'application/json', '', 400, 'invalid_json'],
  ['what is not UTF-8', 'application/json', new Uint8Array([0xff]), 400, 'invalid_json'],
  ['a form that is none', 'multipart/form-data; boundary=x', 'phone', 400, 'invalid_field'],
  ['too much', 'application/json', `{"a":"${'x'.repeat(65_536)}"}`, 413, 'body_too_large'],
])('A post of %s is answered %s', async (_, type, body, status, code) => {
  const { url } = await seedSource()
  const answer = await send(url, { body, headers: type === null ? {} : { 'content-type': type } })
  expect([answer.status, answer.headers.get('x-error-code')]).toEqual([status, code])
})

const [form, json] = ['application/x-www-form-urlencoded', 'application/json']
const multipart = 'multipart/form-data; boundary=x'
/** A character for each byte. */
const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const part = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const utf8 = (text: string) => String.fromCharCode(...new TextEncoder().encode(text))

it.each<[what: string, type: string, body: string, metadata: Record<string, string>]>([
  ['Windows-1252', form, 'Stra%DFe=K%F6ln+%80', { Straße: 'Köln €' }],
  ['Windows-1252 as it is', form, 'Stra\xdfe=K\xf6ln', { Straße: 'Köln' }],
  ['UTF-8', form, 'Stra%C3%9Fe=K%C3%B6ln', { Straße: 'Köln' }],
  ['UTF-8 as it is', form, utf8('Straße=Köln'), { Straße: 'Köln' }],
  [
    'UTF-8 by its charset, with a byte that is none',
    `${form}; charset=UTF-8`,
    'a=K%F6ln',
    { a: 'K\ufffdln' },
  ],
  ['Latin 1', `${form}; charset=ISO-8859-1`, 'Stra%DFe=K%F6ln', { Straße: 'Köln' }],
  ['Cyrillic', `${form};charset="windows-1251"`, '%C8%EC%FF=%DE%F0%E8%E9', { Имя: 'Юрий' }],
  ['Japanese', `${form}; charset=Shift_JIS`, '%96%BC%91O=%91%BE%98Y', { 名前: '太郎' }],
  ['Chinese', `${form}; charset=gbk`, '%D0%D5=%CD%F5', { 姓: '王' }],
  ['parts in Windows-1252', multipart, part('Stra\xdfe', 'K\xf6ln'), { Straße: 'Köln' }],
  ['parts in UTF-8', multipart, part(utf8('Straße'), utf8('Köln')), { Straße: 'Köln' }],
  ['parts with a charset', `${multipart}; charset=windows-1251`, part('a', '\xde\xf0'), { a: 'Юр' }],
  ['JSON with a charset', `${json}; charset=windows-1252`, '{"Stra\xdfe":"K\xf6ln"}', { Straße: 'Köln' }],
  ['signs that are in nothing else', form, 'a=b%3Dc%26d%2Be=f%&=g&%zz=1', { a: 'b=c&d+e=f%', '%zz': '1' }],
])('A post in an encoding of its own is read: %s', async (_, type, body, metadata) => {
  const { url, campaign } = await seedSource()
  const phone = newMobile()
  const withPhone = {
    [form]: `${body}&phone=${encodeURIComponent(phone)}`,
    [json]: body.replace('}', `,"phone":"${phone}"}`),
    'multipart/form-data': `${body}${part('phone', phone)}--x--\r\n`,
  }[type.replace(/;.*/, '')] as string
  expect((await send(url, { body: bytes(withPhone), headers: { 'content-type': type } })).status).toBe(200)
  expect(await leadsOf(campaign)).toMatchObject([{ phone, metadata }])
})

it('A form with files is read without them', async () => {
  const { url, campaign } = await seedSource()
  const body = new FormData()
  const phone = newMobile()
  body.set('phone', phone)
  body.set('cv', new File(['secret'], 'cv.pdf'))
  expect((await send(url, { body })).status).toBe(200)
  expect(await leadsOf(campaign)).toMatchObject([{ phone, metadata: null }])
})
