// What an alert may be about, and when it is raised. Pure.
import { limits } from '../../base/limits.ts'

/** With what each means, for the API description. */
export const alertKinds = {
  no_agent:
    'leads have been ready for ten minutes in open hours, and no agent has leased a lead or waited for one since',
  webhook_failing: 'a webhook has failed for ten minutes',
  agent_failing: 'an agent claims leads and does not report them',
  call_never_ends:
    'a call of an agent, the `subject`, has been live for two hours; of a dialer, for twice its `maxCallSeconds`',
  key_limit: `an API key has sent ${limits.requestsPerHourAlerted} requests in one clock hour; cleared in the next`,
  dialer_stopped: 'the dialer of a campaign has stopped, until it is changed or enabled; `subject` says why',
  dialer_resting:
    'the dialer of a campaign rests, since its calls fail or get no answer; `subject` says which',
  dialer_unmapped:
    'a call of a dialer ended with a reason, the `subject`, that its template has no outcome for, or the ' +
    'assistant wrote an outcome that is none (`outcome_not_understood`) or a do-not-call that is neither yes nor no ' +
    '(`flag_not_understood`, which counts as yes); cleared after a day',
  dialer_hears_nothing:
    'people have talked in twenty or more of the last calls of a dialer, and none of what the assistant ' +
    'wrote was understood: a do-not-call would not be heard; until one is, or the template is changed',
  dialer_failing:
    'a call of a dialer cannot be read or recorded because of an error, the `subject`: it counts as `unknown`, but a ' +
    'do-not-call is tried again; cleared after a day',
  dialer_stalled:
    'a round of a dialer has been due for ten minutes: its alarm is not run, or each round fails',
  webhook_stalled:
    'the sender of a webhook, the `subject`, has had work for ten minutes that it cannot do: its ' +
    'alarm is not run, or fails',
  gate_silent:
    'the gate of a campaign has given no answer that can be read for ten minutes; until it does, or is changed',
  gate_refusing:
    'more than half of the last 50 answers of the gate of a campaign were a no: it asks no more, until a person ' +
    'says go on or what it asks is changed',
  source_failing:
    'a source, the `subject`, has refused five posts in a clock hour and stored none; until it stores one, ' +
    'is disabled or removed',
  source_clock:
    'leads of a source, the `subject`, are called by the campaign’s clock, though their country has several ' +
    'and nobody has said whose counts; until `timeZones` or `countries` of the source is set, or ' +
    'it is disabled or removed',
  store_stalled: 'the alarm of the company’s own store has been due for ten minutes and is not run',
  store_full: 'the company’s own store holds 8 GB of the 10 GB that it can',
} as const

export type AlertKind = keyof typeof alertKinds

/** For a company's own store. */
export const alertedStoreBytes = 8_000_000_000

/** How long nobody must have called, a webhook have failed, or work have been due. */
export const alertAfterMs = 600_000

/** A call that is live for longer never ends; of a dialer, for longer than so many times its longest. */
export const [endlessCallMs, endlessFactor] = [7_200_000, 2]

/** So many posts that are refused in a clock hour, without one that is stored. */
export const refusedPostsAlerted = 5

/** An agent counts as failing for so long after its block: the next claim of one that still fails blocks it again. */
export const agentGraceMs = 600_000

export type Alert = {
  readonly kind: AlertKind
  readonly companyId: string
  /** 0: about the company. */
  readonly campaignNumber: number
  /** Empty: the campaign itself. */
  readonly subject: string
  readonly sinceMs: number
}
