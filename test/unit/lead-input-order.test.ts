// Which of several messages comes first (D9), and which item of a bulk it is about (D10, D14).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBulk, readCreate } from '../../src/leads/create-input.ts'

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
  return items.flatMap((item) => (item.isValid ? [item.value] : []))
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

describe('Of several wrong fields', () => {
  it('a create names the first in the order of D9, in whichever order they are sent', () => {
    const property = fc.property(subsets, (chosen) => {
      expect(create(`{${['"campaignId":"spring"', ...members(chosen)].reverse().join(',')}}`)).toBe(
        first(chosen),
      )
      expect(create(`{${[...members(chosen), '"campaignId":""'].join(',')}}`)).toBe('campaignId is required')
    })
    fc.assert(property)
  })

  it('a bulk names the first item, and of it the first in the order of D9', () => {
    const property = fc.property(fc.nat(5), subsets, subsets, (index, chosen, later) => {
      const items = [...Array<string>(index).fill(good), `{${members(chosen)}}`, `{${members(later)}}`, '7']
      expect(bulkOf(...items)).toEqual({ index, message: first(chosen) })
    })
    fc.assert(property)
  })

  it('a bulk names campaignId before leads', () => {
    expect(bulk('{"leads":7}')).toBe('campaignId is required')
    expect(bulk('{"leads":[],"campaignId":7}')).toBe('campaignId must be a string of at most 128 characters')
    expect(bulk('{"leads":[7]}')).toBe('campaignId is required')
  })
})

describe('The leads of a bulk', () => {
  it.each(['', ',"leads":null', ',"leads":""', ',"leads":{}', ',"leads":"x"', ',"leads":7', ',"leads":true'])(
    'are required as an array: {…%s}',
    (json) => {
      expect(bulk(`{"campaignId":"spring"${json}}`)).toBe('leads array is required')
    },
  )

  it('cannot be empty', () => {
    expect(bulkOf()).toBe('leads array cannot be empty')
  })

  it('are at most 1000, whatever they hold', () => {
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
  ])('need a phoneNumber each: %s', (item) => {
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
  ])('are distinguished by their index: $message', ({ field, message }) => {
    const phone = field.startsWith('"phone') ? '' : `${right},`
    expect(bulkOf(good, good, good, `{${phone}${field}}`)).toEqual({ index: 3, message })
  })

  it('are those of the last array where `leads` is repeated, with the metadata of each as sent', () => {
    const lead = (metadata: string) => `{${right},"metadata":${metadata}}`
    const body = (a: string, b: string) => `{"leads":${a},"campaignId":"spring","l\\u0065ads":${b}}`
    const metadataOf = (json: string) =>
      (bulk(json) as { metadata: unknown }[]).map(({ metadata }) => metadata)
    expect(metadataOf(body(`[${lead('{"a":1}')},${good}]`, `[${lead('{ "b":2}')},${lead('{}')}]`))).toEqual([
      '{ "b":2}',
      '{}',
    ])
    expect(metadataOf(body(`[${lead('{"a":1}')}]`, `[${good}]`))).toEqual([null])
    expect(metadataOf(body('7', `[${lead('{"b": 2}')}]`))).toEqual(['{"b": 2}'])
    expect(metadataOf(body('{"leads":[{}]}', `[${lead('{"b": 2}')}]`))).toEqual(['{"b": 2}'])
    expect(bulk(body(`[${good}]`, '7'))).toBe('leads array is required')
  })

  it('come out as they were sent, in the order in which they were sent', () => {
    expect(
      bulkOf(
        '{"phoneNumber":"+15550001111","externalId":"a","metadata":{ "n": 1e400 },"priority":1e1,"timeZone":"Asia/Kolkata"}',
        '{"phoneNumber":"+15550002222","scheduledFor":"2026-11-20T09:00Z","campaignId":"other"}',
        '{"phoneNumber":"+15550001111","metadata":{"text":"forged","depth":0}}',
      ),
    ).toEqual([
      {
        phoneNumber: '+15550001111',
        externalId: 'a',
        metadata: '{ "n": 1e400 }',
        scheduledFor: null,
        priority: 10,
        timeZone: 'Asia/Kolkata',
      },
      {
        phoneNumber: '+15550002222',
        externalId: null,
        metadata: null,
        scheduledFor: '2026-11-20T09:00Z',
        priority: 0,
        timeZone: null,
      },
      {
        phoneNumber: '+15550001111',
        externalId: null,
        metadata: '{"text":"forged","depth":0}',
        scheduledFor: null,
        priority: 0,
        timeZone: null,
      },
    ])
  })

  it.each(['null', '[]', '7', '"x"'])('are not looked for in a body that is %s', (json) => {
    expect(bulk(json)).toBe('Request body must be a JSON object')
  })
})
