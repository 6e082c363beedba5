// What a provider's answers mean: to a start, and to the question how a call stands.
import { expect, it } from 'vitest'
import { describeProblem, readDetails } from '../../../src/dialers/template/read-details.ts'
import { type Answer, judgeStart } from '../../../src/dialers/template/read-start.ts'
import { readStatus } from '../../../src/dialers/template/read-status.ts'
import type { Seconds, StatusTemplate, Template } from '../../../src/dialers/template/template.ts'
import { limits } from '../../../src/limits.ts'

const status: StatusTemplate = {
  method: 'GET',
  url: 'https://api.example.com/call/{{provider.id}}',
  over: { at: '/status', in: ['ended'] },
  complete: { at: '/analysis', notNull: true },
  reason: ['/by', '/why'],
  talked: { at: '/turns', some: { at: '/role', in: ['user'] } },
  outcomes: {
    hangup: 'answered',
    silent: 'no_answer',
    line: 'busy',
    broken: 'failed',
    mute: 'abandoned',
    machine: 'voicemail',
    later: 'callback_requested',
    'start.*': 'not_dialled:account',
    'start.limit.*': 'not_dialled:busy',
    'start.limit.number': 'not_dialled:lead:invalid_number',
  },
  outcome: ['/analysis/{{variables.output}}', '/analysis/outcome'],
  callbackAt: '/analysis/callbackAt',
}
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
  status,
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

type Body = Readonly<Record<string, unknown>>
const context = { variables: {}, timeZone: 'Europe/Berlin', overAtMs: nowMs }
const standing = (body: unknown, code = 200, variables = {}, changed: Partial<StatusTemplate> = {}) =>
  readStatus({ ...status, ...changed }, { status: code, body }, { ...context, variables })
const ended = (body: Body, variables = {}, changed: Partial<StatusTemplate> = {}) => {
  const read = standing({ status: 'ended', ...body }, 200, variables, changed)
  if (read === null || read === 'unreadable') throw new Error('it is not over')
  return read
}
const talked = { turns: [{ role: 'bot' }, { role: 'user' }] }

it.each<[name: string, code: number, body: unknown]>([
  ['a fault', 500, { status: 'ended' }],
  ['a call that the provider does not know yet', 404, { status: 'ended' }],
  ['a redirect', 302, { status: 'ended' }],
  ['no JSON', 200, undefined],
  ['JSON that is a text', 200, 'ended'],
])('%s is no status', (_, code, body) => expect(standing(body, code)).toBe('unreadable'))

it('A call is live until it is over, and complete when all is said of it', () => {
  expect(standing({ status: 'ringing' })).toBeNull()
  expect(ended({}).isComplete).toBe(false)
  expect(ended({ analysis: {} }).isComplete).toBe(true)
  const { complete: _, ...withoutComplete } = status
  const read = readStatus(withoutComplete, { status: 200, body: { status: 'ended' } }, context)
  expect(read).toMatchObject({ isComplete: true })
})

it.each<[reason: string, outcome: string, notDialled: string | null]>([
  ['hangup', 'answered', null],
  ['silent', 'no_answer', null],
  ['machine', 'voicemail', null],
  ['start.credit', 'failed', 'account'],
  ['start.limit.slots', 'failed', 'busy'],
  ['start.limit.number', 'failed', 'lead:invalid_number'],
])('The reason %s is %s', (why, outcome, notDialled) => {
  expect(ended({ why }).end).toMatchObject({ outcome, notDialled, unmappedReason: null })
})

it.each([
  ['busy', 'answered'],
  ['line-busy', 'busy'],
  ['a busy line', 'busy'],
  ['signal lost', 'failed'],
  ['busy signal', 'no_answer'],
  ['of-tomorrow', 'abandoned'],
])(
  'A star at an end of a key stands for anything; an exact key, then the longest wins: %s is %s',
  (why, outcome) => {
    const stars = { '*busy*': 'busy', 'signal*': 'failed', '*signal': 'no_answer', '*': 'abandoned' } as const
    expect(ended({ why }, {}, { outcomes: { ...stars, busy: 'answered' } }).end.outcome).toBe(outcome)
  },
)

it('A template gives words of its own an outcome, before the words that all know', () => {
  const outcomeNames = {
    'Not today': 'not_interested',
    completed: 'callback_requested',
    Nein: 'do_not_call',
  } as const
  const said = (outcome: string) =>
    ended({ why: 'hangup', analysis: { outcome } }, {}, { outcomeNames }).end.outcome
  expect(['NOT TODAY!', 'Completed', 'nein', 'dnc', 'success'].map(said)).toEqual([
    'not_interested',
    'callback_requested',
    'do_not_call',
    'do_not_call',
    'answered',
  ])
})

it('A call that was given up because it rang is what its template says, unless somebody talked or nobody was dialled', () => {
  const ringing = { while: { at: '/status', equals: 'ringing' }, seconds: 30 } as const
  const end = (body: Body) => {
    const read = readStatus(
      { ...status, ringing },
      { status: 200, body: { status: 'ended', ...body } },
      { ...context, hasRungOut: true },
    )
    return read === null || read === 'unreadable' ? null : read.end
  }
  expect(end({ why: 'broken' })).toMatchObject({ outcome: 'no_answer', unmappedReason: null })
  expect(end({ why: 'of-tomorrow' })).toMatchObject({ outcome: 'no_answer', unmappedReason: null })
  expect(end({ why: 'broken', ...talked })).toMatchObject({ outcome: 'answered' })
  expect(end({ analysis: { outcome: 'do_not_call' } })).toMatchObject({ outcome: 'do_not_call' })
  expect(end({ why: 'start.credit' })).toMatchObject({ notDialled: 'account' })
})

it('The first reason that the table has wins, so that one which it does not have leaves the next', () => {
  expect(ended({ by: 'machine', why: 'hangup' }).end.outcome).toBe('voicemail')
  expect(ended({ by: 'human', why: 'silent' }).end).toMatchObject({
    outcome: 'no_answer',
    unmappedReason: null,
  })
})

it.each(['silent', 'line', 'broken', 'mute', 'start.credit', 'of-tomorrow'])(
  'Nobody who has talked is called again after %s',
  (why) => expect(ended({ why, ...talked }).end).toMatchObject({ outcome: 'answered', notDialled: null }),
)

it('Of a machine that talked, voicemail stays voicemail', () => {
  expect(ended({ why: 'machine', ...talked }).end.outcome).toBe('voicemail')
})

it.each<[body: Body, unmappedReason: string | null, outcome: string]>([
  [{ why: 'of-tomorrow' }, 'of-tomorrow', 'failed'],
  [{}, '', 'failed'],
  [{ why: 'constructor' }, 'constructor', 'failed'],
  [{ why: 'of-tomorrow', analysis: { outcome: 'not_interested' } }, 'of-tomorrow', 'not_interested'],
  [{ analysis: { outcome: 'not_interested' } }, null, 'not_interested'],
])('The reason of %j is told when no table has it', (body, unmappedReason, outcome) => {
  expect(ended(body).end).toMatchObject({ outcome, unmappedReason })
})

it.each(['not_interested', 'do_not_call', 'wrong_number', 'voicemail'])(
  'An outcome that was agreed in the call wins over the table: %s',
  (outcome) => {
    const analysis = { outcome }
    expect(ended({ why: 'hangup', analysis }).end).toMatchObject({ outcome, notDialled: null })
    expect(ended({ why: 'broken', analysis }).end).toMatchObject({ outcome, notDialled: null })
    expect(ended({ why: 'start.credit', analysis, ...talked }).end).toMatchObject({
      outcome,
      notDialled: null,
    })
  },
)

const dnc = { analysis: { outcome: 'Do Not Call' } }
const flagged = { analysis: { outcome: 'answered', doNotCall: true } }
const greeted = { inVoicemail: true }
it.each<[rule: string, body: Body, outcome: string, notDialled: string | null]>([
  ['a call that was never dialled has no words', { why: 'start.credit', ...dnc }, 'failed', 'account'],
  ['nor a flag', { why: 'start.credit', ...flagged }, 'failed', 'account'],
  ['whoever has talked was dialled', { why: 'start.credit', ...dnc, ...talked }, 'do_not_call', null],
  ['a no wins over a machine', { why: 'machine', ...dnc, ...greeted }, 'do_not_call', null],
  ['a no wins over an unanswered call', { why: 'silent', ...flagged }, 'do_not_call', null],
  ['a flag wins over a word', { why: 'hangup', ...flagged, ...talked }, 'do_not_call', null],
  [
    'a greeting is no word',
    { why: 'hangup', analysis: { outcome: 'interested' }, ...talked, ...greeted },
    'voicemail',
    null,
  ],
  ['nobody took it: the line', { why: 'line', analysis: { outcome: 'answered' } }, 'busy', null],
  ['nobody took it: silence', { why: 'silent', analysis: { outcome: 'not_interested' } }, 'no_answer', null],
  ['nobody took it: a machine', { why: 'machine', analysis: { outcome: 'answered' } }, 'voicemail', null],
  [
    'somebody did, so the word counts',
    { why: 'silent', analysis: { outcome: 'not_interested' }, ...talked },
    'not_interested',
    null,
  ],
  [
    'a fault leaves the word',
    { why: 'mute', analysis: { outcome: 'not_interested' } },
    'not_interested',
    null,
  ],
  ['without a word, the table', { why: 'hangup' }, 'answered', null],
])('Who is believed: %s', (_, body, outcome, notDialled) => {
  const changed = { doNotCall: '/analysis/doNotCall', voicemail: { at: '/inVoicemail', equals: true } }
  expect(ended(body, {}, changed).end).toMatchObject({ outcome, notDialled, unmappedReason: null })
})

it.each([true, 1, 'true', 'YES', ' y ', '1'])('The flag %j says no to all calls', (flag) => {
  const changed = { doNotCall: ['/a', '/b'] }
  expect(ended({ why: 'hangup', a: flag }, {}, changed).end.outcome).toBe('do_not_call')
  expect(ended({ why: 'hangup', a: false, b: flag }, {}, changed).end.outcome).toBe('do_not_call')
})

it.each([false, 0, 'false', 'no', '', null, [], {}, 'maybe'])('The flag %j says nothing', (flag) => {
  expect(ended({ why: 'hangup', a: flag }, {}, { doNotCall: '/a' }).end.outcome).toBe('answered')
})

it('A no at any pointer of the outcome counts, also behind another word', () => {
  const analysis = { outcome: 'answered', second: 'opted out' }
  const changed = { outcome: ['/analysis/outcome', '/analysis/second'] }
  expect(ended({ why: 'hangup', analysis }, {}, changed).end.outcome).toBe('do_not_call')
})

it.each(['maybe', 'unknown', 7, true])(
  'The text %j is no outcome: the table decides, and it is told',
  (said) => {
    const { end } = ended({ why: 'hangup', analysis: { outcome: said } })
    expect(end).toMatchObject({ outcome: 'answered', unmappedReason: 'outcome_not_understood' })
    expect(end.details).toEqual({ saidOutcome: String(said) })
  },
)

it.each(['', ' ', null, ['answered'], {}])('At the outcome, %j says nothing', (said) => {
  const { end } = ended({ why: 'hangup', analysis: { outcome: said } })
  expect(end).toMatchObject({ outcome: 'answered', unmappedReason: null, details: null })
})

it('A text that is no outcome is kept to 200 characters, beside details that fill what a report takes', () => {
  const changed = { details: { transcript: '/t', saidOutcome: '/other' } }
  const body = {
    why: 'hangup',
    other: 'x',
    t: 'x'.repeat(50_000),
    analysis: { outcome: '😀"\u0000'.repeat(300) },
  }
  const { details } = ended(body, {}, changed).end
  expect([...String(details?.saidOutcome)]).toHaveLength(200)
  expect(Buffer.byteLength(JSON.stringify(details))).toBeLessThanOrEqual(limits.detailsMaxBytes)
  expect(String(details?.transcript).length).toBeGreaterThan(14_000)
})

it('A text that is no outcome raises nothing where the call had an end without it', () => {
  const { end } = ended({ why: 'silent', analysis: { outcome: 'N/A' } })
  expect(end).toMatchObject({ outcome: 'no_answer', unmappedReason: null, details: { saidOutcome: 'N/A' } })
})

it('An outcome that was agreed in the call is read at the pointer that a variable completes, first', () => {
  const analysis = { outcome: 'answered', o1: 'do_not_call' }
  expect(ended({ analysis }, { output: 'o1' }).end.outcome).toBe('do_not_call')
  expect(ended({ analysis }).end.outcome).toBe('answered')
})

it.each<[callbackAt: unknown, at: string]>([
  ['2026-01-06T09:00:00Z', '2026-01-06T09:00:00.000Z'],
  ['2026-01-06 09:00', '2026-01-06T08:00:00.000Z'],
  [1_767_690_000, '2026-01-06T09:00:00.000Z'],
])('A callback is at the time that was said: %j', (callbackAt, at) => {
  const analysis = { outcome: 'call back', callbackAt }
  const { end } = ended({ why: 'hangup', analysis })
  expect(end).toMatchObject({ outcome: 'callback_requested', callbackAtMs: Date.parse(at), details: null })
})

it.each(['2026-02-31T09:00:00Z', 'tomorrow', '2026-01-06', '2026-01-05T11:59:59Z', undefined, {}])(
  'A callback without a usable time is not lost: the same time on the next day, after %j',
  (callbackAt) => {
    const { end } = ended({ why: 'hangup', analysis: { outcome: 'callback_requested', callbackAt } })
    expect(end).toMatchObject({
      outcome: 'callback_requested',
      callbackAtMs: nowMs + 86_400_000,
      details: { dialer: 'callback without a usable time: tomorrow at the same time' },
    })
  },
)

it.each([
  ['Europe/Berlin', '2026-10-24T10:00:00+02:00', '2026-10-25T10:00:00+01:00'],
  ['Europe/Berlin', '2027-03-27T02:30:00+01:00', '2027-03-28T03:30:00+02:00'],
  ['Europe/Berlin', '2026-10-24T02:30:00+02:00', '2026-10-25T02:30:00+01:00'],
  ['Australia/Lord_Howe', '2026-10-03T10:00:00+10:30', '2026-10-04T10:00:00+11:00'],
  ['Asia/Kathmandu', '2026-10-24T10:00:00+05:45', '2026-10-25T10:00:00+05:45'],
])('The same time on the next day is that of the clock in %s, after %s', (timeZone, endedAt, next) => {
  const body = { status: 'ended', why: 'hangup', to: endedAt, analysis: { outcome: 'callback_requested' } }
  const read = readStatus(
    { ...status, seconds: { from: '/from', to: '/to' } },
    { status: 200, body },
    { ...context, timeZone, overAtMs: Date.parse(endedAt) + 20_000 },
  )
  expect(read).toMatchObject({ end: { callbackAtMs: Date.parse(next) } })
})

it('A callback may come from the table, too', () => {
  const analysis = { callbackAt: '2026-01-06T09:00:00Z' }
  const wanted = { outcome: 'callback_requested', callbackAtMs: Date.UTC(2026, 0, 6, 9) }
  expect(ended({ why: 'later', analysis }).end).toMatchObject(wanted)
  expect(ended({ why: 'later' }).end).toMatchObject({ ...wanted, callbackAtMs: nowMs + 86_400_000 })
  expect(ended({ why: 'hangup', analysis }).end.callbackAtMs).toBeNull()
})

it('A boolean is read as a text wherever texts and numbers are', () => {
  const changed = { reason: ['/isAnswered'], outcomes: { true: 'answered', false: 'no_answer' } } as const
  expect(ended({ isAnswered: true }, {}, changed).end.outcome).toBe('answered')
  expect(ended({ isAnswered: false }, {}, changed).end.outcome).toBe('no_answer')
})

const span = { from: '/from', to: '/to' }
it.each<[seconds: Seconds, body: Body, durationSeconds: number | null]>([
  [{ at: '/d', unit: 's' }, { d: 12.4 }, 12],
  [{ at: '/d', unit: 's' }, { d: '12' }, 12],
  [{ at: '/d', unit: 's' }, { d: '12s' }, 12],
  [{ at: '/d', unit: 'min' }, { d: '12s' }, 12],
  [{ at: '/d', unit: 's' }, { d: '' }, null],
  [{ at: '/d', unit: 's' }, { d: '-5' }, null],
  [{ at: '/d', unit: 's' }, {}, null],
  [{ at: '/d', unit: 'ms' }, { d: 61_700 }, 62],
  [{ at: '/d', unit: 'min' }, { d: 0.5 }, 30],
  [{ at: '/d', unit: 'min' }, { d: 1e300 }, null],
  [{ at: '/d', unit: 's' }, { d: 90_000 }, limits.durationMaxSeconds],
  [span, { from: '2026-01-05T12:00:00Z', to: '2026-01-05T12:01:00.600Z' }, 61],
  [span, { from: '2026-01-05T12:01:00Z', to: '2026-01-05T12:00:00Z' }, 0],
  [span, { from: null, to: '2026-01-05T12:00:00Z' }, null],
])('The length by %j of %j is %j seconds', (seconds, body, durationSeconds) => {
  expect(ended(body, {}, { seconds }).end.durationSeconds).toBe(durationSeconds)
})

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

const answered: Answer = { status: 200, retryAfter: null, body: {}, unread: null }
it('Without refusals of its own, a template takes every other answer for a call that may have rung', () => {
  const { notDialled: _, ...plain } = template
  expect(judgeStart(plain, { ...answered, status: 400 }, nowMs)).toEqual(mayHaveRung)
})
