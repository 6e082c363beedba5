// What a provider's answer to the question how a call stands means.
import { expect, it } from 'vitest'
import { limits } from '../../../src/base/limits.ts'
import { readStatus } from '../../../src/channels/dialers/template/read-status.ts'
import type { Seconds, StatusTemplate } from '../../../src/channels/dialers/template/template.ts'
import {
  flagsThatSayNo,
  otherFlags,
  otherOutcomes,
  outcomesThatSayNo,
} from '../../support/dialers/said-noes.ts'

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

const nowMs = Date.UTC(2026, 0, 5, 12)
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

it('What was said is complete once there is some, where somebody has talked and the template has a place for it', () => {
  const both = { outcome: '/analysis/outcome', doNotCall: '/analysis/doNotCall' }
  const isComplete = (analysis: unknown, changed: Partial<StatusTemplate> = both) =>
    ended({ why: 'hangup', analysis, ...talked }, {}, changed).isComplete
  for (const analysis of [{}, { outcome: null }, { outcome: '', doNotCall: ' ' }, { doNotCall: 'null' }])
    expect(isComplete(analysis), JSON.stringify(analysis)).toBe(false)
  for (const analysis of [{ outcome: 'later maybe' }, { doNotCall: false }, { outcome: { objective: 'x' } }])
    expect(isComplete(analysis), JSON.stringify(analysis)).toBe(true)
  expect(isComplete(undefined)).toBe(false)
  expect(isComplete({}, { outcome: null, doNotCall: null })).toBe(true)
  expect(isComplete({}, { outcome: null, doNotCall: '/analysis/doNotCall' })).toBe(false)
  // Nobody has talked, so that nothing is awaited; an answer before may have said that somebody has.
  expect(ended({ why: 'hangup', analysis: {} }, {}, both).isComplete).toBe(true)
  const read = readStatus(
    { ...status, ...both },
    { status: 200, body: { status: 'ended', why: 'hangup', analysis: {} } },
    { ...context, hasTalked: true },
  )
  expect(read).toMatchObject({ isComplete: false })
})

it('Where a customer names a place by a variable, what was said is complete once that has something', () => {
  const analysis = (more: Body) => ({ why: 'hangup', analysis: { outcome: 'answered', ...more }, ...talked })
  expect(ended(analysis({})).isComplete).toBe(true)
  expect(ended(analysis({}), { output: 'o1' }).isComplete).toBe(false)
  expect(ended(analysis({ o1: 'busy' }), { output: 'o1' }).isComplete).toBe(true)
})

it.each<[body: Body, isUnknown: boolean]>([
  [{}, true],
  [{ why: 'hangup' }, false],
  [{ why: 'of-tomorrow' }, false],
  [talked, false],
  [{ analysis: { outcome: 'not_interested' } }, false],
  [{ analysis: { outcome: 'later maybe' } }, true],
])('Nothing is known of an end without a reason, a word and talk: %j', (body, isUnknown) => {
  expect(ended(body).end.isUnknown).toBe(isUnknown)
})

it.each<[body: Body, mayHear: boolean]>([
  [{ why: 'hangup', ...talked }, true],
  [{ why: 'hangup' }, true],
  [{ why: 'broken' }, true],
  [{}, true],
  [{ why: 'silent', ...talked }, true],
  [{ why: 'silent' }, false],
  [{ why: 'line' }, false],
  [{ why: 'machine' }, false],
  [{ why: 'start.credit' }, false],
  [{ why: 'hangup', ...talked, inVoicemail: true }, false],
])('Somebody may have said no in a call, unless nobody took it: %j', (body, mayHear) => {
  const changed = { voicemail: { at: '/inVoicemail', equals: true } } as const
  expect(ended(body, {}, changed).end.mayHear).toBe(mayHear)
  expect(ended(body, {}, { ...changed, outcome: null, doNotCall: null }).end.mayHear).toBe(false)
})

it('A template says what a fault is for a person who has talked', () => {
  const changed = { afterTalk: { 'brok*': 'abandoned' } } as const
  expect(ended({ why: 'broken', ...talked }, {}, changed).end.outcome).toBe('abandoned')
  expect(ended({ why: 'broken' }, {}, changed).end.outcome).toBe('failed')
  expect(ended({ why: 'mute', ...talked }, {}, changed).end.outcome).toBe('answered')
})

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
  ['a person who has talked was dialled', { why: 'start.credit', ...dnc, ...talked }, 'do_not_call', null],
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

it.each(['maybe', 'to be checked', ['no', '?']])(
  'The flag %j is no clear no: it counts as one to all calls',
  (flag) => {
    const changed = { doNotCall: ['/a', '/b'] }
    const { end } = ended({ why: 'hangup', a: flag }, {}, changed)
    expect(end).toMatchObject({ outcome: 'do_not_call', unmappedReason: 'flag_not_understood' })
    expect(end.details).toBeNull()
    const clear = ended({ why: 'hangup', a: flag, b: true }, {}, changed).end
    expect(clear).toMatchObject({ outcome: 'do_not_call', unmappedReason: null })
  },
)

it.each([false, 0, 'false', 'no', '', null, [], {}])('The flag %j says nothing', (flag) => {
  expect(ended({ why: 'hangup', a: flag }, {}, { doNotCall: '/a' }).end.outcome).toBe('answered')
})

const said = (body: Body) =>
  ended({ why: 'hangup', ...talked, ...body }, {}, { outcome: '/outcome', doNotCall: '/flag' }).end
it.each(flagsThatSayNo)('The flag %j forbids calls', (flag) => {
  expect(said({ flag }).outcome).toBe('do_not_call')
})
it.each(otherFlags)('The flag %j forbids nothing', (flag) => expect(said({ flag }).outcome).toBe('answered'))
it.each(outcomesThatSayNo)('The outcome %j forbids calls', (outcome) => {
  expect(said({ outcome })).toMatchObject({ outcome: 'do_not_call', unmappedReason: null })
})
it.each(otherOutcomes)('The outcome %j forbids nothing', (outcome) => {
  expect(said({ outcome }).outcome).not.toBe('do_not_call')
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

it.each<[said: unknown, outcome: string]>([
  [['busy'], 'busy'],
  [['who knows', 'not interested'], 'not_interested'],
  [['answered', 'dnc'], 'do_not_call'],
  [{ value: 'Not interested', rationale: 'do not call' }, 'not_interested'],
  [{ objective: 'busy', subjective: 'The person said: do not call' }, 'busy'],
  [{ objective: null, subjective: 'not interested' }, 'not_interested'],
  [{ value: [{ objective: 'do_not_call' }] }, 'do_not_call'],
])('At the outcome, %j is %s', (said, outcome) => {
  const { end } = ended({ why: 'hangup', analysis: { outcome: said } })
  expect(end).toMatchObject({ outcome, unmappedReason: null })
})

it.each(['', ' ', null, 'null', [], {}, { value: null }, [['', null]], { rationale: 'busy' }])(
  'At the outcome, %j says nothing',
  (said) => {
    const { end } = ended({ why: 'hangup', analysis: { outcome: said } })
    expect(end).toMatchObject({ outcome: 'answered', unmappedReason: null, details: null })
  },
)

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

it.each(['2026-02-31T09:00:00Z', 'tomorrow', '2026-01-05', '2026-01-05T11:59:59Z', undefined, {}])(
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
})

const at = '2026-01-06T09:00:00Z'
it.each<[body: Body, outcome: string]>([
  [{ why: 'hangup', analysis: { callbackAt: at } }, 'callback_requested'],
  [{ why: 'hangup', analysis: { outcome: 'Answered.', callbackAt: at } }, 'callback_requested'],
  [{ why: 'hangup', analysis: { outcome: 'later maybe', callbackAt: at } }, 'callback_requested'],
  [{ why: 'broken', analysis: { callbackAt: at }, ...talked }, 'callback_requested'],
  [{ why: 'hangup', analysis: { outcome: 'answered', callbackAt: 'n/a' } }, 'answered'],
  [{ why: 'hangup', analysis: { outcome: 'answered', callbackAt: '2026-01-04T09:00:00Z' } }, 'answered'],
  [{ why: 'hangup', analysis: { outcome: 'success', callbackAt: at } }, 'answered'],
  [{ why: 'hangup', analysis: { outcome: 'completed', callbackAt: at } }, 'answered'],
  [{ why: 'hangup', analysis: { outcome: 'Interested', callbackAt: at } }, 'answered'],
  [{ why: 'hangup', analysis: { outcome: 'not_interested', callbackAt: at } }, 'not_interested'],
  [{ why: 'hangup', analysis: { outcome: 'dnc', callbackAt: at } }, 'do_not_call'],
  [{ why: 'silent', analysis: { callbackAt: at } }, 'no_answer'],
  [{ why: 'machine', analysis: { callbackAt: at }, ...talked }, 'voicemail'],
])('A time for a callback is one, unless another end was said: %j is %s', (body, outcome) => {
  const { end } = ended(body)
  expect(end.outcome).toBe(outcome)
  expect(end.callbackAtMs).toBe(outcome === 'callback_requested' ? Date.parse(at) : null)
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
