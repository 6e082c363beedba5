// Connects the operator's commands to a running service through the public client. The commands decide what they
// request, and how long they retry. Which service and which key a command means is in on-service.ts.
import {
  type ClientOptions,
  ConnectionError,
  explain,
  LeadIntake,
  LeadIntakeError,
  RateLimitedError,
  type Retry,
} from '../sdk/src/lead-intake.ts'
import { CommandFailed } from './command-failed.ts'
import { logLine } from './text/print.ts'

export type Service = { readonly url: string; readonly apiKey: string; readonly client: LeadIntake }

export const openService = (url: string, apiKey: string, options: Partial<ClientOptions> = {}): Service => ({
  url,
  apiKey,
  client: new LeadIntake({
    baseUrl: url,
    apiKey,
    onRetry: (retry) => logRetry(url, retry),
    ...options,
  }),
})

/** Long enough for a local service that is rebuilding. A closed port fails at once. */
export const reachTimeoutMs = 15_000

/**
 * Finds a wrong address before anything is sent. Returns how far the service's clock is ahead of this one, or a little
 * less. Throws CommandFailed.
 */
export async function reachService({ url, client }: Service): Promise<number> {
  try {
    const { timestamp } = await client.health({ timeoutMs: reachTimeoutMs, retryForMs: 0 })
    const serviceMs = Date.parse(timestamp)
    return Number.isNaN(serviceMs) ? 0 : serviceMs - Date.now()
  } catch (error) {
    if (error instanceof ConnectionError) throw new CommandFailed(describeUnreachable(url, error))
    return 0
  }
}

/** The address is of this machine: parseServiceUrl accepts HTTP for no other. */
export const isLocal = (url: string) => url.startsWith('http:')

export const describeUnreachable = (url: string, { message }: ConnectionError) =>
  isLocal(url)
    ? `The service is not running on ${url}. Start it with npm start, or name another with --url`
    : `no service at ${url} (${message}): see --url`

/** Failed tries, rate limits not counted: those are waited for as often as it takes. */
const maxFailures = 7

/** Whether to stop retrying. */
export const isLastTry = ({ error, tries }: Retry) =>
  !(error instanceof RateLimitedError) && tries >= maxFailures

export function waitSecondsOf({ waitMs }: Retry): number {
  return Math.max(1, Math.round(waitMs / 1000))
}

export const logRetry = (url: string, retry: Retry): void =>
  logLine(`${describeError(url, retry.error)}: retrying in ${waitSecondsOf(retry)} s`)

/** Retries until there is an answer or the last try, and says each wait. */
export const patient = (url: string, log: (line: string) => void) => ({
  retryForMs: Number.POSITIVE_INFINITY,
  onRetry: (retry: Retry) => {
    const { error } = retry
    if (isLastTry(retry)) throw error
    const why = error instanceof RateLimitedError ? "the key's rate limit" : describeError(url, error)
    log(`${why}: retrying in ${waitSecondsOf(retry)} s`)
  },
})

/** The answer, or CommandFailed with the service's message. */
export async function answerOf<Data>({ url }: Pick<Service, 'url'>, work: Promise<Data>): Promise<Data> {
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
  return `${url} answered ${status} ${message === `HTTP ${status}` ? '' : explain(error)}`.trimEnd()
}
