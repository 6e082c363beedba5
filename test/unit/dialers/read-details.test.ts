// What is kept of a provider's answer: details of a call, and what people read of a refusal.
import { expect, it } from 'vitest'
import { limits } from '../../../src/base/limits.ts'
import {
  describeProblem,
  readCost,
  readDetails,
} from '../../../src/channels/dialers/template/read-details.ts'

it('Details are what is there, and never more than a report takes', () => {
  const pointers = { transcript: '/t', summary: ['/none', '/s'], cost: '/c', none: '/n', list: '/l' }
  expect(readDetails(pointers, { s: 'Well', n: null }, {})).toEqual({ summary: 'Well' })
  expect(readDetails(pointers, {}, {})).toBeNull()
  const large = { t: '"€😀'.repeat(20_000), s: 'Well', c: 0.12, l: Array(20_000).fill('x') }
  const details = readDetails(pointers, large, {})
  expect(Object.keys(details ?? {})).toEqual(['transcript', 'summary', 'cost'])
  expect(details).toMatchObject({ summary: 'Well', cost: 0.12 })
  const bytes = Buffer.byteLength(JSON.stringify(details))
  expect(bytes).toBeLessThanOrEqual(limits.detailsMaxBytes)
  expect(bytes).toBeGreaterThan(limits.detailsMaxBytes - 20)
})

it.each([
  [
    'in cents',
    { at: '/c', unit: 'cents', currency: 'USD' },
    { c: 12.5 },
    { costAmount: '0.125', costCurrency: 'USD' },
  ],
  [
    'as a negative text, with a currency of its own',
    { at: '/c', currency: '/u' },
    { c: '-0.0130', u: 'eur' },
    { costAmount: '0.013', costCurrency: 'EUR' },
  ],
  [
    'of nothing',
    { at: ['/none', '/c'], currency: 'USD' },
    { c: 0 },
    { costAmount: '0', costCurrency: 'USD' },
  ],
  ['in an unknown currency', { at: '/c', currency: '/u' }, { c: 1e3, u: 'credits' }, { costAmount: '1000' }],
  ['that is no number', { at: '/c', currency: 'USD' }, { c: 'free' }, {}],
  ['that is not there yet', { at: '/c', currency: 'USD' }, { c: null }, {}],
  ['that nobody could pay', { at: '/c', currency: 'USD' }, { c: 1e12 }, {}],
] as const)('A cost %s is read as decimal text in whole units', (_, cost, body, expected) => {
  expect(readCost(cost, body, {})).toEqual(expected)
})

const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)])
it('Details that are nested more than 32 levels deep are left out, and the others stay', () => {
  const pointers = { deep: '/deep', deeper: '/deeper', deepest: '/deepest', summary: '/s' }
  const body = { deep: nested(32), deeper: nested(33), deepest: nested(8000), s: 'Well' }
  expect(readDetails(pointers, body, {})).toEqual({ deep: nested(32), summary: 'Well' })
})

it('Details at the edge of what a report takes are whole, or left out', () => {
  const empty = Buffer.byteLength(JSON.stringify({ list: [''] }))
  const kept = [-1, 0, 1, 2, 40].map((over) => {
    const list = ['x'.repeat(limits.detailsMaxBytes - empty + over)]
    return readDetails({ list: '/list' }, { list }, {})
  })
  // One byte is counted for a comma, although the last member has none.
  expect(kept.map((details) => details !== null)).toEqual([true, false, false, false, false])
})

it.each<[name: string, body: unknown, code: string | null, message: string | null]>([
  ['a number and a text', { code: 20003, message: 'Authenticate' }, '20003', 'Authenticate'],
  ['a list of messages', { message: ['a', 'b', 1], error: 'Bad' }, 'Bad', 'a; b'],
  ['members of an error', { error: { code: 'no_credit', message: 'Pay' } }, 'no_credit', 'Pay'],
  [
    'the detail of ElevenLabs',
    { detail: { status: 'invalid_api_key', message: 'Invalid API key' } },
    'invalid_api_key',
    'Invalid API key',
  ],
  [
    'which field ElevenLabs refuses',
    { detail: [{ loc: ['body'], msg: 'Field required' }] },
    null,
    'Field required',
  ],
  [
    'the first error of Telnyx',
    { errors: [{ code: '10009', title: 'Failed', detail: 'No such key' }, { code: '1' }] },
    '10009',
    'No such key',
  ],
  [
    'the first error of Bland',
    { errors: [{ error: 'E', message: 'No such pathway' }] },
    null,
    'No such pathway',
  ],
  ['the detail of Ultravox', { detail: 'Not found.' }, null, 'Not found.'],
  ['digits, which are masked', { message: 'To +49 301 and ٣٤' }, null, 'To +## ### and ##'],
  ['a secret, which is cut out', { message: 'Key sk-abc-1 of sk-abc' }, null, 'Key … of …'],
  ['a secret as the code', { code: 'sk-abc' }, null, null],
  ['a code that is none', { code: 'not a code' }, null, null],
  ['nothing', undefined, null, null],
])('Of a refusal, people read %s', (_, body, code, message) => {
  expect(describeProblem({ body, unread: null }, ['sk-abc', 'sk-abc-1', ''])).toEqual({ code, message })
})

it('Of an answer that nobody reads, people read why', () => {
  const unread = 'redirects are not followed'
  const problem = describeProblem({ body: { code: 17, message: 'Moved' }, unread }, [])
  expect(problem).toEqual({ code: '17', message: unread })
})

it('Of a refusal, people read at most 200 characters, and no end of a secret that was cut', () => {
  const message = `${'x'.repeat(198)}sk-abc-1`
  const shown = (message: unknown, secrets: readonly string[]) =>
    describeProblem({ body: { message }, unread: null }, secrets).message
  expect(shown(message, ['sk-abc-1'])).toBe(`${'x'.repeat(198)}…`)
  expect(shown('😀'.repeat(300), [])).toBe('😀'.repeat(200))
  for (let before = 0; before < 9; before++)
    expect(shown(`${'x'.repeat(before)}${'sk-abc-1'.repeat(100_000)}`, ['sk-abc-1'])).toMatch(/^x*…{30,}$/)
  expect(shown(['a'.repeat(1e6), 'b'], ['sk-abc-1'])).toBe('a'.repeat(200))
})
