// D31: an answer has the request's id, the client's own where that fits. That every answer has one is in
// every-answer.test.ts.
import { expect, it } from 'vitest'
import { api, health } from '../../support/http/api.ts'

it.each([
  ['one character', '~'],
  ['128 characters', 'x'.repeat(128)],
  ['punctuation', '!req/42:"a"'],
])('The request id is the one the client sent: %s', async (_, id) => {
  const { headers } = await health({ headers: { 'x-request-id': id } })
  expect(headers.get('x-request-id')).toBe(id)
})

it('The request id is the one the client sent, on a failure too', async () => {
  const { headers } = await api(null).request('GET', '/api/v1/leads', undefined, { 'x-request-id': 'mine' })
  expect(headers.get('x-request-id')).toBe('mine')
})

it.each([
  ['empty', ''],
  ['129 characters', 'x'.repeat(129)],
  ['a space inside', 'a b'],
  ['a tab inside', 'a\tb'],
  ['a delete character', 'a\x7fb'],
])('The request id is a new one when what the client sent does not fit: %s', async (_, id) => {
  const sent = (await health({ headers: { 'x-request-id': id } })).headers.get('x-request-id')
  expect(sent).not.toBe(id)
  expect(sent).toMatch(/^[\x21-\x7e]{1,128}$/)
})
