// The outcomes of a phone call, and what each means for the lead (D42): its class, and after how many minutes the
// next attempt follows. A campaign may change both. Pure data: what a class does to a lead is decided by SQL in
// queue/calling/store/sql/lead-after-call.ts, in the transaction that records the report. A new outcome also needs a
// column in base/ledger/hours/tables.ts, and its migration; everything else derives from these two.

/**
 * `done`: the lead is concluded. `dead`: it is exhausted. `retry`: it is called again after some minutes.
 * `appointment`: it is called again at the agreed time; without one, like `retry`.
 */
export const outcomeClasses = ['done', 'dead', 'retry', 'appointment'] as const

export type OutcomeClass = (typeof outcomeClasses)[number]

export type OutcomeRule = {
  readonly class: OutcomeClass
  /** From the report's arrival, or the end of an expired lease (D54). Stored for classes that do not use it, too. */
  readonly minutes: number
}

const retry = (minutes: number): OutcomeRule => ({ class: 'retry', minutes })
const done: OutcomeRule = { class: 'done', minutes: 60 }
const dead: OutcomeRule = { class: 'dead', minutes: 60 }

export const defaultOutcomes = {
  answered: done,
  not_interested: done,
  wrong_number: dead,
  invalid_number: dead,
  do_not_call: dead,
  no_answer: retry(60),
  busy: retry(15),
  voicemail: retry(240),
  failed: retry(30),
  abandoned: retry(4320),
  callback_requested: { class: 'appointment', minutes: 60 },
  unknown: retry(60),
} as const satisfies Record<string, OutcomeRule>

export type Outcome = keyof typeof defaultOutcomes

/** What an agent may report. Only the service sets `unknown`: the lease expired without a report. */
export type ReportedOutcome = Exclude<Outcome, 'unknown'>

export const outcomes = Object.keys(defaultOutcomes) as readonly Outcome[]

export const reportedOutcomes = outcomes.filter((outcome) => outcome !== 'unknown')

/** How a call may have ended: `released`, nobody dialled. */
export const pastOutcomes = [...outcomes, 'released'] as const

export type OutcomeRules = Readonly<Record<Outcome, OutcomeRule>>

/** The rules of a campaign: the defaults with its changes. An absent member keeps its default. */
export function resolveOutcomes(
  changes: Readonly<Partial<Record<Outcome, Partial<OutcomeRule>>>>,
): OutcomeRules {
  const entries = outcomes.map((outcome) => [outcome, { ...defaultOutcomes[outcome], ...changes[outcome] }])
  return Object.fromEntries(entries) as OutcomeRules
}

/** Whether the outcome suppresses the number, whatever its class in a campaign (D42). */
export function forbidsCalls(outcome: string): boolean {
  return outcome === 'do_not_call'
}

/** An expired lease is settled this much later, and no earlier: the phone may have rung until then (D47). */
export const settleGraceMs = 2_000
