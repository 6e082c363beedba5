// Connects the operator's commands to a running service through the public client. The commands decide what they request,
// and how long they retry.
import {
  ConnectionError,
  LeadIntake,
  LeadIntakeError,
  RateLimitedError,
  type Retry,
} from '../sdk/src/lead-intake.ts'
import { CommandFailed } from './deploy/wrangler.ts'

export type Service = { readonly url: string; readonly client: LeadIntake }

export const openService = (url: string, apiKey: string): Service => ({
  url,
  client: new LeadIntake({ baseUrl: url, apiKey }),
})

/** Long enough for a local service that is rebuilding. A closed port fails at once. */
const reachTimeoutMs = 15_000

export type Reached =
  /** `clockAheadMs`: how far its clock is ahead of this one, or a little less. */
  | { readonly kind: 'reached'; readonly clockAheadMs: number }
  | { readonly kind: 'unreachable'; readonly message: string }

/** Finds a wrong address before anything is sent. */
export async function reachService({ url, client }: Service): Promise<Reached> {
  try {
    const { timestamp } = await client.health({ timeoutMs: reachTimeoutMs, retryForMs: 0 })
    const serviceMs = Date.parse(timestamp)
    return { kind: 'reached', clockAheadMs: Number.isNaN(serviceMs) ? 0 : serviceMs - Date.now() }
  } catch (error) {
    if (!(error instanceof ConnectionError)) return { kind: 'reached', clockAheadMs: 0 }
    return { kind: 'unreachable', message: `no service at ${url} (${error.message}): see --url` }
  }
}

/** Failed tries, rate limits not counted: those are waited for as often as it takes. */
const maxFailures = 7

/** Whether to stop retrying. */
export const isLastTry = ({ error, tries }: Retry) =>
  !(error instanceof RateLimitedError) && tries >= maxFailures

export function waitSecondsOf({ waitMs }: Retry): number {
  return Math.max(1, Math.round(waitMs / 1000))
}

/** The answer, or CommandFailed with the service's message. */
export async function answerOf<Data>({ url }: Service, work: Promise<Data>): Promise<Data> {
  try {
    return await work
  } catch (error) {
    throw error instanceof LeadIntakeError ? new CommandFailed(describeError(url, error)) : error
  }
}

/** The error as the operator sees it. */
export function describeError(url: string, error: LeadIntakeError): string {
  const { status, message, code } = error
  if (error instanceof ConnectionError) return `no answer from ${url} (${message})`
  if (code === 'unexpected_answer' && status < 300) return `${url} does not answer like this service`
  // The message of the service, not one that a proxy puts in its place.
  return `${url} answered ${status} ${message === `HTTP ${status}` ? '' : message}`.trimEnd()
}
