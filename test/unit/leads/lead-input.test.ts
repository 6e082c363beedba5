// What a client may send, field by field: each message of the contract and of D10 by name, each limit and one
// past it. Metadata is in lead-metadata.test.ts, the order of messages and bulk are in lead-input-order.test.ts.
import { describe, expect, it } from 'vitest'
import { readCreate } from '../../../src/queue/leads/create-input.ts'
import { changeableNames } from '../../../src/queue/leads/field-table.ts'

/** The validated lead, or the message a client would get. `json` is the body's members beside the required. */
function create(json: string): unknown {
  const members = ['"campaignId":"spring"', '"phoneNumber":"+15550001111"', json]
  return createFrom(`{${members.filter((member) => member !== '').join(',')}}`)
}

function createFrom(json: string): unknown {
  const reading = readCreate(json)
  if (!reading.isValid) return reading.message
  const { campaignId, lead } = reading.value
  return { campaignId, ...lead }
}

const u = (digits: string) => `\\u${digits}`

describe('A lead with no more than it needs', () => {
  const bare = {
    campaignId: 'spring',
    phoneNumber: '+15550001111',
    ...Object.fromEntries(changeableNames.map((name) => [name, name === 'priority' ? 0 : null])),
  }

  it('A lead with no more than it needs has priority 0 and nothing else set', () => {
    expect(create('')).toEqual(bare)
  })

  it('A lead with no more than it needs is the same with null in every optional field (D18)', () => {
    expect(create(changeableNames.map((name) => `"${name}":null`).join())).toEqual(bare)
  })

  it('A lead with no more than it needs is the same with empty texts (D10)', () => {
    expect(create('"externalId":"","scheduledFor":"","timeZone":""')).toEqual(bare)
  })

  it('A lead with no more than it needs is the same with fields that the contract does not know', () => {
    expect(create('"status":"concluded","attempts":9,"_id":"x","__proto__":{"priority":7}')).toEqual(bare)
  })
})

it.each(['null', '[]', '"text"', '7', 'true', '[{}]'])('The body %s is no object', (json) => {
  expect(createFrom(json)).toBe('Request body must be a JSON object')
})

it.each(['', '{', '{"a":}', "{'a':1}", '{"a":1,}', '{} {}', 'undefined', '\ufeff{}'])(
  'The body %j is no JSON',
  (json) => {
    expect(() => readCreate(json)).toThrow(SyntaxError)
  },
)

it('The body keeps the last of fields that repeat', () => {
  expect(create('"metadata":{"a":1},"metadata":{"b": 2},"priority":1,"priority":2')).toMatchObject({
    metadata: '{"b": 2}',
    priority: 2,
  })
  expect(create('"metadata":{"a":1},"metadata":null')).toMatchObject({ metadata: null })
  expect(create('"metadata":7,"metadata":{}')).toMatchObject({ metadata: '{}' })
})

it('The body takes nothing from a prototype', () => {
  expect(createFrom('{"__proto__":{"campaignId":"spring","phoneNumber":"+15550001111"}}')).toBe(
    'campaignId is required',
  )
})

describe('campaignId', () => {
  const campaign = (json: string) => createFrom(`{${json}"phoneNumber":"+15550001111"}`)
  const invalid = 'campaignId must be a string of at most 128 characters'

  it.each(['', '"campaignId":null,', '"campaignId":"",'])('campaignId missing as {%s is required', (json) => {
    expect(campaign(json)).toBe('campaignId is required')
  })

  it.each(['0', '7', 'true', 'false', '{}', '[]', '["spring"]', `"${'c'.repeat(129)}"`])(
    '%s is invalid',
    (value) => {
      expect(campaign(`"campaignId":${value},`)).toBe(invalid)
    },
  )

  it.each(['c', ' ', 'c'.repeat(128), '😀'.repeat(128)])('%s is valid, characters counted whole', (id) => {
    expect(campaign(`"campaignId":"${id}",`)).toMatchObject({ campaignId: id })
  })

  it('campaignId of 129 characters outside the basic plane is too long', () => {
    expect(campaign(`"campaignId":"${'😀'.repeat(129)}",`)).toBe(invalid)
  })
})

describe('phoneNumber (D11)', () => {
  const phone = (json: string) => createFrom(`{"campaignId":"spring"${json}}`)

  it.each(['', ',"phoneNumber":null', ',"phoneNumber":""'])(
    'phoneNumber (D11) missing as {…%s} is required',
    (json) => {
      expect(phone(json)).toBe('phoneNumber is required')
    },
  )

  it.each(['+1234567', '+123456789012345', '+15550001111', '+999999999'])('%s is E.164', (number) => {
    expect(phone(`,"phoneNumber":"${number}"`)).toMatchObject({ phoneNumber: number })
  })

  it.each([
    { name: 'with 6 digits', number: '+123456' },
    { name: 'with 16 digits', number: '+1234567890123456' },
    { name: 'without a plus', number: '15550001111' },
    { name: 'with 00 for the plus', number: '0015550001111' },
    { name: 'beginning with 0', number: '+05550001111' },
    { name: 'with spaces', number: '+1 555 000 1111' },
    { name: 'with dashes', number: '+1-555-000-1111' },
    { name: 'with brackets', number: '+1(555)0001111' },
    { name: 'with an extension', number: '+15550001111x9' },
    { name: 'with a space before', number: ' +15550001111' },
    { name: 'with a space behind', number: '+15550001111 ' },
    { name: 'with a line feed behind', number: '+15550001111\\n' },
    { name: 'with two pluses', number: '++15550001111' },
    { name: 'in Arabic digits', number: '+١٥٥٥٠٠٠١١١١' },
    { name: 'in full-width digits', number: '+1５５５０００１１１１' },
    { name: 'of a plus alone', number: '+' },
    { name: 'with NUL', number: `+1555000111${u('0000')}1` },
  ])('$name is not E.164', ({ number }) => {
    expect(phone(`,"phoneNumber":"${number}"`)).toBe('phoneNumber must be in E.164 format')
  })

  it.each(['15550001111', '0', 'true', 'false', '{}', '[]', '["+15550001111"]'])('%s is no text', (value) => {
    expect(phone(`,"phoneNumber":${value}`)).toBe('phoneNumber must be a string in E.164 format')
  })
})

describe('externalId', () => {
  const invalid = 'externalId must be a string of at most 255 characters'
  const unstorable = 'externalId must not contain NUL or unpaired surrogates'

  it.each(['crm-1', ' ', 'e'.repeat(255), '😀'.repeat(255), '\\\\u0000', "'; drop table leads; --"])(
    '%s is valid',
    (text) => {
      expect(create(`"externalId":"${text}"`)).toMatchObject({ externalId: JSON.parse(`"${text}"`) })
    },
  )

  it.each(['e'.repeat(256), '😀'.repeat(256)])('%s is too long', (text) => {
    expect(create(`"externalId":"${text}"`)).toBe(invalid)
  })

  it.each(['0', '7', 'true', 'false', '{}', '[]'])('%s is no text', (value) => {
    expect(create(`"externalId":${value}`)).toBe(invalid)
  })

  it.each([u('0000'), `a${u('0000')}b`, u('d800'), u('dc00'), u('DBFF'), u('de00') + u('d83d')])(
    '%s cannot be stored',
    (text) => {
      expect(create(`"externalId":"${text}"`)).toBe(unstorable)
    },
  )

  it('externalId that is too long and cannot be stored is too long', () => {
    expect(create(`"externalId":"${'e'.repeat(255)}${u('0000')}"`)).toBe(invalid)
  })
})

it.each([
  '2026-11-20T09:00:00Z',
  '2026-11-20T09:00Z',
  '2026-11-20T09:00:00.1Z',
  '2026-11-20T09:00:00.123456789Z',
  '2026-11-20T09:00:00+00:00',
  '2026-11-20T09:00:00-00:00',
  '2026-11-20T09:00:00+05:30',
  '2026-11-20T09:00:00.000+0000',
  '2026-11-20T09:00:00-08',
  '2026-11-20T00:00:00-23:59',
  '2026-11-20T23:59:59Z',
  '2024-02-29T09:00:00Z',
  '2000-02-29T09:00:00Z',
  '1999-12-31T23:59:59Z',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59+23:59',
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00-00:01',
])('A scheduledFor %s is valid and kept as sent', (text) => {
  expect(create(`"scheduledFor":"${text}"`)).toMatchObject({ scheduledFor: text })
})

it.each([
  { name: 'without an offset', text: '2026-11-20T09:00:00' },
  { name: 'a date alone', text: '2026-11-20' },
  { name: 'a date with an offset', text: '2026-11-20Z' },
  { name: 'a time alone', text: '09:00:00Z' },
  { name: 'with a space for the T', text: '2026-11-20 09:00:00Z' },
  { name: 'with hours alone', text: '2026-11-20T09Z' },
  { name: 'with an empty fraction', text: '2026-11-20T09:00:00.Z' },
  { name: 'with 10 digits of a fraction', text: '2026-11-20T09:00:00.1234567890Z' },
  { name: 'on 30 February', text: '2026-02-30T09:00:00Z' },
  { name: 'on 29 February of no leap year', text: '2026-02-29T09:00:00Z' },
  { name: 'on 29 February 2100', text: '2100-02-29T09:00:00Z' },
  { name: 'on 31 April', text: '2026-04-31T09:00:00Z' },
  { name: 'on day 0', text: '2026-11-00T09:00:00Z' },
  { name: 'on day 32', text: '2026-12-32T09:00:00Z' },
  { name: 'in month 0', text: '2026-00-20T09:00:00Z' },
  { name: 'in month 13', text: '2026-13-20T09:00:00Z' },
  { name: 'at 24:00', text: '2026-11-20T24:00:00Z' },
  { name: 'at minute 60', text: '2026-11-20T09:60:00Z' },
  { name: 'at second 60', text: '2026-11-20T09:00:60Z' },
  { name: 'with an offset of 24 hours', text: '2026-11-20T09:00:00+24:00' },
  { name: 'with an offset of 60 minutes', text: '2026-11-20T09:00:00+00:60' },
  { name: 'with a zone by name', text: '2026-11-20T09:00:00 Europe/Berlin' },
  { name: 'with more behind it', text: '2026-11-20T09:00:00Z\\n' },
  { name: 'with a year of two digits', text: '26-11-20T09:00:00Z' },
  { name: 'in American order', text: '11/20/2026 09:00 AM' },
  { name: 'Unix seconds as text', text: '1795165200' },
  { name: 'in year 10000 of UTC', text: '9999-12-31T23:59:59-00:01' },
  { name: 'past the last second', text: '9999-12-31T23:59:59.5Z' },
  { name: 'before year 0 of UTC', text: '0000-01-01T00:00:00+00:01' },
  { name: 'words', text: 'tomorrow' },
  { name: 'a space', text: ' ' },
])('A scheduledFor $name is refused', ({ text }) => {
  expect(create(`"scheduledFor":"${text}"`)).toBe(
    'scheduledFor must be an ISO 8601 timestamp with a UTC offset',
  )
})

it.each(['1795165200000', '0', 'true', '{}', '[]', '["2026-11-20T09:00:00Z"]'])(
  'A scheduledFor %s is no text',
  (value) => {
    expect(create(`"scheduledFor":${value}`)).toBe(
      'scheduledFor must be an ISO 8601 timestamp with a UTC offset',
    )
  },
)

it.each([
  ['0', 0],
  ['1', 1],
  ['100', 100],
  ['1e1', 10],
  ['1E+2', 100],
  ['5.0', 5],
  ['500e-1', 50],
  ['-0', 0],
  ['-0.0', 0],
  ['1e-400', 0],
])('A priority of %s is %i', (text, priority) => {
  expect((create(`"priority":${text}`) as { priority: number }).priority).toBe(priority)
})

it.each([
  ...['-1', '101', '5.5', '99.99999', '1e400', '-1e400', '9007199254740993', '1e21'],
  ...['"5"', '"high"', 'true', 'false', '{}', '[]', '[5]'],
])('A priority of %s is refused, never clamped', (text) => {
  expect(create(`"priority":${text}`)).toBe('priority must be an integer between 0 and 100')
})

describe('timeZone (D60)', () => {
  const invalid = 'timeZone must be the name of a time zone, such as Europe/Berlin'

  it.each(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Europe/Kyiv', 'UTC'])(
    '%s is valid',
    (name) => {
      expect(create(`"timeZone":"${name}"`)).toMatchObject({ timeZone: name })
    },
  )

  it.each(['europe/berlin', 'Europe/BERLIN', '+05:30', 'Z', 'Europe/Nowhere', ' ', 'x'.repeat(65)])(
    '%s is refused',
    (name) => {
      expect(create(`"timeZone":"${name}"`)).toBe(invalid)
    },
  )

  it.each(['0', 'true', '{}', '["UTC"]'])('%s is no text', (value) => {
    expect(create(`"timeZone":${value}`)).toBe(invalid)
  })
})
