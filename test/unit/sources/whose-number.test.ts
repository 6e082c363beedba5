// Which number of a post is the lead's: of several that stand in it, by where and how they are written, and by the
// country that is said beside it; and which posts are no lead, since they tell of a deletion or of several people.
import { expect, it } from 'vitest'
import { type PostRow, readRow } from '../../../src/channels/sources/read-row.ts'
import type { SourceSettings } from '../../../src/channels/sources/source-settings.ts'

const settings: SourceSettings = {
  ...{ name: 'Form', countries: ['DE', 'AT'], nationalCountry: 'DE', timeZones: {}, fields: {}, ignored: [] },
  ...{ notDoNotCall: [], permissions: 'keep', consent: null, onExisting: 'keep' },
  ...{ redirectUrl: null, enabled: true },
}
const read = (body: unknown, more: Partial<SourceSettings> = {}): Promise<PostRow> =>
  readRow(
    { ...settings, ...more },
    'application/json',
    new TextEncoder().encode(JSON.stringify(body)).buffer as ArrayBuffer,
  )
const [ada, bob, eve] = ['+4917112345678', '+4917187654321', '+436641234567']

it.each([
  [{ field: 'phone', value: ada }],
  [{ key: 'phone', field_value: ada }],
  [{ code: 'PHONE', value: ada }],
  [{ attribute: 'phone', value: ada }],
  [{ slug: 'phone', content: ada }],
])('A named value is one, whatever its members are called: %j', async (item) => {
  const [named, valued] = Object.keys(item) as [string, string]
  const other = { [named]: 'first_name', [valued]: 'Ada' }
  const row = await read({ data: [item, other] })
  expect(row.phoneNumber?.value).toBe(ada)
  expect(row.metadata).toEqual({ 'data.first_name': 'Ada' })
})

it('A title beside a content is no named value without a slug', async () => {
  const row = await read({ phone: ada, pages: [{ title: 'Offer', content: 'Blue' }] })
  expect(row.metadata).toEqual({ 'pages.0.title': 'Offer', 'pages.0.content': 'Blue' })
})

it.each<[what: string, body: object, from: string, value?: string]>([
  ['the shallowest', { a: { b: { phone: ada } }, c: { mobile: bob } }, 'c.mobile'],
  ['the shallowest that reads', { phone: 'ask 1234567', contact: { mobile: bob } }, 'contact.mobile'],
  ['one that reads', { phone: 'n/a', mobile: bob }, 'mobile'],
  ['one that reads, of two with digits', { phone: '12345678901234', mobile: bob }, 'mobile'],
  ['of equal ones that in E.164', { phone: '0171 12345678', mobile: ada }, 'mobile', ada],
  [
    'of equal ones that in E.164, of another level',
    { phone: '0171 12345678', x: { mobile: ada } },
    'x.mobile',
  ],
  ['the full one beside a national one', { phone: '0664 1234567', full: { phone: eve } }, 'full.phone', eve],
  ['the first by name', { mobile: bob, phone: ada }, 'phone'],
  ['the first of the body, where no name is listed', { billing_phone: bob, 'tel-647': ada }, 'billing_phone'],
  ['another before numero', { numero: ada, billing_phone: bob }, 'billing_phone'],
  ['numero, where it is valid', { numero: ada, order: 'A-1' }, 'numero'],
  ['a number of JSON', { phone: 4917112345678 }, 'phone', ada],
])('Of the numbers of a post is taken %s', async (_, body, from, value) => {
  const row = await read(body)
  expect([row.problem, row.phoneNumber?.from]).toEqual([null, from])
  if (value !== undefined) expect(row.phoneNumber?.value).toBe(value)
})

it('Other numbers of the person stay metadata', async () => {
  expect((await read({ phone: ada, mobile: bob })).metadata).toEqual({ mobile: bob })
})

it('A numero that is no number is none', async () => {
  expect((await read({ numero: '2026-1234567' })).problem?.message).toBe('phoneNumber is missing')
})

it.each<[body: object, name: string]>([
  [{ user: { phone: ada }, email: 'eve@example.com' }, 'user.phone'],
  [{ contact_id: 'c1', company: { name: 'Acme', phone: ada } }, 'company.phone'],
  [{ old_phone: ada, owner: { mobile: bob } }, 'old_phone'],
  [{ phone: 'n/a', assigned_to: { mobile: bob } }, 'assigned_to.mobile'],
])(
  'A post of which every number may be somebody else’s is refused, unless the source names one: %j',
  async (body, name) => {
    expect((await read(body)).problem).toEqual({
      code: 'invalid_field',
      message: `${name} may be somebody else's: name it in fields.phoneNumber`,
    })
    expect((await read(body, { fields: { phoneNumber: name } })).phoneNumber?.from).toBe(name)
  },
)

it.each<[body: object]>([
  [{ type: 'ContactDelete' }],
  [{ event: 'deleted.person' }],
  [{ event_type: 'contact.removed' }],
  [{ eventType: 'customer_redact' }],
  [{ action: 'delete' }],
  [{ operation: 'DELETE' }],
  [{ subscriptionType: 'contact.deletion' }],
  [{ event: 'invitee.canceled' }],
  [{ type: 'BOOKING_CANCELLED' }],
  [{ type: 'unsubscribe' }],
  [{ event: 'contact.unsubscribed' }],
  [{ event: { data: { old: { phone: bob }, new: null } } }],
  [{ old_record: { phone: bob }, record: {} }],
])('A post that tells of a deletion is refused: %j', async (body) => {
  const row = await read({ phone: ada, ...body })
  expect([row.phoneNumber, row.problem?.message]).toEqual([null, 'this post tells of a deletion'])
  expect((await read({ phone: ada, ...body, do_not_call: 'yes' })).suppressed).toContain(ada)
})

it.each<[body: object]>([
  [{ type: 'ContactCreate', action: 'create' }],
  [{ form: { type: 'delete' } }],
  [{ title: 'deleted' }],
  [{ old: { phone: bob } }],
  [{ old: { phone: bob }, new: { name: 'Ada' } }],
  [{ old: null, new: null }],
])('A post that tells of none is a lead: %j', async (body) => {
  expect((await read({ phone: ada, ...body })).phoneNumber?.value).toBe(ada)
})

it('A cancelled booking is a lead where the source ignores the member, and a deleted contact is not', async () => {
  const ignored = ['event']
  expect((await read({ phone: ada, event: 'invitee.canceled' }, { ignored })).problem).toBeNull()
  expect((await read({ phone: ada, event: 'contact.deleted' }, { ignored })).problem).not.toBeNull()
})

const twoPeople = [
  { email: 'ada@example.com', phone: ada },
  { email: 'bob@example.com', phone: bob },
]
const several = 'this post holds several people: send each alone'

it.each<[what: string, body: unknown]>([
  ['by their addresses', { batch: twoPeople }],
  [
    'by their names',
    { rows: [{ data: { firstname: 'Ada', phone: ada } }, { data: { firstname: 'Bob', phone: bob } }] },
  ],
  [
    'as records',
    {
      records: [
        { id: '1', phone: ada },
        { id: '2', phone: bob },
      ],
    },
  ],
  ['as contacts of an object', { data: { contacts: [{ phone: ada }, { mobile: bob }] } }],
  ['at the top', [{ phone: ada }, { phone: bob }]],
  ['of which the third differs', { batch: [twoPeople[0], twoPeople[0], twoPeople[1]] }],
])('A post of several people is refused: %s', async (_, body) => {
  expect((await read(body)).problem?.message).toBe(several)
})

it.each<[what: string, body: object]>([
  ['with the same number', { records: [{ phone: ada }, { phone: '0171 12345678' }] }],
  ['with one number', { records: [{ phone: ada }, { name: 'Bob' }] }],
  ['without an address or a name', { lines: [{ phone: ada }, { phone: bob }] }],
  [
    'with the same address',
    {
      lines: [
        { email: 'a@example.com', phone: ada },
        { email: 'a@example.com', phone: bob },
      ],
    },
  ],
  [
    'of phones',
    {
      phones: [
        { label: 'work', id: 1, number: ada },
        { label: 'home', id: 2, number: bob },
      ],
    },
  ],
  [
    'of addresses',
    {
      addresses: [
        { name: 'Ada', phone: ada },
        { name: 'Ada L.', phone: bob },
      ],
    },
  ],
  [
    'of data of a phone',
    {
      phoneNumberData: [
        { phoneNumber: ada, type: 'Mobile' },
        { phoneNumber: bob, type: 'Home' },
      ],
    },
  ],
])('A list is one person’s %s', async (_, body) => {
  expect([(await read(body)).problem, (await read(body)).phoneNumber?.value]).toEqual([null, ada])
})

it('A no in a post of several people suppresses all of them', async () => {
  for (const body of [
    { batch: [{ ...twoPeople[0], dnc: 'yes' }, twoPeople[1]] },
    [{ ...twoPeople[0], dnc: 'yes' }, twoPeople[1]],
  ])
    expect((await read(body)).suppressed.toSorted()).toEqual([ada, bob])
})

it('A source that names the number of one of several has the last word', async () => {
  const fields = { phoneNumber: 'batch.1.phone' }
  expect((await read({ batch: twoPeople }, { fields })).phoneNumber?.value).toBe(bob)
})

it.each<[said: Record<string, unknown>]>([
  ...['AT', 'at', 'AUT', 'Austria', 'Österreich', 'Autriche', '+43', '0043', '43', 'Austria (+43)'].map(
    (country): [Record<string, unknown>] => [{ country }],
  ),
  [{ country_code: 'AT' }],
  [{ 'Phone Country': 'Austria' }],
  [{ dialCode: 43 }],
  [{ iso2: 'at' }],
  [{ Land: 'Österreich' }],
  [{ País: 'Áustria' }],
  // Of the number, before that of an address.
  [{ country: 'DE', phone_country: 'AT' }],
])('A national number is of the country that the post says: %j', async (said) => {
  for (const body of [
    { phone: '0664 1234567', ...said },
    { contact: { phone: '0664 1234567', ...said }, country: 'DE' },
    { contact: { phone: '0664 1234567' }, ...said },
  ])
    expect((await read(body)).phoneNumber?.value).toBe(eve)
  expect((await read({ phone: ada, ...said })).phoneNumber?.value).toBe(ada)
})

it.each([
  { country: '' },
  { country: 'Region 5' },
  { country: 'unknown' },
  { region: 'AT' },
  { company: { country: 'AT' } },
])('What says nothing of a country is none: %j', async (said) => {
  expect((await read({ phone: '0171 1234567', ...said })).phoneNumber?.value).toBe('+491711234567')
})

it('A country within the number’s own member, and beside a named value, is of that number', async () => {
  const of = { countryCode: 'AT', number: '0664 1234567' }
  expect((await read({ phone: of, country: 'DE' })).phoneNumber?.value).toBe(eve)
  const named = { name: 'phone', value: '0664 1234567', country: 'AT' }
  expect((await read({ fields: [named, { name: 'name', value: 'Ada' }] })).phoneNumber?.value).toBe(eve)
})

it('A dial code of several countries is one of those of the source', async () => {
  const more = { countries: ['DE', 'CA'], nationalCountry: 'DE' }
  expect((await read({ phone: '(604) 555-0123', country: '+1' }, more)).phoneNumber?.value).toBe(
    '+16045550123',
  )
  expect((await read({ phone: '(212) 555-0123', country: '+1' }, more)).problem?.message).toContain(
    'not called from here',
  )
})

it('A national number of a country that the source does not call is refused, and one in full is taken as it is', async () => {
  for (const [country, said] of [
    ['Switzerland', 'CH'],
    ['+41', '+41'],
    ['us', 'US'],
  ])
    expect((await read({ phone: '0664 1234567', country })).problem?.message).toBe(
      `the post says ${said}, which is not among the countries of this source`,
    )
  expect((await read({ phone: '0664 1234567', country: 'DE', country_code: '43' })).problem?.message).toBe(
    'the post says DE and +43, which are two countries',
  )
  for (const phone of [ada, '0049 171 12345678'])
    expect((await read({ phone, country: 'CH' })).phoneNumber?.value).toBe(ada)
  expect((await read({ phone: 'none', country: 'CH' })).problem?.message).not.toContain('CH')
})

it('A no is of the country that the post says, also of one that the source does not call', async () => {
  for (const [country, number] of [
    ['AT', '+436641234567'],
    ['CH', '+41791234567'],
  ] as const) {
    const phone = country === 'AT' ? '0664 1234567' : '079 123 45 67'
    expect((await read({ phone, country, dnc: 'yes' })).suppressed).toEqual([number])
  }
})

it('Without a country of its own, a source takes what only one of its countries has', async () => {
  const none = { nationalCountry: null }
  const us = { ...none, countries: ['DE', 'US'] }
  for (const phone of ['(415) 555-2671', '415-555-2671'])
    expect((await read({ phone }, us)).phoneNumber?.value).toBe('+14155552671')
  // A German number that lost its zero looks so, too.
  expect((await read({ phone: '4155552671' }, us)).problem?.message).toContain('ambiguous')
  expect((await read({ phone: '0171 12345678' }, us)).phoneNumber?.value).toBe(ada)
  expect((await read({ phone: '0171 12345678', country: 'DE' }, none)).phoneNumber?.value).toBe(ada)
  for (const dnc of ['', 'yes'])
    expect((await read({ phone: '0664 1234567', dnc }, none)).problem?.message).toContain(
      'ambiguous: send the number with its country code, or a field with the country',
    )
  expect((await read({ phone: '0664 1234567' })).phoneNumber?.value).toBe('+496641234567')
  expect((await read({ phone: '0664 1234567' }, { nationalCountry: 'AT' })).phoneNumber?.value).toBe(eve)
})

it('Digits that lack their plus are taken where they are no number as they stand', async () => {
  for (const phone of ['4917112345678', 4917112345678, '４９１７１１２３４５６７８'])
    expect((await read({ phone })).phoneNumber?.value).toBe(ada)
  // A German number that lost its zero begins so, too.
  expect((await read({ phone: '436641234567' })).problem).not.toBeNull()
  expect(
    (await read({ phone: '436641234567' }, { countries: ['AT'], nationalCountry: 'AT' })).phoneNumber?.value,
  ).toBe(eve)
  expect((await read({ phone: '4917112345678', country: 'AT' })).problem).not.toBeNull()
  expect((await read({ phone: '41791234567' })).problem).not.toBeNull()
  // Norway's as well as Connecticut's.
  const both = { countries: ['NO', 'US'], nationalCountry: 'NO' }
  expect((await read({ phone: '4752345678' }, both)).problem).not.toBeNull()
  expect((await read({ phone: '4752345678', country: 'NO' }, both)).phoneNumber?.value).toBe('+4752345678')
})
