// A running service, as the operator's commands reach it: through the client that everybody has. What is asked of it is
// for the commands to say, and how long they are patient.
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

/** Long enough for a local service that builds itself anew. Where nobody listens it is told at once. */
const reachTimeoutMs = 15_000

export type Reached =
  /** `clockAheadMs`: what its clock is ahead of this one, or a little less. */
  | { readonly kind: 'reached'; readonly clockAheadMs: number }
  | { readonly kind: 'unreachable'; readonly message: string }

/** Whether anything answers there at all, so that a wrong address is told at once. */
export async function reachService({ url, client }: Service): Promise<Reached> {
  try {
    const { timestamp } = await client.health({ timeoutMs: reachTimeoutMs, retryForMs: 0 })
    const serviceMs = Date.parse(timestamp)
    return { kind: 'reached', clockAheadMs: Number.isNaN(serviceMs) ? 0 : serviceMs - Date.now() }
  } catch (error) {
    if (!(error instanceof ConnectionError)) return { kind: 'reached', clockAheadMs: 0 }
    return { kind: 'unreachable', message: `nothing answers at ${url} (${error.message}): see --url` }
  }
}

/** Tries that fail without the service asking for patience; a rate limit is waited for as often as it takes. */
const maxFailures = 7

/** Whether it has been tried often enough. */
export const isEnough = ({ error, tries }: Retry) =>
  !(error instanceof RateLimitedError) && tries >= maxFailures

export function waitSecondsOf({ waitMs }: Retry): number {
  return Math.max(1, Math.round(waitMs / 1000))
}

/** What was asked, or CommandFailed with what the service said. */
export async function answerOf<Data>({ url }: Service, work: Promise<Data>): Promise<Data> {
  try {
    return await work
  } catch (error) {
    throw error instanceof LeadIntakeError ? new CommandFailed(describeError(url, error)) : error
  }
}

/** For the operator. */
export function describeError(url: string, error: LeadIntakeError): string {
  const { status, message, code } = error
  if (error instanceof ConnectionError) return `no answer from ${url} (${message})`
  if (code === 'unexpected_answer' && status < 300) return `${url} does not answer as this service does`
  // What the service says, not what something between it and here may put in its place.
  return `${url} answered ${status} ${message === `HTTP ${status}` ? '' : message}`.trimEnd()
}
