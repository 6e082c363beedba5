// The query parameters of list and bulk: which are known, and what each may hold.
import { describe, expect, it } from 'vitest'
import { firstMessage } from '../../../src/base/http/reading.ts'
import { bulkQuery, listQuery } from '../../../src/queue/leads/query-input.ts'

/** What the query asks for, parameters that are not set left out; or the message a client would get. */
function list(query: Record<string, string | string[]>): unknown {
  const parsed = listQuery.safeParse(query)
  if (!parsed.success) return firstMessage(parsed.error)
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== null))
}

const campaignId = 'spring'

it.each([{}, { campaignId: '' }, { status: 'sold' }])(
  'The query of a list %j misses its campaignId',
  (query) => {
    expect(list(query as Record<string, string>)).toBe('campaignId query parameter is required')
  },
)

it('The query of a list refuses a campaignId that is too long', () => {
  expect(list({ campaignId: 'c'.repeat(129) })).toBe('campaignId must be a string of at most 128 characters')
})

it.each([
  'campaignId',
  'status',
  'phoneNumber',
  'externalId',
  'createdAfter',
  'createdBefore',
  'limit',
  'cursor',
])('The query of a list refuses a parameter that is given twice: %s', (name) => {
  expect(list({ campaignId, [name]: ['a', 'b'] })).toBe(`${name} must be given once`)
})

it.each(['raw', 'attempting', 'exhausted', 'concluded'])(
  'The query of a list knows the status %s',
  (status) => {
    expect(list({ campaignId, status })).toEqual({ campaignId, status })
  },
)

it.each(['RAW', ' raw', 'sold', 'raw,attempting', 'null'])(
  'The query of a list does not know the status %s',
  (status) => {
    expect(list({ campaignId, status })).toBe('status must be one of raw, attempting, exhausted, concluded')
  },
)

it('The query of a list asks for nothing more with what is empty or not known', () => {
  const empty = { status: '', phoneNumber: '', externalId: '', createdAfter: '', limit: '', cursor: '' }
  expect(list({ campaignId, ...empty, page: '2' })).toEqual({ campaignId })
})

it.each([
  { given: '+15550001111', phoneNumber: '+15550001111' },
  { given: ' 15550001111', phoneNumber: '+15550001111' },
])('The query of a list reads the phone number %j', ({ given, phoneNumber }) => {
  expect(list({ campaignId, phoneNumber: given })).toEqual({ campaignId, phoneNumber })
})

it.each(['15550001111', '+0555', '+1 555 000 1111'])(
  'The query of a list refuses the phone number %j',
  (phoneNumber) => {
    expect(list({ campaignId, phoneNumber })).toBe('phoneNumber must be in E.164 format')
  },
)

it.each([
  { text: '1795165200000', ms: 1_795_165_200_000 },
  { text: '0', ms: 0 },
  { text: '2026-11-20T09:00:00Z', ms: Date.UTC(2026, 10, 20, 9) },
  { text: '2026-11-20T09:00Z', ms: Date.UTC(2026, 10, 20, 9) },
  { text: '2026-11-20T09:00:00.25Z', ms: Date.UTC(2026, 10, 20, 9, 0, 0, 250) },
  { text: '2026-11-20T09:00:00+05:30', ms: Date.UTC(2026, 10, 20, 3, 30) },
  { text: '2026-11-20T09:00:00 05:30', ms: Date.UTC(2026, 10, 20, 3, 30) },
  { text: '2026-11-20T09:00:00+0530', ms: Date.UTC(2026, 10, 20, 3, 30) },
  { text: '2026-11-20T09:00:00-08', ms: Date.UTC(2026, 10, 20, 17) },
  { text: '2026-11-20T09:00+05', ms: Date.UTC(2026, 10, 20, 4) },
])('The query of a list reads the time $text, after and before', ({ text, ms }) => {
  expect(list({ campaignId, createdAfter: text })).toEqual({ campaignId, createdAfter: ms })
  expect(list({ campaignId, createdBefore: text })).toEqual({ campaignId, createdBefore: ms })
})

it.each(['yesterday', '2026-11-20', '2026-02-30T09:00Z', '-1', '1e3', '1.5', '1234567890123456'])(
  'The query of a list refuses the time %s',
  (createdBefore) => {
    expect(list({ campaignId, createdBefore })).toBe(
      'createdBefore must be an ISO 8601 timestamp with a UTC offset, or Unix milliseconds',
    )
  },
)

it.each(['1', '50', '1000'])('The query of a list reads the limit %s', (limit) => {
  expect(list({ campaignId, limit })).toEqual({ campaignId, limit: Number(limit) })
})

it.each(['0', '-1', '1001', '9999', '01', '1.5', '1e2', 'all', ' 5', '10000'])(
  'The query of a list refuses the limit %s',
  (limit) => {
    expect(list({ campaignId, limit })).toBe('limit must be an integer between 1 and 1000')
  },
)

it.each(['0123456789abc', '0123456789abcdef', '0123456789ABCD', '../../../../../..'])(
  'The query of a list refuses the cursor %s',
  (cursor) => {
    expect(list({ campaignId, cursor })).toBe('cursor is not valid')
  },
)

it('The query of a list reads a cursor', () => {
  expect(list({ campaignId, cursor: '0123456789abcd' })).toEqual({ campaignId, cursor: '0123456789abcd' })
})

describe('The query of a bulk', () => {
  const bulk = (query: Record<string, string>) => {
    const parsed = bulkQuery.safeParse(query)
    return parsed.success ? parsed.data : firstMessage(parsed.error)
  }

  it('The query of a bulk asks for nothing by default', () => {
    expect(bulk({})).toEqual({ results: false, onInvalid: null, dryRun: false })
    expect(bulk({ results: 'false', onInvalid: '', dryRun: '' })).toEqual(bulk({}))
  })

  it('The query of a bulk reads what it asks for', () => {
    const all = bulk({ results: 'true', onInvalid: 'skip', dryRun: 'true' })
    expect(all).toEqual({ results: true, onInvalid: 'skip', dryRun: true })
  })

  it.each([
    { query: { results: 'yes' }, message: 'results must be true or false' },
    { query: { onInvalid: 'ignore' }, message: 'onInvalid must be fail or skip' },
    { query: { dryRun: '1' }, message: 'dryRun must be true or false' },
    { query: { dryRun: ['true', 'true'] }, message: 'dryRun must be given once' },
  ])('The query of a bulk refuses $query', ({ query, message }) => {
    expect(bulk(query as Record<string, string>)).toBe(message)
  })
})
