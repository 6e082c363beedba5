// The Worker as `npm start -- --clock` serves it: the same one, with a test clock and an endpoint that runs it, for
// this machine alone. No other start has any of this, and no deployment. Dialers of real providers are refused while
// the clock is not real: those whom they call live in real time.
import { scheduler } from 'node:timers/promises'
import { getPath } from 'hono/utils/url'
import * as z from 'zod/mini'
import { type Answer, failure, failureBody, success } from '../../base/http/envelope.ts'
import type { Problem } from '../../base/http/errors.ts'
import { judge } from '../../base/http/reading.ts'
import { boolean, isObject, members, timestamp } from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { formatTimestamp, parseTimestampMs } from '../../base/timestamp.ts'
import worker, * as service from '../../index.ts'
import { nextPersonMs, peopleBetween } from './demo-people.ts'
import { driveClock, readAll } from './drive-clock.ts'
import { clocked } from './test-alarms.ts'
import { isMoving, isReal, readClock, realMs, setClock, shownClock, type TestClock } from './test-clock.ts'

export { CampaignBell } from '../../index.ts'
export const CompanyStore = clocked('COMPANY_STORES', service.CompanyStore)
export const Dialer = clocked('DIALERS', service.Dialer)
export const RateLimiter = clocked('RATE_LIMITER', service.RateLimiter)
export const WebhookSender = clocked('WEBHOOK_SENDERS', service.WebhookSender)

/** The clock is known. Before that there is no time by which to answer. */
let isKnown = false
const lookMs = 20
const answering = new Set<Promise<unknown>>()

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url)
    const isDrive = pathname === '/test/clock/drive' && request.method === 'POST'
    const refused = isDrive || pathname === '/test/clock' ? refuseStranger(request) : null
    if (isDrive && refused === null) {
      const sent = await request.json<Driving | null>().catch(() => null)
      const { clock = null, form = null } = sent ?? {}
      return drive(clock, form, env, ctx)
    }
    // A promise that another request resolves may be lost: the runtime ends who waits for nothing of its own.
    while (!isKnown) await scheduler.wait(lookMs)
    const serve = async (asked: Request) => worker.fetch(asked, env, ctx)
    const working = (async () => {
      if (refused !== null) return refused
      if (pathname === '/test/clock') return answerOf(await answerClock(request, env))
      return (await refuseRealDialer(request, serve)) ?? serve(request)
    })()
    // Claims may wait.
    if (!pathname.endsWith('/calls/claim')) answering.add(working)
    const answer = await working.finally(() => answering.delete(working))
    const timed = new Response(answer.body, answer)
    timed.headers.set('X-Test-Time', formatTimestamp(Date.now()))
    // By which clients tell the time of the service.
    timed.headers.set('Date', new Date(Date.now()).toUTCString())
    return timed
  },
} satisfies ExportedHandler<Env>

/** Null: it may. A page of another origin may send a browser here. */
function refuseStranger({ method, url, headers }: Request): Response | null {
  const { hostname, origin } = new URL(url)
  const refuse = (problem: Problem) => answerOf(failure(problem))
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
    return refuse({ kind: 'insufficient_permissions' })
  if (method === 'GET' || method === 'HEAD') return null
  if (method !== 'POST') return refuse({ kind: 'method_not_allowed', allow: ['GET', 'HEAD', 'POST'] })
  if ((headers.get('origin') ?? origin) !== origin) return refuse({ kind: 'insufficient_permissions' })
  const isJson = /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')
  return isJson ? null : refuse({ kind: 'unsupported_media_type' })
}

const clockBody = members({
  runTo: z.optional(timestamp('runTo')),
  nextEvent: z.optional(boolean('nextEvent')),
  pause: z.optional(boolean('pause')),
})
const aheadMaxDays = 31

// While it is enabled, or a call that it may have started is live.
const selectRealDialer = `select 1 from dialers as d
  join calling_settings as s on s.campaign_number = d.campaign_number
  where d.preset <> 'pretend' and (s.has_dialer or exists (select 1 from leads as l
    where l.campaign_number = d.campaign_number and l.lease_expires_at_ms is not null))
  limit 1`

// A phone that rings for a test rings in real time, also by a dialer that is off.
const selectTestCall = (nowMs: number) => `select 1 from test_calls where ends_at_ms > ${nowMs} limit 1`

/** What the clock is; after a POST, what it is then. */
async function answerClock(request: Request, env: Env): Promise<Answer> {
  if (request.method !== 'POST') return success(shownClock())
  const invalid = (message: string) => failure({ kind: 'invalid_field', message })
  const sent = await request.json().catch(() => undefined)
  if (sent === undefined) return failure({ kind: 'invalid_json' })
  const reading = judge(clockBody, sent)
  if (!reading.isValid) return invalid(reading.message)
  const { runTo, nextEvent = false, pause = false } = reading.value
  if (Number(runTo !== undefined) + Number(nextEvent) + Number(pause) !== 1)
    return invalid('One of runTo, nextEvent: true and pause: true is required')
  if (pause) {
    if (readClock().state !== 'real') setClock({ state: 'paused' })
    return success(shownClock())
  }
  const farthestMs = Date.now() + aheadMaxDays * limits.dayMs
  const untilMs = runTo === undefined ? farthestMs : parseTimestampMs(runTo)
  if (untilMs <= Date.now() || untilMs > farthestMs)
    return invalid(`runTo must be at most ${aheadMaxDays} days ahead`)
  const realDialers = await readAll(env, selectRealDialer)
  const testCalls = await readAll(env, selectTestCall(Date.now()))
  if (isMoving()) return conflict('clock_is_running', 'The clock is running')
  if (realDialers.some(([, rows]) => rows.length > 0))
    return conflict('dialer_is_real', 'A dialer of a real provider is enabled')
  if (testCalls.some(([, rows]) => rows.length > 0))
    return conflict('test_call_is_live', 'A test call is live: run the clock when it has ended')
  setClock({ state: 'running', untilMs, stopsAtEvent: nextEvent })
  return success(shownClock())
}

/** Null: the service answers, which also says what is wrong with a key. */
async function refuseRealDialer(
  request: Request,
  serve: (request: Request) => Promise<Response>,
): Promise<Response | null> {
  const { url, method, headers } = request
  // As the router reads it.
  const [, dialer] =
    /^(\/api\/v1\/campaigns\/[^/]+\/dialer)(?:\/(?:check|test))?$/.exec(getPath(request)) ?? []
  if (dialer === undefined || isReal() || !['PUT', 'PATCH', 'POST'].includes(method)) return null
  const found = await serve(new Request(new URL(dialer, url), { headers }))
  if (found.status !== 200 && found.headers.get('x-error-code') !== 'dialer_not_found') return null
  const { data } = (await found.json()) as { readonly data: object | null }
  const sent =
    method === 'POST'
      ? {}
      : await request
          .clone()
          .json()
          .catch(() => null)
  if (!isObject(sent)) return null
  const { preset } = (method === 'PUT' ? sent : { ...data, ...sent }) as { readonly preset?: unknown }
  const isSwitchedOff = method === 'PATCH' && sent.enabled === false && sent.preset === undefined
  if (typeof preset !== 'string' || preset === 'pretend' || isSwitchedOff) return null
  return answerOf(conflict('clock_is_not_real', 'Dialers of real providers need the real time'))
}

const conflict = (code: string, error: string): Answer => ({
  status: 409,
  headers: { 'Content-Type': 'application/json', 'X-Error-Code': code },
  body: JSON.stringify(failureBody(error)),
})

const answerOf = ({ status, headers, body }: Answer) =>
  new Response(body, { status, headers: { ...headers, 'Cache-Control': 'no-store' } })

/** What start-clock.ts sends: what the clock was before the code was loaded anew, and the path of the demo's form. */
type Driving = { readonly clock: TestClock | null; readonly form: string | null }

let drives = 0
/** The path of the demo's form. Null: it is not there yet, or was removed. */
let formPath: string | null = null
/** By the machine's clock. start-clock.ts asks again. */
const driveMs = 60_000

/** The last request of this kind drives the clock. Its answer has a line for each step: what the clock is then. */
function drive(before: TestClock | null, form: string | null, env: Env, ctx: ExecutionContext): Response {
  formPath = form
  // The code was loaded anew.
  if (drives === 0 && before !== null) setClock(before)
  isKnown = true
  const own = ++drives
  const endsAtMs = realMs() + driveMs
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const driving = driveClock(env, {
    runCron: async () => worker.scheduled({} as ScheduledController, env, ctx),
    idle: () => Promise.allSettled(answering),
    isOver: () => drives !== own || realMs() > endsAtMs,
    nextPersonMs: (atMs) => (formPath === null ? Number.POSITIVE_INFINITY : nextPersonMs(atMs)),
    bringPeople: (fromMs, untilMs) => bringPeople(fromMs, untilMs, env, ctx),
    onStep: () => writer.write(new TextEncoder().encode(`${JSON.stringify(readClock())}\n`)),
  })
  ctx.waitUntil(driving.then(() => writer.close()).catch(() => {}))
  return new Response(readable)
}

/** As a browser sends the form, each from an address of his own. */
async function bringPeople(fromMs: number, untilMs: number, env: Env, ctx: ExecutionContext): Promise<void> {
  const path = formPath
  if (path === null) return
  for (const person of peopleBetween(fromMs, untilMs)) {
    const headers = { 'CF-Connecting-IP': `192.0.2.${person.phone.slice(-2)}` }
    const body = new URLSearchParams(person)
    const url = new URL(path, 'http://localhost')
    const answer = await worker.fetch(new Request(url, { method: 'POST', body, headers }), env, ctx)
    await answer.body?.cancel()
    // Somebody has removed the source.
    if (answer.status === 404 || answer.status === 410) formPath = null
  }
}
