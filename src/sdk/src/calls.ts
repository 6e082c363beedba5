// The calls of an agent: `client.calls`. A complete agent is in run-agent.ts.
import type * as api from './models.ts'
import { type Pages, pagesOf } from './paging.ts'
import type { Ask, RequestOptions } from './send.ts'

/** How long a claim with `waitSeconds` may take: the service answers after 25 s at the latest. */
export const waitingClaimMs = 40_000

export type OpenCallList = api.DataOf<'listOpenCalls'>

/** A repeated key returns the first answer again. Random when not set. */
export type ClaimOptions = RequestOptions & { readonly idempotencyKey?: string }

export type Calls = ReturnType<typeof callsOf>

export function callsOf(ask: Ask) {
  const base = '/api/v1/calls'
  return {
    /**
     * Leases the next leads of a campaign, for you to call. With `waitSeconds` it waits for one when there is none:
     * after the reason `ready` claim again, with another idempotency key. A try then takes up to 40 s when `timeoutMs`
     * is not set.
     */
    claim: (claim: api.ClaimCalls, { idempotencyKey = crypto.randomUUID(), ...options }: ClaimOptions = {}) =>
      ask<api.ClaimedCalls>(
        'POST',
        `${base}/claim`,
        claim.waitSeconds ? { timeoutMs: waitingClaimMs, ...options } : options,
        { body: claim, idempotencyKey },
      ),

    /** Reports outcomes of calls, and can claim more leads in the same request. Safe to repeat. */
    report: (
      report: api.ReportCalls,
      { idempotencyKey = crypto.randomUUID(), ...options }: ClaimOptions = {},
    ) =>
      ask<api.CallsReported>('POST', `${base}/report`, options, {
        body: report,
        idempotencyKey: report.claim ? idempotencyKey : undefined,
      }),

    /** Extends the leases of running calls, and returns which calls should end. */
    extend: async (calls: api.ExtendCalls, options?: RequestOptions): Promise<api.ExtendedCall[]> =>
      (await ask<api.DataOf<'extendCalls'>>('POST', `${base}/extend`, options, { body: calls })).calls,

    /** Gives back calls that nobody dialled: they do not count as attempts. */
    release: (calls: api.ReleaseCalls, options?: RequestOptions) =>
      ask<api.CallsReleased>('POST', `${base}/release`, options, { body: calls }),

    /**
     * Who rings, by the number of the call: any caller can forge that. With `take: true` it opens a call, which is
     * reported as any other. Safe to repeat.
     */
    inbound: (
      call: api.InboundCall,
      { idempotencyKey = crypto.randomUUID(), ...options }: ClaimOptions = {},
    ) =>
      ask<api.Caller>('POST', `${base}/inbound`, options, {
        body: call,
        idempotencyKey: call.take ? idempotencyKey : undefined,
      }),

    /** Open calls, for an agent that restarted. */
    list: (
      query: Readonly<api.QueryOf<'listOpenCalls'>>,
      options?: RequestOptions,
    ): Pages<OpenCallList, api.OpenCall> => pagesOf(ask, base, query, options, { member: 'calls' }),
  }
}
