// The envelope of each JSON answer (D1): the only place that spells success, data and error.
import { describeProblem, type Problem } from './errors.ts'

/** An answer before it is sent. respond.ts adds the headers that each answer has. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ReadableStream<Uint8Array> | null
}

/** The text around `data` in a success whose data is JSON text already. */
export const successParts = { before: '{"success":true,"data":', after: ',"error":null}' } as const

export function success(data: object, status = 200, headers?: Answer['headers']): Answer {
  return successOf(JSON.stringify(data), status, headers)
}

export function successOf(dataJson: string, status = 200, headers?: Answer['headers']): Answer {
  const body = successParts.before + dataJson + successParts.after
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body }
}

/** A page of items that are JSON text already. */
export const successOfPage = (name: string, items: readonly string[], nextCursor: string | null): Answer =>
  successOf(`{"${name}":[${items.join()}],"nextCursor":${JSON.stringify(nextCursor)}}`)

/** `data` is null except for a failed health check, which reports its checks (D28). */
export const failureBody = (error: string, data: object | null = null) => ({ success: false, data, error })

export function failure(problem: Problem, data: object | null = null): Answer {
  const { status, error, code, headers } = describeProblem(problem)
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers, 'X-Error-Code': code },
    body: JSON.stringify(failureBody(error, data)),
  }
}
