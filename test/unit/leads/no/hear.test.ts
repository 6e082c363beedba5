// What whole bodies say of calls: as forms, ads and CRMs write them.
import { expect, it } from 'vitest'
import { readPost } from '../../../../src/channels/sources/read-post.ts'
import { type Heard, hear } from '../../../../src/queue/leads/no/judge.ts'
import shared from '../../../support/leads/no-cases.json' with { type: 'json' }

const saysNo = ({ under, answer }: Heard) => under !== 'permission' && answer === 'yes'
const short = (heard: readonly Heard[]) =>
  heard.map(({ path, under, answer }) => `${path.join('.')}: ${under}, ${answer}`)

it.each(shared.posts)(
  'The shared post "$name" is $expect',
  async ({ contentType, body, expect: expected, numbers }) => {
    const post = await readPost(contentType, new TextEncoder().encode(body).buffer as ArrayBuffer)
    const heard = post.kind === 'read' ? hear(post.root) : []
    const isNo = heard.some(saysNo)
    const isRefused = heard.some(({ under, answer }) => under === 'permission' && answer === 'no')
    if (expected === 'suppressed') expect([isNo || isRefused, short(heard)]).toEqual([true, short(heard)])
    if (expected === 'lead')
      expect(heard.filter((one) => saysNo(one) || (one.under === 'no' && one.answer !== 'no'))).toEqual([])
    if (expected === 'refused' && numbers.length > 0)
      expect([isNo, heard.some(({ under, answer }) => under === 'no' && answer === 'unclear')]).toEqual([
        false,
        true,
      ])
  },
)

it.each<[what: string, body: unknown, heard: readonly string[]]>([
  ['a member', { do_not_call: true }, ['do_not_call: no, yes']],
  ['a member of a member', { contact: { dnc: 'no' } }, ['contact.dnc: no, no']],
  [
    'a member with the one before it',
    { opt_out: { phone: true } },
    ['opt_out: maybe, yes', 'opt_out.phone: no, yes'],
  ],
  ['a number behind its name', { 'dnc (2)': 'ja' }, ['dnc (2): no, yes']],
  ['a list', { do_not_call: ['no', 'yes'] }, ['do_not_call: no, yes']],
  [
    'an item of a list',
    { phones: [{ label: 'Mobile phone', phone: '+491711234567', doNotCall: 1 }] },
    ['phones.0.doNotCall: no, yes'],
  ],
  ['a label', { f: [{ label: 'Do not call', value: 'x' }] }, ['f.Do not call: no, yes']],
  ['a key beside a label', { f: [{ label: 'Stop?', key: 'dnc', value: 'maybe' }] }, ['f.Stop?: no, unclear']],
  ['an id', { f: [{ id: 'do_not_call', value: 'yes' }] }, ['f.do_not_call: no, yes']],
  ['a field', { f: [{ field: 'Do not call', value: 'Yes' }] }, ['f.Do not call: no, yes']],
  [
    'a key of a custom field',
    { f: [{ key: 'do_not_call', field_value: 'Yes' }] },
    ['f.do_not_call: no, yes'],
  ],
  ['a code', { f: [{ code: 'DNC', value: true }] }, ['f.DNC: no, yes']],
  ['an attribute', { f: [{ attribute: 'dnc', value: 1 }] }, ['f.dnc: no, yes']],
  ['a slug', { f: [{ slug: 'dnc', content: 'ja' }] }, ['f.dnc: no, yes']],
  [
    'choices',
    { f: [{ field: { title: 'DNC' }, type: 'choices', choices: { ids: ['c'], labels: ['Yes'] } }] },
    ['f.DNC: no, yes'],
  ],
  ['a ticked box', { f: [{ label: 'DNC', checked: true, changed_at: '2026' }] }, ['f.DNC: no, yes']],
  [
    'the member that a type names',
    { 'Do Not Call': { type: 'checkbox', checkbox: true } },
    ['Do Not Call: no, yes'],
  ],
  ['values that are members', { f: { a: { label: 'dnc', value: 'no' } } }, ['f.dnc: no, no']],
  ['JSON in a text', { lead: '{"do_not_call": "1"}' }, ['lead.do_not_call: no, yes']],
  [
    'a list as JSON in a text',
    { lead: '[{"name": "do_not_call", "value": "1"}]' },
    ['lead.do_not_call: no, yes'],
  ],
  ['a permission', { consent: { calls: false } }, ['consent.calls: permission, no']],
  ['a text', { message: 'Please do not call me' }, ['message: value, yes']],
  ['a text that is called text', { text: 'Do not call' }, ['text: value, yes']],
  ['a tag', { tags: ['new', 'DNC'] }, ['tags: value, yes']],
  ['a state beside a name', { f: [{ name: 'Do not call', enabled: true }] }, ['f.Do not call: no, yes']],
  ['a state that is none', { f: [{ key: 'dnc', status: 'inactive' }] }, ['f.dnc: no, no']],
  ['a response', { f: [{ question: 'May we call?', response: 'no' }] }, ['f.May we call?: permission, no']],
  ['a state beside another name', { f: [{ name: 'Ada', status: 'active', enabled: true }] }, []],
  ['a label beside a number', { phone: '+49171234567', label: 'DNC' }, ['label: value, yes']],
  ['a name beside a number', { tel: '+49171234567', name: 'DO NOT CALL' }, ['name: value, yes']],
  ['a label of an item without an answer', { tel: '+49171234567', a: [{ id: '1', label: 'DNC' }] }, []],
  ['one of the tags in a text', { tags: 'new, DNC', note: 'new, DNC' }, ['tags: value, yes']],
  ['the name of a tag', { tags: [{ id: '7', name: 'unsubscribed' }] }, ['tags.0.name: value, yes']],
  ['a status', { lead_status: 'Stop' }, ['lead_status: value, yes']],
  ['a code without a value', { result: { code: 'DNC' } }, ['result.code: value, yes']],
  ['a type of event', { type: 'contact.do_not_call' }, ['type: value, yes']],
  [
    'a subscription of calls',
    { s: [{ channel: 'CALL', status: 'UNSUBSCRIBED' }] },
    ['s.0.status: value, yes'],
  ],
  [
    'a channel by its settings',
    { dndSettings: { Email: { status: 'active' }, Call: { status: 'active' } } },
    ['dndSettings: no, yes'],
  ],
  [
    'a name of text beside a type of text',
    { f: [{ type: 'text', label: 'Do not contact', value: 'yes' }] },
    ['f.Do not contact: no, yes'],
  ],
  ['TPS by a clear yes', { on_tps: 'yes' }, ['on_tps: no, yes']],
])('It is heard of %s', (_, body, heard) => {
  expect(short(hear(body))).toEqual(heard)
})

it.each<[what: string, body: unknown]>([
  ['earlier values and the form itself', { versions: [{ dnc: 'yes' }], definition: { do_not_call: 'yes' } }],
  [
    'options',
    { f: [{ label: 'Contact', value: 'Mail', options: ['Do not call'] }], choices: ['Do not call'] },
  ],
  ['a label without a value', { f: [{ type: 'title', title: 'Do not call' }], title: 'Do not call' }],
  ['another channel around it', { email: { opt_out: true, dnd: true }, sms: { status: 'stop' } }],
  [
    'another channel beside it',
    {
      s: [
        { channel: 'EMAIL', status: 'UNSUBSCRIBED' },
        { type: 'sms', optOut: true },
      ],
    },
  ],
  ['another channel as its name', { email_status: 'unsubscribed', newsletter: 'stop' }],
  [
    'settings of other channels',
    { dndSettings: { SMS: { status: 'active' } }, doNotContact: [{ channel: 'email' }] },
  ],
  ['a form that is empty', { do_not_call: '', dnc: null, donotcall: [], 'do not call': {} }],
  ['transactions per second', { tps: 250, tps_limit: 'high' }],
  ['a body that a result holds', { result: { contact: { note: 'stop' } } }],
  ['stop where it may be a street', { street: 'Stop', note: 'unsubscribed' }],
])('Nothing is heard of %s', (_, body) => {
  expect(short(hear(body))).toEqual([])
})

it('Typeform has its questions beside the answers, Tally its options beside the ids', () => {
  const fields = [{ id: 'q', ref: 'r', title: 'Do not call me' }]
  const answers = [{ type: 'boolean', boolean: true, field: { id: 'q', type: 'yes_no' } }]
  expect(short(hear({ form_response: { definition: { fields }, answers } }))).toEqual([
    'form_response.answers.Do not call me: no, yes',
  ])
  const options = [
    { id: 'a', text: 'Ja' },
    { id: 'b', text: 'Keine Anrufe' },
  ]
  expect(short(hear({ fields: [{ label: 'Nicht anrufen', value: ['a'], options }] }))).toEqual([
    'fields.Nicht anrufen: no, yes',
  ])
  expect(short(hear({ fields: [{ label: 'Kontakt', value: ['b'], options }] }))).toEqual([
    'fields.Kontakt: value, yes',
  ])
  expect(short(hear({ fields: [{ label: 'Kontakt', value: ['a'], options }] }))).toEqual([])
})

it('"Until" says no while its date lies ahead', () => {
  const nowMs = Date.parse('2026-11-29T12:00:00Z')
  const said = (ends: unknown) => short(hear({ do_not_call_until: ends }, { nowMs }))
  for (const ahead of ['2026-11-30', '2027-1-5', '30.11.2026', '2026-11-29T12:00:01Z', 'Dec 5, 2026'])
    expect([ahead, said(ahead)]).toEqual([ahead, ['do_not_call_until: no, yes']])
  // Nobody knows which of the two is the month.
  expect(said('13/14/2026')).toEqual(['do_not_call_until: no, yes'])
  for (const other of ['2026-11-28', '1.11.2026', ['2026-11-28'], nowMs - 1, '', null])
    expect([other, said(other)]).toEqual([other, []])
  for (const endless of ['permanent', 'yes', true, ['2026-11-30'], nowMs + 1])
    expect([endless, said(endless)]).toEqual([endless, ['do_not_call_until: no, yes']])
  for (const unclear of ['perhaps', 'further notice'])
    expect([unclear, said(unclear)]).toEqual([unclear, ['do_not_call_until: no, unclear']])
})

it('A name that is said to say nothing says nothing, nor does what stands there; others are heard', () => {
  const body = {
    ...{ dnc: 'yes', tags: ['do not call'], fields: { dnc: 'yes' }, 'f[b]': 'x', opt: { dnc: 'yes' } },
    items: [
      { label: 'Do not call', value: 'yes' },
      { key: 'never_call', value: 'yes' },
    ],
  }
  const all = [
    'dnc: no, yes',
    'tags: value, yes',
    'fields.dnc: no, yes',
    'opt.dnc: no, yes',
    'items.Do not call: no, yes',
    'items.never_call: no, yes',
  ]
  expect(short(hear(body))).toEqual(all)
  expect(short(hear(body, { silent: ['tags', 'items.Do not call'] }))).toEqual(
    all.filter((one) => !/^(?:tags|items.Do)/.test(one)),
  )
  expect(short(hear(body, { silent: ['fields[dnc]', 'never_call'] }))).toEqual(
    all.filter((one) => !/^fields|never/.test(one)),
  )
  expect(short(hear(body, { silent: ['dnc'] }))).toEqual(all.filter((one) => !/dnc:/.test(one)))
})

it('What stands too deep to be looked through is unclear, places in lists not counted', () => {
  const flat = { a: { b: [{ dnc: true }] } }
  expect(short(hear(flat, { maxDepth: 3 }))).toEqual(['a.b.0.dnc: no, yes'])
  expect(short(hear(flat, { maxDepth: 2 }))).toEqual(['a.b.0: no, unclear'])
  let nested: unknown = 'no'
  for (let depth = 0; depth < 20_000; depth++) nested = [nested]
  let named: unknown = 'no'
  let members: unknown = 'no'
  for (let depth = 0; depth < 20_000; depth++) {
    named = { label: 'a', value: named, phone: 'x' }
    members = { phone: members }
  }
  for (const body of [
    { f: nested },
    { phone: nested },
    { f: named },
    { f: members },
    { do_not_call_until: nested },
    { dnc: named },
  ])
    expect(hear(body).map(({ under, answer }) => [under, answer])).toContainEqual(['no', 'unclear'])
})
