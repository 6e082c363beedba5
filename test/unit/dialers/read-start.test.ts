// What a provider's answer to a start means.
import { expect, it } from 'vitest'
import { type Answer, judgeStart } from '../../../src/channels/dialers/template/read-start.ts'
import type { Template } from '../../../src/channels/dialers/template/template.ts'

const template: Template = {
  auth: null,
  start: { method: 'POST', url: 'https://api.example.com/call' },
  started: { id: '/id', unless: { at: '/success', equals: false } },
  notDialled: [
    { status: [400], when: { at: '/message', contains: 'limit' }, because: 'busy' },
    { status: [400, 422], because: 'lead' },
    { status: [201], when: { at: '/blocked', equals: true }, because: 'busy' },
    { status: [401], because: 'account' },
  ],
  status: { method: 'GET', url: 'https://api.example.com/call', over: { at: '/status', in: ['ended'] } },
}

const nowMs = Date.UTC(2026, 0, 5, 12)
const judged = (status: number, body: unknown, retryAfter: string | null = null) =>
  judgeStart(template, { status, body, retryAfter }, nowMs)
const refusedAs = (because: string) => ({ kind: 'not_dialled', because, retryAfterMs: null })
const mayHaveRung = { kind: 'may_have_rung' }

it.each<[name: string, status: number, body: unknown, verdict: object]>([
  ['2xx with an id', 201, { id: 'c1' }, { kind: 'started', providerId: 'c1' }],
  ['an id that is a number', 200, { id: 17 }, { kind: 'started', providerId: '17' }],
  [
    'the largest number that is read exactly',
    200,
    { id: 2 ** 53 - 1 },
    { kind: 'started', providerId: `${2 ** 53 - 1}` },
  ],
  ['a number that is read as another', 200, { id: 2 ** 53 }, mayHaveRung],
  ['a number with a fraction', 200, { id: 1.5 }, mayHaveRung],
  ['2xx without an id', 201, {}, mayHaveRung],
  ['2xx with an empty id', 201, { id: '' }, mayHaveRung],
  ['2xx with an id that no report takes', 201, { id: 'x'.repeat(256) }, mayHaveRung],
  ['2xx without JSON', 200, undefined, mayHaveRung],
  [
    '2xx with an id, of which the template says that it is none',
    200,
    { id: 'c1', success: false },
    mayHaveRung,
  ],
  ['2xx that the template lists', 201, { id: 'c1', blocked: true }, refusedAs('busy')],
  ['the first entry that fits', 400, { message: 'over limit' }, refusedAs('busy')],
  ['the next entry, where the first does not fit', 400, { message: 'no' }, refusedAs('lead')],
  ['an account', 401, undefined, refusedAs('account')],
  ['a status that is not listed', 403, { id: 'c1' }, mayHaveRung],
  ['a redirect', 302, { id: 'c1' }, mayHaveRung],
  ['a fault of the provider', 500, { id: 'c1' }, mayHaveRung],
])('The answer to a start: %s', (_, status, body, verdict) => expect(judged(status, body)).toEqual(verdict))

it('Without an answer, the phone may have rung', () => {
  expect(judgeStart(template, null, nowMs)).toEqual(mayHaveRung)
})

it('A busy provider says how long to wait, with any status', () => {
  expect(judged(400, { message: 'limit' }, '7')).toMatchObject({ because: 'busy', retryAfterMs: 7000 })
  expect(judged(400, { message: 'limit' }, '0')).toMatchObject({ because: 'busy', retryAfterMs: 1000 })
})

const answered: Answer = { status: 200, retryAfter: null, body: {}, unread: null }
it('Without refusals of its own, a template takes every other answer for a call that may have rung', () => {
  const { notDialled: _, ...plain } = template
  expect(judgeStart(plain, { ...answered, status: 400 }, nowMs)).toEqual(mayHaveRung)
})
