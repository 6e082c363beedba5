// Resources, Response envelope: D1, and the headers that every answer has (D31, D32), over every answer that the
// catalogue knows.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api, health } from '../support/api.ts'
import { allCases, answerTo } from '../support/catalogue/answers.ts'
import { stopClock } from '../support/clock.ts'
import { breaches } from '../support/every-answer.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const named = allCases.map((one) => [one.name, one] as const)
const successes = named.filter(([, one]) => one.said === null)
const failures = named.filter(([, one]) => one.said !== null)

describe('Response envelope', () => {
  it.each(successes)('holds success, data and error, and nothing else, on success: %s', async (_, one) => {
    const { answer, status } = await answerTo(one)
    const isJson = answer.body !== null
    expect([answer.status, answer.body]).toEqual([
      status,
      isJson ? { success: true, data: expect.any(Object), error: null } : null,
    ])
    const type = answer.headers.get('content-type')
    if (!isJson) expect(answer.asked.method === 'HEAD' ? answer.text : type).toMatch(/^$|^text\/csv;/)
    expect(answer.headers.get('x-error-code')).toBeNull()
  })

  it.each(failures)('holds success, data and error, and nothing else, on failure: %s', async (_, one) => {
    const { answer, hasData = false } = await answerTo(one)
    if (answer.asked.method === 'HEAD') return expect(answer.text).toBe('')
    const data = hasData ? expect.any(Object) : null
    expect(answer.body).toEqual({ success: false, data, error: expect.stringMatching(/^[ -~]+$/) })
  })

  it.each(named)(
    'is JSON that nobody caches or sniffs, with the headers of every answer: %s',
    async (_, one) => {
      const { answer } = await answerTo(one)
      const header = (name: string) => answer.headers.get(name)
      expect(breaches(answer.asked, { ...answer, header }, { isFaulty: one.status >= 500 })).toEqual([])
    },
  )
})

describe('Request id', () => {
  it('is on every answer, a new one each time', async () => {
    const ids = await Promise.all(
      allCases.map(async (one) => (await answerTo(one)).answer.headers.get('x-request-id')),
    )
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{1,128}$/)
    expect(new Set(ids).size).toBe(allCases.length)
  })

  it.each([
    ['one character', '~'],
    ['128 characters', 'x'.repeat(128)],
    ['punctuation', '!req/42:"a"'],
  ])('is the one the client sent: %s', async (_, id) => {
    const { headers } = await health({ headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id')).toBe(id)
  })

  it('is the one the client sent, on a failure too', async () => {
    const { headers } = await api(null).request('GET', '/api/v1/leads', undefined, { 'x-request-id': 'mine' })
    expect(headers.get('x-request-id')).toBe('mine')
  })

  it.each([
    ['empty', ''],
    ['129 characters', 'x'.repeat(129)],
    ['a space inside', 'a b'],
    ['a tab inside', 'a\tb'],
    ['a delete character', 'a\x7fb'],
  ])('is a new one when what the client sent does not fit: %s', async (_, id) => {
    const sent = (await health({ headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(sent).not.toBe(id)
    expect(sent).toMatch(/^[\x21-\x7e]{1,128}$/)
  })
})
