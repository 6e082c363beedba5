// The calling agent's side: `client.calls`. An agent that does all of it is in run-agent.ts.
import type {
  CallsReleased,
  CallsReported,
  ClaimCalls,
  ClaimedCalls,
  DataOf,
  ExtendCalls,
  ExtendedCall,
  OpenCall,
  QueryOf,
  ReleaseCalls,
  ReportCalls,
} from './models.ts'
import { type Pages, pagesOf } from './paging.ts'
import { askerFor, type RequestOptions, type Send } from './send.ts'

const base = '/api/v1/calls'

export type OpenCallList = DataOf<'listOpenCalls'>

/** With a key, an answer that was lost is given again. A new one when not set. */
export type ClaimOptions = RequestOptions & { readonly idempotencyKey?: string }

export type Calls = ReturnType<typeof callsOf>

export function callsOf(send: Send) {
  const ask = askerFor(send)
  return {
    /** Leases the next leads of a campaign to you, to be called. */
    claim: (
      claim: ClaimCalls,
      { idempotencyKey = crypto.randomUUID(), ...options }: ClaimOptions = {},
    ): Promise<ClaimedCalls> => ask('POST', `${base}/claim`, options, { body: claim, idempotencyKey }),

    /** Tells what became of calls, and claims more in the same request if you like. Safe to repeat. */
    report: (
      report: ReportCalls,
      { idempotencyKey = crypto.randomUUID(), ...options }: ClaimOptions = {},
    ): Promise<CallsReported> =>
      ask('POST', `${base}/report`, options, {
        body: report,
        idempotencyKey: report.claim ? idempotencyKey : undefined,
      }),

    /** Gives calls that go on more time, and tells which should end. */
    extend: async (calls: ExtendCalls, options?: RequestOptions): Promise<ExtendedCall[]> =>
      (await ask<DataOf<'extendCalls'>>('POST', `${base}/extend`, options, { body: calls })).calls,

    /** Gives back calls that nobody dialled: they do not count. */
    release: (calls: ReleaseCalls, options?: RequestOptions): Promise<CallsReleased> =>
      ask('POST', `${base}/release`, options, { body: calls }),

    /** Open calls, for an agent that has restarted. */
    list: (
      query: Readonly<QueryOf<'listOpenCalls'>>,
      options?: RequestOptions,
    ): Pages<OpenCallList, OpenCall> => pagesOf(ask, base, query, options, 'calls'),
  }
}
