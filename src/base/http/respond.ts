// Turns a request into its one Response: gathers what is known of the request, adds the headers of each answer, and
// logs it. The handlers decide what is answered.
import type { Context } from 'hono'
import type { CompanyEnv } from '../database/company-store.ts'
import { endingHeaders, interfaceVersion } from './endings.ts'
import type { Answer } from './envelope.ts'
import { logExchange } from './request-log.ts'
import type { RequestRecord } from './request-record.ts'

export type Exchange = {
  /** Hono's context: the request, its parameters and query. */
  readonly c: Context<{ Bindings: Env }>
  /** Once the key is known, that of its company. */
  env: CompanyEnv
  /** The path's pattern, for the log: the path itself may hold anything. */
  readonly route: string
  readonly requestId: string
  readonly startedAtMs: number
  readonly record: RequestRecord
  /** Ids of webhooks that may have something to send after this request. */
  readonly listeners: Set<string>
  /** Ids of webhooks that must not send what they read before this request. */
  readonly outdated: Set<string>
  /** Campaigns that agents wait for, in which this request may have made a lead callable; each as JSON. */
  readonly waiting: Set<string>
  /** Query parameters that the endpoint has read. */
  readonly knownParameters: Set<string>
  /** After a commit: wakes the senders of `listeners`, outdates those of `outdated`, and rings for `waiting`. */
  readonly wakeOthers: () => void
  /** Headers of the answer, of an error too. */
  readonly headers: Record<string, string>
}

export type Serve = (x: Exchange) => Promise<Answer>

/** 1 to 128 visible ASCII characters: nothing that could break out of a header or a log line (D31). */
const requestIdPattern = /^[\x21-\x7e]{1,128}$/

/** Neither may throw. */
type Hooks = {
  readonly answerError: (x: Exchange, error: unknown) => Promise<Answer>
  readonly wakeOthers: (x: Exchange) => void
}

export async function respond(
  c: Exchange['c'],
  route: string,
  serve: Serve,
  { answerError, wakeOthers }: Hooks,
): Promise<Response> {
  const sentId = c.req.header('x-request-id')
  const requestId = sentId !== undefined && requestIdPattern.test(sentId) ? sentId : crypto.randomUUID()
  const x: Exchange = {
    c,
    env: c.env,
    route,
    requestId,
    startedAtMs: Date.now(),
    record: { limiterMs: 0, databaseMs: 0, problems: [] },
    listeners: new Set(),
    outdated: new Set(),
    waiting: new Set(),
    knownParameters: new Set(),
    wakeOthers: () => wakeOthers(x),
    headers: {
      'X-Request-Id': requestId,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(isApi(c.req.path) && { 'X-Api-Version': interfaceVersion, ...endingHeaders(c.req.method, route) }),
    },
  }
  let answer: Answer
  try {
    answer = await serve(x)
  } catch (error) {
    answer = await answerError(x, error)
  }
  // What a refused request has committed stays, such as the consent that came with a lead that exists.
  wakeOthers(x)
  logExchange(x, answer)
  return new Response(answer.body, {
    status: answer.status,
    headers: Object.assign(x.headers, answer.headers),
  })
}

export const isApi = (path: string) => path === '/api' || path.startsWith('/api/')
