// The promise of v1: how the end of a part of it is announced.
import { expect, it } from 'vitest'
import { type Ending, endingHeaders, endings, noticeMonths } from '../../../src/base/http/endings.ts'

const ending: Ending = {
  route: '/api/v1/leads',
  methods: ['GET'],
  announcedAt: '2026-12-01T00:00:00Z',
  endsAt: '2027-06-01T00:00:00Z',
  link: 'https://leads.example.com/docs#listLeads',
}

it('Answers of an endpoint that will end name the announcement, the end, and what to use instead', () => {
  expect(endingHeaders('GET', '/api/v1/leads', [ending])).toEqual({
    Deprecation: '@1796083200',
    Sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
    Link: '<https://leads.example.com/docs#listLeads>; rel="deprecation"',
  })
})

it('Answers of other endpoints have none of these headers', () => {
  expect(endingHeaders('POST', '/api/v1/leads', [ending])).toEqual({})
  expect(endingHeaders('GET', '/api/v1/leads/bulk', [ending])).toEqual({})
  expect(endingHeaders('GET', '/api/v1/leads')).toEqual({})
})

function isInTime({ announcedAt, endsAt }: Ending): boolean {
  const earliest = new Date(announcedAt)
  earliest.setUTCMonth(earliest.getUTCMonth() + noticeMonths)
  return Date.parse(endsAt) >= earliest.getTime()
}

it('Nothing ends within six months of its announcement', () => {
  expect(isInTime(ending)).toBe(true)
  expect(isInTime({ ...ending, endsAt: '2027-05-31T23:59:59Z' })).toBe(false)
  expect(endings.filter((one) => !isInTime(one))).toEqual([])
})
