// What a post says of calls, and what a source does with it: whom it suppresses, when it asks, and which consent it
// stores.
import { expect, it } from 'vitest'
import { type PostRow, readRow } from '../../../src/channels/sources/read-row.ts'
import type { SourceSettings } from '../../../src/channels/sources/source-settings.ts'

const phone = '+4917112345678'
const settings: SourceSettings = {
  ...{
    name: 'Form',
    countries: ['DE', 'US'],
    nationalCountry: 'DE',
    timeZones: {},
    fields: {},
    ignored: [],
    notDoNotCall: [],
    permissions: 'keep',
  },
  ...{ consent: null, onExisting: 'keep', redirectUrl: null, enabled: true },
}
const read = (body: object, more: Partial<SourceSettings> = {}): Promise<PostRow> =>
  readRow(
    { ...settings, ...more },
    'application/json',
    new TextEncoder().encode(JSON.stringify(body)).buffer as ArrayBuffer,
  )
const readForm = (text: string, more: Partial<SourceSettings> = {}): Promise<PostRow> =>
  readRow(
    { ...settings, ...more },
    'application/x-www-form-urlencoded',
    new TextEncoder().encode(text).buffer as ArrayBuffer,
  )

const asked = 'do-not-call: yes or no?'
type Becomes = 'suppressed' | 'lead' | 'asked'
const become = ({ suppresses, problem }: PostRow): Becomes | string =>
  suppresses
    ? 'suppressed'
    : problem === null
      ? 'lead'
      : problem.message === asked
        ? 'asked'
        : problem.message

it.each<[what: string, more: object, becomes: Becomes, ignored: Becomes, silent: Becomes]>([
  ['a yes under a no', { do_not_call: 'yes' }, 'suppressed', 'suppressed', 'lead'],
  ['a no under a no', { do_not_call: 'no' }, 'lead', 'lead', 'lead'],
  ['what is neither under a no', { do_not_call: 'perhaps' }, 'asked', 'lead', 'lead'],
  ['a yes under what may be one', { unsubscribed: 'yes' }, 'suppressed', 'lead', 'lead'],
  ['what is neither under what may be one', { unsubscribed: 'perhaps' }, 'lead', 'lead', 'lead'],
  ['a no under a permission', { 'May we call you?': 'no' }, 'lead', 'lead', 'lead'],
  ['a value that says it', { message: 'Please do not call me' }, 'suppressed', 'suppressed', 'lead'],
  ['a tag that says it', { tags: ['new', 'DNC'] }, 'suppressed', 'suppressed', 'lead'],
])(
  'Of a post, %s: %j becomes %s, %s where its name is ignored, and %s where that says nothing',
  async (_, ...of) => {
    const [more, becomes, whenIgnored, whenSilent] = of
    const names = Object.keys(more)
    const rows = [
      await read({ phone, ...more }),
      await read({ phone, ...more }, { ignored: names }),
      await read({ phone, ...more }, { notDoNotCall: names }),
      await read({ phone, ...more }, { ignored: ['other'], notDoNotCall: ['other'] }),
    ]
    expect(rows.map(become)).toEqual([becomes, whenIgnored, whenSilent, becomes])
  },
)

it('A name that says nothing is the whole one, and what stands within it says nothing either', async () => {
  const body = { phone, crm: { dnc: 'yes', flags: { do_not_call: 'yes' } } }
  expect(become(await read(body, { notDoNotCall: ['crm'] }))).toBe('lead')
  expect(become(await read(body, { notDoNotCall: ['crm.dnc', 'crm.flags.do_not_call'] }))).toBe('lead')
  for (const others of [['dnc', 'do_not_call'], ['crm.dnc'], ['crm.flags']])
    expect([others, become(await read(body, { notDoNotCall: others }))]).toEqual([others, 'suppressed'])
  expect(become(await readForm(`phone=%2B4917112345678&f[dnc]=1`, { notDoNotCall: ['f[dnc]'] }))).toBe('lead')
  expect(become(await readForm(`phone=%2B4917112345678&dnc=0&dnc=1`, { notDoNotCall: ['dnc'] }))).toBe('lead')
})

it('A refused permission is a lead that is named, and a no where the source says so', async () => {
  const refused = { phone, 'May we call you?': 'no', call_consent: false }
  const kept = await read(refused)
  expect([become(kept), kept.unusable]).toEqual([
    'lead',
    'a call is not permitted by May we call you?, call_consent: no consent is stored',
  ])
  expect(become(await read(refused, { permissions: 'suppress' }))).toBe('suppressed')
  const given = await read({ phone, 'May we call you?': 'yes' }, { permissions: 'suppress' })
  expect([become(given), given.unusable]).toEqual(['lead', null])
  // Of a box and a hidden field beside it, the last counts.
  for (const [boxes, becomes] of [
    ['call-me=0&call-me=1', 'lead'],
    ['call-me=1&call-me=0', 'suppressed'],
  ] as const)
    expect(become(await readForm(`phone=%2B4917112345678&${boxes}`, { permissions: 'suppress' }))).toBe(
      becomes,
    )
})

it('A name that may say do-not-call and does not count is named', async () => {
  const ignored = await read({ phone, unsubscribed: 'yes' }, { ignored: ['unsubscribed'] })
  expect(ignored.unusable).toBe('do-not-call is not heard of unsubscribed')
  expect((await read({ phone, unsubscribed: 'no' })).unusable).toBeNull()
})

it('Of names, five are listed, and none that may hold what a person wrote', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'ada@example.com'].map((one) => `${one} may we call you`)
  const { unusable } = await read({ phone, ...Object.fromEntries(names.map((name) => [name, 'no'])) })
  expect(unusable).toBe(
    `a call is not permitted by ${names.slice(0, 5).join(', ')} and 2 more: no consent is stored`,
  )
  expect((await read({ phone, [names[6] as string]: 'no' })).unusable).toContain('(hidden)')
})

const deep = (levels: number): unknown => (levels === 0 ? 'x' : { a: deep(levels - 1) })
const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`n${at}`, 'x']))

it.each<[what: string, more: object]>([
  ['a number of another country', { phone: '+43 664 1234567' }],
  ['a number that nobody calls', { phone: '+49 900 1234567' }],
  ['what may say no beside it', { do_not_contact: 'perhaps' }],
  ['too many names', many],
  ['too many levels', { deep: deep(12) }],
])('A clear no comes before a refusal for %s', async (_, more) => {
  const said = { dnc: 'yes', phone, ...more }
  const { dnc, ...unsaid } = said
  expect((await read(unsaid)).problem?.code).toBe('invalid_field')
  expect([dnc, become(await read(said))]).toEqual(['yes', 'suppressed'])
})

it('A clear no comes before a refusal of a form for too many names', async () => {
  const text = `phone=%2B4917112345678&dnc=1&${'x=1&'.repeat(400)}`
  expect(become(await readForm(text))).toBe('suppressed')
  expect((await readForm(text.replace('dnc', 'a'))).problem?.message).toContain('at most 300 names')
})

it('A no reaches every number beside it, as people write them, and nobody else’s', async () => {
  const row = await read({
    ...{ mobile: '+1 303 556 1003 (mobile)', phone: '0171 1234567', 'Home phone': '+1 303 556 1004 x 5' },
    ...{
      phones: [
        { label: 'a', value: 'tel:+13035561005' },
        { label: 'b', value: 'https://wa.me/4915155044752' },
      ],
    },
    ...{ whatsapp: 'whatsapp:+13035561006', cell: '+1 303 556 1007 or +1 303 556 1008' },
    ...{ owner: { phone: '+491711111111' }, user: { phone: '+491711111112' }, old_phone: '+491711111113' },
    ...{ name: 'Ada', fax: '+491711111114', note: 'Ring +491711111115', no_calls: true },
  })
  expect(row.suppressed.toSorted()).toEqual(
    [
      ...['+13035561003', '+13035561004', '+13035561005', '+13035561006', '+13035561007', '+13035561008'],
      ...['+4915155044752', '+491711234567'],
    ].toSorted(),
  )
  expect([row.suppresses, row.unusable]).toEqual([true, null])
})

it('The field that a source names is reached whatever its name, and another person’s then too', async () => {
  const body = { owner: { phone }, name: 'Ada', a: '+13035561003', dnc: 1 }
  const row = await read(body)
  expect([row.suppressed, row.problem?.message]).toEqual([[], expect.stringContaining('do-not-call')])
  expect((await read(body, { fields: { phoneNumber: 'owner.phone' } })).suppressed).toEqual([phone])
  expect((await read(body, { fields: { phoneNumber: 'a' } })).suppressed).toEqual(['+13035561003'])
})

it('A number beside a no that cannot be read is named, and the others are suppressed', async () => {
  const row = await read({ phone: '1 2 3 4 5 6 7', mobile: phone, dnc: 'yes' })
  expect([row.suppressed, row.phoneNumber]).toEqual([[phone], { from: 'mobile', value: phone }])
  expect(row.unusable).toBe('do-not-call does not reach the number in phone')
})

it('Of a long text under a phone’s name its beginning is searched, and of all such texts 2,000 letters', async () => {
  const note = `${phone} ${'and so on '.repeat(30)}+13035561003`
  expect((await read({ phone: note, dnc: 'yes' })).suppressed).toEqual([phone])
  // No part of a number, which may be a stranger's.
  const cut = `${'and so on '.repeat(24)}: +4930123456789 and more`
  expect((await read({ mobile: phone, phone: cut, dnc: 'yes' })).suppressed).toEqual([phone])
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`phone ${at}`, note]))
  const row = await read({ ...many, mobile: '+13035561004', dnc: 'yes' })
  expect([row.suppressed, row.unusable]).toEqual([
    [phone],
    'do-not-call does not reach the number in phone 8, mobile',
  ])
})

it('A no suppresses at most fifty numbers, and the rest is named', async () => {
  const numbers = Array.from({ length: 60 }, (_, at) => [`phone ${at}`, `+4917112345${100 + at}`])
  const row = await read({ ...Object.fromEntries(numbers), dnc: 'yes' })
  expect(row.suppressed).toHaveLength(50)
  expect(row.unusable).toMatch(/^do-not-call does not reach the number in phone 50, .* and 5 more$/)
})

it.each<[object, string]>([
  [{ phone: 'n/a' }, 'phoneNumber has letters'],
  [{ name: 'Ada' }, 'phoneNumber is missing'],
  [{ phone: '171' }, 'phoneNumber starts with neither'],
])(
  'A no without a number that can be read is refused, with the words that it was one: %j',
  async (body, words) => {
    const row = await read({ ...body, do_not_call: true })
    expect([row.suppresses, row.suppressed, row.problem?.code]).toEqual([false, [], 'invalid_field'])
    expect(row.problem?.message.startsWith(words)).toBe(true)
    expect(row.problem?.message).toContain('the post says do-not-call, and no number in it can be suppressed')
    expect((await read(body)).problem?.message).not.toContain('do-not-call')
  },
)

const consent = {
  purpose: 'offers',
  text: 'Call me about my boat, please.',
  field: null,
  expiresAfterDays: null,
}
const ticked = { ...consent, field: 'box' }

it.each<[answer: string, given: boolean]>([
  ...['yes', 'TRUE', '1', 'on', 'Ja', 'accepted', 'Agree', 'agreed', 'Granted', 'I agree'].map(given),
  ...['Ich stimme zu', 'J’accepte', 'De acuerdo', 'Accetto', 'Akkoord', 'Concordo', 'Zgadzam się'].map(given),
  ...['Jag samtycker', 'box', ' BOX ', consent.text, 'call me about my boat please'].map(given),
  ...['no', '0', 'declined', 'I do not agree', 'perhaps', 'Yes/No', 'n/a'].map((one): [string, boolean] => [
    one,
    false,
  ]),
])('A consent is given by a yes, the label or the text of its source: %j', async (box, isGiven) => {
  expect((await read({ phone, box }, { consent: ticked })).consent).toBe(isGiven)
})
function given(answer: string): [string, boolean] {
  return [answer, true]
}

it.each<[what: string, body: object, note: string | null]>([
  ['a yes', { box: 'yes' }, null],
  ['a no', { box: 'no' }, 'box says no: no consent is stored'],
  ['what is neither', { box: 'perhaps' }, 'box is neither yes nor no: no consent is stored'],
  ['a box that is not ticked', { box: '' }, 'box is not in the post: no consent is stored'],
  ['another box', { boxes: 'yes' }, 'box is not in the post: no consent is stored'],
  [
    'a refused permission',
    { box: 'no', call_consent: 'no' },
    expect.stringMatching(/^a call is not permitted/),
  ],
])('A consent that is not given is named with its reason: %s', async (_, body, note) => {
  const { consent: isGiven, unusable } = await read({ phone, ...body }, { consent: ticked })
  expect([isGiven, unusable]).toEqual([note === null, note])
})

it('A consent that every post gives is withheld by a no under a name of a consent or a permission', async () => {
  const isGiven = async (more: object, of = consent) =>
    (await read({ phone, ...more }, { consent: of })).consent
  for (const no of [
    { consent: 'no' },
    { Einwilligung: 'nein' },
    { call_consent: false },
    { 'May we call you?': 'No' },
    { consent: 'I do not consent' },
    { consent: { given: false, at: '2026-11-20' } },
    { marketing_consent: { status: 'denied' } },
    { consents: [{ type: 'phone', value: false }] },
  ])
    expect([no, await isGiven(no)]).toEqual([no, false])
  for (const other of [
    { consent: 'yes' },
    { consent: '' },
    { email_consent: 'no' },
    { newsletter: 'no' },
    { consent: { given: true, email: false } },
    { consent: { given: true, revoked: false } },
    { consents: [{ type: 'email', value: false }] },
    {},
  ])
    expect([other, await isGiven(other)]).toEqual([other, true])
  const { unusable } = await read({ phone, 'gdpr consent': 'no' }, { consent })
  expect(unusable).toBe('gdpr consent says no: no consent is stored')
  for (const silent of [{ consent: 'no' }, { consent: { given: 'no' } }]) {
    const row = await read({ phone, ...silent }, { consent, notDoNotCall: ['consent'] })
    expect([silent, row.consent]).toEqual([silent, true])
  }
})

it('A consent by its field is withheld by a refused permission, and not by another consent', async () => {
  const consentOf = async (more: object) =>
    (await read({ phone, box: 'yes', ...more }, { consent: ticked })).consent
  expect(await consentOf({})).toBe(true)
  expect(await consentOf({ 'May we call you?': 'no' })).toBe(false)
  expect(await consentOf({ 'privacy consent': 'no' })).toBe(true)
})

it('A yes by permission is no consent', async () => {
  const row = await read({ phone, 'May we call you?': 'yes', call_consent: true }, { consent: ticked })
  expect([row.consent, (await read({ phone, call_consent: true })).consent]).toEqual([false, false])
})

it('What people were asked stands in the title of a question, whatever the names of its answer', async () => {
  const typeform = (title: string, answer: object) => ({
    phone,
    form_response: {
      answers: [{ field: { id: 'Zz81', type: 'legal', ref: 'q1' }, ...answer }],
      definition: {
        fields: [
          { id: 'Kx81', title: 'Anything else?', ref: 'else' },
          { id: 'Zz81', title, ref: '01HZ-q1' },
        ],
      },
    },
  })
  const no = { type: 'boolean', boolean: false }
  const given = async (title: string, answer: object, of: SourceSettings['consent'] = consent) =>
    (await read(typeform(title, answer), { consent: of })).consent
  expect(await given('I consent to the terms', no)).toBe(false)
  expect(await given('Are you happy?', no)).toBe(true)
  const field = { ...ticked, field: 'form_response.answers.q1' }
  const repeated = { type: 'choice', choice: { label: 'You may ring' } }
  expect(await given('You may ring', { type: 'text', text: 'You may ring' }, field)).toBe(true)
  expect(await given('You may write', { type: 'text', text: 'You may ring' }, field)).toBe(false)
  expect(become(await read(typeform('Do not call me', { type: 'boolean', boolean: true })))).toBe(
    'suppressed',
  )
  expect(become(await read(typeform('Call me', repeated)))).toBe('lead')
})

it.each<[what: string, label: string, option: string, isTicked: boolean, becomes: Becomes, isGiven: boolean]>(
  [
    ['a no that is ticked', 'Contact', 'Do not call me', true, 'suppressed', false],
    ['a no that is not', 'Contact', 'Do not call me', false, 'lead', true],
    ['no calls', 'Preferences', 'No phone calls', true, 'suppressed', false],
    ['a permission that is ticked', 'Contact', 'Please call me', true, 'lead', true],
    ['a permission that is not', 'Contact', 'Please call me', false, 'lead', false],
    ['a yes to a permission', 'May we call you?', 'Yes', true, 'lead', true],
    ['a no to a permission', 'May we call you?', 'No', true, 'lead', false],
    ['a no to a permission that is not', 'May we call you?', 'No', false, 'lead', true],
    ['a no to a no', 'Do not call me', 'No', true, 'lead', true],
    ['a yes to a no', 'Do not call me', 'Yes', true, 'suppressed', false],
  ],
)('An option of Tally says what its words say: %s', async (_, label, option, value, becomes, isGiven) => {
  const key = 'question_wzJ0Q2'
  const fields = [{ key: `${key}_a1`, label: `${label} (${option})`, type: 'CHECKBOXES', value }]
  const row = await read({ phone, data: { fields } }, { consent })
  expect([become(row), row.consent]).toEqual([becomes, isGiven])
})
