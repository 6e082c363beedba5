// The options of an agent, and what its callbacks get. What it does is in run-agent.ts.
import type { LeadIntake } from '../client.ts'
import type {
  CallResult,
  ClaimedCall,
  ClaimedCalls,
  Lead,
  Outcome,
  ReportedCall,
  StopReason,
} from '../models.ts'
import type { Retry } from '../send.ts'

/** The outcome of a call. Null: nobody dialled, so the attempt does not count. */
export type CallOutcome = Outcome | Omit<ReportedCall, 'callId'> | null

export type AgentClient = Pick<LeadIntake, 'request' | 'calls'>

/** `onReport`, `onRelease`, `onIdle`, `onError` and `onResume` may throw: it is ignored. */
export type AgentOptions = {
  /**
   * With a list, the agent uses the key of each client, for more requests an hour than one key has. All keys may claim
   * and report in the campaign. A key that is refused ends the agent; what it has to report goes by the others.
   */
  readonly client: AgentClient | readonly AgentClient[]
  readonly campaignId: string
  /** Calls at once. 1 when not set. */
  readonly concurrency?: number
  /**
   * Leads claimed ahead, so that the next one is ready when a call ends. A tenth of `concurrency`, rounded down, when
   * not set. The lease of a lead that waited for more than 5 s is extended right before it is dialled, with one more
   * request.
   */
  readonly ahead?: number
  /** A name for people, such as that of a desk or a process. */
  readonly agent?: string
  /** How long a lease lasts until it is extended. The campaign's setting when not set. */
  readonly leaseSeconds?: number
  /**
   * How long a call may last, up to a day; 3,600 when not set. Then `signal` is aborted. A call that has not ended 30 s
   * later is given up: its lease is no longer extended and ends as `unknown`, its seat is free, and `onError` gets a
   * CallStopped. An outcome that comes later is still reported.
   */
  readonly maxCallSeconds?: number
  /** Ends the agent: it claims no more, the signals of its calls are aborted, and it waits for them and reports. */
  readonly signal?: AbortSignal
  /**
   * Calls a lead. If it throws, the call is reported as `failed`. `signal` is aborted with a CallStopped when the call
   * has to end: it may take its time, and its lease is extended until then. `advice` is aborted, also with a
   * CallStopped, when the campaign is paused or its hours are over: you decide whether such a call continues.
   */
  readonly call: (
    lead: Lead,
    signal: AbortSignal,
    call: ClaimedCall,
    advice: AbortSignal,
  ) => Promise<CallOutcome>
  /**
   * Handles calls that an earlier run of this `agent` left open. Without it they expire: the lead then waits for 70
   * minutes and has lost an attempt. With it, the agent reports each dial before it dials, in a request of its own, so
   * `dialledAt` of these calls is null exactly if nobody dialled them: return null for those, and for the others the
   * outcome that your provider has.
   */
  readonly resume?: AgentOptions['call']
  /** Gets these calls before they are resumed. */
  readonly onResume?: (calls: readonly ClaimedCall[]) => void
  /** Called for each report that the service received. */
  readonly onReport?: (reported: {
    call: ClaimedCall
    report: ReportedCall
    result: CallResult | undefined
  }) => void
  /** Called for each call that was given back. */
  readonly onRelease?: (call: ClaimedCall) => void
  /** Called when there is nothing to call, with the time until the next claim; 0 while the agent waits for a lead. */
  readonly onIdle?: (idle: {
    reason: Exclude<NonNullable<ClaimedCalls['reason']>, 'ready'>
    retryAfterSeconds: number
  }) => void
  /**
   * Gets what `call` threw, and the error for each part of its outcome that the service refused or that cannot be JSON.
   * Only that part is omitted: `outcome` and `doNotCall` are always reported.
   */
  readonly onError?: (error: unknown, call: ClaimedCall) => void
  /** Called before each retry of a request. If it throws, the agent ends. */
  readonly onRetry?: (retry: Retry) => void
}

/** Why a signal of a call was aborted. */
export class CallStopped extends Error {
  readonly stop: StopReason | 'agent_ended' | 'too_long'

  constructor(stop: CallStopped['stop']) {
    super(`The call should end: ${stop}`)
    this.name = 'CallStopped'
    this.stop = stop
  }
}
