// What becomes of a post: its number, what the source takes, and the rest. 2,000 random bodies lose nothing unsaid.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type PostRow, readRow } from '../../../src/channels/sources/read-row.ts'
import type { SourceSettings } from '../../../src/channels/sources/source-settings.ts'

const settings: SourceSettings = {
  ...{
    name: 'Form',
    countries: ['DE', 'AT'],
    nationalCountry: 'DE',
    timeZones: {},
    fields: {},
    ignored: [],
    consent: null,
  },
  ...{ notDoNotCall: [], permissions: 'keep', onExisting: 'keep', redirectUrl: null, enabled: true },
}
/** The first country reads national numbers, as of a source that nobody asked. */
const withFirst = (more: Partial<SourceSettings>): SourceSettings => ({
  ...settings,
  ...(more.countries && { nationalCountry: more.countries[0] ?? null }),
  ...more,
})
const read = (body: unknown, more: Partial<SourceSettings> = {}): Promise<PostRow> =>
  readRow(
    withFirst(more),
    'application/json',
    new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)).buffer as ArrayBuffer,
  )
const phone = '+4917112345678'

it.each<[what: string, body: object, from: string | null]>([
  ['its own name before a better one', { phone: '1', phoneNumber: phone }, 'phoneNumber'],
  ['a whole name before a last step', { 'a.b': 'x', contact: { phone: '1' }, mobile: phone }, 'mobile'],
  ['a last step', { data: { Telefonnummer: phone } }, 'data.Telefonnummer'],
  ['the name that is listed first', { mobile: '1', phone }, 'phone'],
  ['a name of another language', { 'Número de teléfono': phone }, 'Número de teléfono'],
  [
    'the only value whose type is a phone’s',
    { f: [{ label: 'a', type: 'phone_number', value: phone }] },
    'f.a',
  ],
  [
    'the first of two such types',
    {
      f: [
        { label: 'a', type: 'phone', value: phone },
        { label: 'b', type: 'phone', value: '+491711111111' },
      ],
    },
    'f.a',
  ],
  ['none where no name is a phone’s', { a: phone }, null],
  ['what stands behind a dot in a name', { 'lead.phone': phone }, 'lead.phone'],
])('The number is guessed by %s', async (_, body, from) => {
  expect((await read(body)).phoneNumber?.from ?? null).toBe(from)
})

it('A field is found by its exact name, with or without the value behind it', async () => {
  const body = { fields: { Tel: { value: phone }, phone } }
  for (const name of ['fields.Tel', 'fields.Tel.value'])
    expect((await read(body, { fields: { phoneNumber: name } })).phoneNumber).toEqual({
      from: 'fields.Tel',
      value: phone,
    })
  expect((await read(body, { fields: { phoneNumber: 'fields.tel' } })).problem?.message).toBe(
    'phoneNumber is missing',
  )
  expect((await read(body, { fields: { phoneNumber: null } })).problem?.message).toBe(
    'phoneNumber is missing',
  )
})

it('The first country reads national numbers, and only the countries of the source are called', async () => {
  expect((await read({ phone: '0171 1234567' })).phoneNumber?.value).toBe('+491711234567')
  expect((await read({ phone: '0664 1234567' }, { countries: ['AT'] })).phoneNumber?.value).toBe(
    '+436641234567',
  )
  expect((await read({ phone: '0171 1234567' }, { countries: ['AQ', 'DE'] })).problem?.message).toContain(
    'country code',
  )
  expect((await read({ phone: '+43 664 1234567' }, { countries: ['DE'] })).problem?.message).toContain(
    'country',
  )
})

it.each<[yes: string, consent: boolean]>([
  ...([
    ['on', true],
    ['yes', true],
    ['TRUE', true],
    ['1', true],
    ['Ja', true],
  ] as [string, boolean][]),
  ...([
    ['no', false],
    ['0', false],
    ['', false],
    ['perhaps', false],
  ] as [string, boolean][]),
])('A consent is given by a yes of its field: %j', async (yes, given) => {
  const consent = { purpose: 'offers', text: 'Yes.', field: 'call-me', expiresAfterDays: null }
  expect((await read({ phone, 'call-me': yes }, { consent })).consent).toBe(given)
  expect((await read({ phone }, { consent: { ...consent, field: null } })).consent).toBe(true)
  expect((await read({ phone, 'call-me': yes })).consent).toBe(false)
})

it('A do-not-call suppresses also a number that would not be called, and never one that cannot be read', async () => {
  expect(await read({ phone: '+1 415 555 2671', 'nicht anrufen': 'ja' })).toMatchObject({
    suppresses: true,
    problem: null,
  })
  for (const unread of ['none', '+14155550100 5'])
    expect(await read({ phone: unread, dnc: '1' })).toMatchObject({
      suppresses: false,
      problem: { code: 'invalid_field' },
    })
})

it('A do-not-call suppresses a number that no country has, which is no lead without it', async () => {
  for (const old of ['+5215512345678', '+52 1 55 1234 5678']) {
    expect(await read({ phone: old, dnc: 'yes' }, { countries: ['MX'] })).toMatchObject({
      phoneNumber: { value: '+5215512345678' },
      suppresses: true,
      problem: null,
    })
    expect(await read({ phone: old, dnc: 'no' }, { countries: ['MX'] })).toMatchObject({
      suppresses: false,
      problem: { code: 'invalid_field', message: 'phoneNumber is not a valid number' },
    })
  }
})

const answered = (title: string, more: object) => ({
  phone,
  answers: [
    { field: { id: 'a', title: 'Name' }, text: 'Ada' },
    { field: { id: 'b', title }, ...more },
  ],
})

it.each<[what: string, body: object]>([
  ['beside a value', { phones: [{ label: 'Mobile phone', value: phone, doNotCall: true }] }],
  ['of a choice', answered('Do not call', { type: 'choice', choice: { id: 'c', label: 'Yes' } })],
  ['of choices', answered('DNC', { type: 'choices', choices: { ids: ['c'], labels: ['Yes'] } })],
  ['in a picklist', { phone, do_not_call: { id: '1', name: 'Yes' } }],
  ['in a list of two', { phone, do_not_call: ['no', 'yes'] }],
  ['behind a number', { phone, do_not_call: { 0: 'yes' } }],
  ['with a number', { phone, dnc: 'no', 'dnc (2)': 'ja' }],
  ['as JotForm names it', { phone, q5_doNotCall: ['Yes'] }],
  ['with options', { phone, dnc: { label: 'DNC', value: 'Yes', options: ['No', 'Yes'] } }],
  ['within JSON in a text', { phone, lead: '{"do_not_call": "1"}' }],
  ['in the member that its type names', { phone, 'Do Not Call': { type: 'checkbox', checkbox: true } }],
  ['where it is checked', { phone, fields: [{ label: 'DNC', checked: true, changed_at: '2026' }] }],
  ['as a selected title', { phone, dnc: { id: '1', selected: { id: '7', title: 'Yes' } } }],
  ['under the key of an item', { phone, f: [{ label: 'Leave me alone', key: 'do_not_call', value: true }] }],
  ['under the id of an item', { phone, f: [{ id: 'do_not_call', value: 'yes' }] }],
  ['under a name in brackets', { phone, 'form_fields[do_not_call]': 'yes' }],
])('A do-not-call is heard %s, whatever is ignored', async (_, body) => {
  const row = await read(body, { ignored: ['do_not_call', 'dnc'] })
  expect([row.suppresses, row.problem]).toEqual([true, null])
})

it.each<[object]>([
  [{ dnc: { label: 'DNC', value: 'No', options: ['No', 'Yes'] } }],
  [{ do_not_call: { id: '1', name: 'No' } }],
  [{ note: 'call me', title: 'do_not_call' }],
  [{ definition: { do_not_call: 'yes' } }],
  [{ dnc: null, donotcall: [], 'do not call': {} }],
  [{ dnc: { id: 'a', type: 'checkbox', checkbox: false }, donotcall: { type: 'x', raw: '', on: false } }],
  [{ f: [{ type: 'title', title: 'Do not call' }] }],
  [{ opt_out: 'no', unsubscribed: false, email_opt_out: 'yes' }],
])('What is no do-not-call is none: %j', async (more) => {
  expect(await read({ phone, ...more })).toMatchObject({ suppresses: false, problem: null })
})

it.each<[name: string, value: unknown]>([
  ['do_not_call', 'perhaps'],
  ['contact.dnc', 'ask my wife'],
  ['dnc', { answered: 7 }],
])('A post that may say do-not-call is refused, unless its name is ignored: %s', async (name, value) => {
  const body = { phone, [name]: value }
  expect((await read(body)).problem?.message).toMatch(/^do-not-call: yes or no\?/)
  expect(await read(body, { ignored: ['other'] })).toMatchObject({ suppresses: false, consent: false })
  expect(await read(body, { ignored: [name] })).toMatchObject({ suppresses: false, problem: null })
})

it('A post that may say do-not-call is ignored by the name that a look at it shows', async () => {
  const items = [{ label: 'Stop?', key: 'dnc', value: 'maybe' }]
  for (const [more, name] of [
    [{ f: items }, 'f.Stop?'],
    [{ f: { a: items[0] } }, 'f.Stop?'],
    [{ f: { dnc: 'maybe' } }, 'f[dnc]'],
  ] as const) {
    expect((await read({ phone, ...more })).problem).not.toBeNull()
    expect([name, (await read({ phone, ...more }, { ignored: [name] })).problem]).toEqual([name, null])
  }
})

it('What stands too deep to be looked through is refused, wherever it is', async () => {
  const nested = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  for (const more of [
    `"f":[{"label":"a","value":"b","o":${nested}}]`,
    `"f":[{"label":"dnc","value":${nested}}]`,
  ])
    expect((await read(`{"phone":"${phone}",${more}}`)).problem?.code).toBe('invalid_field')
})

it('Secrets, captchas and ignored names are left out, whole or by their last step, and named', async () => {
  const body = {
    ...{ phone, password: 'p', form: { token: 't' }, 'g-recaptcha-response': 'g', note: 'n', 'a.note': 'm' },
    ...{ 'cf-turnstile-response': 'c', google_key: 'k', tokens: 'kept' },
  }
  const row = await read(body, { ignored: ['note'] })
  expect(row.metadata).toEqual({ 'a.note': 'm', tokens: 'kept' })
  expect(row.leftOut.toSorted()).toEqual(
    [
      'cf-turnstile-response',
      'form.token',
      'g-recaptcha-response',
      'google_key',
      'note',
      'password',
    ].toSorted(),
  )
  expect(row.turnstileToken).toBe('c')
})

it('Metadata has at most 100 names of 1,000 characters and 16 KiB, of which the longest are left out', async () => {
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`n${i}`, 'x']))
  const ofMany = await read({ phone, ...many })
  expect([Object.keys(ofMany.metadata).length, ofMany.leftOut.length]).toEqual([100, 20])
  const long = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`l${i}`, 'é'.repeat(2_000)]))
  const ofLong = await read({ phone, short: 'kept', ...long })
  expect(ofLong.metadata.short).toBe('kept')
  expect([...(Object.values(ofLong.metadata).find((value) => value !== 'kept') ?? '')]).toHaveLength(1_000)
  expect(Buffer.byteLength(JSON.stringify(ofLong.metadata))).toBeLessThanOrEqual(16_384)
  expect(Object.keys(ofLong.metadata).length + ofLong.leftOut.length).toBe(31)
})

it('JSON that calls itself a form is read as JSON, and where it is broken, none of it is a name', async () => {
  const post = (text: string) =>
    readRow(
      settings,
      'application/x-www-form-urlencoded',
      new TextEncoder().encode(text).buffer as ArrayBuffer,
    )
  const json = JSON.stringify({ phone, page: 'https://example.com/?a=1&b=2', name: 'Ada' })
  for (const text of [json, ` [${json}]`]) {
    const { phoneNumber, metadata, isJson } = await post(text)
    expect([phoneNumber?.value, isJson]).toEqual([phone, true])
    expect(metadata).toEqual({ page: 'https://example.com/?a=1&b=2', name: 'Ada' })
  }
  const broken = await post('{"name":"Ada","page":"https://example.com/?a=1')
  expect([broken.problem?.code, broken.names]).toEqual(['invalid_field', ['(hidden)']])
})

it('A secret or a no is known by its last step and with the number of a repeated name, too', async () => {
  const form = (text: string) =>
    readRow(
      settings,
      'application/x-www-form-urlencoded',
      new TextEncoder().encode(text).buffer as ArrayBuffer,
    )
  const number = encodeURIComponent(phone)
  const row = await form(`phone=${number}&password=a&password=b&user.password=c&user[token]=d&tokens=e`)
  expect(row.metadata).toEqual({ tokens: 'e' })
  expect(row.leftOut).toEqual(['password', 'password (2)', 'user.password', 'user.token'])
  for (const no of ['dnc=0&dnc=1', 'lead.dnc=1', 'lead[dnc]=1', 'dnc=&dnc=1', 'a=x&a[dnc]=1'])
    expect([no, (await form(`phone=${number}&${no}`)).suppresses]).toEqual([no, true])
  expect((await form(`phone=${number}&dnc=0&dnc=`)).suppresses).toBe(false)
})

it('Each value that cannot be used is named', async () => {
  const fields = { timeZone: 'zone', priority: 'rank' }
  const body = { phone, zone: 'America/New_York', rank: '101' }
  expect((await read(body, { fields })).unusable).toMatch(/^priority .*; timeZone /)
})

it('A number without a country has no time zone', async () => {
  const body = { phone: '+881631415926', zone: 'Europe/Berlin' }
  const { phoneNumber, fields, problem } = await read(body, { fields: { timeZone: 'zone' } })
  expect([phoneNumber?.value, fields, problem?.code]).toEqual([body.phone, {}, 'invalid_field'])
})

it('Names that may hold what a person wrote are hidden', async () => {
  const { names } = await read({
    phone,
    'ada@example.com': 'x',
    'call +49 171 123': 'x',
    ['n'.repeat(200)]: 'x',
  })
  expect(names).toEqual(['phone', '(hidden)', '(hidden)', 'n'.repeat(100)])
})

it('What is no form has no names', async () => {
  expect((await readForm('<lead><name>Ada</name><tel type="mobile">1</tel></lead>')).names).toEqual([
    '(hidden)',
  ])
  expect(await readForm('Ada Lovelace')).toMatchObject({ names: [], problem: { code: 'invalid_field' } })
})

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(phone))
const key = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ...['phone', 'mobile', 'value', 'label', 'name', 'title', 'type', 'text', 'versions', 'definition'],
  ),
  fc.constantFrom(
    ...['password', 'do not call', '__proto__', 'fields', 'data', 'answer', 'key', 'ref', 'field'],
  ),
)
const body = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
})).value

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return value === null || value === '' ? [] : [String(value).replaceAll('\0', '').toWellFormed()]
}

it('Of 2,000 random bodies, each is read or refused in words, and nothing of it is lost unsaid', async () => {
  const property = fc.asyncProperty(fc.dictionary(key, body, { maxKeys: 8 }), async (root) => {
    const json = JSON.stringify(root)
    const row = await read(json)
    if (row.problem !== null) {
      expect(row.problem).toEqual({
        code: 'invalid_field',
        message: expect.stringMatching(
          /^(?:phoneNumber |Request body |do-not-call: |th(?:is|e) post )|somebody else's: name it in fields/,
        ),
      })
    } else expect(row.phoneNumber?.value).toMatch(/^\+4[39]\d{5,13}$|^\+\d{7,15}$/)
    expect(Buffer.byteLength(JSON.stringify(row.metadata))).toBeLessThanOrEqual(16_384)
    if (row.names.length === 0 || row.leftOut.length > 0) return
    const kept = [...Object.values(row.metadata), ...Object.keys(row.metadata)].join('\n')
    const cell = leavesOf(JSON.parse(json)).filter((leaf) => !leaf.trimStart().startsWith('{'))
    const lost = cell.filter((leaf) => !kept.includes(leaf.trim().slice(0, 900)))
    // The number itself, where it is read.
    expect(new Set(lost).size).toBeLessThanOrEqual(row.phoneNumber === null ? 0 : 1)
  })
  await fc.assert(property, { numRuns: 2_000 })
})

const readForm = (
  text: string,
  more: Partial<SourceSettings> = {},
  type = 'application/x-www-form-urlencoded',
) => readRow(withFirst(more), type, new TextEncoder().encode(text).buffer as ArrayBuffer)
const sent = `phone=${encodeURIComponent(phone)}`

it('A secret is left out whatever stands in it, and whatever blank is behind its name', async () => {
  const row = await readForm(`${sent}&form[password][first]=a&password%20=b&user[name]=Ada`)
  expect(row.metadata).toEqual({ 'user.name': 'Ada' })
})

it('A field is found by the name that the form itself has', async () => {
  const consent = { purpose: 'offers', text: 'Yes.', field: 'f[ok][value]', expiresAfterDays: null }
  const row = await readForm(`f[tel]=${encodeURIComponent(phone)}&f[ok]=on`, {
    ...{ fields: { phoneNumber: 'f[tel]' }, consent },
  } as never)
  expect([row.phoneNumber?.value, row.consent]).toEqual([phone, true])
})

it('A list of a form is found by the name that the form itself has', async () => {
  const consent = { purpose: 'offers', text: 'Yes.', field: 'ok[]', expiresAfterDays: null }
  const row = await readForm(`${sent}&ok[]=on&iban[]=a&iban[]=b`, { consent, ignored: ['iban[]'] })
  expect([row.consent, row.leftOut]).toEqual([true, ['iban']])
})

it('A name that is sent again is ignored with the first, and the last box of a name decides a consent', async () => {
  const row = await readForm(`${sent}&health=a&health=b&healthy=c`, { ignored: ['health'] })
  expect([row.metadata, row.leftOut]).toEqual([{ healthy: 'c' }, ['health', 'health (2)']])
  const consent = { purpose: 'offers', text: 'Yes.', field: 'ok', expiresAfterDays: null }
  for (const [boxes, isGiven] of [
    ['ok=0&ok=1', true],
    ['ok=1&ok=0', false],
    ['ok=0&other=1', false],
  ] as const)
    expect([boxes, (await readForm(`${sent}&${boxes}`, { consent } as never)).consent]).toEqual([
      boxes,
      isGiven,
    ])
})

it('A plus that a form has not encoded is read, and no other blank is one', async () => {
  for (const sentSo of [phone, '+49 171 12345678'])
    expect((await readForm(`phone=${sentSo}`)).phoneNumber?.value).toBe(phone)
  expect((await readForm('phone= 0171 1234567')).phoneNumber?.value).toBe('+491711234567')
  expect((await readForm('phone=+1711234567')).problem).not.toBeNull()
  // In a form with parts nothing is encoded.
  const inParts = '--x\r\nContent-Disposition: form-data; name="phone"\r\n\r\n 49232423\r\n--x--\r\n'
  const ofDanish = await readForm(inParts, { countries: ['DK', 'DE'] }, 'multipart/form-data; boundary="x"')
  expect(ofDanish.phoneNumber?.value).toBe('+4549232423')
})

it('A number that is another one with the plus that a form may not have encoded is neither called nor suppressed', async () => {
  for (const more of ['', '&dnc=yes']) {
    const row = await readForm(`phone=+6596176132${more}`, { countries: ['US', 'SG'] })
    expect([row.phoneNumber, row.suppresses, row.problem?.message]).toEqual([
      null,
      false,
      expect.stringMatching(/^phoneNumber can be read as two different numbers/),
    ])
  }
})

it('A form in parts may leave out the quotes of its names', async () => {
  const part = (name: string, value: string) =>
    `--x\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`
  const text =
    `${part('name=phone', phone)}${part('name="full name"', 'Zoë')}` +
    `${part('name=cv; filename=a.txt', 'x')}--x--\r\n`
  const row = await readForm(text, {}, 'multipart/form-data; boundary="x"')
  expect([row.phoneNumber?.value, row.metadata, row.leftOut]).toEqual([phone, { 'full name': 'Zoë' }, ['cv']])
})

it('A trap counts as filled in only with something in it', async () => {
  const traps = [
    { honeypot: false },
    { _gotcha: ' ' },
    { honeypot: '0' },
    { _gotcha: 'x' },
    { honeypot: 'http://a' },
  ]
  const rows = await Promise.all(traps.map((trap) => read({ phone, ...trap })))
  expect(rows.map(({ isTrapped }) => isTrapped)).toEqual([false, false, false, true, true])
})

it('A person who has a number is no name of a value', async () => {
  const person = { phones: [{ label: 'work', value: phone }] }
  const { names } = await read({ data: { title: 'Ada Lovelace', value: 5000, person } })
  expect(names.join()).not.toContain('Ada')
})
