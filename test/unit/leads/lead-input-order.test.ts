// Which of several messages comes first (D9), and which item of a bulk it is about (D10, D14).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBulk, readCreate } from '../../../src/queue/leads/create-input.ts'
import { newLead } from '../../support/leads/new-lead.ts'

function create(json: string): unknown {
  const reading = readCreate(json)
  return reading.isValid ? reading.value : reading.message
}

/** The leads as they are stored, or the first message, with the item that it is about. */
function bulk(json: string): unknown {
  const bulk = readBulk(json)
  if (!bulk.isValid) return bulk.message
  const { items } = bulk.value
  for (const [index, item] of items.entries()) {
    if (!item.isValid) return { index, message: item.message }
  }
  return items.flatMap((item) => (item.isValid ? [item.value.lead] : []))
}

const bulkOf = (...leads: string[]) => bulk(`{"campaignId":"spring","leads":[${leads.join(',')}]}`)

/** Each field of a lead wrong, in the order of D9. */
const wrong = [
  { field: '"phoneNumber":"555"', message: 'phoneNumber must be in E.164 format' },
  { field: '"externalId":7', message: 'externalId must be a string of at most 255 characters' },
  { field: '"metadata":7', message: 'metadata must be an object' },
  { field: '"scheduledFor":7', message: 'scheduledFor must be an ISO 8601 timestamp with a UTC offset' },
  { field: '"priority":101', message: 'priority must be an integer between 0 and 100' },
  {
    field: '"timeZone":"Berlin"',
    message: 'timeZone must be the name of a time zone, such as Europe/Berlin',
  },
  { field: '"consent":{}', message: 'consent.purpose is required' },
] as const
const right = '"phoneNumber":"+15550001111"'
const good = `{${right}}`

const subsets = fc.shuffledSubarray([...wrong], { minLength: 1 })
const members = (chosen: readonly (typeof wrong)[number][]) => {
  const fields: string[] = chosen.map(({ field }) => field)
  return chosen.some(({ field }) => field.startsWith('"phone')) ? fields : [...fields, right]
}
const first = (chosen: readonly (typeof wrong)[number][]) =>
  wrong.find((fault) => chosen.includes(fault))?.message as string

it('Of several wrong fields a create names the first in the order of D9, in whichever order they are sent', () => {
  const property = fc.property(subsets, (chosen) => {
    expect(create(`{${['"campaignId":"spring"', ...members(chosen)].reverse().join(',')}}`)).toBe(
      first(chosen),
    )
    expect(create(`{${[...members(chosen), '"campaignId":""'].join(',')}}`)).toBe('campaignId is required')
  })
  fc.assert(property)
})

it('Of several wrong fields a bulk names the first item, and of it the first in the order of D9', () => {
  const property = fc.property(fc.nat(5), subsets, subsets, (index, chosen, later) => {
    const items = [...Array<string>(index).fill(good), `{${members(chosen)}}`, `{${members(later)}}`, '7']
    expect(bulkOf(...items)).toEqual({ index, message: first(chosen) })
  })
  fc.assert(property)
})

it('Of several wrong fields a bulk names campaignId before leads', () => {
  expect(bulk('{"leads":7}')).toBe('campaignId is required')
  expect(bulk('{"leads":[],"campaignId":7}')).toBe('campaignId must be a string of at most 128 characters')
  expect(bulk('{"leads":[7]}')).toBe('campaignId is required')
})

describe('A member that differs from a known one only by case, - or _', () => {
  const names = ['phoneNumber', 'externalId', 'metadata', 'scheduledFor', 'priority', 'timeZone', 'consent']
  const spellingsOf = (name: string) => [
    name.toUpperCase(),
    `_${name}-`,
    ...(/[A-Z]/.test(name)
      ? [name.toLowerCase(), name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
      : []),
  ]

  it.each(names.flatMap((name) => spellingsOf(name).map((sent) => [sent, name] as const)))(
    'A member that differs from a known one only by case, - or _ is refused by its name: %s',
    (sent, name) => {
      const message = `${sent} is not a member: use ${name}`
      expect(create(`{"campaignId":"spring",${right},"${sent}":null}`)).toBe(message)
      expect(bulkOf(good, good, good, `{${right},"${sent}":7}`)).toEqual({ index: 3, message })
    },
  )

  it('A misspelt member is refused beside the leads of a bulk', () => {
    expect(bulk(`{"campaign_id":"spring","leads":[${good}]}`)).toBe(
      'campaign_id is not a member: use campaignId',
    )
    expect(bulk(`{"campaignId":"spring","LEADS":[${good}]}`)).toBe('LEADS is not a member: use leads')
    expect(create(`{"CampaignId":"spring",${right}}`)).toBe('CampaignId is not a member: use campaignId')
  })

  it('A misspelt member is named where its field stands in the order of D9, before what is wrong with that field', () => {
    const property = fc.property(fc.subarray([...wrong]), fc.constantFrom(...names), (chosen, name) => {
      const sent = name.toUpperCase()
      const before = wrong.find((fault) => chosen.includes(fault))
      const isBefore =
        before !== undefined &&
        names.findIndex((one) => before.field.startsWith(`"${one}`)) < names.indexOf(name)
      const json = `{"campaignId":"spring","${sent}":1,${[...new Set(members(chosen))].join(',')}}`
      expect(create(json)).toBe(isBefore ? before.message : `${sent} is not a member: use ${name}`)
    })
    fc.assert(property)
    expect(create('{"campaignId":"spring","phone_number":"+15550001111"}')).toBe(
      'phone_number is not a member: use phoneNumber',
    )
    expect(create('{"phone_number":"+15550001111"}')).toBe('campaignId is required')
  })

  it('A misspelt member is not repeated at any length', () => {
    expect(create(`{"campaignId":"spring",${right},"${'_'.repeat(5_000)}priority":1}`)).toBe(
      'priority is not a member: use priority',
    )
  })

  it.each(['"phone":1', '"scheduled":1', '"call_id":1'])(
    'A misspelt member is not any other, which is ignored: %s',
    (member) => {
      expect(create(`{"campaignId":"spring",${right},${member}}`)).toMatchObject({ lead: { priority: 0 } })
      expect(bulkOf(`{${right},"campaign_id":"other",${member}}`)).toHaveLength(1)
    },
  )
})

it.each(['', ',"leads":null', ',"leads":""', ',"leads":{}', ',"leads":"x"', ',"leads":7', ',"leads":true'])(
  'The leads of a bulk are required as an array: {…%s}',
  (json) => {
    expect(bulk(`{"campaignId":"spring"${json}}`)).toBe('leads array is required')
  },
)

it('The leads of a bulk cannot be empty', () => {
  expect(bulkOf()).toBe('leads array cannot be empty')
})

it('The leads of a bulk are at most 1000, whatever they hold', () => {
  const items = (count: number, item: string) => Array<string>(count).fill(item)
  expect(bulkOf(...items(1001, good))).toBe('Maximum 1000 leads per bulk request')
  expect(bulkOf(...items(1001, '7'))).toBe('Maximum 1000 leads per bulk request')
  expect(bulkOf(...items(1000, good))).toHaveLength(1000)
  expect(bulkOf(...items(999, good), '7')).toEqual({ index: 999, message: 'phoneNumber is required' })
})

it.each([
  'null',
  '7',
  '"+15550001111"',
  'true',
  '[]',
  '[{}]',
  '{}',
  '{"phoneNumber":null}',
  '{"phoneNumber":""}',
])('The leads of a bulk need a phoneNumber each: %s', (item) => {
  expect(bulkOf(item)).toEqual({ index: 0, message: 'phoneNumber is required' })
  expect(bulkOf(good, item, good)).toEqual({ index: 1, message: 'phoneNumber is required' })
})

it.each([
  ...wrong,
  { field: '"externalId":"\\u0000"', message: 'externalId must not contain NUL or unpaired surrogates' },
  { field: '"metadata":{"a":"\\ud800"}', message: 'metadata must not contain NUL or unpaired surrogates' },
  { field: `"metadata":{"a":"${'x'.repeat(16_384)}"}`, message: 'metadata must be at most 16384 bytes' },
  {
    field: `"metadata":{"a":${'['.repeat(32)}${']'.repeat(32)}}`,
    message: 'metadata must be nested at most 32 levels deep',
  },
])('The leads of a bulk are distinguished by their index: $message', ({ field, message }) => {
  const phone = field.startsWith('"phone') ? '' : `${right},`
  expect(bulkOf(good, good, good, `{${phone}${field}}`)).toEqual({ index: 3, message })
})

it('The leads of a bulk are those of the last array where `leads` is repeated, with the metadata of each as sent', () => {
  const lead = (metadata: string) => `{${right},"metadata":${metadata}}`
  const body = (a: string, b: string) => `{"leads":${a},"campaignId":"spring","l\\u0065ads":${b}}`
  const metadataOf = (json: string) => (bulk(json) as { metadata: unknown }[]).map(({ metadata }) => metadata)
  expect(metadataOf(body(`[${lead('{"a":1}')},${good}]`, `[${lead('{ "b":2}')},${lead('{}')}]`))).toEqual([
    '{ "b":2}',
    '{}',
  ])
  expect(metadataOf(body(`[${lead('{"a":1}')}]`, `[${good}]`))).toEqual([null])
  expect(metadataOf(body('7', `[${lead('{"b": 2}')}]`))).toEqual(['{"b": 2}'])
  expect(metadataOf(body('{"leads":[{}]}', `[${lead('{"b": 2}')}]`))).toEqual(['{"b": 2}'])
  expect(bulk(body(`[${good}]`, '7'))).toBe('leads array is required')
})

it('The leads of a bulk come out as they were sent, in the order in which they were sent', () => {
  expect(
    bulkOf(
      '{"phoneNumber":"+15550001111","externalId":"a","metadata":{ "n": 1e400 ' +
        '},"priority":1e1,"timeZone":"Asia/Kolkata"}',
      '{"phoneNumber":"+15550002222","scheduledFor":"2026-11-20T09:00Z","campaignId":"other"}',
      '{"phoneNumber":"+15550001111","metadata":{"text":"forged","depth":0}}',
    ),
  ).toEqual([
    newLead({
      phoneNumber: '+15550001111',
      externalId: 'a',
      metadata: '{ "n": 1e400 }',
      priority: 10,
      timeZone: 'Asia/Kolkata',
    }),
    newLead({ phoneNumber: '+15550002222', scheduledFor: '2026-11-20T09:00Z' }),
    newLead({ phoneNumber: '+15550001111', metadata: '{"text":"forged","depth":0}' }),
  ])
})

it.each(['null', '[]', '7', '"x"'])('The leads of a bulk are not looked for in a body that is %s', (json) => {
  expect(bulk(json)).toBe('Request body must be a JSON object')
})
