// What may become of a phone call, and what each outcome means for the lead (D42): its class, and after how many
// minutes a retry follows. A campaign may change both. Pure data; what a class does to a lead is one expression of
// SQL, in calling/store/sql/lead-after-call.ts, because it is decided in the transaction that records the report.

/**
 * `done`: the lead is concluded. `dead`: it is exhausted. `retry`: it is called again after some minutes.
 * `appointment`: it is called again at the time that was agreed; without one, like `retry`.
 */
export const outcomeClasses = ['done', 'dead', 'retry', 'appointment'] as const

export type OutcomeClass = (typeof outcomeClasses)[number]

export type OutcomeRule = {
  readonly class: OutcomeClass
  /** From the report's arrival, or the end of a lease that ran out (D54). Kept for classes that do not use it. */
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

/** What an agent may report. `unknown` is ours alone: the lease ran out without a word. */
export type ReportedOutcome = Exclude<Outcome, 'unknown'>

export const outcomes = Object.keys(defaultOutcomes) as readonly Outcome[]

export const reportedOutcomes = outcomes.filter((outcome) => outcome !== 'unknown')

export type OutcomeRules = Readonly<Record<Outcome, OutcomeRule>>

/** The rules of a campaign: the defaults, and what it changed. A member that is absent keeps its default. */
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

/** A phone may have rung until then: a lease that ran out is settled this much later, and no earlier (D47). */
export const settleGraceMs = 2_000
