// Somebody who lets `runAgent` of the client work through a campaign for a while: it claims, extends, releases and
// reports, and repeats what had no answer. What becomes of each call is drawn.
import type { Talk } from '../model/known.ts'
import { campaignIdAt, drawPlace, type Person, type Stage, saysPlace } from './person.ts'

/** By the last part of their paths. */
const operations: Readonly<Record<string, string>> = {
  claim: 'claimCalls',
  report: 'reportCalls',
  extend: 'extendCalls',
  release: 'releaseCalls',
}

const secondMs = 1_000
const lengthsMs = [0, 5, 20, 20, 90, 180, 1_200, 2_400].map((seconds) => seconds * secondMs)
/** Null: nobody was dialled. */
const outcomes = [
  'answered',
  'answered',
  'no_answer',
  'busy',
  'voicemail',
  'not_interested',
  'do_not_call',
  null,
]

type Told = { readonly callId: string; readonly stop: string | null }
const mayGoOn = new Set([null, 'paused', 'outside_hours'])

/** As the client gets it: no answer is a lost connection, and what it has given up is not waited for. */
const fetchOf =
  ({ send, known, nowMs }: Stage, company: number) =>
  (url: string, { method, body, headers, signal }: RequestInit): Promise<Response> => {
    const operation = operations[new URL(url).pathname.split('/').at(-1) ?? ''] ?? ''
    const names = ['x-request-id', 'idempotency-key']
    const kept = names.flatMap((name) => {
      const value = (headers as Headers).get(name)
      return value === null ? [] : [[name, value] as const]
    })
    if (method !== 'POST') throw new Error(`The client sends ${method} ${url}`)
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      const sending = { operation, company, scope: 'agent', body: JSON.parse(String(body)) } as const
      void send({ ...sending, headers: Object.fromEntries(kept) }).then((answer) => {
        if (answer === null) return reject(new TypeError('fetch failed'))
        const told: readonly Told[] = operation === 'extendCalls' ? (answer.body?.data?.calls ?? []) : []
        for (const { callId } of told.filter(({ stop }) => !mayGoOn.has(stop)))
          for (const talk of known.talks)
            if (talk.callId === callId && !signal?.aborted) talk.toldMs ??= nowMs()
        resolve(Response.json(answer.body, { status: answer.status, headers: answer.headers }))
      }, reject)
    })
  }

const ofAbort = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

export const client: Person = {
  name: 'client',
  deeds: {
    work: {
      operations: Object.values(operations),
      weight: 2,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        forMs: draws.pick([20, 120, 600, 1_800]) * secondMs,
        concurrency: draws.pick([1, 1, 2]),
        ahead: draws.pick([0, 0, 1]),
        leaseSeconds: draws.pick([30, 60, 120]),
      }),
      says: ({ forMs, concurrency, ...args }) =>
        `works through ${saysPlace(args)} for ${forMs / secondMs} s with runAgent, ${concurrency} at once`,
      async act({ forMs, concurrency, ahead, leaseSeconds, ...args }, stage) {
        const { cast, known, draws, action, nowMs, wait } = stage
        const ending = new AbortController()
        let count = 0
        const call = async (
          _: unknown,
          signal: AbortSignal,
          { callId }: { callId: string },
          advice: AbortSignal,
        ) => {
          const own = draws.child(`talk ${count++}`)
          const talk: Talk = { callId, company: args.company, beganMs: nowMs(), toldMs: null, endedMs: null }
          known.talks.push(talk)
          const ends = [wait(own.pick(lengthsMs)), ofAbort(signal)]
          await Promise.race(own.isOneOf(2) ? [...ends, ofAbort(advice)] : ends)
          talk.endedMs = nowMs()
          return signal.aborted || advice.aborted ? 'abandoned' : own.pick(outcomes)
        }
        await stage.client(async ({ LeadIntake, LeadIntakeError, runAgent }) => {
          void wait(forMs).then(() => ending.abort())
          const service = { baseUrl: 'https://sim.example', apiKey: 'of-the-world' }
          const options = {
            client: new LeadIntake({ ...service, fetch: fetchOf(stage, args.company) }),
            campaignId: campaignIdAt(cast, args),
            agent: `client-${action}`,
            ...{ concurrency, ahead, leaseSeconds, signal: ending.signal, call },
          }
          // What the service refuses ends it.
          await runAgent(options as Parameters<typeof runAgent>[0]).catch((error) => {
            if (!(error instanceof LeadIntakeError)) throw error
          })
        })
      },
    },
  },
}
