// What a gate's answer says, when it stops, how long it pauses, and how many answers it needs. Without a database.
import { expect, it } from 'vitest'
import {
  type GateSettings,
  gateDefaults,
  keepsAnswers,
  readGateAnswer,
} from '../../../src/channels/dialers/gate/gate.ts'
import {
  firstMemory,
  memoryOf,
  needOf,
  nextOf,
  noteAnswer,
  noteNext,
  noteSilence,
  pauseMs,
  restMs,
} from '../../../src/channels/dialers/gate/gate-memory.ts'

const ask = { method: 'GET', url: 'https://gate.example.com' }
const [no, later, yes] = ['/no', '/later', '/yes'].map((pointer) => ({ pointer, equals: true }) as const)
const questions = { ask, no: no ?? null, later: later ?? null, yes: yes as { pointer: string; equals: true } }
const answerOf = (body: unknown, status = 200, more = {}) =>
  readGateAnswer({ ...questions, ...more }, { status, retryAfter: null, body, unread: null })

it.each([
  [{ no: true, later: true, yes: true }, 'no', '/no'],
  [{ no: true, yes: true }, 'no', '/no'],
  [{ later: true, yes: true }, 'later', '/later'],
  [{ yes: true }, 'yes', '/yes'],
  [{ no: false, yes: 'perhaps' }, null, null],
  [undefined, null, null],
])('Of %j the answer is %s', (body, answer, pointer) => {
  expect(answerOf(body)).toEqual({ answer, pointer })
})

it('Nothing but a success that could be read is an answer', () => {
  for (const status of [199, 302, 400, 404, 500, 503])
    expect(answerOf({ yes: true }, status).answer).toBeNull()
  const unread = { status: 200, retryAfter: null, body: { yes: true }, unread: 'it is too large' }
  expect(readGateAnswer(questions, unread).answer).toBeNull()
  expect(readGateAnswer(questions, null).answer).toBeNull()
})

it('Of several checks any is enough, or all are needed, and the first that counts is named', () => {
  const checks = [no, later] as { pointer: string; equals: true }[]
  expect(answerOf({ later: true }, 200, { no: { any: checks } })).toEqual({ answer: 'no', pointer: '/later' })
  expect(answerOf({ later: true }, 200, { no: { all: checks } })).toEqual({
    answer: 'later',
    pointer: '/later',
  })
  expect(answerOf({ no: true, later: true }, 200, { no: { all: checks } })).toEqual({
    answer: 'no',
    pointer: '/no',
  })
})

it('Answers are kept while the question is the same, and while nobody needs a yes whom silence let through', () => {
  const before: GateSettings = { ...questions, ...gateDefaults }
  expect(keepsAnswers(before, { ...before, keepHours: 1, laterMinutes: 5, suppress: 'company' })).toBe(true)
  expect(keepsAnswers(before, { ...before, whenSilent: 'call' })).toBe(true)
  expect(keepsAnswers({ ...before, whenSilent: 'call' }, before)).toBe(false)
  for (const more of [
    { no: null },
    { later: null },
    { yes: questions.no },
    { ask: { ...ask, method: 'POST' } },
  ])
    expect(keepsAnswers(before, { ...before, ...more } as GateSettings)).toBe(false)
})

const [minuteMs, hourMs] = [60_000, 3_600_000]
const blank = firstMemory({ companyId: 'c', number: 1 }, null)
/** The answer to the last of them, each a minute after the other. */
function answersOf(isNo: readonly boolean[], apartMs = 1_000, sinceMs = 0) {
  let memory = blank
  let last = false
  for (const [at, one] of isNo.entries()) {
    const noted = noteAnswer(memory, one, hourMs + at * apartMs, sinceMs)
    memory = noted.memory
    last = noted.isRefusing
  }
  return last
}
const mixed = (noes: number, yeses: number) => [
  ...Array<boolean>(yeses).fill(false),
  ...Array<boolean>(noes).fill(true),
]

it('It refuses when more than half of 50 answers within an hour are a no', () => {
  expect(answersOf(mixed(49, 0))).toBe(false)
  expect(answersOf(mixed(50, 0))).toBe(true)
  expect(answersOf(mixed(25, 25))).toBe(false)
  expect(answersOf(mixed(26, 24))).toBe(true)
  expect(answersOf([...mixed(0, 100), ...mixed(26, 0)])).toBe(true)
})

it('Answers of more than an hour ago, and those before somebody said go on, do not count', () => {
  expect(answersOf(mixed(50, 0), 73 * 1_000)).toBe(true)
  expect(answersOf(mixed(50, 0), 74 * 1_000)).toBe(false)
  expect(answersOf(mixed(60, 0), 1_000, hourMs + 11_000)).toBe(false)
  expect(answersOf(mixed(60, 0), 1_000, hourMs + 10_000)).toBe(true)
})

it('Another version has answered nothing yet', () => {
  const { memory } = noteAnswer({ ...blank, version: 1, silent: 12 }, true, hourMs, 0)
  expect(memoryOf(memory, 1)).toBe(memory)
  expect(memoryOf(memory, 2)).toEqual({ ...blank, version: 2 })
})

it('Pauses double up to ten minutes, for each lead by itself, and after ten silences up to a minute for all', () => {
  expect([1, 2, 3, 9, 10, 40].map(pauseMs)).toEqual([2_000, 4_000, 8_000, 512_000, 600_000, 600_000])
  const twice = noteSilence(noteSilence(blank, 7).memory, 7)
  expect([twice.tries, noteSilence(twice.memory, 8).tries]).toEqual([2, 1])
  expect([0, 9, 10, 12, 40].map(restMs)).toEqual([0, 0, 1_000, 4_000, 60_000])
})

it('Of the times at which leads are to be asked about, the next one is known', () => {
  const memory = [30, 10, 20].reduce((one, atMs) => noteNext(one, atMs, 0), blank)
  expect([0, 10, 29, 30].map((nowMs) => nextOf(memory, nowMs))).toEqual([10, 20, 30, null])
  expect(noteNext(memory, 40, 15).next).toEqual([20, 30, 40])
})

it('So many answers are needed as the pace allows in ten minutes, else as the last ten minutes took, and 20 at least', () => {
  const at = (nowMs: number, calls: number, memory = blank, callsPerMinute: number | null = null) =>
    needOf(memory, { callsPerMinute, claimed: [[Math.floor(nowMs / hourMs), calls]] }, nowMs)
  const first = at(10 * hourMs, 5)
  expect(first.need).toBe(20)
  expect(at(10 * hourMs + 5 * minuteMs, 65, first.memory).need).toBe(60)
  expect(at(10 * hourMs + 11 * minuteMs, 65, first.memory).need).toBe(20)
  expect(at(10 * hourMs, 0, blank, 3).need).toBe(30)
  expect(at(10 * hourMs, 0, blank, 1).need).toBe(10)
  expect(at(10 * hourMs, 0, blank, 600).need).toBe(1_000)
})
