// What every answer has in common, asserted in one place: the envelope whole (D1), and the headers of a failure.
import { expect } from 'vitest'
import type { Answer } from './api.ts'

/** The data of a success with this status. */
export function dataOf<Data>(answer: Answer<Data>, status: number): Data {
  expect([answer.status, answer.body]).toEqual([
    status,
    { success: true, data: expect.any(Object), error: null },
  ])
  return answer.body?.data as Data
}

/** A failure says exactly this, and nothing else. */
export function expectFailure(answer: Answer, status: number, error: string, code?: string): void {
  expect([answer.status, answer.body]).toEqual([status, { success: false, data: null, error }])
  const sentCode = answer.headers.get('x-error-code')
  if (code === undefined) expect(sentCode).toMatch(/^[a-z]+(_[a-z]+)*$/)
  else expect(sentCode).toBe(code)
}

export type Reported = { limit: number; remaining: number; resetSeconds: number }

/** The X-RateLimit headers as numbers. */
export function rateLimitOf({ headers }: Answer): Reported {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`)
    expect(value, `X-RateLimit of ${name}`).toMatch(/^\d+$/)
    return Number(value)
  }) as [number, number, number]
  return { limit, remaining, resetSeconds }
}

export const isLimited = (answer: Answer) => expectFailure(answer, 429, 'Rate limit exceeded', 'rate_limited')
export const retryAfterOf = ({ headers }: Answer) => Number(headers.get('retry-after'))

/** Asks so many times, one after the other. */
export async function times<T>(count: number, ask: () => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  while (answers.length < count) answers.push(await ask())
  return answers
}
