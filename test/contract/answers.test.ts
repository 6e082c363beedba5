// The API description is true: every operation gives the answers that it tells, with those bodies and headers, and
// no others. The answers are those of the catalogue.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answerTo } from '../support/catalogue/answers.ts'
import { casesOf } from '../support/catalogue/cases.ts'
import { endpoints } from '../support/catalogue/catalogue.ts'
import { stopClock } from '../support/clock.ts'
import {
  type Answer,
  describedErrors,
  isValid,
  type Operation,
  operations,
  optionalHeaders,
  violations,
} from './document.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

describe.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  'Answers of %s',
  (_, operation) => {
    it('are those that are described, each of them and no other', async () => {
      const all = await Promise.all(
        casesOf(operation.operationId).map(async (one) => (await answerTo(one)).answer),
      )
      const answers = all.filter(({ asked }) => asked.method === operation.method)

      expect(answers.flatMap((answer) => violations(operation, answer))).toEqual([])
      expect(notSeen(operation, answers)).toEqual([])
    })
  },
)

describe('The catalogue', () => {
  it('has the operations of the description, with their methods and paths', () => {
    const described = operations.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`)
    const known = endpoints.map(
      ({ name, method, path }) => `${name} ${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    expect(known.toSorted()).toEqual(described.toSorted())
  })
})

/** What is described, and came in none of the answers: statuses, optional headers, error messages. */
function notSeen(operation: Operation, answers: readonly Answer[]): string[] {
  return Object.keys(operation.responses).flatMap((status) => {
    const sent = answers.filter((answer) => String(answer.status) === status)
    if (sent.length === 0) return [status]
    const headers = optionalHeaders(operation, status).filter((name) => {
      const having = sent.filter((answer) => answer.headers.has(name)).length
      return having === 0 || having === sent.length
    })
    const errors = describedErrors(operation, status).filter(
      (described) => !sent.some(({ text }) => isValid(described, JSON.parse(text).error)),
    )
    return [...headers, ...errors.map((error) => JSON.stringify(error))].map(
      (missing) => `${status} ${missing}`,
    )
  })
}
