// What an agent is told, and what it tells. What it does is in run-agent.ts.
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

/** What became of a call. Null: nobody dialled, so that it does not count. */
export type CallOutcome = Outcome | Omit<ReportedCall, 'callId'> | null

/** What is told (`onReport`, `onRelease`, `onIdle`, `onError`, `onResume`) may throw: that disturbs nothing. */
export type AgentOptions = {
  readonly client: Pick<LeadIntake, 'request' | 'calls'>
  readonly campaignId: string
  /** Calls at once. 1 when not set. */
  readonly concurrency?: number
  /**
   * Leads claimed beyond those, so that one is at hand when a call ends. A tenth of `concurrency`, rounded down, when not
   * set. One that was at hand for more than 5 s is asked about before it is dialled, which is a request more.
   */
  readonly ahead?: number
  /** A name for people, such as that of a seat or a process. */
  readonly agent?: string
  /** How long a lease lasts until it is extended. As the campaign has it when not set. */
  readonly leaseSeconds?: number
  /** Ends the agent: it claims no more, the signals of its calls are aborted, and it waits for them and reports. */
  readonly signal?: AbortSignal
  /**
   * Calls a lead. What it throws is reported as `failed`. Its signal is aborted with a CallStopped when the call has to
   * end: it may end in its own time, and its lease is kept as long. `advice` is aborted, with a CallStopped too, when the
   * campaign is paused or its hours are over: whether such a call goes on is for you to decide.
   */
  readonly call: (
    lead: Lead,
    signal: AbortSignal,
    call: ClaimedCall,
    advice: AbortSignal,
  ) => Promise<CallOutcome>
  /** What to make of calls that an earlier run of this `agent` left open. Without it they are left to expire. */
  readonly resume?: AgentOptions['call']
  /** Told which these are, before they are taken up. */
  readonly onResume?: (calls: readonly ClaimedCall[]) => void
  /** Told of each report once the service has it. */
  readonly onReport?: (told: {
    call: ClaimedCall
    report: ReportedCall
    result: CallResult | undefined
  }) => void
  /** Told of each call that was given back. */
  readonly onRelease?: (call: ClaimedCall) => void
  /** Told when there is nothing to call, and when it will ask again. */
  readonly onIdle?: (told: { reason: NonNullable<ClaimedCalls['reason']>; retryAfterSeconds: number }) => void
  /**
   * Told of what `call` threw, and of each part of its outcome that the service refused or that is no JSON. That part alone
   * is left out: `outcome` and `doNotCall` are reported.
   */
  readonly onError?: (error: unknown, call: ClaimedCall) => void
  /** Told before each wait for a service that does not answer. What it throws ends the agent. */
  readonly onRetry?: (retry: Retry) => void
}

/** Why a signal of a call was aborted. */
export class CallStopped extends Error {
  readonly stop: StopReason | 'agent_ended'

  constructor(stop: StopReason | 'agent_ended') {
    super(`The call should end: ${stop}`)
    this.name = 'CallStopped'
    this.stop = stop
  }
}
